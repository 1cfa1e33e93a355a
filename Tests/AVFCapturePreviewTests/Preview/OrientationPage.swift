import AVFCapture
import CaptureDevice
import Foundation
import GraphicsCore
import ImageIO

/// ``OrientationTable`` as a page of Markdown.
enum OrientationPage {
  /// The whole text of `Documentation/Orientation.md`.
  static var markdown: String {
    (heading + changes + turns + customs + everything + [""]).joined(separator: "\n")
  }

  private static let orientations: [AVCaptureVideoOrientation] = [
    .portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft,
  ]

  private static let heading = [
    "# One truth about orientation",
    "",
    "Made from the code by `OBSCURA_WRITE_ORIENTATION=1 swift test --filter OrientationTable`; a test fails when this page",
    "is stale. Angles are degrees clockwise as seen by someone who looks at the picture. A picture is first turned, then",
    "mirrored left to right; both together are one of eight changes.",
    "",
  ]

  private static var changes: [String] {
    [
      "## The eight changes",
      "",
      "The EXIF number makes a viewer, and the movie matrix a player, do to stored pixels what a video data output and a",
      "preview do by themselves. The matrix `[a b c d tx ty]` takes a stored pixel to a shown one,",
      "`x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`, for stored pictures of `w` × `h` pixels.",
      "",
      "| turn | mirrored | EXIF | EXIF's name | movie matrix | width and height |",
      "|---|---|---|---|---|---|",
    ]
      + OrientationTable.changes.map { change in
        "| \(change.rotation) | \(change.isMirrored ? "yes" : "no") | \(change.exif.rawValue) | \(change.exif) "
          + "| \(matrix(change)) | \(change.isTransposing ? "change places" : "stay") |"
      } + [""]
  }

  private static func matrix(_ change: OrientationTable.Change) -> String {
    let unit = change.unit
    let whole = { (number: CGFloat) in String(Int(number)) }
    let numbers = [unit.a, unit.b, unit.c, unit.d].map(whole).joined(separator: " ")
    let tx = unit.tx == 0 ? "0" : change.isTransposing ? "h" : "w"
    let ty = unit.ty == 0 ? "0" : change.isTransposing ? "w" : "h"
    return "`[\(numbers) \(tx) \(ty)]`"
  }

  private static var turns: [String] {
    [
      "## How the machine is held",
      "",
      "A camera's picture is turned by its sensor's own rotation (90 in phones, 0 in cameras that are plugged in) and by:",
      "",
      "| orientation | the machine is turned clockwise by | "
        + OrientationTable.Facing.allCases.map(name).joined(separator: " | ") + " |",
      "|---|---|" + String(repeating: "---|", count: OrientationTable.Facing.allCases.count),
    ]
      + orientations.map { orientation in
        "| \(orientation) | \(OrientationTable.holdings.first { $0.value == orientation }?.key ?? 0) | "
          + OrientationTable.Facing.allCases.map { facing in
            String(OrientationTable.turns[orientation]?[facing] ?? 0)
          }.joined(separator: " | ") + " |"
      } + [""]
  }

  private static func name(_ facing: OrientationTable.Facing) -> String {
    switch facing {
    case .away: "back and plugged-in cameras"
    case .toUser: "front cameras"
    }
  }

  private static var customs: [String] {
    [
      "## Where the change is carried out",
      "",
      "| destination | carried out by | begins | mirrors by itself |",
      "|---|---|---|---|",
    ]
      + OrientationTable.Destination.allCases.compactMap { destination in
        guard let custom = OrientationTable.customs[destination] else { return nil }
        let mirrored = OrientationTable.Facing.allCases.filter { custom.automaticMirroring[$0] == true }
        return "| \(destination.rawValue) | \(custom.carrier.rawValue) "
          + "| \(custom.standsUpright ? "upright, with the sensor's rotation" : "as the sensor sees") "
          + "| \(mirrored.isEmpty ? "never" : mirrored.map(name).joined(separator: ", ")) |"
      } + [""]
  }

  private static var everything: [String] {
    var lines = [
      "## Everything together",
      "",
      "What a connection does whose `videoOrientation` is set: the turn of its pixels or its drawing, and the EXIF number",
      "of its photos, without and with mirroring.",
      "",
      "| camera | sensor | orientation | turn | EXIF | EXIF mirrored |",
      "|---|---|---|---|---|---|",
    ]
    for facing in OrientationTable.Facing.allCases {
      for sensorRotation in [90, 0, 180, 270] {
        for orientation in orientations {
          let turn = OrientationTable.rotation(
            for: orientation, sensorRotation: sensorRotation, position: facing == .toUser ? .front : .back)
          let numbers = [false, true].map { isMirrored in
            OrientationTable.change(rotation: turn, isMirrored: isMirrored).exif.rawValue
          }
          lines.append(
            "| \(facing == .toUser ? "front" : "back") | \(sensorRotation) | \(orientation) | \(turn) "
              + "| \(numbers[0]) | \(numbers[1]) |")
        }
      }
    }
    return lines
  }
}
