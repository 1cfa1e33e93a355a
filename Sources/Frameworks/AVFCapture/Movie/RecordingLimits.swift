internal import AVFCore
internal import CoreMedia
internal import Glibc

/// The limits at which a recording ends by itself: duration, size of the file, and free space.
struct RecordingLimits: Sendable {
  /// Invalid is no limit.
  var duration = CMTime.invalid
  /// Bytes of the file; 0 is no limit.
  var fileSize: Int64 = 0
  /// Bytes that stay free on the disk; 0 is no limit.
  var freeSpace: Int64 = 0

  /// The longest duration in nanoseconds; `nil` is no limit.
  var longest: Int64? {
    guard duration.isNumeric, duration > .zero else { return nil }
    return duration.convertScale(1_000_000_000, method: .roundHalfAwayFromZero).value
  }

  /// Whether the disk of a file has too little space left, once `pending` bytes are written that wait in memory.
  func isDiskFull(for path: String, pending: Int64 = 0) -> Bool {
    guard freeSpace > 0, let free = Self.freeSpace(for: path) else { return false }
    return free - max(pending, 0) < freeSpace
  }

  /// How many bytes programs may still write on the disk of a file or of the folder that it will be in.
  static func freeSpace(for path: String) -> Int64? {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    let (bytes, isTooMuch) = Int64(clamping: status.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: status.f_frsize))
    return isTooMuch ? .max : bytes
  }
}

/// The figures of a recording so far.
struct RecordingFigures: Sendable {
  var duration = CMTime.zero
  /// Of the file, with its tables.
  var bytes: Int64 = 0
  /// Pictures that are in the file.
  var pictures = 0
  /// Pictures that the camera made and that are not in the file.
  var dropped = 0
  /// Pictures that the camera did not bring, though its rate promised them.
  var missing = 0
}
