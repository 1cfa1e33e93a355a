public import CaptureDevice

/// A movie as a camera, and its audio as a microphone.
///
/// The film plays in a loop as long as a stream runs, and begins anew when none has run. Thread-safe.
public final class MovieDeviceProvider: CaptureDeviceProvider {
  /// What logs call it.
  public let name = "movie"
  private let all: [MovieDevice]

  /// The devices of a movie's file.
  ///
  /// - Throws: `invalidScene` when the file cannot be read or has nothing that can be played.
  public init(path: String) throws(CaptureDeviceError) {
    let film = try Film(path: path)
    all = [MovieDevice.camera(film), MovieDevice.microphone(film)].compactMap { $0 }
  }

  /// The provider that a word of a list of devices names.
  ///
  /// - Returns: `nil` for a word that is not `movie:FILE`.
  /// - Throws: `invalidScene` when it names no file, or one that cannot be read.
  public convenience init?(word: String) throws(CaptureDeviceError) {
    guard word == "movie" || word.hasPrefix("movie:") else { return nil }
    let path = String(word.dropFirst("movie:".count))
    guard !path.isEmpty else {
      throw CaptureDeviceError(.invalidScene, "“movie:” names no file; write movie:FILE.")
    }
    try self.init(path: path)
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
