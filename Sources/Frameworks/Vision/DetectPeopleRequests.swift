public import Foundation

/// A face.
///
/// Apple: `FaceObservation`.
public struct FaceObservation: Sendable, Hashable {
  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  /// Where it is, in fractions of the searched part, y upwards.
  public let boundingBox: NormalizedRect
  /// By how much the head leans, counterclockwise as the picture is looked at.
  public let roll: Measurement<UnitAngle>
  /// By how much the head is turned, positive where it looks to the picture's right; 0 where that cannot be seen.
  public let yaw: Measurement<UnitAngle>

  init(_ observation: VNFaceObservation) {
    uuid = observation.uuid
    confidence = observation.confidence
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    roll = Measurement(value: observation.roll?.doubleValue ?? 0, unit: .radians)
    yaw = Measurement(value: observation.yaw?.doubleValue ?? 0, unit: .radians)
  }
}

/// A search for faces; see ``VNDetectFaceRectanglesRequest``.
///
/// Apple: `DetectFaceRectanglesRequest`.
public struct DetectFaceRectanglesRequest: ImageProcessingRequest {
  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage

  /// A search for faces.
  public init() {}

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> [FaceObservation] {
    let request = VNDetectFaceRectanglesRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    try request.perform(on: picture.picture)
    return (request.results ?? []).map { FaceObservation($0) }
  }
}

/// A person.
///
/// Apple: `HumanObservation`.
public struct HumanObservation: Sendable, Hashable {
  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  /// Where they are, in fractions of the searched part, y upwards.
  public let boundingBox: NormalizedRect
  /// Whether the box is that of the upper body alone.
  public let isUpperBodyOnly: Bool

  init(_ observation: VNHumanObservation) {
    uuid = observation.uuid
    confidence = observation.confidence
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    isUpperBodyOnly = observation.upperBodyOnly
  }
}

/// A search for people; see ``VNDetectHumanRectanglesRequest``.
///
/// Apple: `DetectHumanRectanglesRequest`.
public struct DetectHumanRectanglesRequest: ImageProcessingRequest {
  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage
  /// Whether upper bodies are wanted, and not whole people; `true` at first.
  public var upperBodyOnly = true

  /// A search for upper bodies.
  public init() {}

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> [HumanObservation] {
    let request = VNDetectHumanRectanglesRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    request.upperBodyOnly = upperBodyOnly
    try request.perform(on: picture.picture)
    return (request.results ?? []).map { HumanObservation($0) }
  }
}
