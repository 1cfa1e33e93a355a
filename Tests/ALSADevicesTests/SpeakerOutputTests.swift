import ALSADevices
import Foundation
import Testing

@Suite("The loudspeaker")
struct SpeakerOutputTests {
  @Test func `a short sound is played whole, and then silence`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("sound-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    // Three chunks and a bit.
    let samples = (0..<3000).map { Int16($0 * 10 - 15_000) }
    // ALSA's own device that writes what it plays.
    try SpeakerOutput.play(samples, device: "file:'\(file.path)',raw")
    let played = try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    #expect(Array(played.prefix(3000)) == samples)
    #expect(played.count > 3000 && played.dropFirst(3000).allSatisfy { $0 == 0 })
  }

  @Test func `a loudspeaker that is not there is an error`() {
    #expect(throws: AudioRefusal.self) { try SpeakerOutput.play([0, 0], device: "no-such-device") }
  }
}
