import Combine
import Testing

@Suite("Publishers of several publishers")
struct JoinTests {
  private let a = PassthroughSubject<Int, Never>()
  private let b = PassthroughSubject<Int, Never>()

  @Test func `a merge publishes as values come, and ends with the last`() {
    let listener = a.merge(with: b).heard()
    let three = a.merge(with: b, Just(0)).heard()
    let many = Publishers.MergeMany([a, b]).heard()
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    #expect(listener.completions.isEmpty)
    b.send(3)
    b.send(completion: .finished)
    #expect(listener.values == [1, 2, 3] && listener.isFinished)
    #expect(three.values == [0, 1, 2, 3] && three.isFinished)
    #expect(many.values == [1, 2, 3] && many.isFinished)
  }

  @Test func `the newest values are combined, once each has one`() {
    let listener = a.combineLatest(b) { "\($0)\($1)" }.heard()
    let three = a.combineLatest(b, Just(0)) { "\($0)\($1)\($2)" }.heard()
    a.send(1)
    a.send(2)
    b.send(3)
    a.send(4)
    a.send(completion: .finished)
    b.send(5)
    #expect(listener.values == ["23", "43", "45"])
    #expect(three.values == ["230", "430", "450"])
    #expect(listener.completions.isEmpty)
    b.send(completion: .finished)
    #expect(listener.isFinished && three.isFinished)
  }

  @Test func `values are paired by their number, and the end comes when no pair can`() {
    let listener = a.zip(b) { "\($0)\($1)" }.heard()
    a.send(1)
    a.send(2)
    b.send(3)
    #expect(listener.values == ["13"])
    a.send(completion: .finished)
    #expect(listener.completions.isEmpty)
    b.send(4)
    #expect(listener.values == ["13", "24"] && listener.isFinished)
    #expect(
      [1, 2].publisher.zip([3, 4].publisher, [5, 6].publisher).map { [$0, $1, $2] }.heard().values == [
        [1, 3, 5], [2, 4, 6],
      ])
  }

  @Test func `publishers that are made of values publish side by side, or so many at once`() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let (all, one) = (
      (0..<3).publisher.flatMap { subjects[$0] }.heard(),
      (0..<3).publisher.flatMap(maxPublishers: .max(1)) { subjects[$0] }.heard()
    )
    for (index, subject) in subjects.enumerated() { subject.send(index) }
    #expect(all.values == [0, 1, 2])
    #expect(one.values == [0])
    subjects[0].send(completion: .finished)
    subjects[1].send(7)
    #expect(one.values == [0, 7])
    subjects[1].send(completion: .finished)
    subjects[2].send(completion: .finished)
    #expect(all.isFinished && one.isFinished)
  }

  @Test func `the newest publisher is listened to, and the one before cancelled`() {
    var cancelled = 0
    let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
    let listener = outer.switchToLatest().heard()
    outer.send(a.handleEvents(receiveCancel: { cancelled += 1 }).eraseToAnyPublisher())
    a.send(1)
    outer.send(b.eraseToAnyPublisher())
    a.send(2)
    b.send(3)
    #expect(listener.values == [1, 3])
    #expect(cancelled == 1)
    outer.send(completion: .finished)
    #expect(listener.completions.isEmpty)
    b.send(completion: .finished)
    #expect(listener.isFinished)
  }

  @Test func `a shared publisher is subscribed to once, from the first subscriber to the last`() {
    var (subscribed, cancelled) = (0, 0)
    let shared = a.handleEvents(
      receiveSubscription: { _ in subscribed += 1 }, receiveCancel: { cancelled += 1 }
    ).share()
    let (one, other) = (shared.heard(), shared.heard())
    a.send(1)
    #expect(one.values == [1] && other.values == [1])
    #expect(subscribed == 1)
    one.subscription?.cancel()
    #expect(cancelled == 0)
    other.subscription?.cancel()
    #expect(cancelled == 1)
    let again = shared.heard()
    a.send(2)
    #expect(again.values == [2])
    #expect(subscribed == 2)
  }

  @Test func `a connectable publisher publishes once it is connected, until that is cancelled`() {
    let connectable = a.makeConnectable()
    let listener = connectable.heard()
    a.send(1)
    let connection = connectable.connect()
    a.send(2)
    connection.cancel()
    a.send(3)
    #expect(listener.values == [2])
    let subject = PassthroughSubject<Int, Never>()
    let multicast = [1, 2].publisher.multicast(subject: subject)
    let (one, other) = (multicast.heard(), multicast.heard())
    _ = multicast.connect()
    #expect(one.values == [1, 2] && other.values == [1, 2])
  }
}
