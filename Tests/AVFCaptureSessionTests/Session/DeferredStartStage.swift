import AVFoundation
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import Linux
import SimulatedDevices
import Testing

/// A camera and a microphone on a manual clock, with a preview layer, a photo output and a movie file output: what a camera program
/// starts with.
///
/// Installs the process's devices: belongs in ``DeviceSuites``.
final class DeferredStartStage {
  let stage: SessionStage
  let photos = AVCapturePhotoOutput()
  let movies = AVCaptureMovieFileOutput()
  let layer: AVCaptureVideoPreviewLayer
  let log = DeferredStartLog()
  let photoDelegate = RecordingPhotoDelegate()
  let recordingLog = RecordingLog()
  let folder: URL

  static let camera = SimulatedDeviceModel.camera(
    uniqueID: "deferred.camera", name: "Camera", sizes: [SessionStage.small])

  init(faults: [SceneFault] = [], hasLayer: Bool = true) throws {
    stage = SessionStage(devices: [Self.camera, SessionStage.front, .stageMicrophone], faults: faults)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("deferred-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    layer = hasLayer ? AVCaptureVideoPreviewLayer(session: stage.session) : AVCaptureVideoPreviewLayer()
    session.beginConfiguration()
    session.addInput(try AVCaptureDeviceInput(device: stage.camera(Self.camera)))
    session.addInput(try AVCaptureDeviceInput(device: stage.camera(.stageMicrophone)))
    session.addOutput(photos)
    session.addOutput(movies)
    session.setDeferredStartDelegate(log, deferredStartDelegateCallbackQueue: log.queue)
    session.commitConfiguration()
  }

  deinit {
    session.stopRunning()
    SimulatedDevices.uninstall()
    try? FileManager.default.removeItem(at: folder)
  }

  var session: AVCaptureSession { stage.session }

  /// Whether a session has the device open.
  func isOpen(_ model: SimulatedDeviceModel) throws -> Bool {
    let device = try stage.simulated(model)
    let configuration = device.facts.formats.first.map {
      StreamConfiguration(format: $0, frameDuration: FrameDuration(1, 30))
    }
    do throws(CaptureDeviceError) {
      _ = try device.openStream(configuration ?? .audio())
      return false
    } catch {
      return error.code == .deviceBusy
    }
  }

  var isMicrophoneOpen: Bool { get throws { try isOpen(.stageMicrophone) } }

  /// The frames that photos may be of; `nil` while none are kept.
  var history: FrameHistory? { photos.stillSource?.history }

  /// Presses the shutter for a picture without encoding.
  func press() {
    photos.capturePhoto(
      with: AVCapturePhotoSettings(
        format: [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange]),
      delegate: photoDelegate)
  }

  func url(_ name: String = "movie.mov") -> URL { folder.appendingPathComponent(name) }
}
