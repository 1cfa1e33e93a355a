import Foundation
import FoundationExtras
import Testing

private final class Sender: Sendable {}

@Suite("NotificationCenter.notifications(named:object:)")
struct NotificationSequenceTests {
  private let center = NotificationCenter()
  private let name = Notification.Name("NotificationSequenceTests")

  private func post(_ number: Int, from sender: Sender? = nil) {
    center.post(name: name, object: sender, userInfo: ["number": number])
  }

  private func number(_ notification: Notification?) -> Int? { notification?.userInfo?["number"] as? Int }

  @Test func `what is posted after the iterator was made comes in order`() async {
    let sequence = center.notifications(named: name)
    post(0)
    var iterator = sequence.makeAsyncIterator()
    for value in 1...3 { post(value) }
    center.post(name: Notification.Name("another"), object: nil)
    post(4)
    for value in 1...4 { #expect(number(await iterator.next()) == value) }
  }

  @Test func `only the asked sender is heard`() async {
    let sender = Sender()
    var iterator = center.notifications(named: name, object: sender).makeAsyncIterator()
    post(1, from: Sender())
    post(2, from: sender)
    #expect(number(await iterator.next()) == 2)
  }

  @Test func `two iterators hear everything each`() async {
    let sequence: NotificationCenter.Notifications = center.notifications(named: name)
    var first = sequence.makeAsyncIterator()
    var second = sequence.makeAsyncIterator()
    post(7)
    #expect(number(await first.next()) == 7)
    #expect(number(await second.next()) == 7)
  }

  @Test func `the newest are kept for a slow reader`() async {
    var iterator = center.notifications(named: name).makeAsyncIterator()
    for value in 0..<2000 { post(value) }
    #expect(number(await iterator.next()) == 2000 - 1024)
  }

  @Test func `cancelling the task ends the loop`() async {
    let task = Task { [center, name] in
      for await _ in center.notifications(named: name) {}
      return true
    }
    task.cancel()
    #expect(await task.value)
  }

  @Test func `the sender is let go with the loop`() async {
    weak var gone: Sender?
    do {
      let sender = Sender()
      gone = sender
      var iterator = center.notifications(named: name, object: sender).makeAsyncIterator()
      post(1, from: sender)
      #expect(number(await iterator.next()) == 1)
    }
    #expect(gone == nil)
  }

  @Test @MainActor func `an actor stays on itself in the loop`() async {
    var iterator = center.notifications(named: name).compactMap { $0.userInfo?["number"] as? Int }
      .makeAsyncIterator()
    post(5)
    #expect(await iterator.next(isolation: MainActor.shared) == 5)
    MainActor.assertIsolated()
  }
}
