package import Foundation
internal import Glibc
package import Linux

/// A file that a user named, open for reading.
///
/// Opening never waits: pipes, sockets, devices and folders are refused at once.
package struct InputFile: Sendable {
  /// The size that the file system reports, in bytes; 0 for files that are made as they are read, such as those of `/proc`.
  package let size: Int
  private let descriptor: Descriptor

  /// The most bytes that are read of a picture file.
  package static let pictureBound = 256 << 20

  /// Opens the file at `path`.
  ///
  /// C: `open` with `O_NONBLOCK`, `fstat`.
  package init(_ path: String) throws(FileReadError) {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard number >= 0 else {
      // A socket cannot be opened.
      let problem = SystemError.last("read \(path)")
      var status = stat()
      if stat(path, &status) == 0, let kind = FileReadError(mode: status.st_mode) { throw kind }
      throw .system(problem)
    }
    descriptor = Descriptor(adopting: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .system(.last("read \(path)")) }
    if let kind = FileReadError(mode: status.st_mode) { throw kind }
    size = Int(status.st_size)
  }

  /// The first `count` bytes, or all there are.
  package func head(_ count: Int) throws(FileReadError) -> Data {
    try read(count + 1, start: count).prefix(count)
  }

  /// So many bytes from `start` on; `nil` where the file has fewer, or cannot be read.
  package func bytes(at start: Int, count: Int) -> Data? {
    guard start >= 0, (0...Self.pictureBound).contains(count) else { return nil }
    var data = Data(count: count)
    var taken = 0
    while taken < count {
      let more = data.withUnsafeMutableBytes { bytes in
        pread(descriptor.number, bytes.baseAddress.map { $0 + taken }, count - taken, off_t(start + taken))
      }
      if more < 0, errno == EINTR { continue }
      guard more > 0 else { return nil }
      taken += more
    }
    return data
  }

  /// All bytes, of which there may be `bound`; a file that grows meanwhile is refused once it is beyond.
  package func contents(atMost bound: Int) throws(FileReadError) -> Data {
    guard size <= bound else { throw .tooLarge(size: size, bound: bound) }
    let data = try read(bound + 1, start: max(size, 4096))
    guard data.count <= bound else { throw .tooLarge(size: nil, bound: bound) }
    return data
  }

  /// The bytes of the file at `path`, of which there may be `bound`.
  package static func contents(of path: String, atMost bound: Int) throws(FileReadError) -> Data {
    try InputFile(path).contents(atMost: bound)
  }

  /// The bytes of the file at `url`; `nil` when it is no regular file, cannot be read, or has more than `bound` bytes.
  package static func contents(of url: URL, atMost bound: Int = pictureBound) -> Data? {
    url.isFileURL ? try? contents(of: url.path, atMost: bound) : nil
  }

  /// Reads up to `most` bytes into memory that begins with room for `start` and grows as needed.
  private func read(_ most: Int, start: Int) throws(FileReadError) -> Data {
    var data = Data(count: min(most, start + 1))
    var count = 0
    while count < most {
      if count == data.count { data.count = min(most, 2 * count) }
      let taken = data.withUnsafeMutableBytes { bytes in
        pread(descriptor.number, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(count))
      }
      if taken < 0, errno == EINTR { continue }
      guard taken >= 0 else { throw .system(.last("read")) }
      if taken == 0 { break }
      count += taken
    }
    return data.prefix(count)
  }
}

/// The reason why a file cannot be read.
package enum FileReadError: Error, Sendable, Hashable, CustomStringConvertible {
  case folder, pipe, socket, device
  /// The file is beyond the bound; `size` is `nil` when it was found while reading.
  case tooLarge(size: Int?, bound: Int)
  case system(SystemError)

  /// The error for a path at which there is no regular file; `nil` for a regular one.
  fileprivate init?(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: self = .folder
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }

  /// Whether there is no such file.
  package var isMissing: Bool {
    if case .system(let error) = self { error.reason == .notFound } else { false }
  }

  /// The reason, as part of a sentence: "it is a folder".
  package var description: String {
    switch self {
    case .folder: "it is a folder"
    case .pipe: "it is a pipe, not a file"
    case .socket: "it is a socket, not a file"
    case .device: "it is a device, not a file"
    case .tooLarge(let size?, let bound):
      "it has \(ByteCount.text(size)) and at most \(ByteCount.text(bound)) are read"
    case .tooLarge(nil, let bound): "it has more than \(ByteCount.text(bound))"
    case .system where isMissing: "there is no such file"
    case .system(let error): error.explanation
    }
  }
}

/// Counts of bytes for people.
package enum ByteCount {
  /// `count` in the largest unit of which there is one, rounded to a tenth of GB or a whole MB or KB.
  package static func text(_ count: Int) -> String {
    switch count {
    case ..<1024: "\(count) bytes"
    case ..<(1 << 20): "\(rounded(count, 1 << 10)) KB"
    case ..<(1 << 30): "\(rounded(count, 1 << 20)) MB"
    default: "\(count >> 30).\(((count & ((1 << 30) - 1)) * 10) >> 30) GB"
    }
  }

  private static func rounded(_ count: Int, _ unit: Int) -> Int { (count + unit / 2) / unit }
}
