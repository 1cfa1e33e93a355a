import Combine
import Testing

@Suite("Cancellation")
struct CancellationTests {
  @Test func `a cancellable calls its closure once, when it is cancelled or goes away`() {
    var count = 0
    let cancellable = AnyCancellable { count += 1 }
    cancellable.cancel()
    cancellable.cancel()
    #expect(count == 1)
    do { _ = AnyCancellable { count += 1 } }
    #expect(count == 2)
  }

  @Test func `what is stored ends when the set or the array lets it go`() {
    let subject = PassthroughSubject<Int, Never>()
    var (set, array): (Set<AnyCancellable>, [AnyCancellable]) = ([], [])
    var values: [Int] = []
    subject.sink { values.append($0) }.store(in: &set)
    subject.sink { values.append($0 * 10) }.store(in: &array)
    subject.send(1)
    #expect(values.sorted() == [1, 10])
    set.removeAll()
    subject.send(2)
    #expect(values.sorted() == [1, 10, 20])
    array = []
    subject.send(3)
    #expect(values.sorted() == [1, 10, 20])
  }

  @Test func `a cancellation reaches the publisher through operators, and no completion follows`() {
    var cancelled = 0
    let subject = PassthroughSubject<Int, Never>()
    let listener = subject.handleEvents(receiveCancel: { cancelled += 1 })
      .map { $0 }.compactMap { $0 }.merge(with: Empty(completeImmediately: false)).combineLatest(Just(1))
      .map { $0.0 }.heard()
    listener.subscription?.cancel()
    subject.send(completion: .finished)
    #expect(cancelled == 1)
    #expect(listener.completions.isEmpty)
  }

  @Test func `an operator that has enough cancels the publisher`() {
    var cancelled = 0
    let subject = PassthroughSubject<Int, Never>()
    let counted = subject.handleEvents(receiveCancel: { cancelled += 1 })
    let (first, prefix) = (counted.first().heard(), counted.prefix(2).heard())
    let (whole, found) = (counted.prefix { $0 < 3 }.heard(), counted.first { $0 == 3 }.heard())
    for value in 1...3 { subject.send(value) }
    #expect(first.values == [1] && first.isFinished)
    #expect(prefix.values == [1, 2] && prefix.isFinished)
    #expect(whole.values == [1, 2] && whole.isFinished)
    #expect(found.values == [3] && found.isFinished)
    #expect(cancelled == 4)
  }

  @Test func `assigning to a property keeps the object until the end`() {
    final class Label {
      var text = ""
    }
    let subject = PassthroughSubject<String, Never>()
    weak var seen: Label?
    var kept: AnyCancellable?
    do {
      let label = Label()
      seen = label
      kept = subject.assign(to: \.text, on: label)
    }
    subject.send("a")
    #expect(seen?.text == "a")
    kept?.cancel()
    subject.send("b")
    #expect(seen == nil)
  }

  /// What each operator makes of a subject; the closures that it calls hold the thing.
  private static func all(
    _ subject: PassthroughSubject<Int, Fault>, _ thing: Thing
  ) -> [String: AnyPublisher<Int, Fault>] {
    let held: (Int) -> Int = { [thing] value in thing.same(value) }
    let (other, scheduler) = (Just(1).setFailureType(to: Fault.self), ImmediateScheduler.shared)
    return [
      "map": subject.map(held).eraseToAnyPublisher(),
      "scan": subject.scan(0) { held($0 + $1) }.eraseToAnyPublisher(),
      "reduce": subject.reduce(0) { held($0 + $1) }.eraseToAnyPublisher(),
      "collect": subject.collect(2).map { held($0.count) }.eraseToAnyPublisher(),
      "merge": subject.map(held).merge(with: other).eraseToAnyPublisher(),
      "combineLatest": subject.combineLatest(other) { held($0 + $1) }.eraseToAnyPublisher(),
      "zip": subject.zip(other) { held($0 + $1) }.eraseToAnyPublisher(),
      "flatMap": subject.flatMap { Just(held($0)).setFailureType(to: Fault.self) }.eraseToAnyPublisher(),
      "limited": subject.flatMap(maxPublishers: .max(1)) { Just(held($0)).setFailureType(to: Fault.self) }
        .eraseToAnyPublisher(),
      "switch": subject.map { Just(held($0)).setFailureType(to: Fault.self) }.switchToLatest()
        .eraseToAnyPublisher(),
      "catch": subject.catch { _ in Just(held(2)).setFailureType(to: Fault.self) }.eraseToAnyPublisher(),
      "retry": subject.map(held).retry(1).eraseToAnyPublisher(),
      "append": subject.map(held).append(3).eraseToAnyPublisher(),
      "share": subject.map(held).share().eraseToAnyPublisher(),
      "receive": subject.map(held).receive(on: scheduler).eraseToAnyPublisher(),
      "debounce": subject.map(held).debounce(for: 0, scheduler: scheduler).eraseToAnyPublisher(),
      "throttle": subject.map(held).throttle(for: 0, scheduler: scheduler, latest: true)
        .eraseToAnyPublisher(),
      "first": subject.map(held).first().eraseToAnyPublisher(),
    ]
  }

  private final class Thing {
    func same(_ value: Int) -> Int { value }
  }

  @Test(arguments: ["cancel", "end", "fail"])
  func `operators let go of what their closures hold, at the end and after a cancellation`(how: String) {
    let subject = PassthroughSubject<Int, Fault>()
    var kept: [String: AnyCancellable] = [:]
    var things: [String: WeakThing] = [:]
    for name in Self.all(subject, Thing()).keys {
      let thing = Thing()
      things[name] = WeakThing(thing)
      kept[name] = Self.all(subject, thing)[name]?.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    subject.send(1)
    subject.send(2)
    switch how {
    case "cancel": for cancellable in kept.values { cancellable.cancel() }
    case "end": subject.send(completion: .finished)
    default: subject.send(completion: .failure(.first))
    }
    #expect(things.filter { $0.value.thing != nil }.keys.sorted() == [])
    withExtendedLifetime((subject, kept)) {}
  }

  private struct WeakThing {
    weak var thing: Thing?

    init(_ thing: Thing) {
      self.thing = thing
    }
  }
}
