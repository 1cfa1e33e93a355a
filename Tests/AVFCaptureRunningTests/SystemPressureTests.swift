import AVFCapture
import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Linux
import SimulatedDevices
import Testing
import Waiting

/// A folder with the kernel's files of a machine's temperatures and pressure, to be read instead of `/`.
private final class FakeMachine: Sendable {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("machine-\(UUID().uuidString)")

  deinit {
    // Only a temporary folder is left behind when it fails.
    try? FileManager.default.removeItem(at: root)
  }

  var path: String { root.path }

  func write(_ file: String, _ text: String) throws {
    let url = root.appendingPathComponent(file)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // A timer may be reading meanwhile.
    try Data("\(text)\n".utf8).write(to: url, options: .atomic)
  }

  func zone(
    _ celsius: Double, _ trips: [(String, Double)], number: Int = 0, type: String = "cpu-thermal"
  ) throws {
    let folder = "sys/class/thermal/thermal_zone\(number)"
    try write("\(folder)/type", type)
    try write("\(folder)/temp", "\(Int(celsius * 1000))")
    for (index, trip) in trips.enumerated() {
      try write("\(folder)/trip_point_\(index)_type", trip.0)
      try write("\(folder)/trip_point_\(index)_temp", "\(Int(trip.1 * 1000))")
    }
  }

  func stall(_ percent: Double) throws {
    try write(
      "proc/pressure/cpu",
      "some avg10=\(percent) avg60=1.00 avg300=2.00 total=77\nfull avg10=99.00 avg60=0.00 avg300=0.00 total=0"
    )
  }

  /// The level that a machine which was cool before has now.
  var level: PressureLevel {
    var scale = PressureScale()
    return scale.take(PressureReading(root: path)).level
  }
}

/// The limits of a phone's processor.
private let limits: [(String, Double)] = [
  ("active", 40), ("passive", 70), ("passive", 85), ("critical", 100),
]

@Suite("System pressure: readings and levels")
struct SystemPressureScaleTests {
  @Test
  func `a machine without thermal zones and stall figures is nominal`() {
    let machine = FakeMachine()
    let reading = PressureReading(root: machine.path)
    #expect(reading == PressureReading())
    #expect(machine.level == .nominal)
  }

  @Test(arguments: [
    (60.0, PressureLevel.nominal), (69.9, .nominal), (70, .fair), (84.9, .fair), (85, .serious),
    (94.9, .serious), (95, .critical), (97.9, .critical), (98, .shutdown), (120, .shutdown),
  ])
  func `a zone's distance to its limits makes its level`(celsius: Double, level: PressureLevel) throws {
    let machine = FakeMachine()
    try machine.zone(celsius, limits)
    #expect(machine.level == level)
  }

  /// The type is written out because the compiler takes ten seconds to infer it.
  private static let unsetLimits: [([(String, Double)], Double, PressureLevel)] = [
    ([("critical", 100)], 84.9, .nominal), ([("critical", 100)], 85, .fair),
    ([("critical", 100)], 90, .serious), ([("passive", 85)], 79.9, .nominal), ([("passive", 85)], 80, .fair),
    ([("passive", 85)], 150, .serious), ([("hot", 80), ("critical", 110)], 80, .critical),
    ([("active", 30)], 150, .nominal), ([("critical", 0), ("passive", -274)], 150, .nominal),
    ([], 150, .nominal),
  ]

  @Test(arguments: unsetLimits)
  func `limits that are missing or unset are done without`(
    trips: [(String, Double)], celsius: Double, level: PressureLevel
  ) throws {
    let machine = FakeMachine()
    try machine.zone(celsius, trips)
    #expect(machine.level == level)
  }

  @Test
  func `the hottest zone counts, and zones that are off or unreadable do not`() throws {
    let machine = FakeMachine()
    try machine.zone(50, limits, number: 0)
    try machine.zone(86, limits, number: 1)
    try machine.zone(99, limits, number: 2)
    try machine.write("sys/class/thermal/thermal_zone2/mode", "disabled")
    try machine.zone(99, limits, number: 3)
    try machine.write("sys/class/thermal/thermal_zone3/temp", "")
    try machine.zone(999, limits, number: 4)
    try machine.write("sys/class/thermal/cooling_device0/type", "Processor")
    let zones = PressureReading(root: machine.path).zones
    #expect(zones.map(\.name) == ["thermal_zone0", "thermal_zone1"])
    #expect(zones.last?.passive == [70, 85] && zones.last?.critical == 100 && zones.last?.hot == nil)
    #expect(machine.level == .serious)
    try machine.write("sys/class/thermal/thermal_zone2/mode", "enabled")
    #expect(machine.level == .shutdown)
  }

