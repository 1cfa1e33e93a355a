import Foundation

/// What this process holds of the machine, to be compared before and after; Linux: `/proc/self`.
struct ProcessHoldings {
  var descriptors: Int
  var threads: Int
  /// Pieces of cameras' memory.
  var mappings: Int

  static func now() throws -> ProcessHoldings {
    let files = FileManager.default
    return ProcessHoldings(
      descriptors: try files.contentsOfDirectory(atPath: "/proc/self/fd").count,
      threads: try files.contentsOfDirectory(atPath: "/proc/self/task").count,
      mappings: try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
        .count { $0.contains("/dev/video") })
  }
}
