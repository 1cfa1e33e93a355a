import AVFAudio
import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import FoundationExtras
import Linux
import SimulatedDevices
import Testing
import Waiting

/// Two microphones and a loudspeaker, to be plugged and unplugged.
private final class FakeAudio: AudioSessionHardware {
  static let first = AVAudioSessionPortDescription(
    portType: .builtInMic, portName: "Inside", uid: "inside", sampleRate: 48_000, channelCount: 1)
  static let second = AVAudioSessionPortDescription(
    portType: .usbAudio, portName: "Plugged in", uid: "plugged", sampleRate: 44_100, channelCount: 2)
  static let speaker = AVAudioSessionPortDescription(
    portType: .builtInSpeaker, portName: "Speaker", uid: "speaker")

  let present = Locked([FakeAudio.first, FakeAudio.second])
  var inputs: [AVAudioSessionPortDescription] { present.withLock { $0 } }
  var outputs: [AVAudioSessionPortDescription] { [Self.speaker] }
  var recordPermission: AVAudioSession.RecordPermission { .undetermined }
  let volume = Locked<Float?>(nil)
  var outputVolume: Float? { volume.withLock { $0 } }

  func requestRecordPermission(_ completion: @escaping @Sendable (Bool) -> Void) { completion(true) }
}

/// The notifications of an audio session, in order.
private final class AudioNews: Sendable {
  let reported = Monitor<[String]>([])
  var last: String? { reported.withLock { $0.last } }
  private let tokens = Locked<[any NSObjectProtocol]>([])

  init(_ session: AVAudioSession) {
    let center = NotificationCenter.default
    let routes = center.addObserver(
      forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
    ) { [reported] note in
      let value = note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt ?? 99
      let former =
        note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
      reported.withLock { $0.append("\(value) from \(former?.inputs.map(\.uid) ?? ["?"])") }
    }
    let interruptions = center.addObserver(
      forName: AVAudioSession.interruptionNotification, object: session, queue: nil
    ) { [reported] note in
      guard let value = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt,
        let type = AVAudioSession.InterruptionType(rawValue: value)
      else { return }
      let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
      let reason = (note.userInfo?[AVAudioSessionInterruptionReasonKey] as? UInt)
        .flatMap(AVAudioSession.InterruptionReason.init)
      #expect((type == .began) == (reason == .default))
      let resumes = AVAudioSession.InterruptionOptions(rawValue: options).contains(.shouldResume)
      reported.withLock { $0.append("\(type)\(resumes ? ", go on" : "")") }
    }
    tokens.withLock { $0 = [routes, interruptions] }
  }

  deinit {
    for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
  }
}

@Suite("AVAudioSession")
struct AudioSessionTests {
  @Test func `the volume is the machine's, and full where it has none`() {
    let audio = FakeAudio()
    let session = AVAudioSession(hardware: audio, settings: Locked(AudioSessionSettings()))
    #expect(session.outputVolume == 1)
    audio.volume.withLock { $0 = 0.25 }
    #expect(session.outputVolume == 0.25)
  }

  @Test func `a preferred rate and length are kept, and what is no number is refused`() throws {
    let session = AVAudioSession(hardware: FakeAudio(), settings: Locked(AudioSessionSettings()))
    #expect(session.preferredSampleRate == 0 && session.preferredIOBufferDuration == 0)
    try session.setPreferredSampleRate(44_100)
    try session.setPreferredIOBufferDuration(0.005)
    for wrong in [-1, Double.nan, .infinity] {
      #expect(throws: NSError.self) { try session.setPreferredSampleRate(wrong) }
      #expect(throws: NSError.self) { try session.setPreferredIOBufferDuration(wrong) }
    }
    #expect(session.preferredSampleRate == 44_100 && session.preferredIOBufferDuration == 0.005)
    #expect(session.sampleRate == 48_000, "what there is, not what is preferred")
  }

  private let hardware = FakeAudio()
  private let session: AVAudioSession

  init() {
    session = AVAudioSession(hardware: hardware, settings: Locked(AudioSessionSettings()))
  }

