internal import CameraTasks
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import ImageIO
internal import Linux
internal import PixelTransforms
internal import SimulatedDevices
internal import StillCodecs

/// `obscura stamp`: reads the simulated camera's frame number out of pictures.
enum StampCommand: Command {
  static let name = "stamp"
  static let summary = "reads the simulated camera's frame number out of pictures"
  static let usage = "FILE… [options]"
  static let takesFiles = true
  static let options: [Arguments.Option] = []

  private struct Answer: Encodable {
    var schema = "obscura.stamp"
    var version = 1
    var path: String
    var sequence: UInt32
  }

  static func run(_ arguments: Arguments, _ terminal: Terminal) throws -> ExitCode {
    guard !arguments.operands.isEmpty else {
      throw CommandError(.usage, "no picture was named; write 'obscura stamp FILE…'.")
    }
    let failures = Failures(terminal)
    let folders = UserFolders(ProcessInfo.processInfo.environment)
    for word in arguments.operands {
      let path = folders.expanded(word)
      let progress = Progress(terminal) { "Reading \(path)" }
      defer { progress.end() }
      do {
        let sequence = try sequence(inPictureAt: path)
        if arguments.has("json") {
          try terminal.answer(json: Answer(path: path, sequence: sequence))
        } else {
          try terminal.answer(arguments.operands.count == 1 ? "\(sequence)" : "\(path): \(sequence)")
        }
      } catch let error as CameraTaskError {
        // One bad picture does not keep the others from being read.
        failures.report(error)
      }
    }
    return failures.exitCode ?? .done
  }

  private static func sequence(inPictureAt path: String) throws -> UInt32 {
    let picture = try PictureReading.picture(at: path, atMostPixels: 16_000_000)
    if let sequence = FrameStamp.read(from: picture) { return sequence }
    // A picture may have been turned for people after the strip was drawn along the sensor's top edge.
    let transformer = PixelTransformer(bufferLimit: 1)
    for rotation in QuarterTurn.allCases {
      for isMirrored in [false, true] where rotation != .none || isMirrored {
        let turned = try transformer.apply(
          FrameTransform(rotation: rotation, isMirrored: isMirrored), to: picture)
        if let sequence = FrameStamp.read(from: turned) { return sequence }
      }
    }
    throw CameraTaskError(
      .badFile,
      "\(path) carries no stamp: it is no whole picture of a simulated camera whose scene says \"stamp\".")
  }
}
