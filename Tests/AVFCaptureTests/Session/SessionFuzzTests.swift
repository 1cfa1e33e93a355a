import AVFoundation
import CaptureDevice
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Meant to run under ThreadSanitizer too: `swift test --sanitize=thread --filter SessionFuzzTests`.
  @Suite("AVCaptureSession: fuzz")
  struct SessionFuzzTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `four threads do anything, and every photo ends once`(seed: UInt64) throws {
      let stage = SessionStage(devices: [SessionStage.back, SessionStage.front, .stageMicrophone])
      let stunt = try Stunt(stage)
      let done = Monitor(0)
      for thread in 0..<4 {
        Thread.detachNewThread {
          var random = Dice(seed: seed &* 31 &+ UInt64(thread))
          // Breaking the rules is part of the game; only their effect is looked at.
          _ = ProgrammingMistake.collect {
            // Where threads meet is the machine's choice: a run that found the session idle most of the time goes on.
            for count in 0..<6000 where count < 300 || !stunt.wasBusy { stunt.step(&random) }
          }
          done.withLock { $0 += 1 }
        }
      }
      let mover = Thread {
        while done.withLock({ $0 }) < 4 {
          stage.clock.advance(by: .milliseconds(10))
          Thread.sleep(forTimeInterval: 0.0005)
        }
      }
      mover.start()
      let deadline = MonotonicInstant.now.advanced(byNanoseconds: 120_000_000_000)
      let finished: Bool? = done.wait(until: deadline) {
        $0 == 4
      } then: { _ in
        true
      }
      #expect(finished == true, "a thread hangs")
      stunt.end()
      #expect(!stage.session.isRunning)
      #expect(
        stunt.tally.waitForAll(stunt.asked), "\(stunt.tally.missing(stunt.asked)) photos have not ended")
      #expect(stunt.tally.twice.isEmpty, "photos ended more than once")
      #expect(stunt.hasBalancedAudio, "captured sound is delivered, dropped, or nobody's")
      #expect(stunt.wasBusy, "nothing was going on")
      stunt.dropPreviews()
      let ends = stage.session.outputs.flatMap(\.connections)
      #expect(stage.session.connections.count == ends.count, "layers that are gone leave no connection")
      try stunt.resetCameras()
    }
  }
}

/// A random generator that gives the same numbers for the same seed: SplitMix64.
private struct Dice: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

/// Everything that clients do with a session, one random thing at a time, from any thread.
private final class Stunt: Sendable {
  private let session: AVCaptureSession
  private let clock: SimulatedClock
  private let cameras: [AVCaptureDevice]
  private let firstFormats: [AVCaptureDevice.Format]
  private let inputs: [AVCaptureDeviceInput]
  private let video = AVCaptureVideoDataOutput()
  private let photo = AVCapturePhotoOutput()
  private let microphone: AVCaptureDeviceInput
  private let audio = AVCaptureAudioDataOutput()
  private let audioCounter = AudioCounter()
  private let counter = FrameCounter()
  let tally = PhotoTally()
  private let layers = Locked<[Int: AVCaptureVideoPreviewLayer]>([:])
  private let ids = Locked<[Int64]>([])

  init(_ stage: SessionStage) throws {
    session = stage.session
    clock = stage.clock
    cameras = [try stage.camera(SessionStage.back), try stage.camera(SessionStage.front)]
    firstFormats = cameras.map(\.activeFormat)
    inputs = try cameras.map { try AVCaptureDeviceInput(device: $0) }
    microphone = try AVCaptureDeviceInput(device: stage.camera(.stageMicrophone))
    counter.watch(video)
    audioCounter.watch(audio)
    session.addInput(inputs[0])
    session.addInput(microphone)
    session.addOutput(video)
    session.addOutput(audio)
    session.addOutput(photo)
  }

  /// Whether the session has done enough for the test to mean something.
  var wasBusy: Bool { counter.frames > 20 && tally.succeeded > 5 }

  /// Whether all audio is accounted for, once nothing is under way.
  var hasBalancedAudio: Bool {
    audioCounter.queue.sync {}
    let statistics = audio.statistics
    return statistics.captured > 0 && statistics.pending == 0
      && statistics.captured == statistics.delivered + statistics.dropped
      && audioCounter.stretches.count == statistics.delivered
  }

  var asked: [Int64] { ids.withLock { $0 } }

  func step(_ dice: inout Dice) {
    switch Int.random(in: 0..<22, using: &dice) {
    case 0:
      session.beginConfiguration()
      if Bool.random(using: &dice) { change(&dice) }
      session.commitConfiguration()
    case 1: if Int.random(in: 0..<5, using: &dice) == 0 { session.beginConfiguration() }
    case 2, 3, 4: session.commitConfiguration()
    case 5, 6, 7: session.startRunning()
    case 8: session.stopRunning()
    case 9, 10: change(&dice)
    case 11: swap()
    case 12, 13, 14: capture()
    case 15, 16: set(&dice)
    case 17: turn(&dice)
    case 18: preview(&dice)
    default:
      look()
      letTimePass()
    }
  }

