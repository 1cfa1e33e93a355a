import CoreLocation
import Testing

@Suite("Places and their units")
struct LocationValueTests {
  @Test func `the module brings places, distances and validity`() {
    let (seoul, busan) = (
      CLLocation(latitude: 37.5665, longitude: 126.978), CLLocation(latitude: 35.1796, longitude: 129.0756)
    )
    #expect((324_000..<327_000).contains(seoul.distance(from: busan)))
    #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90, -180)))
    #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
  }

  @Test func `an error is caught as itself and as NSError, and has Apple's number`() {
    do {
      throw CLError(.denied)
    } catch let error as CLError {
      #expect(error.code == .denied && error.code == CLError.denied)
    } catch {
      Issue.record("It was no CLError.")
    }
    let error: any Error = CLError(.network)
    #expect((error as NSError).code == 2 && (error as NSError).domain == kCLErrorDomain)
  }

  @Test func `constants have Apple's numbers`() {
    #expect(kCLLocationAccuracyBest == -1 && kCLLocationAccuracyBestForNavigation == -2)
    #expect(kCLLocationAccuracyHundredMeters == 100 && kCLDistanceFilterNone == -1)
    #expect(CLAuthorizationStatus.authorizedWhenInUse.rawValue == 4)
  }
}
