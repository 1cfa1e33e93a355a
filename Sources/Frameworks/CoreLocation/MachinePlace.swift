internal import FoundationExtras
internal import Linux

/// The place of a machine that stays where it is, as its administrator wrote it down.
///
/// `OBSCURA_LOCATION` has it (`37.5665,126.9780`, and behind another comma the altitude in metres), or else the file `/etc/geolocation`, which
/// GeoClue reads, too: latitude, longitude, altitude and accuracy in a line each, with comments behind `#`.
package struct MachinePlace: Equatable, Sendable {
  package var latitude: Double
  package var longitude: Double
  package var altitude: Double?
  package var accuracy = 0.0

  /// What is written down, and legible.
  package init?(variable: String?, file: String?) {
    let words = (variable ?? "").split(separator: ",", omittingEmptySubsequences: false)
    if let numbers = Self.numbers(words), numbers.count == 2 || numbers.count == 3 {
      self.init(numbers)
      return
    }
    let lines = (file ?? "").split(separator: "\n").map { $0.prefix { $0 != "#" } }
      .filter { !$0.allSatisfy(\.isWhitespace) }
    guard let numbers = Self.numbers(lines), numbers.count >= 2 else { return nil }
    self.init(numbers)
  }

  private init?(_ numbers: [Double]) {
    guard CLLocationCoordinate2DIsValid(.init(latitude: numbers[0], longitude: numbers[1])) else {
      return nil
    }
    (latitude, longitude) = (numbers[0], numbers[1])
    altitude = numbers.count > 2 ? numbers[2] : nil
    accuracy = numbers.count > 3 ? max(0, numbers[3]) : 0
  }

  private static func numbers(_ words: [Substring]) -> [Double]? {
    let numbers = words.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }.filter(\.isFinite)
    return numbers.count == words.count ? numbers : nil
  }

  /// The place, now.
  var location: CLLocation {
    CLLocation(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: altitude ?? 0,
      horizontalAccuracy: accuracy, verticalAccuracy: altitude == nil ? -1 : accuracy,
      timestamp: WorldTime.current.date)
  }

  /// Reads what the machine has; a test's own in its tasks.
  @TaskLocal package static var read: @Sendable () -> MachinePlace? = {
    MachinePlace(
      variable: ProcessInfo.processInfo.environment["OBSCURA_LOCATION"],
      file: try? String(contentsOfFile: "/etc/geolocation", encoding: .utf8))
  }
}
