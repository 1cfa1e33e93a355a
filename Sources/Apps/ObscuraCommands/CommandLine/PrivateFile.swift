internal import Foundation
internal import Glibc

/// A file that holds a secret.
enum PrivateFile {
  /// The text of a file that only its owner may read.
  ///
  /// - Parameter option: The option that names it, without dashes.
  /// - Throws: ``CommandError`` with ``ExitCode/usage`` for one that others may read, or that cannot be read.
  static func text(at path: String, option: String) throws(CommandError) -> String {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      let reason = String(cString: strerror(errno))
      throw CommandError(
        .usage, "--\(option) '\(path)' cannot be read (\(reason)); name a file of mode 600 that is there.")
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw CommandError(
        .usage, "--\(option) '\(path)' cannot be read as text; name a file of mode 600 that is yours.")
    }
    guard facts.st_mode & 0o077 == 0 else {
      throw CommandError(
        .usage, "--\(option) '\(path)' may be read by others; run 'chmod 600 \(path)'.")
    }
    return text
  }
}
