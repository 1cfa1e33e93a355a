import BusStage
import CFakePortal
import Foundation
import Linux
import PipeWireStage

/// A desktop's camera portal on a bus of its own, which answers what a test says.
final class FakePortal: Sendable {
  /// An answer of the user's, as the portal says it.
  enum Answer: Int32 {
    case yes = 0
    case no = 1
    case ended = 2
    /// Cameras are off for all programs.
    case locked = 3
    /// None yet.
    case waits = -1
  }

  let bus: PrivateSessionBus
  /// How often it was asked.
  let questions: Monitor<Int>
  private let portal: Locked<OpaquePointer?>

  init(_ answer: Answer, pipewire: PrivatePipeWire? = nil) throws {
    bus = try PrivateSessionBus()
    let questions = Monitor(0)
    self.questions = questions
    let counter = Counter(questions)
    portal = Locked(nil)
    self.counter = counter
    let portal = fake_portal_start(
      bus.address,
      { context, count in
        // Safe because the portal, which calls it, is stopped before this goes.
        if let context { Unmanaged<Counter>.fromOpaque(context).takeUnretainedValue().note(Int(count)) }
      }, Unmanaged.passUnretained(counter).toOpaque())
    self.portal.withLock { $0 = portal }
    guard let portal else { throw Absence() }
    fake_portal_set_answer(portal, answer.rawValue)
    if let pipewire { fake_portal_set_socket(portal, pipewire.socket) }
  }

  private struct Absence: Error {}

  private let counter: Counter

  private final class Counter: Sendable {
    let questions: Monitor<Int>

    init(_ questions: Monitor<Int>) {
      self.questions = questions
    }

    func note(_ count: Int) { questions.withLock { $0 = count } }
  }

  deinit {
    let portal = portal.withLock { portal in
      defer { portal = nil }
      return portal
    }
    if let portal { fake_portal_stop(portal) }
  }

  /// Answers the question that waits.
  func answer(_ answer: Answer) {
    portal.withLock { if let portal = $0 { fake_portal_answer(portal, answer.rawValue) } }
  }

  /// Answers the questions to come.
  func willAnswer(_ answer: Answer) {
    portal.withLock { if let portal = $0 { fake_portal_set_answer(portal, answer.rawValue) } }
  }

  /// The file in which a program keeps the answer.
  var file: String { bus.files.appendingPathComponent("kept/camera-access").path }

  /// Waits until it was asked so often.
  func wasAsked(_ count: Int) -> Bool {
    questions.wait(
      until: .now.advanced(byNanoseconds: 30_000_000_000), for: { $0 >= count }, then: { _ in true }) ?? false
  }
}
