import AVFoundation
import CFakeLogind
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Glibc
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureSession: the machine sleeps")
  struct SessionSleepTests {
    @Test func `sleep interrupts the session, frees its devices, and waking up ends it`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 2)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.news.lastReason == .videoDeviceNotAvailableInBackground)
      #expect(stage.session.isInterrupted && !stage.session.isRunning)
      // Another program could have the camera now.
      _ = try stage.simulated().openStream(
        StreamConfiguration(
          format: try #require(stage.simulated().facts.formats.first), frameDuration: FrameDuration(1, 30)))
      let before = counter.frames
      stage.pass(frames: 2)
      #expect(counter.frames == before)
      SystemSleep.shared.notify(isAsleep: false)
      #expect(stage.news.wait(for: "interruption ended"))
      stage.pass(frames: 3)
      #expect(counter.frames > before && stage.session.isRunning)
      stage.session.stopRunning()
      #expect(stage.news.wait(for: "stopped"))
      #expect(
        stage.news.all == [
          "isRunning true", "started", "isInterrupted true", "isRunning false", "interrupted",
          "isInterrupted false", "isRunning true", "interruption ended", "isRunning false", "stopped",
        ])
    }

    @Test func `a microphone alone is interrupted with the reason that microphones have`() throws {
      let stage = SessionStage(devices: [.stageMicrophone])
      let counter = try stage.addMicrophone()
      stage.session.startRunning()
      stage.pass(milliseconds: 30)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      #expect(stage.news.lastReason == .audioDeviceInUseByAnotherClient)
      SystemSleep.shared.notify(isAsleep: false)
      #expect(stage.news.wait(for: "interruption ended"))
      let before = counter.stretches.count
      stage.pass(milliseconds: 50)
      #expect(counter.stretches.count > before)
      stage.session.stopRunning()
    }

    @Test func `a device that comes back late is waited for`() throws {
      let stage = SessionStage()
      let (_, counter) = try stage.addCamera()
      let camera = try stage.camera()
      stage.session.startRunning()
      stage.pass(frames: 2)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      let gone = AsyncFlag(AVCaptureDevice.wasDisconnectedNotification, camera)
      let simulated = try stage.simulated()
      simulated.unplug()
      #expect(gone.wait())
      SystemSleep.shared.notify(isAsleep: false)
      stage.clock.advance(by: .seconds(4))
      #expect(stage.session.isInterrupted)
      simulated.plugIn()
      stage.clock.advance(by: .milliseconds(100))
      #expect(stage.news.wait(for: "interruption ended"))
      let before = counter.frames
      stage.pass(frames: 3)
      #expect(counter.frames > before && !stage.news.all.contains("error"))
      stage.session.stopRunning()
    }

    @Test func `what a client changes while the machine sleeps holds when it has woken up`() throws {
      let stage = SessionStage()
      let (input, _) = try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 1)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      stage.session.beginConfiguration()
      stage.session.removeInput(input)
      let front = try AVCaptureDeviceInput(device: stage.camera(SessionStage.front))
      stage.session.addInput(front)
      stage.session.commitConfiguration()
      #expect(stage.session.isInterrupted)
      SystemSleep.shared.notify(isAsleep: false)
      #expect(stage.news.wait(for: "interruption ended"))
      #expect(stage.session.isRunning)
      stage.session.stopRunning()
    }

    @Test func `stopping while the machine sleeps stops, and waking up starts nothing`() throws {
      let stage = SessionStage()
      try stage.addCamera()
      stage.session.startRunning()
      stage.pass(frames: 1)
      SystemSleep.shared.notify(isAsleep: true)
      #expect(stage.news.wait(for: "interrupted"))
      stage.session.stopRunning()
      #expect(stage.news.wait(for: "stopped"))
      SystemSleep.shared.notify(isAsleep: false)
      #expect(!stage.session.isRunning && !stage.session.isInterrupted)
    }
  }
}

/// A bus and a logind of the test's own.
private final class PrivateBus: Sendable {
  let address: String
  private let folder: URL
  private let daemon: Process
  private let logind: Locked<OpaquePointer?>

