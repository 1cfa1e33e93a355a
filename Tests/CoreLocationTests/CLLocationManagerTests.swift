import CoreLocation
import Linux
import Testing

/// Notes what it is notified of, in words.
private final class Follower: NSObject, CLLocationManagerDelegate, Sendable {
  let words: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  override init() {
    (words, continuation) = AsyncStream.makeStream()
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    let places = locations.map { "\($0.coordinate.latitude) \($0.coordinate.longitude) \($0.altitude)" }
    continuation.yield("\(places) \(Thread.isMainThread || MainQueue.isCurrent)")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    continuation.yield((error as? CLError)?.code == .denied ? "denied" : "\(error)")
  }

  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
    continuation.yield("status \(status)")
  }
}

@Suite("The machine's place")
struct CLLocationManagerTests {
  private func manager(_ variable: String?) -> CLLocationManager {
    MachinePlace.$read.withValue({ MachinePlace(variable: variable, file: nil) }) { CLLocationManager() }
  }

  @Test func `a place that is written down is delivered`() async {
    let (manager, follower) = (manager("37.5665,126.978,38"), Follower())
    #expect(manager.authorizationStatus == .authorizedAlways && manager.location == nil)
    var words = follower.words.makeAsyncIterator()
    manager.delegate = follower
    #expect(await words.next() == "status authorizedAlways")
    manager.requestWhenInUseAuthorization()
    manager.startUpdatingLocation()
    #expect(await words.next() == #"["37.5665 126.978 38.0"] true"#)
    #expect(manager.location?.coordinate.latitude == 37.5665)
    #expect(manager.location?.verticalAccuracy == 0)
    manager.stopUpdatingLocation()
    manager.requestLocation()
    #expect(await words.next() == #"["37.5665 126.978 38.0"] true"#)
  }

  @Test func `where none is written down, all requests are denied`() async {
    let (manager, follower) = (manager(nil), Follower())
    #expect(manager.authorizationStatus == .denied)
    #expect(!MachinePlace.$read.withValue({ nil }) { CLLocationManager.locationServicesEnabled() })
    var words = follower.words.makeAsyncIterator()
    manager.delegate = follower
    #expect(await words.next() == "status denied")
    manager.requestLocation()
    #expect(await words.next() == "denied")
    #expect(manager.location == nil)
  }

  @Test @MainActor func `a delivery that is due does not come after the stop`() async {
    let (manager, follower) = (manager("1,2"), Follower())
    var words = follower.words.makeAsyncIterator()
    manager.delegate = follower
    manager.startUpdatingLocation()
    manager.stopUpdatingLocation()
    manager.requestLocation()
    #expect(await words.next() == "status authorizedAlways")
    #expect(await words.next() == #"["1.0 2.0 0.0"] true"#)
    await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    manager.requestLocation()
    #expect(await words.next() == #"["1.0 2.0 0.0"] true"#)
  }

  @Test(
    arguments: [
      ("1.5,-2", nil, [1.5, -2]), ("1, 2, 3", nil, [1, 2, 3]), (nil, "1\n2\n3\n4\n", [1, 2, 3, 4]),
      (nil, "# Seoul\n37.5 # north\n\n127\n", [37.5, 127]), ("3,4", "1\n2\n", [3, 4]),
      ("x,4", "1\n2\n", [1, 2]),
      ("91,0", nil, nil), ("1", nil, nil), ("1,2,3,4", nil, nil), (nil, "1\n", nil), (nil, "a\nb\n", nil),
      (nil, nil, nil),
      ("nan,1", nil, nil), ("1,181", nil, nil),
    ] as [(String?, String?, [Double]?)])
  func `a place is read from the variable, or else from the file`(
    variable: String?, file: String?, numbers: [Double]?
  ) {
    let place = MachinePlace(variable: variable, file: file)
    #expect((place == nil) == (numbers == nil))
    guard let place, let numbers else { return }
    #expect(place.latitude == numbers[0] && place.longitude == numbers[1])
    #expect(place.altitude == (numbers.count > 2 ? numbers[2] : nil))
    #expect(place.accuracy == (numbers.count > 3 ? numbers[3] : 0))
  }
}
