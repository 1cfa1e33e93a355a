package import AVFoundation
import Foundation
import Linux
package import SimulatedDevices
import Testing

/// A session that a test may let go, with a camera and a microphone, on a manual clock.
package final class FleetingRecording: Sendable {
  package let clock = SimulatedClock()
  package let provider: SimulatedDeviceProvider
  package let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "movies-\(UUID().uuidString)")
  package let log = RecordingLog()
  private let session = Locked<AVCaptureSession?>(nil)

  package init() throws {
    var scene = Scene(isNoisy: false)
    scene.devices = [MovieStage.back, .stageMicrophone]
    provider = SimulatedDevices.install(scene: scene, clock: clock)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit {
    SimulatedDevices.uninstall()
    try? FileManager.default.removeItem(at: folder)
  }

  package func url(_ name: String = "movie.mov") -> URL { folder.appendingPathComponent(name) }

  package func pass(frames: Int) { clock.advance(by: .nanoseconds(Int64(frames) * 1_000_000_000 / 30)) }

  /// Starts a session with `outputs`, which only this keeps.
  package func start(_ outputs: AVCaptureOutput...) throws {
    let session = AVCaptureSession()
    for id in ["movie.back", "stage.microphone"] {
      session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice(uniqueID: id))))
    }
    for output in outputs { session.addOutput(output) }
    session.startRunning()
    try #require(session.isRunning)
    self.session.withLock { $0 = session }
  }

  package var isRunning: Bool { session.withLock { $0 }?.isRunning ?? false }

  package func withSession(_ body: (AVCaptureSession) -> Void) {
    if let session = session.withLock({ $0 }) { body(session) }
  }

  /// Lets the session go.
  package func letGo() {
    let old = session.withLock { session in
      defer { session = nil }
      return session
    }
    withExtendedLifetime(old) {}
  }
}
