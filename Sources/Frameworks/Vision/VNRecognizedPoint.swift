public import Foundation

/// A place in fractions of the searched part, y upwards.
///
/// Source: [VNPoint](https://developer.apple.com/documentation/vision/vnpoint).
open class VNPoint: NSObject, @unchecked Sendable {  // Safe: constants.
  /// The place.
  ///
  /// Apple: `VNPoint.location`.
  public let location: CGPoint
  /// From the left edge.
  ///
  /// Apple: `VNPoint.x`.
  public var x: Double { Double(location.x) }
  /// From the lower edge.
  ///
  /// Apple: `VNPoint.y`.
  public var y: Double { Double(location.y) }

  /// A place.
  ///
  /// Apple: `VNPoint.init(location:)`.
  public init(location: CGPoint) {
    self.location = location
    super.init()
  }

  /// A place.
  ///
  /// Apple: `VNPoint.init(x:y:)`.
  public convenience init(x: Double, y: Double) {
    self.init(location: CGPoint(x: x, y: y))
  }

  /// How far two places are apart, in fractions of the part.
  ///
  /// Apple: `VNPoint.distance(_:)`.
  open func distance(_ point: VNPoint) -> Double { hypot(x - point.x, y - point.y) }

  /// Whether `object` is at the same place.
  open override func isEqual(_ object: Any?) -> Bool { (object as? VNPoint)?.location == location }

  /// A number that equal places share.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(x)
    hasher.combine(y)
    return hasher.finalize()
  }
}

/// A place that was found.
///
/// Source: [VNDetectedPoint](https://developer.apple.com/documentation/vision/vndetectedpoint).
open class VNDetectedPoint: VNPoint, @unchecked Sendable {  // Safe: constants.
  /// How sure it is, from 0 to 1.
  ///
  /// Apple: `VNDetectedPoint.confidence`.
  public let confidence: VNConfidence

  init(_ location: CGPoint, confidence: Double) {
    self.confidence = VNConfidence(confidence)
    super.init(location: location)
  }
}

/// The name of a place in a body.
///
/// Apple: `VNRecognizedPointKey`.
public struct VNRecognizedPointKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// A place of that name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// The name of several places that belong together.
///
/// Apple: `VNRecognizedPointGroupKey`.
public struct VNRecognizedPointGroupKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// A group of that name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A place in a body that was found.
///
/// Source: [VNRecognizedPoint](https://developer.apple.com/documentation/vision/vnrecognizedpoint).
open class VNRecognizedPoint: VNDetectedPoint, @unchecked Sendable {  // Safe: constants.
  /// The name of the place.
  ///
  /// Apple: `VNRecognizedPoint.identifier`.
  public let identifier: VNRecognizedPointKey

  init(_ location: CGPoint, _ identifier: VNRecognizedPointKey, confidence: Double) {
    self.identifier = identifier
    super.init(location, confidence: confidence)
  }
}

/// Places that were found of one body or hand.
///
/// Source: [VNRecognizedPointsObservation](https://developer.apple.com/documentation/vision/vnrecognizedpointsobservation).
open class VNRecognizedPointsObservation: VNObservation, @unchecked Sendable {  // Safe: constants.
  private let points: [VNRecognizedPointKey: VNRecognizedPoint]
  private let groups: [(key: VNRecognizedPointGroupKey, members: [VNRecognizedPointKey])]
  private let order: [VNRecognizedPointKey]

  init(
    _ points: [VNRecognizedPoint],
    _ groups: [(key: VNRecognizedPointGroupKey, members: [VNRecognizedPointKey])], confidence: Double
  ) {
    self.points = Dictionary(uniqueKeysWithValues: points.map { ($0.identifier, $0) })
    self.groups = groups
    order = points.map(\.identifier)
    super.init(confidence: confidence)
  }

  /// The names of the places.
  ///
  /// Apple: `VNRecognizedPointsObservation.availableKeys`.
  open var availableKeys: [VNRecognizedPointKey] { order }

  /// The names of the groups of them.
  ///
  /// Apple: `VNRecognizedPointsObservation.availableGroupKeys`.
  open var availableGroupKeys: [VNRecognizedPointGroupKey] { groups.map(\.key) }

  /// A place.
  ///
  /// - Throws: `invalidArgument` for a name that is none of ``availableKeys``.
  ///
  /// Apple: `VNRecognizedPointsObservation.recognizedPoint(forKey:)`.
  open func recognizedPoint(forKey pointKey: VNRecognizedPointKey) throws -> VNRecognizedPoint {
    guard let point = points[pointKey] else {
      throw VNErrorCode.invalidArgument.error("There is no point \(pointKey.rawValue); ask availableKeys.")
    }
    return point
  }

  /// The places of a group.
  ///
  /// - Throws: `invalidArgument` for a name that is none of ``availableGroupKeys``.
  ///
  /// Apple: `VNRecognizedPointsObservation.recognizedPoints(forGroupKey:)`.
  open func recognizedPoints(
    forGroupKey groupKey: VNRecognizedPointGroupKey
  ) throws -> [VNRecognizedPointKey: VNRecognizedPoint] {
    guard let members = groups.first(where: { $0.key == groupKey })?.members else {
      throw VNErrorCode.invalidArgument.error(
        "There is no group of points \(groupKey.rawValue); ask availableGroupKeys.")
    }
    return points.filter { members.contains($0.key) }
  }
}