  private func code(_ body: () throws -> Void) -> AVAudioSession.ErrorCode? {
    do {
      try body()
      return nil
    } catch {
      let error = error as NSError
      #expect(error.domain == NSOSStatusErrorDomain)
      return AVAudioSession.ErrorCode(rawValue: error.code)
    }
  }

  @Test func `the category decides what the route has`() throws {
    #expect(session.category == .soloAmbient)
    #expect(session.currentRoute.inputs.isEmpty)
    #expect(session.currentRoute.outputs == [FakeAudio.speaker])
    #expect(session.availableInputs == [])
    try session.setCategory(.record)
    #expect(session.currentRoute.inputs == [FakeAudio.first])
    #expect(session.currentRoute.outputs.isEmpty)
    try session.setCategory(.playAndRecord, mode: .videoRecording, options: [.allowBluetooth, .duckOthers])
    #expect(session.mode == .videoRecording)
    #expect(session.categoryOptions == [.allowBluetooth, .duckOthers, .mixWithOthers])
    #expect(session.availableInputs == [FakeAudio.first, FakeAudio.second])
  }

  @Test func `options go with their category, and are not kept for the next`() throws {
    try session.setCategory(.playback, options: .mixWithOthers)
    #expect(session.categoryOptions == .mixWithOthers)
    #expect(code { try session.setCategory(.record, options: .mixWithOthers) } == .badParam)
    #expect(code { try session.setCategory(.playback, options: .defaultToSpeaker) } == .badParam)
    #expect(code { try session.setCategory(.soloAmbient, options: .duckOthers) } == .badParam)
    #expect(session.category == .playback && session.categoryOptions == .mixWithOthers)
    try session.setCategory(.playAndRecord)
    #expect(session.categoryOptions == [])
  }

  @Test func `modes go with their category`() throws {
    #expect(code { try session.setMode(.videoRecording) } == .badParam)
    try session.setCategory(.record)
    try session.setMode(.videoRecording)
    #expect(session.availableModes.contains(.measurement))
    #expect(!session.availableModes.contains(.voiceChat))
    try session.setCategory(.playback)
    #expect(session.mode == .default, "a mode that does not go with the category ends with it")
    #expect(code { try session.setCategory(AVAudioSession.Category(rawValue: "Whistle")) } == .badParam)
  }

  @Test func `the preferred input is the route's, while it is plugged in`() throws {
    try session.setCategory(.record)
    try session.setPreferredInput(FakeAudio.second)
    #expect(session.preferredInput == FakeAudio.second)
    #expect(session.currentRoute.inputs == [FakeAudio.second])
    #expect(session.sampleRate == 44_100)
    #expect(session.inputNumberOfChannels == 2)
    hardware.present.withLock { $0 = [FakeAudio.first] }
    #expect(session.preferredInput == nil)
    #expect(session.currentRoute.inputs == [FakeAudio.first])
    #expect(code { try session.setPreferredInput(FakeAudio.second) } == .badParam)
    try session.setPreferredInput(nil)
  }

  @Test func `a route that changes is reported with its reason`() throws {
    let news = AudioNews(session)
    try session.setCategory(.playAndRecord)
    try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
    try session.setPreferredInput(FakeAudio.second)
    hardware.present.withLock { $0 = [FakeAudio.first] }
    session.reviewRoute(.oldDeviceUnavailable)
    session.reviewRoute(.oldDeviceUnavailable)
    hardware.present.withLock { $0 = [] }
    session.reviewRoute(.categoryChange)
    let expected = [
      "3 from []", #"4 from ["inside"]"#, #"2 from ["plugged"]"#, #"7 from ["inside"]"#,
    ]
    #expect(news.reported.wait { $0.count == expected.count })
    #expect(news.reported.withLock { $0 } == expected)
  }

  @Test func `an interruption is reported once, and hinders activation`() throws {
    let news = AudioNews(session)
    try session.setCategory(.record)
    try session.setActive(true)
    session.setInterrupted(true)
    session.setInterrupted(true)
    #expect(code { try session.setActive(true) } == .insufficientPriority)
    session.setInterrupted(false)
    try session.setActive(true)
    #expect(news.reported.wait { $0.count == 3 })
    #expect(news.reported.withLock { $0.suffix(2) } == ["began", "ended, go on"])
  }

