import AVFoundation
import Foundation
import SimulatedDevices
import Photos
import Testing
import VirtualCameras

@testable import CameraModel

/// Tests of the camera's screens: one program has one set of devices, so they run one after another.
@Suite(.serialized) @MainActor struct Screens {}

/// A model with simulated cameras on a clock that the test moves, and folders that go with it.
@MainActor
final class Workshop {
  let clock = SimulatedClock()
  let time = ManualTime()
  let provider: SimulatedDeviceProvider
  let model: CameraModel
  /// The virtual camera that other programs see.
  let virtualCamera = TestVirtualCamera()
  let root: URL
  /// What a window would show of the preview.
  let preview: PreviewPictures
  private(set) var notices: [Notice] = []

  init(
    _ scene: Scene = .builtIn, access: SimulatedAccess = .granted, settings: Settings? = nil,
    usesLibrary: Bool = false
  ) throws {
    // A program has one library; only tests that are about it look into it.
    try TestLibrary.empty()
    provider = SimulatedDevices.install(scene: scene, clock: clock, access: access)
    root = FileManager.default.temporaryDirectory.appendingPathComponent("camera-\(UUID().uuidString)")
    let folders = ProgramFolders(
      settings: root.appendingPathComponent("config/settings.json"),
      pictures: root.appendingPathComponent("Pictures"), looks: root.appendingPathComponent("looks"))
    var settings = settings ?? Settings()
    if !usesLibrary { settings.folder = folders.pictures.appendingPathComponent("Camera").path }
    try SettingsFile(folders.settings).write(settings)
    let virtualCamera = virtualCamera
    model = CameraModel(folders: folders, time: time) { (report) throws(VirtualCameraProblem) in
      try virtualCamera.open(report)
    }
    preview = PreviewPictures(model.preview.layer)
    model.onNotice = { [weak self] in self?.notices.append($0) }
  }

  var state: CameraState { model.state.value }

  var camera: AVCaptureDevice? { state.camera.flatMap { AVCaptureDevice(uniqueID: $0.id) } }

  /// Starts the camera, and waits until pictures may come.
  func start() async throws {
    model.start()
    try #require(await run { $0.availability.isRunning && $0.camera != nil })
  }

  /// Moves the clock frame by frame until the state is so; waits for what other threads bring about.
  func run(_ isSo: (CameraState) -> Bool) async -> Bool {
    // Simulated pictures of twelve megapixels take their time where nothing is optimized, and other programs run.
    let end = Date(timeIntervalSinceNow: 120)
    while Date() < end {
      if isSo(state) { return true }
      await advance(1.0 / 30)
    }
    return isSo(state)
  }

  func advance(_ seconds: Double) async {
    let clock = clock
    let queue = model.engine.queue
    // What was asked for before reaches the camera before the time passes.
    await withCheckedContinuation { done in queue.async { done.resume() } }
    // Not on the main actor, which the camera's reports need meanwhile.
    await Task.detached { clock.advance(by: .seconds(seconds)) }.value
    await withCheckedContinuation { done in queue.async { done.resume() } }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  func end() {
    model.stop()
    SimulatedDevices.setVideoEffects(nil)
    SimulatedDevices.uninstall()
    try? FileManager.default.removeItem(at: root)
  }
}
