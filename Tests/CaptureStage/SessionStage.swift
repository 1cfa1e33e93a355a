package import AVFoundation
package import CaptureDevice
import Linux
package import SimulatedDevices
import Testing
import Waiting

/// A scene with small cameras on a manual clock, and a session to film it with.
///
/// Installs its devices when made; only one may be in use at a time, so its suites nest in `DeviceSuites`.
package final class SessionStage: Sendable {
  package let clock = SimulatedClock()
  package let provider: SimulatedDeviceProvider
  package let session = AVCaptureSession()
  package let news: SessionNews

  package static let small = FrameSize(width: 64, height: 48)

  package static let back = SimulatedDeviceModel.camera(
    uniqueID: "stage.back", name: "Back", sizes: [small, FrameSize(width: 96, height: 72)])
  package static let front = SimulatedDeviceModel.camera(
    uniqueID: "stage.front", name: "Front", position: .front, sizes: [FrameSize(width: 80, height: 60)])

  package init(
    devices: [SimulatedDeviceModel] = [back, front], faults: [SceneFault] = [],
    access: SimulatedAccess = .granted, background: SceneBackground = SceneBackground()
  ) {
    var scene = Scene(
      isStamped: false, isNoisy: false, background: background, faults: faults, devices: devices)
    scene.isStill = true
    provider = SimulatedDevices.install(scene: scene, clock: clock, access: access)
    news = SessionNews(session)
  }

  package func camera(_ model: SimulatedDeviceModel = back) throws -> AVCaptureDevice {
    try #require(AVCaptureDevice(uniqueID: model.facts.uniqueID))
  }

  /// The simulated device itself, to unplug.
  package func simulated(_ model: SimulatedDeviceModel = back) throws -> SimulatedDevice {
    try #require(
      provider.devices().first { $0.facts.uniqueID == model.facts.uniqueID } as? SimulatedDevice)
  }

  /// Adds a camera and a video data output whose frames are counted.
  @discardableResult
  package func addCamera(_ model: SimulatedDeviceModel = back, to output: AVCaptureVideoDataOutput? = nil)
    throws
    -> (input: AVCaptureDeviceInput, counter: FrameCounter)
  {
    let input = try AVCaptureDeviceInput(device: camera(model))
    session.addInput(input)
    let counter = FrameCounter()
    let output = output ?? AVCaptureVideoDataOutput()
    counter.watch(output)
    session.addOutput(output)
    return (input, counter)
  }

  /// Moves time by so many frames at 30 a second; the clients' callbacks have returned when it returns.
  package func pass(frames: Int) {
    for _ in 0..<frames { clock.advance(by: .nanoseconds(33_333_334)) }
  }
}

/// The reports of a session's notifications and properties, in order.
package final class SessionNews: Sendable {
  private let list = Monitor<[String]>([])
  private let tokens: Locked<[any NSObjectProtocol]>
  private let observations: Locked<[NSKeyValueObservation]>
  private let errors = Locked<[AVError]>([])
  private let reasons = Locked<[Int]>([])

  package init(_ session: AVCaptureSession) {
    tokens = Locked([])
    observations = Locked([])
    let names: [(Notification.Name, String)] = [
      (AVCaptureSession.didStartRunningNotification, "started"), (.AVCaptureSessionDidStopRunning, "stopped"),
      (AVCaptureSession.runtimeErrorNotification, "error"), (.AVCaptureSessionWasInterrupted, "interrupted"),
      (AVCaptureSession.interruptionEndedNotification, "interruption ended"),
    ]
    for (name, word) in names {
      let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
        [list, errors, reasons] note in
        if let error = note.userInfo?[AVCaptureSessionErrorKey] as? AVError {
          errors.withLock { $0.append(error) }
        }
        if let reason = note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int {
          reasons.withLock { $0.append(reason) }
        }
        list.withLock { $0.append(word) }
      }
      tokens.withLock { $0.append(token) }
    }
    let running = session.observe(\.isRunning, options: .new) { [list] _, change in
      list.withLock { $0.append("isRunning \(change.newValue ?? false)") }
    }
    let interrupted = session.observe(\.isInterrupted, options: .new) { [list] _, change in
      list.withLock { $0.append("isInterrupted \(change.newValue ?? false)") }
    }
    observations.withLock { $0 = [running, interrupted] }
  }

  deinit {
    for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
  }

  package var all: [String] { list.withLock { $0 } }
  package var lastError: AVError? { errors.withLock { $0.last } }
  package var lastReason: AVCaptureSession.InterruptionReason? {
    reasons.withLock { $0.last }.flatMap(AVCaptureSession.InterruptionReason.init(rawValue:))
  }

  /// Waits until `word` has come `count` times, at most half a minute; whether it did.
  package func wait(for word: String, count: Int = 1) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return list.wait(until: deadline) { list in
      list.count { $0 == word } >= count
    } then: { _ in
      true
    } ?? false
  }
}

/// Counts what a video data output hands over, and may do something in each callback.
package final class FrameCounter: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable
{
  // Safe because the state is locked and the closure is set before the session starts.
  private struct State {
    var frames = 0
    var drops = 0
    var times: [CMTime] = []
    var sizes: Set<String> = []
  }

  private let state = Monitor(State())
  package let queue = DispatchQueue(label: "frames")
  package var onFrame: (@Sendable () -> Void)?
  /// Gets each picture.
  package var onPicture: (@Sendable (CVPixelBuffer) -> Void)?

  package func watch(_ output: AVCaptureVideoDataOutput) {
    output.setSampleBufferDelegate(self, queue: queue)
  }

  package var frames: Int { state.withLock { $0.frames } }

  /// Blocks until so many frames have come; false when they have not within half a minute.
  package func wait(for frames: Int) -> Bool { state.wait { $0.frames >= frames } }

  package var drops: Int { state.withLock { $0.drops } }
  package var times: [CMTime] { state.withLock { $0.times } }
  package var sizes: Set<String> { state.withLock { $0.sizes } }

  package func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    state.withLock { state in
      state.frames += 1
      state.times.append(sampleBuffer.presentationTimeStamp)
      if let buffer = sampleBuffer.imageBuffer {
        state.sizes.insert("\(CVPixelBufferGetWidth(buffer))×\(CVPixelBufferGetHeight(buffer))")
      }
    }
    if let onPicture, let buffer = sampleBuffer.imageBuffer { onPicture(buffer) }
    onFrame?()
  }

  package func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    state.withLock { $0.drops += 1 }
  }
}
