public import Foundation

/// Four corners, such as those of a document in perspective.
///
/// Apple: `RectangleObservation`.
public struct RectangleObservation: Sendable, Hashable {
  /// Its own number.
  public let uuid: UUID
  /// How sure it is, from 0 to 1.
  public let confidence: Float
  /// The smallest upright rectangle around it, in fractions of the searched part, y upwards.
  public let boundingBox: NormalizedRect
  /// Its upper left corner.
  public let topLeft: NormalizedPoint
  /// Its upper right corner.
  public let topRight: NormalizedPoint
  /// Its lower left corner.
  public let bottomLeft: NormalizedPoint
  /// Its lower right corner.
  public let bottomRight: NormalizedPoint

  init(_ observation: VNRectangleObservation) {
    uuid = observation.uuid
    confidence = observation.confidence
    boundingBox = NormalizedRect(normalizedRect: observation.boundingBox)
    topLeft = NormalizedPoint(observation.topLeft)
    topRight = NormalizedPoint(observation.topRight)
    bottomLeft = NormalizedPoint(observation.bottomLeft)
    bottomRight = NormalizedPoint(observation.bottomRight)
  }
}

/// A search for rectangles in perspective; its bounds are those of ``VNDetectRectanglesRequest``.
///
/// Apple: `DetectRectanglesRequest`.
public struct DetectRectanglesRequest: ImageProcessingRequest {
  /// As ``ImageProcessingRequest/regionOfInterest``; all of the picture at first.
  public var regionOfInterest = NormalizedRect.fullImage
  /// The least ratio of the shorter side to the longer one; 0.5 at first.
  public var minimumAspectRatio: Float = 0.5
  /// The greatest such ratio; 1 at first.
  public var maximumAspectRatio: Float = 1
  /// By how many degrees a corner may miss a right angle as it is seen; 30 at first.
  public var quadratureToleranceDegrees: Float = 30
  /// The least length of the longer side, as a part of the picture's shorter one; 0.2 at first.
  public var minimumSize: Float = 0.2
  /// The least confidence; 0 at first.
  public var minimumConfidence: Float = 0
  /// How many are reported at most, the largest first; 1 at first, and 0 for all.
  public var maximumObservations = 1

  /// A search for the largest rectangle.
  public init() {}

  /// As ``VisionRequest/result(of:)``.
  public func result(of picture: VisionPicture) throws -> [RectangleObservation] {
    let request = VNDetectRectanglesRequest()
    request.regionOfInterest = regionOfInterest.cgRect
    request.minimumAspectRatio = minimumAspectRatio
    request.maximumAspectRatio = maximumAspectRatio
    request.quadratureTolerance = quadratureToleranceDegrees
    request.minimumSize = minimumSize
    request.minimumConfidence = minimumConfidence
    request.maximumObservations = maximumObservations
    try request.perform(on: picture.picture)
    return (request.results ?? []).map { RectangleObservation($0) }
  }
}
