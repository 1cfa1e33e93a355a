import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Linux
import SeededNumbers
import SimulatedDevices
import Waiting

/// Everything that clients do with a session, one random thing at a time, from any thread.
final class Stunt: Sendable {
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
  private let callbacks = Locked((step: false, calls: 0, steps: 0))
  private let otherQueue = DispatchQueue(label: "other frames")

  private let changesDelegates: Bool

  init(_ stage: SessionStage, changesDelegates: Bool = false) throws {
    self.changesDelegates = changesDelegates
    audioCounter.keepsBytes = false
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
  var wasBusy: Bool { counter.frames > 20 && tally.succeeded > 5 && audio.statistics.captured > 0 }

  /// The error in the account of the audio, once it has ended; `nil` when it is balanced.
  ///
  /// Waits for what is under way: a thread that has counted a chunk may not have enqueued its callback yet.
  var audioImbalance: String? {
    clock.settle()
    let statistics = audio.statistics
    let isBalanced =
      statistics.pending == 0 && statistics.captured == statistics.delivered + statistics.dropped
      && audioCounter.stretches.count == statistics.delivered
    return isBalanced ? nil : "\(statistics), \(audioCounter.stretches.count) callbacks"
  }

  var asked: [Int64] { ids.withLock { $0 } }

  /// The number of steps that were taken inside callbacks.
  var stepsInCallbacks: Int { callbacks.withLock { $0.steps } }

  /// Does one random thing.
  ///
  /// - Parameters:
  ///   - isInCallback: Whether a callback does it, for which the clock waits.
  ///   - begin: Called with the name of what is about to be done.
  func step(_ dice: inout SeededGenerator, isInCallback: Bool = false, _ begin: (String) -> Void = { _ in }) {
    switch Int.random(in: 0..<23, using: &dice) {
    case 0:
      begin("a transaction")
      session.beginConfiguration()
      if Bool.random(using: &dice) { change(&dice) }
      session.commitConfiguration()
    case 1:
      begin("beginConfiguration()")
      if Int.random(in: 0..<5, using: &dice) == 0 { session.beginConfiguration() }
    case 2, 3, 4:
      begin("commitConfiguration()")
      session.commitConfiguration()
    case 5, 6, 7:
      begin("startRunning()")
      session.startRunning()
    case 8:
      begin("stopRunning()")
      session.stopRunning()
    case 9, 10:
      begin("adding or removing")
      change(&dice)
    case 11:
      begin("a change of cameras")
      swap()
    case 12, 13, 14:
      begin("a press")
      capture()
    case 15, 16:
      begin("a change of a camera's settings")
      set(&dice)
    case 17:
      begin("a turn of a connection")
      turn(&dice)
    case 18:
      begin("a preview")
      preview(&dice)
    case 19:
      begin("a change of delegates")
      changeDelegates(&dice)
    default:
      begin("a look")
      look()
      if !isInCallback { letTimePass() }
    }
  }

  // MARK: Callbacks

  /// Takes a step in each fourth callback too, until ``end()``.
  func letCallbacksStep(_ watch: OperationWatch) {
    counter.onFrame = { [weak self] in self?.stepInCallback("a frame's callback", watch) }
    tally.inside.set { [weak self] in self?.stepInCallback("a photo's callback", watch) }
    callbacks.withLock { $0.step = true }
  }

  private func stepInCallback(_ name: String, _ watch: OperationWatch) {
    let number = callbacks.withLock { callbacks -> Int? in
      callbacks.calls += 1
      guard callbacks.step, callbacks.calls % 4 == 0 else { return nil }
      callbacks.steps += 1
      return callbacks.calls
    }
    guard let number else { return }
    var dice = SeededGenerator(seed: UInt64(number))
    _ = ProgrammingMistake.collect {
      step(&dice, isInCallback: true) { watch.begin($0, on: name) }
    }
  }

  private func changeDelegates(_ dice: inout SeededGenerator) {
    guard changesDelegates else { return }
    switch Int.random(in: 0..<6, using: &dice) {
    case 0: video.setSampleBufferDelegate(nil, queue: nil)
    case 1: video.setSampleBufferDelegate(counter, queue: otherQueue)
    case 2: audio.setSampleBufferDelegate(nil, queue: nil)
    case 3: audioCounter.watch(audio)
    default: counter.watch(video)
    }
  }

  private func change(_ dice: inout SeededGenerator) {
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

  private func set(_ dice: inout SeededGenerator) {
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

  private func turn(_ dice: inout SeededGenerator) {
    guard let connection = session.connections.randomElement(using: &dice) else { return }
    connection.videoRotationAngle = [0, 90, 180, 270].randomElement(using: &dice) ?? 0
    connection.isVideoMirrored.toggle()
    connection.isEnabled = Int.random(in: 0..<4, using: &dice) > 0
  }

  /// Puts a layer into one of three places, takes one out, or takes it from its session and back.
  private func preview(_ dice: inout SeededGenerator) {
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
    _ = ClockMover.moves.wait { clock.now >= until }
  }

  /// Ends all transactions and stops.
  func end() {
    callbacks.withLock { $0.step = false }
    counter.queue.sync {}
    otherQueue.sync {}
    counter.watch(video)
    audioCounter.watch(audio)
    for _ in 0..<1000 { session.commitConfiguration() }
    session.stopRunning()
  }
}