  @Test func `without a microphone a session that only records does not begin`() throws {
    hardware.present.withLock { $0 = [] }
    #expect(!session.isInputAvailable)
    try session.setCategory(.record)
    #expect(code { try session.setActive(true) } == .resourceNotAvailable)
    try session.setActive(false, options: .notifyOthersOnDeactivation)
    try session.setCategory(.playAndRecord)
    try session.setActive(true)
  }

  @Test func `a capture that records makes the category record`() {
    var settings = AudioSessionSettings()
    settings.prepareForCapture(mixing: true)
    let shared = AVAudioSession(hardware: hardware, settings: Locked(settings))
    #expect(shared.category == .playAndRecord)
    #expect(shared.mode == .videoRecording)
    #expect(shared.categoryOptions == .mixWithOthers)
  }
}

extension DeviceSuites {
  @Suite("AVAudioSession and capture")
  final class AudioSessionCaptureTests {
    private let session = AVAudioSession.sharedInstance()

    static let first = microphone("Inside", .builtInMicrophone)
    static let second = microphone("Plugged in", .externalMicrophone)

    private static func microphone(_ name: String, _ kind: DeviceKind) -> SimulatedDeviceModel {
      SimulatedDeviceModel(
        facts: DeviceFacts(
          uniqueID: "audio.\(name)", modelID: "Microphone", name: name, manufacturer: "", kind: kind,
          position: .unspecified, media: [.audio], formats: []))
    }

    private func stage(faults: [SceneFault] = [], access: SimulatedAccess = .granted) -> SessionStage {
      SessionStage(devices: [SessionStage.back, Self.first, Self.second], faults: faults, access: access)
    }

    deinit {
      // What a test has set is the process's.
      AudioSessionSettings.shared.withLock { $0 = AudioSessionSettings(silence: $0.silence) }
      SystemSoundSilence.shared.allowsSounds = false
    }

    private func start(_ stage: SessionStage) throws {
      try stage.addCamera()
      let microphone = try #require(AVCaptureDevice.default(for: .audio))
      stage.session.addInput(try AVCaptureDeviceInput(device: microphone))
      stage.session.addOutput(AVCaptureAudioDataOutput())
      stage.session.startRunning()
    }

    @Test func `its inputs are the microphones, and the preferred one is the default device`() throws {
      let stage = stage()
      try session.setCategory(.record)
      let inputs = try #require(session.availableInputs)
      #expect(inputs.map(\.portName) == ["Inside", "Plugged in"])
      #expect(inputs.map(\.portType) == [.builtInMic, .usbAudio])
      #expect(AVCaptureDevice.default(for: .audio)?.localizedName == "Inside")
      try session.setPreferredInput(inputs[1])
      #expect(AVCaptureDevice.default(for: .audio)?.uniqueID == inputs[1].uid)
      #expect(AVCaptureDevice.default(for: .video)?.localizedName == "Back")
      try stage.simulated(Self.second).unplug()
      stage.clock.settle()
      #expect(AVCaptureDevice.default(for: .audio)?.localizedName == "Inside")
      withExtendedLifetime(stage) {}
    }

    @Test func `unplugging the route's microphone is a route change`() throws {
      // Of its own: late news of another test's microphones is not taken for theirs.
      let (desk, headset) = (
        Self.microphone("Desk", .builtInMicrophone), Self.microphone("Headset", .externalMicrophone)
      )
      let stage = SessionStage(devices: [SessionStage.back, desk, headset])
      try session.setCategory(.record)
      let news = AudioNews(session)
      let (first, second) = (try stage.simulated(desk), try stage.simulated(headset))
      first.unplug()
      stage.clock.settle()
      #expect(news.last == #"2 from ["audio.Desk"]"#)
      second.unplug()
      stage.clock.settle()
      #expect(news.last == #"2 from ["audio.Headset"]"#)
      first.plugIn()
      stage.clock.settle()
      #expect(news.last == "1 from []")
    }

