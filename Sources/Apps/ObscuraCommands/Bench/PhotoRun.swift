internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import Linux
internal import PhotoProcessing
internal import SimulatedDevices

/// A running session with a simulated camera, whose photos cost as much work beside their own as is wanted.
final class PhotoRun: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  private struct State {
    var photos: [AVCapturePhoto] = []
    var proxies: [Data] = []
    var failure: (any Error)?
  }

  /// The output, once there is one; its load is wanted before.
  private struct MadeOutput {
    weak var output: AVCapturePhotoOutput?
  }

  /// The artificial cost of a stage: it sleeps, so that it takes no core from another.
  typealias Load = @Sendable (PhotoPipeline.Stage, PhotoProcessingRequest, PhotosUnderWay) -> Void

  let output: AVCapturePhotoOutput
  private let session = AVCaptureSession()
  private let state = Monitor(State())

  /// The built-in scene before a small camera, whose frames cost no pixel work.
  static var smallScene: Scene {
    var scene = Scene.builtIn
    scene.isStill = true
    scene.devices = [.camera(uniqueID: "bench.small", sizes: [FrameSize(width: 320, height: 240)])]
    return scene
  }

  /// A session whose camera has settled on the light.
  ///
  /// - Parameters:
  ///   - camera: One of the scene's.
  ///   - configure: Sets the output up before the session starts.
  init(
    _ scene: Scene = smallScene, camera: String = "bench.small",
    configure: (AVCapturePhotoOutput) -> Void = { _ in }, load: @escaping Load = { _, _, _ in }
  ) throws {
    SimulatedDevices.install(scene: scene, clock: .real)
    guard let camera = AVCaptureDevice(uniqueID: camera) else {
      throw CommandError(.otherFailure, "The simulated camera is missing; reinstall obscura.")
    }
    let made = Locked(MadeOutput())
    let output = AVCapturePhotoOutput(load: { stage, request in
      load(stage, request, made.withLock { $0.output }?.pipeline.underWay ?? PhotosUnderWay())
    })
    self.output = output
    super.init()
    made.withLock { $0.output = output }
    output.maxPhotoQualityPrioritization = .quality
    session.sessionPreset = .photo
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.addOutput(output)
    configure(output)
    session.startAndWait()
    // The first picture of a scene takes longer than the others.
    press(.speed)
    _ = try photos(1)
    state.withLock { $0.photos = [] }
    Thread.sleep(forTimeInterval: 2)
  }

  func stop() { session.stopAndWait() }

  @discardableResult
  func press(
    _ prioritization: AVCapturePhotoOutput.QualityPrioritization = .balanced, format: [String: Any]? = nil
  ) -> Int64 {
    let settings = AVCapturePhotoSettings(format: format)
    settings.photoQualityPrioritization = prioritization
    settings.maxPhotoDimensions = output.maxPhotoDimensions
    output.capturePhoto(with: settings, delegate: self)
    return settings.uniqueID
  }

  func waitUntilReady() {
    while output.captureReadiness != .ready { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Blocks until so many photos are finished.
  func photos(_ count: Int) throws -> [AVCapturePhoto] { try wait(for: count, \.photos) }

  /// Blocks until there are so many proxies of photos that are finished later.
  func proxies(_ count: Int) throws -> [Data] { try wait(for: count, \.proxies) }

  private func wait<Element>(for count: Int, _ list: KeyPath<State, [Element]>) throws -> [Element] {
    let found = state.wait(
      until: .now.advanced(byNanoseconds: 60_000_000_000),
      for: { $0[keyPath: list].count >= count || $0.failure != nil },
      then: { ($0[keyPath: list], $0.failure) })
    if let failure = found?.1 { throw failure }
    guard let found else {
      throw CommandError(.noFramesInTime, "The simulated camera took no photo in a minute.")
    }
    return found.0
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    state.withLock { state in
      if let error { state.failure = error } else { state.photos.append(photo) }
    }
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishCapturingDeferredPhotoProxy proxy: AVCaptureDeferredPhotoProxy?, error: (any Error)?
  ) {
    state.withLock { state in
      if let error { state.failure = error }
      if let file = proxy?.fileDataRepresentation() { state.proxies.append(file) }
    }
  }
}
