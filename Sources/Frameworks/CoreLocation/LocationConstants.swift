/// As exact as can be, with other sensors' help.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// As exact as can be.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
/// Within ten metres.
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
/// Within a hundred metres.
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
/// Within a kilometre.
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1000
/// Within three kilometres.
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3000
/// Every movement counts.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// The longest length of time.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude
/// The greatest distance.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// A place that is none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// A program's permission to know where it is.
///
/// Apple: `CLAuthorizationStatus`.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// The user was not asked.
  case notDetermined = 0
  /// The user cannot allow it.
  case restricted = 1
  /// It may not, or the machine does not know.
  case denied = 2
  /// It may at any time.
  case authorizedAlways = 3
  /// It may while it is used.
  case authorizedWhenInUse = 4
}

/// How exactly a program may know where it is.
///
/// Apple: `CLAccuracyAuthorization`.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// As exactly as the machine does.
  case fullAccuracy = 0
  /// Only roughly.
  case reducedAccuracy = 1
}
