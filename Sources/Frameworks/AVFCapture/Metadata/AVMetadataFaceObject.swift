internal import CoreMedia
public import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PeopleFinding

/// A face that was found in a picture.
///
/// Apple: `AVMetadataFaceObject`.
open class AVMetadataFaceObject: AVMetadataObject, @unchecked Sendable {  // Safe: constants.
  /// The face's number, from 1 on: stays while the face is in the picture and the output follows it.
  ///
  /// No two faces of one output have the same, and one that comes back has a new one.
  ///
  /// Apple: `AVMetadataFaceObject.faceID`.
  public let faceID: Int

  /// Whether the tilt is known: of every face.
  ///
  /// Apple: `AVMetadataFaceObject.hasRollAngle`.
  public let hasRollAngle: Bool

  /// How far the face is tilted to a shoulder, in degrees from 0 to 360.
  ///
  /// 0 is upright in the picture as its bounds are given: the sensor's own, or the layer's for a converted object, where it is
  /// what a layer is turned by to stand as the face does. Apple does not say which way it grows; here clockwise as the picture
  /// is looked at. From the line through the eyes.
  ///
  /// Apple: `AVMetadataFaceObject.rollAngle`.
  public let rollAngle: CGFloat

  /// Whether the turn to a side is known.
  ///
  /// Apple: `AVMetadataFaceObject.hasYawAngle`.
  open var hasYawAngle: Bool { yaw != nil }

  /// How far the face is turned to a side, in degrees from 0 to 360.
  ///
  /// 0 looks at the camera. Apple does not say which way it grows; here towards the left of the upright face's picture: 315
  /// looks to the right as far as 45 does to the left. Estimated from where between the ears the tip of the nose is seen, good
  /// to some fifteen degrees. Reading it while ``hasYawAngle`` is `false` is a programming mistake and gives 0.
  ///
  /// Apple: `AVMetadataFaceObject.yawAngle`.
  open var yawAngle: CGFloat {
    guard let yaw else {
      ProgrammingMistake.report(
        rule: "yawAngle is only there while hasYawAngle is true; ask that first.")
      return 0
    }
    return yaw
  }

  private let yaw: CGFloat?

  private init(
    faceID: Int, rollAngle: CGFloat, yaw: CGFloat?, time: CMTime, place: Place, original: Place? = nil,
    source: NodeID
  ) {
    self.faceID = faceID
    self.hasRollAngle = true
    self.rollAngle = rollAngle
    self.yaw = yaw
    super.init(type: .face, time: time, place: place, original: original, source: source)
  }

  /// A face found in a picture of `size` pixels.
  convenience init(_ found: LiveFaceFinder.Tracked, in size: CGSize, time: CMTime, source: NodeID) {
    let unit = CGAffineTransform(scaleX: 1 / size.width, y: 1 / size.height)
    let face = found.face
    let length = max(face.bounds.width, face.bounds.height)
    // The middle, a point above it and one to its right as the face stands: what becomes of them gives the angles elsewhere.
    let tilt = face.rollDegrees * .pi / 180
    let middle = CGPoint(x: face.bounds.midX, y: face.bounds.midY)
    let above = CGPoint(x: middle.x + sin(tilt) * length, y: middle.y - cos(tilt) * length)
    let right = CGPoint(x: middle.x + cos(tilt) * length, y: middle.y + sin(tilt) * length)
    self.init(
      faceID: found.id, rollAngle: face.rollDegrees, yaw: face.yawDegrees.map { CGFloat($0) }, time: time,
      place: Place(
        bounds: face.bounds.applying(unit), corners: [middle, above, right].map { $0.applying(unit) }),
      source: source)
  }

  override func placed(in place: Place) -> AVMetadataObject {
    var roll = rollAngle
    var yaw = yaw
    if place.corners.count == 3 {
      let above = CGPoint(
        x: place.corners[1].x - place.corners[0].x, y: place.corners[1].y - place.corners[0].y)
      let right = CGPoint(
        x: place.corners[2].x - place.corners[0].x, y: place.corners[2].y - place.corners[0].y)
      roll = CGFloat(FoundFace.turn(atan2(above.x, -above.y) * 180 / .pi))
      let isMirrored = right.x * above.y - right.y * above.x > 0
      if isMirrored { yaw = yaw.map { CGFloat(FoundFace.turn(-$0)) } }
    }
    return AVMetadataFaceObject(
      faceID: faceID, rollAngle: roll, yaw: yaw, time: time, place: place, original: original, source: source)
  }
}
