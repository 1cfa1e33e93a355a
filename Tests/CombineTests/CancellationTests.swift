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
}
