package import CaptureDevice
package import Foundation
package import GraphicsCore
package import ImageIO

/// The one place that knows how pictures are turned and mirrored; printed as `Documentation/Orientation.md`.
///
/// Angles are degrees clockwise as seen by someone who looks at the picture. A picture is first turned, then mirrored left
/// to right, as `AVCaptureConnection` defines it. Pure data and pure functions.
package enum OrientationTable {
  /// The side to which a camera looks, as far as rotation goes: front cameras look at the person who holds the machine.
  package enum Facing: String, Sendable, Hashable, CaseIterable {
    /// Back cameras and those that are plugged in.
    case away
    /// Front cameras.
    case toUser

    /// The facing of a camera at `position`.
    package init(_ position: DevicePosition) {
      self = position == .front ? .toUser : .away
    }
  }

  /// A rotation and a mirroring of a picture, in every form in which it is described.
  package struct Change: Sendable, Hashable {
    /// Degrees clockwise: 0, 90, 180, or 270.
    package var rotation: Int
    /// Whether the turned picture is mirrored left to right.
    package var isMirrored: Bool
    /// The number that makes a viewer do this to the stored pixels (EXIF 2.32, 4.6.4).
    package var exif: CGImagePropertyOrientation
    /// The map of points in the unit square: `x' = a·x + c·y + tx`, `y' = b·x + d·y + ty`, y downwards.
    ///
    /// The movie's matrix has the same `a`, `b`, `c`, `d`; see ``movieMatrix(for:)``.
    package var unit: CGAffineTransform

    fileprivate init(
      _ rotation: Int, _ isMirrored: Bool, _ exif: CGImagePropertyOrientation, _ a: Double, _ b: Double,
      _ c: Double, _ d: Double, _ tx: Double, _ ty: Double
    ) {
      self.rotation = rotation
      self.isMirrored = isMirrored
      self.exif = exif
      unit = CGAffineTransform(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
    }

    /// Whether width and height change places.
    package var isTransposing: Bool { unit.a == 0 }

    /// The size of a picture of `size` after the change.
    package func applied(to size: CGSize) -> CGSize {
      isTransposing ? CGSize(width: size.height, height: size.width) : size
    }

    /// The track matrix that makes a player do this to stored pictures of `size`: from stored pixels to shown ones.
    ///
    /// Source: QuickTime File Format, track header atom, matrix structure.
    package func movieMatrix(for size: CGSize) -> CGAffineTransform {
      let shown = applied(to: size)
      var matrix = unit
      matrix.tx *= shown.width
      matrix.ty *= shown.height
      return matrix
    }
  }

  // MARK: The data

  /// All eight ways in which a picture can lie, and how each is described.
  package static let changes: [Change] = [
    //    turn  mirror exif              a   b   c   d  tx ty
    Change(0, false, .up, /*          */ 1, 0, 0, 1, 0, 0),
    Change(90, false, .right, /*      */ 0, 1, -1, 0, 1, 0),
    Change(180, false, .down, /*      */ -1, 0, 0, -1, 1, 1),
    Change(270, false, .left, /*      */ 0, -1, 1, 0, 0, 1),
    Change(0, true, .upMirrored, /*   */ -1, 0, 0, 1, 1, 0),
    Change(90, true, .leftMirrored, /**/ 0, 1, 1, 0, 0, 0),
    Change(180, true, .downMirrored, /**/ 1, 0, 0, -1, 0, 1),
    Change(270, true, .rightMirrored, /**/ 0, -1, -1, 0, 1, 1),
  ]

  /// How many degrees more than the sensor's own rotation a picture is turned to stand upright when the machine is held so.
  ///
  /// Front cameras look the other way, so their landscapes change places.
  package static let turns: [AVCaptureVideoOrientation: [Facing: Int]] = [
    .portrait: [.away: 0, .toUser: 0],
    .portraitUpsideDown: [.away: 180, .toUser: 180],
    .landscapeRight: [.away: 270, .toUser: 90],
    .landscapeLeft: [.away: 90, .toUser: 270],
  ]

  /// The orientation of a machine that is turned clockwise by so many degrees from upright.
  package static let holdings: [Int: AVCaptureVideoOrientation] = [
    0: .portrait, 90: .landscapeLeft, 180: .portraitUpsideDown, 270: .landscapeRight,
  ]

  /// The way in which a connection's rotation and mirroring are carried out.
  package enum Carrier: String, Sendable, Hashable {
    /// The drawer of the preview, or the renderer of ``PreviewFrames``; the frame is not touched.
    case drawing
    /// The pixels of each buffer are turned.
    case pixels
    /// The pixels stay as the sensor gave them, and the file says how to turn them.
    case exif
    /// The pixels stay as the sensor gave them, and the track's matrix says how to turn them.
    case movieMatrix = "movie matrix"
  }

  /// The destination of frames, on which their rotation depends.
  package enum Destination: String, Sendable, Hashable, CaseIterable {
    case preview
    case videoData = "video data"
    case depthData = "depth data"
    case photo
    case movie
  }

  /// The defaults of a destination's connections, and the way in which their rotation is carried out.
  package struct Custom: Sendable, Hashable {
    /// The way in which the rotation and the mirroring are carried out.
    package var carrier: Carrier
    /// Whether connections begin with the sensor's own rotation, so that pictures stand upright, or without any.
    package var standsUpright: Bool
    /// Whether connections begin with automatic mirroring.
    package var mirrorsAutomatically: Bool
    /// Whether automatic mirroring mirrors pictures of each facing.
    package var automaticMirroring: [Facing: Bool]
  }

  /// How each destination turns and mirrors.
  package static let customs: [Destination: Custom] = [
    .preview: Custom(
      carrier: .drawing, standsUpright: true, mirrorsAutomatically: true,
      automaticMirroring: [.away: false, .toUser: true]),
    .videoData: Custom(
      carrier: .pixels, standsUpright: false, mirrorsAutomatically: false,
      automaticMirroring: [.away: false, .toUser: false]),
    .depthData: Custom(
      carrier: .pixels, standsUpright: false, mirrorsAutomatically: false,
      automaticMirroring: [.away: false, .toUser: false]),
    .photo: Custom(
      carrier: .exif, standsUpright: true, mirrorsAutomatically: false,
      automaticMirroring: [.away: false, .toUser: false]),
    .movie: Custom(
      carrier: .movieMatrix, standsUpright: true, mirrorsAutomatically: false,
      automaticMirroring: [.away: false, .toUser: false]),
  ]

  // MARK: Readings

  /// The change of a turn by `rotation` degrees and a mirroring; angles that are no quarter turn count as none.
  package static func change(rotation: Int, isMirrored: Bool) -> Change {
    let angle = ((rotation % 360) + 360) % 360
    return changes.first { $0.rotation == angle && $0.isMirrored == isMirrored }
      ?? changes[isMirrored ? 4 : 0]
  }

  /// Degrees clockwise by which a camera's picture is turned to stand upright in `orientation`.
  package static func rotation(
    for orientation: AVCaptureVideoOrientation, sensorRotation: Int, position: DevicePosition
  ) -> Int {
    (sensorRotation + (turns[orientation]?[Facing(position)] ?? 0)) % 360
  }

  /// How a connection to `destination` begins, for a camera or, with `nil`, without one.
  package static func settings(for destination: Destination, camera: DeviceFacts?) -> ConnectionSettings {
    var settings = ConnectionSettings()
    guard let camera, let custom = customs[destination] else { return settings }
    if custom.standsUpright { settings.rotation = camera.sensorRotation }
    settings.mirrorsAutomatically = custom.mirrorsAutomatically
    if custom.mirrorsAutomatically {
      settings.isMirrored = mirrorsAutomatically(destination, position: camera.position)
    }
    return settings
  }

  /// Whether automatic mirroring mirrors what goes from a camera at `position` to `destination`.
  package static func mirrorsAutomatically(_ destination: Destination, position: DevicePosition) -> Bool {
    customs[destination]?.automaticMirroring[Facing(position)] ?? false
  }
}
