public import CaptureDevice
package import CoreMedia

/// A movie as a camera, and its audio as a microphone.
///
/// The movie plays in a loop as long as a stream runs, and begins anew when none has run. Thread-safe.
public final class MovieDeviceProvider: CaptureDeviceProvider {
  /// The name in logs.
  public let name = "movie"
  private let all: [MovieDevice]

  /// The devices of a movie's file.
  ///
  /// - Throws: `invalidScene` when the file cannot be read or has nothing that can be played.
  public convenience init(path: String) throws(CaptureDeviceError) {
    try self.init(path: path, clock: .hostTimeClock)
  }

  /// The devices of a movie's file, which plays on `clock`: the machine's, or one that is moved by hand.
  package init(path: String, clock: CMClock) throws(CaptureDeviceError) {
    let film = try LoopedMovie(path: path)
    all = [MovieDevice.camera(film, clock), MovieDevice.microphone(film, clock)].compactMap { $0 }
  }

  /// The camera, then the microphone; what the movie lacks is missing.
  public func devices() -> [any CaptureDeviceDriver] { all }

  /// A movie's devices never come or go.
  public func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}

  /// Always granted.
  public func access(for media: MediaKind) -> DeviceAccess { .granted }

  /// Always granted.
  public func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}