  private func change(_ dice: inout Dice) {
    switch Int.random(in: 0..<10, using: &dice) {
    case 6: if session.canAddOutput(audio) { session.addOutput(audio) }
    case 7: session.removeOutput(audio)
    case 8: if session.canAddInput(microphone) { session.addInput(microphone) }
    case 9: session.removeInput(microphone)
    case 0: if session.canAddOutput(video) { session.addOutput(video) }
    case 1: session.removeOutput(video)
    case 2: if session.canAddOutput(photo) { session.addOutput(photo) }
    case 3: session.removeOutput(photo)
    case 4: if session.canAddInput(inputs[0]) { session.addInput(inputs[0]) }
    default: session.sessionPreset = [.high, .photo, .low].randomElement(using: &dice) ?? .high
    }
  }

  private func swap() {
    session.beginConfiguration()
    let present = session.inputs.first { $0 !== microphone }
    if let present { session.removeInput(present) }
    let next = present === inputs[0] ? inputs[1] : inputs[0]
    if session.canAddInput(next) { session.addInput(next) }
    session.commitConfiguration()
  }

  private func capture() {
    let settings = AVCapturePhotoSettings()
    ids.withLock { $0.append(settings.uniqueID) }
    photo.capturePhoto(with: settings, delegate: tally)
  }

  private func set(_ dice: inout Dice) {
    guard let camera = cameras.randomElement(using: &dice) else { return }
    do {
      try camera.lockForConfiguration()
    } catch {
      return
    }
    if Bool.random(using: &dice), let format = camera.formats.randomElement(using: &dice) {
      camera.activeFormat = format
    }
    camera.activeVideoMinFrameDuration = CMTime(
      value: 1, timescale: [15, 30, 60].randomElement(using: &dice) ?? 30)
    camera.exposureMode = Bool.random(using: &dice) ? .locked : .continuousAutoExposure
    camera.unlockForConfiguration()
  }

  /// Devices outlive the test, with their settings: the next test shall find them as they were.
  func resetCameras() throws {
    for (camera, format) in zip(cameras, firstFormats) {
      try camera.lockForConfiguration()
      camera.activeFormat = format
      camera.activeVideoMinFrameDuration = .invalid
      camera.activeVideoMaxFrameDuration = .invalid
      camera.unlockForConfiguration()
    }
  }

  private func turn(_ dice: inout Dice) {
    guard let connection = session.connections.randomElement(using: &dice) else { return }
    connection.videoRotationAngle = [0, 90, 180, 270].randomElement(using: &dice) ?? 0
    connection.isVideoMirrored.toggle()
    connection.isEnabled = Int.random(in: 0..<4, using: &dice) > 0
  }

  /// Puts a layer into one of three places, takes one out, or takes it from its session and back.
  private func preview(_ dice: inout Dice) {
    let place = Int.random(in: 0..<3, using: &dice)
    // Taken out, so that one thread has the layer at a time; it dies here, or goes back.
    var layer = layers.withLock { $0.removeValue(forKey: place) }
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: layer = nil
    case 1: layer?.session = nil
    case 2: layer?.session = session
    default: layer = layer ?? AVCaptureVideoPreviewLayer(session: session)
    }
    guard let layer else { return }
    layer.frames.setFrameHandler { [weak frames = layer.frames] in _ = frames?.takeNewest() }
    let surplus = layers.withLock { layers in
      defer { layers[place] = layer }
      return layers[place]
    }
    withExtendedLifetime(surplus) {}
  }

  func dropPreviews() {
    let old = layers.withLock { layers in
      defer { layers = [:] }
      return layers
    }
    withExtendedLifetime(old) {}
  }

  private func look() {
    _ = session.isRunning || session.isInterrupted
    _ = session.canSetSessionPreset(.photo)
    _ = cameras.map(\.activeFormat)
    _ = video.connection(with: .video)?.videoOrientation
    _ = photo.maxPhotoDimensions
    _ = audio.connection(with: .audio)?.audioChannels.map(\.averagePowerLevel)
    _ = session.hardwareCost
  }

  /// Waits for a few frames' time on the stage's clock, so that the next step finds something going on.
  private func letTimePass() {
    let until = clock.now.advanced(byNanoseconds: 200_000_000)
    for _ in 0..<100 where clock.now < until { Thread.sleep(forTimeInterval: 0.001) }
  }

  /// Ends all transactions and stops.
  func end() {
    for _ in 0..<1000 { session.commitConfiguration() }
    session.stopRunning()
  }
}

/// Counts how often each photo has ended.
private final class PhotoTally: NSObject, AVCapturePhotoCaptureDelegate, @unchecked Sendable {
  // Safe because its state is behind locks.
  private let ends = Monitor<[Int64: Int]>([:])
  private let successes = Locked(0)

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishCaptureFor resolvedSettings: AVCaptureResolvedPhotoSettings,
    error: (any Error)?
  ) {
    ends.withLock { $0[resolvedSettings.uniqueID, default: 0] += 1 }
    if error == nil { successes.withLock { $0 += 1 } }
  }

  var succeeded: Int { successes.withLock { $0 } }

  var twice: [Int64] { ends.withLock { $0.filter { $0.value > 1 }.map(\.key) } }

  func missing(_ asked: [Int64]) -> Int { ends.withLock { ends in asked.count { ends[$0] == nil } } }

  func waitForAll(_ asked: [Int64]) -> Bool {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    return ends.wait(until: deadline) { ends in
      asked.allSatisfy { ends[$0] != nil }
    } then: { _ in
      true
    } ?? false
  }
}
