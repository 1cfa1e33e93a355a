import Foundation
import Linux

/// Files of the desktop camera that are there whole or not at all, also after a power cut.
enum WholeFile {
  /// Writes a file whose folder is there, waits until the disk has it, and gives it its name.
  ///
  /// - Parameter replacing: Whether a file that is there gives way.
  /// - Returns: False where it is not to give way, and is there.
  /// - Throws: One sentence of what the system says, for a full disk as well.
  @discardableResult
  static func write(_ data: Data, to url: URL, replacing: Bool = true) throws -> Bool {
    do throws(SystemError) {
      try AtomicFile.write(data, to: url.path, replacing: replacing)
      return true
    } catch {
      if error.reason == .alreadyExists { return false }
      throw NSError(
        domain: NSPOSIXErrorDomain, code: Int(EIO),
        userInfo: [NSLocalizedDescriptionKey: error.description, NSFilePathErrorKey: url.path])
    }
  }
}
