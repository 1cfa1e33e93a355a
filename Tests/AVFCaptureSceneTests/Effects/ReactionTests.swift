import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// Tests of reactions that a program performs.
  @Suite struct `Reactions` {
    /// A running session with a camera, whose frames and reactions are watched.
    private final class Performance {
      let stage: SessionStage
      let device: AVCaptureDevice
      let counter: FrameCounter
      let changes: ReactionChanges

      init() throws {
        stage = SessionStage(devices: [SessionStage.back])
        device = try stage.camera()
        counter = try stage.addCamera().counter
        changes = ReactionChanges(device)
        stage.session.startRunning()
        stage.pass(frames: 2)
      }

      deinit { stage.session.stopRunning() }

      /// Lets frames pass until a condition holds; so many at most.
      func pass(atMost frames: Int, until condition: () -> Bool) -> Bool {
        for _ in 0..<frames where !condition() { stage.pass(frames: 1) }
        return condition()
      }
    }

    @Test
    func `begin with the next frame, end with the first without them, and both is observed`() throws {
      let performance = try Performance()
      let device = performance.device
      #expect(device.canPerformReactionEffects && device.activeFormat.reactionEffectsSupported)
      #expect(device.availableReactionTypes == Set(AVCaptureReactionType.eight))
      #expect(device.reactionEffectsInProgress.isEmpty)
      device.performEffect(for: .confetti)
      performance.stage.pass(frames: 1)
      let state = try #require(device.reactionEffectsInProgress.first)
      #expect(state.reactionType == .confetti && !state.endTime.isValid)
      #expect(state.startTime == performance.counter.times.last)
      #expect(performance.pass(atMost: 150) { device.reactionEffectsInProgress.isEmpty })
      #expect(state.endTime == performance.counter.times.last)
      #expect(abs((state.endTime - state.startTime).seconds - 4.5) < 0.04)
      let changes = performance.changes.wait(2)
      #expect(
        changes.count == 2 && changes[0].old.isEmpty && changes[0].new.map(\.reactionType) == [.confetti])
      #expect(changes[1].old.first === state && changes[1].new.isEmpty)
    }

    @Test
    func `go on side by side, each with its own end`() throws {
      let performance = try Performance()
      let device = performance.device
      device.performEffect(for: .lasers)
      performance.stage.pass(frames: 15)
      device.performEffect(for: .thumbsUp)
      performance.stage.pass(frames: 1)
      #expect(device.reactionEffectsInProgress.map(\.reactionType) == [.lasers, .thumbsUp])
      #expect(performance.pass(atMost: 100) { device.reactionEffectsInProgress.count == 1 })
      #expect(device.reactionEffectsInProgress.map(\.reactionType) == [.lasers])
      #expect(performance.pass(atMost: 100) { device.reactionEffectsInProgress.isEmpty })
      #expect(performance.changes.wait(4).map(\.new.count) == [1, 2, 1, 0])
    }

    @Test(arguments: AVCaptureReactionType.eight)
    func `are drawn into the frames that data outputs get, and no others`(type: AVCaptureReactionType) throws
    {
      let performance = try Performance()
      let bytes = Locked<[Data]>([])
      performance.counter.onPicture = { picture in bytes.withLock { $0.append(picture.allBytes) } }
      performance.stage.pass(frames: 2)
      performance.device.performEffect(for: type)
      performance.stage.pass(frames: 1)
      performance.stage.clock.advance(by: .seconds(1), waitingForClients: true)
      let shown = bytes.withLock { $0 }
      #expect(shown[0] == shown[1], "a still scene")
      #expect(shown[30] != shown[0], "and what is drawn over it")
      performance.stage.session.stopRunning()
      performance.stage.session.startRunning()
      performance.stage.pass(frames: 3)
      #expect(bytes.withLock { $0.last } == shown[0])
    }

    @Test
    func `slow a stream of 60 frames a second down to 30 while they go on`() throws {
      let performance = try Performance()
      let device = performance.device
      try device.lockForConfiguration()
      device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
      device.unlockForConfiguration()
      performance.stage.pass(frames: 4)
      let range = try #require(device.activeFormat.videoFrameRateRangeForReactionEffectsInProgress)
      #expect(range.maxFrameRate == 30)
      func rate() -> Double {
        let times = performance.counter.times.suffix(3)
        return 2 / (times[times.endIndex - 1] - times[times.startIndex]).seconds
      }
      #expect(abs(rate() - 60) < 0.1)
      device.performEffect(for: .heart)
      performance.stage.pass(frames: 6)
      #expect(abs(rate() - 30) < 0.1 && device.reactionEffectsInProgress.count == 1)
      #expect(performance.pass(atMost: 150) { device.reactionEffectsInProgress.isEmpty })
      performance.changes.wait(2)
      performance.stage.pass(frames: 6)
      #expect(performance.pass(atMost: 60) { abs(rate() - 60) < 0.1 })
    }

    @Test
    func `are not performed where the person forbids them, which is observed`() throws {
      let performance = try Performance()
      let device = performance.device
      defer { SimulatedDevices.setVideoEffects(nil) }
      let can = ObservedValues(device, \.canPerformReactionEffects)
      let enabled = Monitor<[Bool]>([])
      let observation = AVCaptureDevice.observe(\.reactionEffectsEnabled, options: .new) { _, change in
        enabled.withLock { $0.append(change.newValue ?? true) }
      }
      var choices = VideoEffectChoices.standard
      choices[.reactions].isOn = false
      SimulatedDevices.setVideoEffects(choices)
      #expect(!AVCaptureDevice.reactionEffectsEnabled && !device.canPerformReactionEffects)
      #expect(can.values == [false] && enabled.withLock { $0 } == [false])
      device.performEffect(for: .rain)
      performance.stage.pass(frames: 2)
      #expect(device.reactionEffectsInProgress.isEmpty)
      SimulatedDevices.setVideoEffects(nil)
      #expect(can.values == [false, true] && device.canPerformReactionEffects)
      observation.invalidate()
    }

    @Test
    func `that are performed in the middle of a configuration begin with the first frame after its commit`()
      throws
    {
      let performance = try Performance()
      let device = performance.device
      performance.stage.session.beginConfiguration()
      device.performEffect(for: .heart)
      performance.stage.pass(frames: 4)
      #expect(device.reactionEffectsInProgress.isEmpty)
      let last = try #require(performance.counter.times.last)
      performance.stage.session.commitConfiguration()
      performance.stage.pass(frames: 2)
      let state = try #require(device.reactionEffectsInProgress.first)
      #expect(state.startTime > last && performance.counter.times.contains(state.startTime))
    }

    @Test
    func `end with the stream, and none begins without one`() throws {
      let performance = try Performance()
      let device = performance.device
      device.performEffect(for: .balloons)
      performance.stage.pass(frames: 1)
      let state = try #require(device.reactionEffectsInProgress.first)
      performance.stage.session.stopRunning()
      #expect(device.reactionEffectsInProgress.isEmpty && state.endTime.isValid)
      device.performEffect(for: .balloons)
      performance.stage.session.startRunning()
      performance.stage.pass(frames: 2)
      #expect(device.reactionEffectsInProgress.isEmpty)
    }

    @Test
    func `of an unknown type, and of a microphone, are mistakes without effect`() throws {
      let performance = try Performance()
      #expect(Set(AVCaptureReactionType.eight.map(\.systemImageName)).count == 8)
      let mistakes = ProgrammingMistake.collect {
        performance.device.performEffect(for: AVCaptureReactionType(rawValue: "ReactionWave"))
      }
      #expect(mistakes.count == 1 && AVCaptureReactionType(rawValue: "ReactionWave").systemImageName == "")
    }

    @Test
    func `three of a kind go on at once at most, and calls before the next frame are one`() throws {
      let performance = try Performance()
      let device = performance.device
      for _ in 0..<5 {
        device.performEffect(for: .thumbsDown)
        device.performEffect(for: .thumbsDown)
        performance.stage.pass(frames: 1)
      }
      #expect(device.reactionEffectsInProgress.count == 3)
    }
  }
}

extension CVBuffer {
  /// The bytes of all planes, without what rows are filled up with.
  fileprivate var allBytes: Data {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    return (0..<CVPixelBufferGetPlaneCount(self)).reduce(into: Data()) { bytes, plane in
      guard let base = CVPixelBufferGetBaseAddressOfPlane(self, plane) else { return }
      let count = CVPixelBufferGetWidthOfPlane(self, plane) * (plane == 0 ? 1 : 2)
      for row in 0..<CVPixelBufferGetHeightOfPlane(self, plane) {
        bytes.append(
          Data(bytes: base + row * CVPixelBufferGetBytesPerRowOfPlane(self, plane), count: count))
      }
    }
  }
}

extension AVCaptureReactionType {
  fileprivate static let eight: [AVCaptureReactionType] = [
    .thumbsUp, .thumbsDown, .balloons, .heart, .fireworks, .rain, .confetti, .lasers,
  ]
}
