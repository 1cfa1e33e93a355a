internal import Dispatch
internal import Linux

/// The machine's place, for programs that write it into photos.
///
/// A machine here has no receiver: its place is what its administrator wrote down, in `OBSCURA_LOCATION` or `/etc/geolocation`. Without that
/// the authorization is denied, and so are all requests. The delegate is called on the main queue. Apple: `CLLocationManager`.
///
/// - Note: Unlike Core Location, there is no dialog, the place does not change while a program looks, and the delegate is called on the main
///   queue wherever the manager was made.
open class CLLocationManager: NSObject, @unchecked Sendable {  // Safe: under the lock.
  private struct State {
    weak var delegate: (any CLLocationManagerDelegate)?
    var location: CLLocation?
    var desiredAccuracy = kCLLocationAccuracyBest
    var distanceFilter = kCLDistanceFilterNone
    /// Which deliveries still count.
    var number = 0
  }

  private let state = Locked(State())
  private let place: MachinePlace?

  /// Looks for what is written down.
  public override init() {
    place = MachinePlace.read()
  }

  /// Whether the machine has a place.
  open class func locationServicesEnabled() -> Bool {
    MachinePlace.read() != nil
  }

  /// Whether the program may know it: at any time, or, where none is written down, it is denied.
  open var authorizationStatus: CLAuthorizationStatus { place == nil ? .denied : .authorizedAlways }

  /// As exactly as it is written down.
  open var accuracyAuthorization: CLAccuracyAuthorization { .fullAccuracy }

  /// What is notified; not kept.
  open var delegate: (any CLLocationManagerDelegate)? {
    get { state.withLock { $0.delegate } }
    set {
      state.withLock { $0.delegate = newValue }
      guard newValue != nil else { return }
      DispatchQueue.main.async { self.delegate?.locationManagerDidChangeAuthorization(self) }
    }
  }

  /// The place that was delivered last.
  open var location: CLLocation? { state.withLock { $0.location } }

  /// How exact the place should be; it is as exact as it is written down.
  open var desiredAccuracy: CLLocationAccuracy {
    get { state.withLock { $0.desiredAccuracy } }
    set { state.withLock { $0.desiredAccuracy = newValue } }
  }

  /// After how many metres a new place is wanted; it never moves.
  open var distanceFilter: CLLocationDistance {
    get { state.withLock { $0.distanceFilter } }
    set { state.withLock { $0.distanceFilter = newValue } }
  }

  /// Asks for nothing: what the program may, is known.
  open func requestWhenInUseAuthorization() {}

  /// Asks for nothing: what the program may, is known.
  open func requestAlwaysAuthorization() {}

  /// Delivers the place, or the error ``CLError/Code/denied``.
  open func startUpdatingLocation() {
    deliver()
  }

  /// Ends the deliveries; one that is due does not come.
  open func stopUpdatingLocation() {
    state.withLock { $0.number += 1 }
  }

  /// Delivers the place once, or the error ``CLError/Code/denied``.
  open func requestLocation() {
    deliver()
  }

  private func deliver() {
    let number = state.withLock { $0.number }
    DispatchQueue.main.async {
      let found = self.place?.location
      let (delegate, last) = self.state.withLock { state -> ((any CLLocationManagerDelegate)?, CLLocation?) in
        guard state.number == number else { return (nil, nil) }
        let last = state.location
        if found != nil { state.location = found }
        return (state.delegate, last)
      }
      withExtendedLifetime(last) {}
      if let found {
        delegate?.locationManager(self, didUpdateLocations: [found])
      } else {
        delegate?.locationManager(self, didFailWithError: CLError(.denied))
      }
    }
  }
}
