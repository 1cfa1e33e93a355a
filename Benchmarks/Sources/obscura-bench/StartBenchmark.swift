import AVFoundation
import Foundation
import SimulatedDevices

/// The start of a session with a preview layer, photo and movie outputs and a microphone, beside the same session with nothing deferred.
///
/// Measured is the wall time from `startRunning()` to the first preview frame, also with a kernel camera where the process sees one, and to
/// its return where the microphone takes a third of a second to open, as a headset by radio does.
enum StartBenchmark {
  private static let openMilliseconds = 300.0

  private struct Times {
    var firstFrame: Double
    var isBack: Double
  }

  /// What is attached beside the preview layer.
  private enum Outputs { case deferred, started, none }

  static func run() throws -> [Figure] {
    var figures: [Figure] = []
    // Before there are simulated ones.
    if let camera = AVCaptureDevice.default(for: .video), camera.deviceType == .external {
      let name = "start.first-frame-of-kernel-camera"
      figures.append(try measure(name, \.firstFrame, "to the first preview frame", pairs: 7))
    }
    var scene = Scene.blank
    SimulatedDevices.install(scene: scene, clock: .real)
    var plain = try measure("start.first-frame", \.firstFrame, "to the first preview frame", pairs: 15)
    let alone = try (0..<15).map { _ in try start(.none) }
    plain.detail += String(
      format: ", %.2f ms with the layer alone, of which %.2f ms are startRunning() and 33.33 ms the exposure",
      alone.map(\.firstFrame).median * 1000, alone.map(\.isBack).median * 1000)
    guard let microphone = AVCaptureDevice.default(for: .audio) else {
      throw BenchmarkError("The simulated microphone is missing.")
    }
    scene.faults = [SceneFault(.slowOpen(milliseconds: openMilliseconds), device: microphone.uniqueID)]
    SimulatedDevices.install(scene: scene, clock: .real)
    return figures + [
      plain, try measure("start.returned-headset", \.isBack, "until startRunning() is back", pairs: 7),
    ]
  }

  private static func measure(
    _ name: String, _ time: KeyPath<Times, Double>, _ what: String, pairs: Int
  ) throws -> Figure {
    let result = try medianRatio(
      pairs: pairs, ours: { try start(.deferred)[keyPath: time] },
      peer: { try start(.started)[keyPath: time] })
    return Figure(
      name: name, value: result.ratio,
      detail: String(
        format: "%.2f ms %@, %.2f ms with nothing deferred", result.ours * 1000, what, result.peer * 1000))
  }

  private static func start(_ outputs: Outputs) throws -> Times {
    guard let camera = AVCaptureDevice.default(for: .video) else {
      throw BenchmarkError("The camera is missing.")
    }
    let session = AVCaptureSession()
    let layer = AVCaptureVideoPreviewLayer(session: session)
    session.beginConfiguration()
    session.addInput(try AVCaptureDeviceInput(device: camera))
    session.sessionPreset = session.canSetSessionPreset(.hd1920x1080) ? .hd1920x1080 : .high
    if outputs != .none {
      if let microphone = AVCaptureDevice.default(for: .audio) {
        session.addInput(try AVCaptureDeviceInput(device: microphone))
      }
      for output in [AVCapturePhotoOutput(), AVCaptureMovieFileOutput()] as [AVCaptureOutput] {
        output.isDeferredStartEnabled = outputs == .deferred
        session.addOutput(output)
      }
    }
    session.commitConfiguration()
    let first = DispatchSemaphore(value: 0)
    let shown = Moment()
    layer.frames.setFrameHandler {
      shown.note()
      first.signal()
    }
    let start = DispatchTime.now().uptimeNanoseconds
    session.startRunning()
    let back = DispatchTime.now().uptimeNanoseconds
    let answer = first.wait(timeout: .now() + 10)
    session.stopRunning()
    guard answer == .success else { throw BenchmarkError("The camera delivered no frame.") }
    return Times(
      firstFrame: Double(shown.nanoseconds - start) / 1_000_000_000,
      isBack: Double(back - start) / 1_000_000_000)
  }
}

/// When something first happened.
private final class Moment: @unchecked Sendable {  // Safe: it is read after the signal that follows.
  private(set) var nanoseconds: UInt64 = 0

  func note() { if nanoseconds == 0 { nanoseconds = DispatchTime.now().uptimeNanoseconds } }
}
