import Foundation
import Waiting

/// This process's descriptors, threads and mappings, to be compared before and after; Linux: `/proc/self`.
struct ProcessHoldings {
  var descriptors: Int
  var threads: Int
  /// Pieces of cameras' memory.
  var mappings: Int
  /// The reason why tests ask for them again and again.
  static let why: StaticString = "/proc tells of no change"

  static func now() throws -> ProcessHoldings {
    let files = FileManager.default
    return ProcessHoldings(
      descriptors: try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
      threads: try files.contentsOfDirectory(atPath: "/proc/self/task").count,
      mappings: try memory(of: "/dev/video").count)
  }

  /// The addresses of the memory that drivers lend this process through nodes whose paths begin so.
  static func memory(of path: String) throws -> Set<UInt> {
    // Not Foundation, which takes the first short read of a file without a size for its end.
    guard let file = fopen("/proc/self/maps", "r") else { throw Vivid.Failure(description: "no maps") }
    defer { fclose(file) }
    var found: Set<UInt> = []
    var line = [CChar](repeating: 0, count: 8192)
    while fgets(&line, Int32(line.count), file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        .split { $0 == " " || $0 == "-" || $0 == "\n" }
      if words.last?.hasPrefix(path) == true, let start = words.first, let address = UInt(start, radix: 16) {
        found.insert(address)
      }
    }
    return found
  }
}
