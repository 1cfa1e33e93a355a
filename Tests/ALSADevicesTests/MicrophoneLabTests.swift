import ALSADevices
import CaptureDevice
import CaptureDeviceTesting
import Foundation
import Linux
import Testing
import Waiting

/// On the kernel's own imitations of sound cards, which the device lab loads: `snd-dummy`, `snd-aloop`.
@Suite(
  "ALSA: kernel drivers in the device lab", .serialized,
  .enabled(if: ProcessInfo.processInfo.environment["OBSCURA_LAB"] != nil))
struct MicrophoneLabTests {
  private static let dummy = "mic-snd_dummy.0"
  private static let loop = "mic-snd_aloop.0"

  private static func checks(of device: String) -> [MicrophoneConformanceSuite.Check] {
    MicrophoneConformanceSuite(device: device) { ALSADeviceProvider() }.checks
  }

  static let checks = checks(of: dummy) + checks(of: loop)

  private func microphone(_ id: String = dummy) throws -> ALSAMicrophone {
    try #require(ALSADeviceProvider().microphones().first { $0.facts.uniqueID == id })
  }

  @Test(arguments: checks)
  func `a card of the kernel's keeps the contract`(_ check: MicrophoneConformanceSuite.Check) throws {
    try check.run()
  }

  @Test func `the loop comes last, as it hears no voice`() {
    let ids = ALSADeviceProvider().microphones().map(\.facts.uniqueID)
    #expect(ids.first == Self.dummy && ids.last?.hasPrefix(Self.loop) == true)
  }

  @Test func `a receiver that sleeps for a second costs chunks, which are reported and counted`() throws {
    let stream = try microphone().open(AudioStreamFormat(rate: 48_000, channels: 2))
    let log = AudioLog()
    let hasSlept = Locked(false)
    try stream.start { event in
      let isFirst = hasSlept.withLock { slept in
        defer { slept = true }
        return !slept
      }
      if isFirst { pause(seconds: 1.5, because: "the receiver is slower than the card") }
      log.receive(event)
    }
    #expect(log.wait { $0.drops.count > 10 && $0.chunks.count > 20 })
    stream.stop()
    let diagnosis = stream.diagnosis
    #expect(diagnosis.overruns >= 1 && diagnosis.captured == diagnosis.delivered + diagnosis.dropped)
    #expect(log.now.failure == nil)
  }

  @Test func `a card that goes ends its stream within a second, and comes back as the same`() throws {
    let driver = "/sys/bus/platform/drivers/snd_dummy"
    func write(_ file: String) {
      // The kernel waits in here until the card is closed.
      let path = "\(driver)/\(file)"
      DispatchQueue.global().async { try? Data("snd_dummy.0".utf8).write(to: URL(fileURLWithPath: path)) }
    }
    let provider = ALSADeviceProvider()
    let before = try #require(provider.microphones().first { $0.facts.uniqueID == Self.dummy })
    var stream: ALSAStream? = try before.open()
    let log = AudioLog()
    try stream?.start(log.receive)
    #expect(log.wait { $0.chunks.count > 3 })
    let pulled = MonotonicInstant.now
    write("unbind")
    #expect(log.wait { $0.failure != nil })
    // Emulated, the write itself takes its time.
    #expect(MonotonicInstant.now.nanoseconds - pulled.nanoseconds < 1_000_000_000)
    #expect(log.now.failure?.code == .disconnected)
    stream = nil
    let changes = Changes()
    let watch = try ALSALibrary().watchNodes { changes.note() }
    defer { withExtendedLifetime(watch) {} }
    #expect(changes.wait { !provider.microphones().contains { $0.facts.uniqueID == Self.dummy } })
    write("bind")
    #expect(changes.wait { provider.microphones().contains { $0.facts.uniqueID == Self.dummy } })
    let after = try #require(provider.microphones().first { $0.facts.uniqueID == Self.dummy })
    #expect(after !== before && after.facts == before.facts)
  }
}
