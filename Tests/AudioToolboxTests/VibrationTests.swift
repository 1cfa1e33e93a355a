import AudioToolbox
import CFakeFeedback
import Foundation
import Linux
import BusStage
import Testing

@Suite("Vibration", .enabled(if: PrivateSessionBus.isInstalled))
struct VibrationTests {
  /// Has a feedbackd of that kind asked once.
  private func ask(_ kind: fake_feedback_kind) throws -> (vibrates: Bool, words: String) {
    let bus = try PrivateSessionBus()
    let feedback = try #require(fake_feedback_start(bus.address, kind))
    defer { fake_feedback_stop(feedback) }
    let running = Vibration(address: bus.address).start()
    if kind == kFeedbackOfEvents { #expect(fake_feedback_asker_is_there(feedback, bus.address) == 1) }
    let vibrates = withExtendedLifetime(running) { running != nil }
    var words = [CChar](repeating: 0, count: 300)
    fake_feedback_last(feedback, &words, Int32(words.count))
    let text = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (vibrates, text)
  }

  private var program: String { ProcessInfo.processInfo.processName }

  @Test func `feedbackd is asked for four tenths of a second at full strength, in the program's name`() throws
  {
    let (vibrates, words) = try ask(kFeedbackOfPatterns)
    #expect(vibrates && words == "\(program) 1.0 400")
  }

  @Test func `an older feedbackd is asked for a message's vibration, without its sound`() throws {
    let (vibrates, words) = try ask(kFeedbackOfEvents)
    #expect(vibrates && words == "\(program) message-new-instant profile=quiet -1")
  }

  @Test func `nothing vibrates where the user's profile does not let it`() throws {
    let (vibrates, words) = try ask(kFeedbackSilent)
    #expect(!vibrates && words == "\(program) 1.0 400")
  }

  @Test func `nothing vibrates on a bus without feedbackd, and where there is no bus`() throws {
    let bus = try PrivateSessionBus()
    #expect(Vibration(address: bus.address).start() == nil)
    #expect(Vibration(address: "unix:path=/nowhere/bus").start() == nil)
  }
}
