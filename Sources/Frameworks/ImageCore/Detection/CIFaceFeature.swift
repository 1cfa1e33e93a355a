public import Foundation
internal import PeopleFinding

/// The type of ``CIFaceFeature``.
///
/// Apple: `CIFeatureTypeFace`.
public let CIFeatureTypeFace = "Face"

/// A face that was found in an image.
///
/// Apple: `CIFaceFeature`.
open class CIFaceFeature: CIFeature, @unchecked Sendable {  // Safe: constants.
  /// Whether ``leftEyePosition`` is known.
  ///
  /// Apple: `CIFaceFeature.hasLeftEyePosition`.
  public let hasLeftEyePosition: Bool
  /// The eye that is at the left in an upright image, in the image's coordinates; zero where it is not known.
  ///
  /// Apple: `CIFaceFeature.leftEyePosition`.
  public let leftEyePosition: CGPoint
  /// Whether ``rightEyePosition`` is known.
  ///
  /// Apple: `CIFaceFeature.hasRightEyePosition`.
  public let hasRightEyePosition: Bool
  /// The eye that is at the right in an upright image, in the image's coordinates; zero where it is not known.
  ///
  /// Apple: `CIFaceFeature.rightEyePosition`.
  public let rightEyePosition: CGPoint
  /// Whether ``mouthPosition`` is known.
  ///
  /// Apple: `CIFaceFeature.hasMouthPosition`.
  public let hasMouthPosition: Bool
  /// The middle of the mouth, in the image's coordinates; zero where it is not known.
  ///
  /// Apple: `CIFaceFeature.mouthPosition`.
  public let mouthPosition: CGPoint
  /// Whether the detector tracks: it was made with ``CIDetectorTracking``.
  ///
  /// Apple: `CIFaceFeature.hasTrackingID`.
  public let hasTrackingID: Bool
  /// The face's number, the same from image to image; 0 where nothing is tracked.
  ///
  /// Apple: `CIFaceFeature.trackingID`.
  public let trackingID: Int32
  /// Whether the detector counts the images that the face is in.
  ///
  /// Apple: `CIFaceFeature.hasTrackingFrameCount`.
  public let hasTrackingFrameCount: Bool
  /// In how many images in a row the face has been found; 0 where nothing is tracked.
  ///
  /// Apple: `CIFaceFeature.trackingFrameCount`.
  public let trackingFrameCount: Int32
  /// Whether ``faceAngle`` is known: always.
  ///
  /// Apple: `CIFaceFeature.hasFaceAngle`.
  public let hasFaceAngle: Bool
  /// How far the face is tilted, in degrees clockwise from upright, -180 to 180.
  ///
  /// Apple: `CIFaceFeature.faceAngle`.
  public let faceAngle: Float

  init(_ face: FoundFace, _ place: PictureToImageTransform, tracking: (number: Int, images: Int)?) {
    // The person's own right eye is at the left for those who look at them.
    leftEyePosition = face.marks.map { place.point($0.rightEye) } ?? .zero
    rightEyePosition = face.marks.map { place.point($0.leftEye) } ?? .zero
    mouthPosition = face.marks.map { place.point($0.mouth) } ?? .zero
    hasLeftEyePosition = face.marks != nil
    hasRightEyePosition = face.marks != nil
    hasMouthPosition = face.marks != nil
    hasTrackingID = tracking != nil
    hasTrackingFrameCount = tracking != nil
    trackingID = Int32(clamping: tracking?.number ?? 0)
    trackingFrameCount = Int32(clamping: tracking?.images ?? 0)
    hasFaceAngle = true
    faceAngle = Float(face.rollDegrees > 180 ? face.rollDegrees - 360 : face.rollDegrees)
    super.init(type: CIFeatureTypeFace, bounds: place.rect(face.bounds))
  }
}
