public import Foundation

/// An angle in degrees.
///
/// Apple: `CLLocationDegrees`.
public typealias CLLocationDegrees = Double
/// A length in metres.
///
/// Apple: `CLLocationDistance`.
public typealias CLLocationDistance = Double
/// A radius of uncertainty in metres; below zero when unknown.
///
/// Apple: `CLLocationAccuracy`.
public typealias CLLocationAccuracy = Double
/// Metres in a second; below zero when unknown.
///
/// Apple: `CLLocationSpeed`.
public typealias CLLocationSpeed = Double
/// Degrees clockwise from north; below zero when unknown.
///
/// Apple: `CLLocationDirection`.
public typealias CLLocationDirection = Double

/// A place on Earth, in WGS 84.
///
/// Apple: `CLLocationCoordinate2D`.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator, -90 to 90.
  public var latitude: CLLocationDegrees
  /// Degrees east of Greenwich, -180 to 180.
  public var longitude: CLLocationDegrees

  /// Zero on zero.
  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  /// The place at these angles.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// The place at these angles.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the angles are within their ranges.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}

/// A place on the earth at one moment, with accuracy, course and speed.
///
/// Immutable. Code that reads it from a receiver is not part of this project. Apple: `CLLocation`.
open class CLLocation: NSObject, @unchecked Sendable {  // Safe because it is constant after init.
  /// The place.
  public let coordinate: CLLocationCoordinate2D
  /// Metres above the sea.
  public let altitude: CLLocationDistance
  /// How exact the place is.
  public let horizontalAccuracy: CLLocationAccuracy
  /// How exact the altitude is.
  public let verticalAccuracy: CLLocationAccuracy
  /// The direction of travel.
  public let course: CLLocationDirection
  /// The speed of travel.
  public let speed: CLLocationSpeed
  /// The moment of the measurement.
  public let timestamp: Date

  /// The place at these angles, now.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: WorldTime.current.date)
  }

  /// A place of known altitude and accuracy.
  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: -1, speed: -1, timestamp: timestamp)
  }

  /// A place on a way.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed,
    timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    horizontalAccuracy = hAccuracy
    verticalAccuracy = vAccuracy
    self.course = course
    self.speed = speed
    self.timestamp = timestamp
  }

  /// The distance to another place along the Earth's surface, in metres, on a sphere.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let (one, other) = (coordinate, location.coordinate)
    let height = sin(radians(other.latitude - one.latitude) / 2)
    let width = sin(radians(other.longitude - one.longitude) / 2)
    let chord = height * height + cos(radians(one.latitude)) * cos(radians(other.latitude)) * width * width
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }
}
