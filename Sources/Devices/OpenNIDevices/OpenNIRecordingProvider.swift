package import CaptureDevice
internal import Foundation
internal import Linux

/// A recording of a depth camera, an `.oni` file, played over and over as one.
///
/// It stays open for as long as the process lives, and plays on where it was when it is used again. Thread-safe.
package final class OpenNIRecordingProvider: CaptureDeviceProvider {
  package let name = "openni"
  package let media: Set<MediaKind> = [.video, .depth]
  private let camera: OpenNIDevice

  /// The camera of a recording's file.
  ///
  /// - Throws: `ioFailure` without the library, `invalidScene` for a file that cannot be read, is damaged, or has no colours.
  package convenience init(path: String) throws(CaptureDeviceError) {
    try self.init(path: path, OpenNILibrary())
  }

  /// The camera of a recording's file, which `library` plays.
  package init(path: String, _ library: any DepthLibrary) throws(CaptureDeviceError) {
    let whole = URL(fileURLWithPath: path).standardizedFileURL.path
    if let missing = library.missing { throw missing }
    try RecordingCheck.check(whole)
    camera = try RecordingShelf.camera(at: whole) { () throws(CaptureDeviceError) in
      let sensors: OpenSensors
      do throws(DepthRefusal) {
        sensors = try OpenSensors(library, whole, isRecording: true)
      } catch {
        throw CaptureDeviceError(
          .invalidScene, "\(whole) is not played by OpenNI (\(error.reason)); record it anew.")
      }
      let abilities = sensors.abilities
      guard !abilities.color.isEmpty else {
        throw CaptureDeviceError(
          .invalidScene,
          "\(whole) has no colours that are read here, and depth alone is no camera's picture; record colours beside it."
        )
      }
      return OpenNIDevice(library, path: whole, sensors, abilities)
    }
  }

  package func devices() -> [any CaptureDeviceDriver] { [camera] }

  /// A recording never comes or goes.
  package func observeDevices(_ observer: (@Sendable (DeviceListChange) -> Void)?) {}

  package func access(for media: MediaKind) -> DeviceAccess { .granted }

  package func requestAccess(for media: MediaKind, completion: @escaping @Sendable (DeviceAccess) -> Void) {
    completion(.granted)
  }
}
