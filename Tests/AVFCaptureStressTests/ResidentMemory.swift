import Foundation
import Testing

/// The memory of this process; tests that ask for it run in a process of their own.
enum ResidentMemory {
  /// Runs `body` once for each part, and returns by how many bytes the process grew in the part with the least growth.
  ///
  /// What leaks grows in every part; what is only taken for the first time does not.
  static func leastGrowth(parts: Int, _ body: () throws -> Void) throws -> Int {
    var least = Int.max
    for _ in 0..<parts {
      let before = try bytes()
      try body()
      least = min(least, try bytes() - before)
    }
    return least
  }

  /// `proc(5)`: the second number of `statm` is the resident set in pages.
  private static func bytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 4096
  }
}
