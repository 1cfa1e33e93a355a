internal import AVFoundation
internal import CameraTasks
internal import Foundation
internal import Linux

/// The request to `obscura scan`.
struct ScanRequest: Sendable {
  /// The codes to look for; everything that can be read unless `--types` names some.
  var types: [AVMetadataObject.ObjectType]
  /// The region to search, in fractions of the picture.
  var region: CGRect
  var isOnce: Bool
  /// `nil` for ever.
  var timeoutSeconds: Double?
  /// The size of the camera's frames; `high`, which is 1920×1080 where there is that, unless `--preset` names another.
  var preset: FramePreset
  /// Pictures to read instead of a camera.
  var paths: [String]

  /// - Throws: ``CommandError`` with ``ExitCode/usage``, or ``ExitCode/formatNotSupported`` for a kind that the library of
  ///   this machine does not read.
  init(_ arguments: Arguments) throws {
    types = try Self.types(arguments["types"])
    region = try Self.region(arguments.numbers("region"))
    isOnce = arguments.has("once")
    timeoutSeconds = arguments.number("timeout")
    preset = try arguments.choice("preset", of: FramePreset.self) ?? .high
    let folders = UserFolders(ProcessInfo.processInfo.environment)
    paths = arguments.operands.map { folders.expanded($0) }
    let stray = ["timeout", "device", "preset"].first { arguments[$0] != nil }
    if let stray = stray ?? (arguments.has("wait") ? "wait" : nil), !paths.isEmpty {
      throw CommandError(
        .usage, "--\(stray) is for cameras, and pictures were named; leave one of both out.")
    }
  }

  private static func types(_ list: String?) throws -> [AVMetadataObject.ObjectType] {
    let readable = AVMetadataObject.ObjectType.readable
    guard let list else { return readable }
    let types = try list.split(separator: ",").map { word in
      let name = word.trimmingCharacters(in: .whitespaces).lowercased()
      guard let known = CodeName(rawValue: name) else {
        let all = CodeName.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandError(.usage, "--types \(name) is not known; choose of \(all).")
      }
      guard readable.contains(known.type) else {
        throw CommandError(
          .formatNotSupported,
          "\(name) codes cannot be read, because this machine's ZXing-C++ is older than they are; leave them out."
        )
      }
      return known.type
    }
    guard !types.isEmpty else {
      throw CommandError(.usage, "--types names nothing; write it like qr,ean13.")
    }
    return types
  }

  private static func region(_ numbers: [Double]?) throws -> CGRect {
    guard let numbers else { return CGRect(x: 0, y: 0, width: 1, height: 1) }
    // A hair's breadth beyond the edge is rounding.
    guard numbers[2] > 0, numbers[3] > 0, numbers[0] + numbers[2] <= 1.000001,
      numbers[1] + numbers[3] <= 1.000001
    else {
      throw CommandError(
        .usage,
        "--region \(numbers.map { Figures.text($0) }.joined(separator: ",")) is no part of a picture; write x,y,width,height as fractions, like 0.25,0.25,0.5,0.5."
      )
    }
    return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
