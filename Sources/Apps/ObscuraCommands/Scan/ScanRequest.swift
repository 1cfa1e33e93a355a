internal import AVFoundation
internal import Foundation
internal import Linux

/// The request to `obscura scan`.
struct ScanRequest: Sendable {
  /// The codes to look for; everything that can be read unless `--types` names some.
  var types: [AVMetadataObject.ObjectType]
  var look: LookRequest
  /// Pictures to read instead of a camera.
  var paths: [String]

  /// - Throws: ``CommandError`` with ``ExitCode/usage``, or ``ExitCode/formatNotSupported`` for a kind that the library of
  ///   this machine does not read.
  init(_ arguments: Arguments) throws {
    types = try Self.types(arguments["types"])
    look = try LookRequest(arguments)
    let folders = UserFolders(ProcessInfo.processInfo.environment)
    paths = arguments.operands.map { folders.expanded($0) }
    let stray = ["timeout", "device", "preset", "publish"].first { arguments[$0] != nil }
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
}
