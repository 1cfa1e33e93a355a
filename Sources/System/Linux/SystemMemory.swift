internal import Foundation

/// The machine's memory.
package enum SystemMemory {
  /// Bytes that programs can have without another's being swapped out: `MemAvailable` of `/proc/meminfo` (proc(5)); `nil` where the
  /// kernel does not say.
  package static var availableBytes: Int? {
    availableBytes(in: (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? "")
  }

  /// The same, read from the text of such a file.
  package static func availableBytes(in text: String) -> Int? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemAvailable:") }) else {
      return nil
    }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