  @Test(arguments: [
    (39.0, PressureLevel.nominal), (40, .fair), (79.9, .fair), (80, .serious), (100, .serious),
  ])
  func `threads that wait for processors press, but never more than seriously`(
    percent: Double, level: PressureLevel
  ) throws {
    let machine = FakeMachine()
    try machine.stall(percent)
    #expect(PressureReading(root: machine.path).cpuStall == percent)
    #expect(machine.level == level)
  }

  @Test
  func `a level rises at once and falls with a margin`() throws {
    let machine = FakeMachine()
    var scale = PressureScale()
    var levels: [PressureLevel] = []
    for celsius in [84.0, 85, 84, 80.5, 79.9, 66, 64.9, 98, 94, 92.9, 89.9, 60] {
      try machine.zone(celsius, limits)
      levels.append(scale.take(PressureReading(root: machine.path)).level)
    }
    #expect(
      levels == [
        .fair, .serious, .serious, .serious, .fair, .fair, .nominal, .shutdown, .shutdown, .critical,
        .serious, .nominal,
      ])
    levels = []
    for percent in [80.0, 71, 69, 31, 29] {
      try machine.stall(percent)
      levels.append(scale.take(PressureReading(root: machine.path)).level)
    }
    #expect(levels == [.serious, .serious, .fair, .fair, .nominal])
  }

  @Test
  func `a camera's own zone is distinguished from the system's`() throws {
    let machine = FakeMachine()
    try machine.zone(50, limits, number: 0, type: "cpu-thermal")
    try machine.zone(86, limits, number: 1, type: "camera0-thermal")
    var scale = PressureScale()
    var outcome = scale.take(PressureReading(root: machine.path))
    #expect(outcome.isCameraHot && !outcome.isSystemHot && outcome.level == .serious)
    try machine.zone(75, limits, number: 0, type: "cpu-thermal")
    outcome = scale.take(PressureReading(root: machine.path))
    #expect(outcome.isCameraHot && outcome.isSystemHot)
  }
}

extension DeviceSuites {
  @Suite("System pressure: devices and sessions")
  final class SystemPressureTests: Sendable {
    private let machine = FakeMachine()

    init() throws {
      try machine.zone(50, limits)
      SystemPressure.shared.use(root: machine.path)
      SystemPressure.simulated.use(root: machine.path)
    }

    deinit {
      SystemPressure.shared.use(root: "/")
      SystemPressure.simulated.use(root: "/dev/null")
    }

    private func heat(to celsius: Double) throws {
      try machine.zone(celsius, limits)
      SystemPressure.shared.refresh()
      SystemPressure.simulated.refresh()
    }

    @Test
    func `the state is read, kept for a moment, and reported to observers`() throws {
      let stage = SessionStage()
      let device = try stage.camera()
      #expect(device.systemPressureState.level == .nominal && device.systemPressureState.factors.isEmpty)
      let reported = ObservedValues(device, \.systemPressureState)
      #expect(SystemPressure.simulated.isWatching)
      try heat(to: 70)
      #expect(reported.wait(1).map(\.level) == [.fair])
      #expect(device.systemPressureState.factors == .systemTemperature)
      try heat(to: 72)
      try heat(to: 96)
      try machine.stall(90)
      try heat(to: 20)
      let states = reported.wait(3)
      #expect(states.map(\.level) == [.fair, .critical, .serious])
      // Busy processors are no factor of Apple's.
      #expect(states.last?.factors == [] && device.systemPressureState === states.last)
    }

    @Test
    func `the timer finds a change by itself, and ends with the last observer`() throws {
      let stage = SessionStage()
      let device = try stage.camera()
      do {
        let reported = ObservedValues(device, \.systemPressureState)
        try machine.zone(86, limits)
        stage.clock.settle()
        #expect(reported.values.isEmpty)
        stage.clock.advance(by: .seconds(1))
        #expect(reported.values.map(\.level) == [.serious])
        #expect(SystemPressure.simulated.isWatching)
      }
      stage.clock.advance(by: .seconds(3))
      #expect(!SystemPressure.simulated.isWatching)
    }

