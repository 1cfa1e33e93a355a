internal import Foundation
internal import Glibc
internal import Linux

/// Bytes as a file without a name, which is gone with this object, or with the process.
final class TemporaryFile: Sendable {
  private let descriptor: Descriptor

  /// The file, as this process reaches it.
  var url: URL { URL(fileURLWithPath: "/proc/self/fd/\(descriptor.number)") }

  /// - Throws: ``SystemError`` when there is no room for it.
  init(_ data: Data) throws(SystemError) {
    var template = Array((NSTemporaryDirectory() + "/obscura-XXXXXX").utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw .last("make a temporary file") }
    Disk.unlink(template)
    descriptor = Descriptor(adopting: number)
    var done = 0
    while done < data.count {
      let count = data.withUnsafeBytes { Disk.write(number, UnsafeRawBufferPointer(rebasing: $0[done...])) }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw .last("write a temporary file")
      }
      done += count
    }
  }
}
