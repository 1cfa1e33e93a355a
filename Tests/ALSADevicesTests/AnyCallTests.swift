import ALSADevices
import CaptureDevice
import Linux
import SeededNumbers
import Testing

/// A microphone that is found, opened, heard and closed, while any one of the library's answers is another than expected.
@Suite("ALSA: any answer, at any call")
struct AnyCallTests {
  /// The end of a story: audio came, or one sentence says why not.
  private enum End: Equatable {
    case audio
    case refused(String)
    /// A card that does not answer is no microphone.
    case noMicrophone
  }

  private static func library() -> ScriptedAudioLibrary {
    var card = ScriptedAudioCard.usb()
    card.isAutomatic = true
    return ScriptedAudioLibrary([card])
  }

  private func story(_ library: ScriptedAudioLibrary, silence: Int64 = 30_000_000_000) throws -> End {
    let provider = ALSADeviceProvider(library: library, silenceNanoseconds: silence)
    guard let microphone = provider.microphones().first else { return .noMicrophone }
    do {
      let stream = try microphone.open()
      let log = AudioLog()
      try stream.start(log.receive)
      #expect(log.wait { $0.chunks.count >= 3 || $0.failure != nil }, "neither audio nor a failure")
      stream.stop()
      return log.now.failure.map { .refused($0.message) } ?? .audio
    } catch let error as CaptureDeviceError {
      return .refused(error.message)
    }
  }

  @Test(arguments: ScriptedAudioLibrary.CallFault.allCases)
  func `any call that is answered otherwise is survived or said, and leaves nothing open`(
    fault: ScriptedAudioLibrary.CallFault
  ) throws {
    let whole = Self.library()
    #expect(try story(whole) == .audio && whole.waitForRest())
    let count = whole.calls.count
    let tried = FuzzCount(usual: 6, all: count).value
    for number in Set((0..<tried).map { $0 * count / tried + 1 }).sorted() {
      let library = Self.library()
      library.trap(number, fault)
      let end = try story(library, silence: 300_000_000)
      #expect(library.waitForRest(), "\(fault) at call \(number): something is left open")
      if case .refused(let sentence) = end {
        #expect(sentence.hasSuffix("."), "\(fault) at call \(number): \(sentence)")
      }
      library.disarm()
      if fault != .unplug {
        #expect(try story(library) == .audio, "\(fault) at call \(number): the next start fails")
        #expect(library.waitForRest(), "\(fault) at call \(number): the next start leaves something open")
      }
    }
  }
}
