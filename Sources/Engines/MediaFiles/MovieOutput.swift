internal import CoreMedia
internal import Glibc
internal import Linux

/// The file that a movie is written to: it grows by whole boxes, or not at all.
final class MovieOutput {
  private let path: String
  private let action: String
  private let descriptor: Descriptor
  /// Bytes that are written.
  private(set) var size = 0
  /// Whether the file has no name yet.
  private var isHidden = false

  /// Makes a file that must not be there.
  ///
  /// - Parameter isHidden: Whether it gets its name with ``publish()``; not all file systems can do that, and then it has it at once.
  init(path: String, isHidden: Bool = false) throws(MovieFileError) {
    self.path = path
    action = "write \(path)"
    if isHidden {
      var status = stat()
      guard lstat(path, &status) != 0 else { throw MovieFileError(SystemError(action, errno: EEXIST)) }
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
      // A name is given by way of /proc.
      let number =
        access("/proc/self/fd", X_OK) == 0 ? open(folder, O_RDWR | Self.withoutName | O_CLOEXEC, 0o666) : -1
      if number >= 0 {
        self.isHidden = true
        descriptor = Descriptor(adopting: number)
        return
      }
    }
    let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw MovieFileError(.last(action)) }
    descriptor = Descriptor(adopting: number)
  }

  /// `O_TMPFILE`, a macro that Swift does not see.
  private static let withoutName = 0o20_000_000 | O_DIRECTORY

  /// Gives the file its name, which no other file must have.
  func publish() throws(MovieFileError) {
    guard isHidden else { return }
    guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor.number)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    else {
      throw MovieFileError(.last(action))
    }
    isHidden = false
  }

  /// Appends a box of `bytes` and behind them those of `blocks`; when that fails, the file is as it was.
  ///
  /// The box's size and type are written last, in one piece: a process that is killed leaves zeros there, at which readers stop.
  func append(_ bytes: [UInt8], _ blocks: [CMBlockBuffer] = []) throws(MovieFileError) {
    var whole = bytes
    whole.reserveCapacity(bytes.count + blocks.reduce(0) { $0 + $1.dataLength })
    for block in blocks {
      do {
        if block.isContiguous {
          try block.withContiguousStorage { whole.append(contentsOf: $0) }
        } else {
          whole.append(contentsOf: try block.dataBytes())
        }
      } catch {
        throw MovieFileError(.unsuitable, "The data of a sample cannot be had: \(error)")
      }
    }
    do throws(MovieFileError) {
      try write(whole[8...], at: size + 8)
      try write(whole[..<8], at: size)
    } catch {
      _ = ftruncate(descriptor.number, off_t(size))
      throw error
    }
    size += whole.count
  }

  private func write(_ bytes: ArraySlice<UInt8>, at position: Int) throws(MovieFileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { memory in
        pwrite(
          descriptor.number, memory.baseAddress.map { $0 + done }, memory.count - done, off_t(position + done)
        )
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw MovieFileError(.last(action)) }
      done += count
    }
  }

  /// Overwrites bytes that are there.
  func overwrite(_ bytes: [UInt8], at position: Int) throws(MovieFileError) {
    try write(bytes[...], at: position)
  }

  /// Waits until all is on the disk.
  func sync() throws(MovieFileError) {
    guard fdatasync(descriptor.number) == 0 else { throw MovieFileError(.last(action)) }
  }

  func remove() {
    if !isHidden { unlink(path) }
  }
}
