/// An object that is notified of where the machine is.
///
/// Apple: `CLLocationManagerDelegate`.
public protocol CLLocationManagerDelegate: AnyObject {
  /// Gets places, the newest last.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])

  /// Is notified that there is no place.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)

  /// Is notified once when it becomes the delegate; the authorization does not change after that.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)

  /// Is notified in place of the method without a status, where that is not implemented.
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
}

extension CLLocationManagerDelegate {
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}

  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}

  /// Calls the method with a status.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }

  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {}
}
