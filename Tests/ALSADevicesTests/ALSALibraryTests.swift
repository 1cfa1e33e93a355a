import ALSADevices
import CaptureDevice
import Foundation
import Glibc
import Linux
import Testing

/// The real library, on plugins of its own that need no card.
@Suite("ALSA: the library itself", .serialized)
struct ALSALibraryTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "alsa-\(UUID().uuidString)")

  /// Runs `body` under a configuration in which `default` and `recording` read a file of numbers.
  private func withConfiguration(_ body: (ALSALibrary) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let audio = (0..<48_000).flatMap { (number: Int) -> [Int16] in [Int16(truncatingIfNeeded: number), 7] }
    try audio.withUnsafeBytes { Data($0) }.write(to: folder.appendingPathComponent("sound.raw"))
    let configuration = """
      pcm.recording {
        type file
        slave.pcm { type null }
        file "/dev/null"
        infile "\(folder.path)/sound.raw"
        format "raw"
      }
      pcm.!default { type plug slave.pcm "recording" }
      defaults.pcm.card 3
      """
    let file = folder.appendingPathComponent("asound.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    // Nothing else in these tests reads the library's configuration.
    setenv("ALSA_CONFIG_PATH", file.path, 1)
    defer { unsetenv("ALSA_CONFIG_PATH") }
    try body(ALSALibrary())
  }

  @Test func `it opens, says what it can do, is configured, and reads`() throws {
    try withConfiguration { library in
      let handle = try library.open("recording")
      defer { library.close(handle) }
      let abilities = try library.abilities(handle)
      #expect(abilities.encodings.contains(.integer16) && !abilities.isServed)
      #expect(abilities.formats.contains(AudioStreamFormat(rate: 48_000, channels: 2)))
      let asked = AudioSetup(encoding: .integer16, rate: 48_000, channels: 2, chunk: 480, buffer: 24_000)
      let setup = try library.configure(handle, asked)
      #expect(setup.encoding == .integer16 && setup.rate == 48_000 && setup.channels == 2)
      try library.prepare(handle)
      try library.start(handle)
      var samples = [Int16](repeating: 0, count: 960)
      let count = try samples.withUnsafeMutableBytes { try library.read(handle, into: $0, frames: 480) }
      #expect(count == 480)
      #expect(samples.prefix(6) == [0, 7, 1, 7, 2, 7])
      let position = try library.position(handle)
      #expect(position.available >= 0)
      if let stamp = position.nanoseconds { #expect(stamp <= MonotonicInstant.now.nanoseconds) }
      try library.stop(handle)
    }
  }

  @Test func `a signal ends a wait`() throws {
    try withConfiguration { library in
      let handle = try library.open("recording")
      defer { library.close(handle) }
      let asked = AudioSetup(encoding: .integer16, rate: 48_000, channels: 2, chunk: 480, buffer: 24_000)
      _ = try library.configure(handle, asked)
      let wake = try WakeUp()
      wake.signal()
      #expect(try library.wait(handle, wake, nanoseconds: 1_000_000_000) == .woken)
    }
  }

  @Test func `the configuration's default card is known, and its default is no server's`() throws {
    try withConfiguration { library in
      #expect(library.defaultCard() == 3)
      #expect(MicrophoneProbe(library: library).inspectServer() == nil)
    }
  }

  @Test func `what is not there is refused in silence`() throws {
    try withConfiguration { library in
      #expect { _ = try library.open("hw:31,0") } throws: { ($0 as? AudioRefusal)?.call == .open }
      #expect { _ = try library.open("nobody") } throws: { ($0 as? AudioRefusal)?.errno == ENOENT }
      #expect {
        _ = try library.identity(of: AudioNode(card: 31, device: 0, identity: 0))
      } throws: { ($0 as? AudioRefusal)?.call == .identity }
      #expect(library.captureSwitch(ofCard: 31) == nil)
    }
  }

  @Test func `nodes are named as the kernel names them`() {
    #expect(ALSALibrary.numbers("pcmC1D12c").map { [$0.card, $0.device] } == [1, 12])
    for name in ["pcmC0D0p", "controlC0", "pcmCxD0c", "pcmC0c", "timer"] {
      #expect(ALSALibrary.numbers(name) == nil)
    }
  }
}