  /// Starts both.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let configuration = """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>unix:path=\(folder.path)/socket</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
        </policy>
      </busconfig>
      """
    let file = folder.appendingPathComponent("bus.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    address = "unix:path=\(folder.path)/socket"
    daemon = Process()
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
    daemon.arguments = ["--config-file=\(file.path)", "--nofork", "--nopidfile", "--print-address"]
    // It prints the address when it listens.
    let listening = Pipe()
    daemon.standardOutput = listening
    // Without rights it says that it keeps to few files.
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    let isUp = !listening.fileHandleForReading.availableData.isEmpty
    logind = Locked(isUp ? fake_logind_start(address) : nil)
    try #require(logind.withLock { $0 } != nil, "dbus-daemon did not come up.")
  }

  deinit { end() }

  func announce(isBefore: Bool) { logind.withLock { fake_logind_tell($0, isBefore ? 1 : 0) } }
  var delays: Int { logind.withLock { Int(fake_logind_delays($0)) } }

  /// Blocks until so many programs delay sleep, after so many requests in all; false when not within half a minute.
  func comes(delays: Int32, requests: Int32) -> Bool {
    let logind = logind.withLock { $0 }
    return fake_logind_await(logind, delays, requests) != 0
  }

  /// Ends both; the bus is gone.
  func end() {
    logind.withLock { logind in
      if let logind { fake_logind_stop(logind) }
      logind = nil
    }
    // Children of a test's thread ignore gentler signals, which such threads block.
    if daemon.isRunning { kill(daemon.processIdentifier, SIGKILL) }
    daemon.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}

@Suite("Logind's word about sleep")
struct SystemSleepTests {
  @Test func `sleep and waking up are heard, and sleep waits for those that hear of it`() throws {
    let bus = try PrivateBus()
    let sleep = SystemSleep(address: bus.address)
    let words = Monitor<[Bool]>([])
    let delaysWhenTold = Locked<[Int]>([])
    let watch = sleep.observe { isAsleep in
      delaysWhenTold.withLock { $0.append(bus.delays) }
      words.withLock { $0.append(isAsleep) }
    }
    #expect(sleep.waitUntilDecided(until: .limitOfWaits) == true && bus.delays == 1)
    bus.announce(isBefore: true)
    #expect(words.wait(for: [true]) && sleep.isAsleep)
    // Sleep may go on when the observer has returned, not before.
    #expect(bus.comes(delays: 0, requests: 1))
    #expect(delaysWhenTold.withLock { $0 } == [1])
    bus.announce(isBefore: false)
    #expect(words.wait(for: [true, false]) && !sleep.isAsleep)
    #expect(bus.comes(delays: 1, requests: 2))
    withExtendedLifetime(watch) {}
  }

  @Test func `sleep is not delayed once there is no observer`() throws {
    let bus = try PrivateBus()
    let sleep = SystemSleep(address: bus.address)
    var watch: (any AnyObject & Sendable)? = sleep.observe { _ in }
    #expect(bus.comes(delays: 1, requests: 1))
    withExtendedLifetime(watch) {}
    watch = nil
    #expect(bus.comes(delays: 0, requests: 1))
    #expect(!sleep.isHeard)
    let again = sleep.observe { _ in }
    #expect(bus.comes(delays: 1, requests: 2))
    withExtendedLifetime(again) {}
  }

  @Test func `a bus that goes away while the machine sleeps does not leave anybody asleep`() throws {
    let bus = try PrivateBus()
    let sleep = SystemSleep(address: bus.address)
    let words = Monitor<[Bool]>([])
    let watch = sleep.observe { isAsleep in words.withLock { $0.append(isAsleep) } }
    #expect(sleep.waitUntilDecided(until: .limitOfWaits) == true)
    bus.announce(isBefore: true)
    #expect(words.wait(for: [true]))
    bus.end()
    #expect(words.wait(for: [true, false]))
    #expect(!sleep.isHeard && !sleep.isAsleep)
    withExtendedLifetime(watch) {}
  }

  @Test func `without a bus nothing is reported and nothing fails`() {
    let sleep = SystemSleep(address: "unix:path=/nowhere/at/all")
    let watch = sleep.observe { _ in }
    #expect(sleep.waitUntilDecided(until: .limitOfWaits) == false)
    #expect(!sleep.isAsleep)
    withExtendedLifetime(watch) {}
  }
}