    @Test
    func `a session is interrupted at shutdown and goes on when the machine has cooled`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let states = Monitor<[AVCaptureDevice.SystemPressureState]>([])
      let token = NotificationCenter.default.addObserver(
        forName: AVCaptureSession.wasInterruptedNotification, object: stage.session, queue: nil
      ) { note in
        let state = note.userInfo?[AVCaptureSessionInterruptionSystemPressureStateKey]
        if let state = state as? AVCaptureDevice.SystemPressureState { states.withLock { $0.append(state) } }
      }
      defer { NotificationCenter.default.removeObserver(token) }
      stage.session.startRunning()
      stage.pass(frames: 3)
      try heat(to: 97)
      #expect(stage.session.isRunning)
      try heat(to: 98)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.session.isInterrupted && !stage.session.isRunning)
      #expect(stage.news.lastReason == .videoDeviceNotAvailableDueToSystemPressure)
      // The stage observes too, and may hear of it first.
      let soon = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
      let levels = states.wait(until: soon) {
        !$0.isEmpty
      } then: {
        $0.map(\.level)
      }
      #expect(levels == [.shutdown])
      let before = counter.frames
      #expect(before > 0)
      stage.pass(frames: 3)
      #expect(counter.frames == before)
      // Trying again does not help, and neither does a little less heat.
      stage.session.startRunning()
      try heat(to: 95)
      #expect(stage.session.isInterrupted)
      try heat(to: 92)
      #expect(stage.news.wait(for: "interruption ended"))
      #expect(stage.session.isRunning)
      stage.pass(frames: 3)
      #expect(counter.frames > before)
      stage.session.stopRunning()
      #expect(stage.news.wait(for: "stopped"))
      #expect(
        stage.news.all == [
          "isRunning true", "started", "isInterrupted true", "isRunning false", "interrupted",
          "isInterrupted false", "isRunning true", "interruption ended", "isRunning false", "stopped",
        ])
    }

    @Test
    func `a session that is started at shutdown waits, without a change to hear of`() throws {
      try machine.zone(99, limits)
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      #expect(stage.session.isInterrupted && !stage.session.isRunning)
      #expect(stage.news.lastReason == .videoDeviceNotAvailableDueToSystemPressure)
      // The session's own watch reads.
      try machine.zone(50, limits)
      stage.clock.settle()
      #expect(stage.session.isInterrupted)
      stage.clock.advance(by: .seconds(1))
      #expect(stage.news.all.contains("interruption ended"))
      stage.pass(frames: 3)
      #expect(counter.frames > 0)
      stage.session.stopRunning()
    }

    @Test
    func `a simulated camera does not feel the heat and the load of the machine that computes it`() throws {
      SystemPressure.simulated.use(root: "/dev/null")
      let stage = SessionStage()
      let (input, counter) = try stage.addCamera()
      try machine.stall(100)
      try heat(to: 99)
      #expect(SystemPressure.shared.current.level == .shutdown)
      let state = input.device.systemPressureState
      #expect(state.level == .nominal && state.factors.isEmpty)
      stage.session.startRunning()
      stage.pass(frames: 3)
      #expect(stage.session.isRunning && counter.frames > 0)
      stage.session.stopRunning()
    }

    @Test
    func `lamps are not lit from critical on`() throws {
      let stage = try ControlStage()
      let device = stage.device
      let reported = ObservedValues(device, \.isTorchAvailable)
      #expect(device.isTorchAvailable)
      try heat(to: 96)
      #expect(reported.wait(for: false) && !device.isTorchAvailable)
      try stage.configure { device in
        device.torchMode = .on
        do {
          try device.setTorchModeOn(level: 0.3)
          Issue.record("lit in the heat")
        } catch AVError.torchLevelUnavailable {
        }
        #expect(stage.camera.applied.isEmpty)
        device.torchMode = .off
        #expect(stage.camera.applied.count == 1)
      }
      try heat(to: 50)
      #expect(reported.wait(for: true) && device.isTorchAvailable)
    }

    @Test
    func `a flash does not fire from critical on, whatever the photo asks`() throws {
      let stage = try ScriptedStage()
      let device = try #require(stage.session.inputs.firstDevice)
      let reported = ObservedValues(device, \.isFlashAvailable)
      #expect(device.isFlashAvailable)
      try heat(to: 96)
      #expect(reported.wait(for: false) && !device.isFlashAvailable)
      let settings = AVCapturePhotoSettings()
      settings.flashMode = .on
      stage.press(settings)
      #expect(stage.camera.requests.map(\.flash) == [.off])
      stage.camera.expose()
      #expect(stage.delegate.wait())
      #expect(stage.delegate.photos.withLock { $0.first?.resolvedSettings.isFlashEnabled } == false)
      try heat(to: 50)
      #expect(reported.wait(for: true) && device.isFlashAvailable)
    }

    @Test
    func `a camera that is hot itself is a factor of its own`() throws {
      let stage = SessionStage()
      let device = try stage.camera()
      try machine.zone(86, limits, number: 1, type: "camera0-thermal")
      try heat(to: 50)
      #expect(device.systemPressureState.factors == .cameraTemperature)
    }

    @Test
    func `levels and factors have Apple's values`() {
      typealias State = AVCaptureDevice.SystemPressureState
      let factors: [State.Factors] = [
        .systemTemperature, .peakPower, .depthModuleTemperature, .cameraTemperature,
      ]
      #expect(factors.map(\.rawValue) == [1, 2, 4, 8])
      #expect(State.Level.shutdown.rawValue == "AVCaptureSystemPressureLevelShutdown")
      #expect(State.Level(rawValue: "AVCaptureSystemPressureLevelFair") == .fair)
    }
  }
}

extension [AVCaptureInput] {
  /// The device of the first input that has one.
  fileprivate var firstDevice: AVCaptureDevice? {
    compactMap { $0 as? AVCaptureDeviceInput }.first?.device
  }
}
