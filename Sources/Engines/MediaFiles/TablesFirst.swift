internal import Glibc
internal import Linux

/// Puts a whole movie's header before its media, by a copy that takes the file's place when it is whole.
enum TablesFirst {
  /// Copies `ftyp`, the header, then the media.
  ///
  /// - Parameters:
  ///   - media: Where the box of the media lies.
  ///   - header: The header, with places that count from the beginning of the new file.
  /// - Throws: ``MovieFileError``: `system`; the file is as it was.
  static func rewrite(_ path: String, media: Range<Int>, header: [UInt8]) throws(MovieFileError) {
    let copy = path + ".part"
    let action = "write \(copy)"
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw MovieFileError(.last("read \(path)")) }
    let from = Descriptor(adopting: source)
    let target = Disk.open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard target >= 0 else { throw MovieFileError(.last(action)) }
    let to = Descriptor(adopting: target)
    do throws(MovieFileError) {
      try transfer(from, 0..<media.lowerBound, to, action)
      try write(header[...], to, action)
      try transfer(from, media, to, action)
      guard Disk.syncBytes(to.number), Disk.rename(copy, path) else { throw MovieFileError(.last(action)) }
    } catch {
      Disk.unlink(copy)
      throw error
    }
  }

  private static func transfer(
    _ from: Descriptor, _ range: Range<Int>, _ to: Descriptor, _ action: String
  ) throws(MovieFileError) {
    var memory = [UInt8](repeating: 0, count: 1 << 20)
    var at = range.lowerBound
    while at < range.upperBound {
      let wanted = min(memory.count, range.upperBound - at)
      let count = memory.withUnsafeMutableBytes { pread(from.number, $0.baseAddress, wanted, off_t(at)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw MovieFileError(.last(action)) }
      try write(memory[..<count], to, action)
      at += count
    }
  }

  private static func write(
    _ bytes: ArraySlice<UInt8>, _ to: Descriptor, _ action: String
  ) throws(MovieFileError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Disk.write(to.number, $0) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw MovieFileError(.last(action)) }
      rest = rest.dropFirst(count)
    }
  }
}
