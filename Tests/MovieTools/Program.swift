internal import Foundation

/// FFmpeg's programs, against which files are compared.
package enum Program {
  /// A program that failed: what it printed.
  package struct Failure: Error {
    package let text: String
  }

  /// Runs a program, and returns what it printed.
  @discardableResult
  package static func run(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: complaint) }
    return text
  }

  /// The report of `ffprobe` about a file's container and streams.
  package static func probe(_ path: String) throws -> Probe {
    let text = try run(
      "ffprobe", ["-v", "error", "-show_format", "-show_streams", "-of", "json", path])
    return try Probe(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:])
  }

  /// The times of a stream's frames in seconds, in the order of showing, decoded by `ffprobe`.
  package static func frameTimes(_ path: String, stream: String = "v:0") throws -> [Double] {
    try run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", stream, "-show_entries", "frame=pts_time", "-of", "csv=p=0", path,
      ]
    ).split(separator: "\n").compactMap { Double($0.split(separator: ",").first ?? "") }
  }

  /// Makes a movie with `ffmpeg`.
  package static func make(_ path: String, _ arguments: [String]) throws {
    try run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [path])
  }
}

/// The report of `ffprobe` about a file.
package struct Probe {
  /// The container.
  package let format: [String: Any]
  /// The streams.
  package let streams: [[String: Any]]

  init(_ values: [String: Any]) throws {
    format = values["format"] as? [String: Any] ?? [:]
    streams = values["streams"] as? [[String: Any]] ?? []
  }

  /// The stream of a kind: `video`, `audio`.
  package func stream(_ kind: String) -> [String: Any] {
    streams.first { $0["codec_type"] as? String == kind } ?? [:]
  }

  /// The container's duration in seconds.
  package var duration: Double { Double(format["duration"] as? String ?? "") ?? -1 }

  /// The container's metadata.
  package var tags: [String: String] { format["tags"] as? [String: String] ?? [:] }
}

/// A folder for the time of `body`.
package func withMovieFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("movies-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder.path)
}