    @Test func `a capture session sets the category unless asked not to`() throws {
      let stage = stage()
      #expect(stage.session.automaticallyConfiguresApplicationAudioSession)
      #expect(stage.session.usesApplicationAudioSession)
      stage.session.automaticallyConfiguresApplicationAudioSession = false
      try start(stage)
      #expect(session.category == .soloAmbient)
      stage.session.stopRunning()
      stage.session.automaticallyConfiguresApplicationAudioSession = true
      stage.session.startRunning()
      #expect(session.category == .playAndRecord)
      #expect(session.mode == .videoRecording)
      stage.session.stopRunning()
    }

    @Test
    func `a session's microphone silences the program's short sounds while it runs, unless they are allowed`()
      throws
    {
      let silence = SystemSoundSilence.shared
      let stage = stage()
      try stage.addCamera()
      stage.session.startRunning()
      #expect(!silence.isSilent, "no microphone")
      stage.session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice.default(for: .audio))))
      stage.session.addOutput(AVCaptureAudioDataOutput())
      #expect(silence.isSilent && !session.allowHapticsAndSystemSoundsDuringRecording)
      try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
      #expect(!silence.isSilent && session.allowHapticsAndSystemSoundsDuringRecording)
      try session.setAllowHapticsAndSystemSoundsDuringRecording(false)
      #expect(silence.isSilent)
      stage.session.stopRunning()
      #expect(!silence.isSilent)
    }

    @Test func `a capture session mixes with other programs where it is asked to`() throws {
      let stage = stage()
      stage.session.configuresApplicationAudioSessionToMixWithOthers = true
      #expect(!stage.session.configuresApplicationAudioSessionForBluetoothHighQualityRecording)
      stage.session.configuresApplicationAudioSessionForBluetoothHighQualityRecording = true
      #expect(stage.session.configuresApplicationAudioSessionForBluetoothHighQualityRecording)
      #expect(stage.session.configuresApplicationAudioSessionToMixWithOthers)
      try start(stage)
      #expect(session.categoryOptions.contains(.mixWithOthers))
      #expect(session.categoryOptions.contains(.bluetoothHighQualityRecording))
      stage.session.stopRunning()
      #expect(AVAudioSession.Mode(rawValue: session.mode.rawValue) == .videoRecording)
    }

    @Test func `the permission to record is that of the microphones`() async {
      let isGranted = await withCheckedContinuation { done in
        session.requestRecordPermission { done.resume(returning: $0) }
      }
      #expect(isGranted == (session.recordPermission == .granted))
    }

    @Test func `a capture session with a camera alone leaves the category alone`() throws {
      let stage = stage()
      try stage.addCamera()
      stage.session.startRunning()
      #expect(session.category == .soloAmbient)
      stage.session.stopRunning()
    }

    @Test func `another client of the microphone interrupts the audio session`() throws {
      let stage = stage(faults: [SceneFault(.busy(seconds: 0.5), at: 0.2, device: "audio.Inside")])
      let news = AudioNews(session)
      try start(stage)
      stage.pass(frames: 9)
      stage.clock.settle()
      #expect((try? session.setActive(true)) == nil)
      #expect(news.reported.withLock { $0.contains("began") })
      stage.pass(frames: 30)
      stage.clock.settle()
      #expect((try? session.setActive(true)) != nil)
      #expect(news.reported.withLock { $0.contains("ended, go on") })
      stage.session.stopRunning()
    }

    @Test func `recording is permitted as the microphones are`() async throws {
      let denied = stage(access: .denied)
      #expect(session.recordPermission == .denied)
      #expect(await AVAudioApplication.requestRecordPermission() == false)
      withExtendedLifetime(denied) {}
      let granted = stage()
      #expect(AVAudioApplication.shared.recordPermission == .granted)
      #expect(await AVAudioApplication.requestRecordPermission())
      withExtendedLifetime(granted) {}
    }
  }
}
