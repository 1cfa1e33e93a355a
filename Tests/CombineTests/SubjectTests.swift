import Combine
import Testing

@Suite("Subjects")
struct SubjectTests {
  @Test func `a passthrough subject sends to those that asked, and loses what nothing asked for`() {
    let subject = PassthroughSubject<Int, Never>()
    subject.send(1)
    let (all, one, none) = (subject.heard(), subject.heard(asking: .max(1)), subject.heard(asking: .none))
    subject.send(2)
    subject.send(3)
    none.subscription?.request(.max(1))
    subject.send(4)
    #expect(all.values == [2, 3, 4])
    #expect(one.values == [2])
    #expect(none.values == [4])
  }

  @Test func `a current-value subject sends its value first, and the newest to a late asker`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    let (all, late) = (subject.heard(), subject.heard(asking: .none))
    subject.send(2)
    subject.value = 3
    late.subscription?.request(.max(2))
    subject.send(4)
    subject.send(5)
    #expect(all.values == [1, 2, 3, 4, 5])
    #expect(late.values == [3, 4])
    #expect(subject.value == 5)
  }

  @Test func `the end comes once, is kept for later subscribers, and stops all values`() {
    let subject = PassthroughSubject<Int, Fault>()
    let early = subject.heard(asking: .none)
    subject.send(completion: .failure(.first))
    subject.send(completion: .finished)
    subject.send(1)
    let late = subject.heard()
    #expect(early.error == .first)
    #expect(late.error == .first)
    #expect(early.values.isEmpty && late.values.isEmpty)

    let current = CurrentValueSubject<Int, Never>(1)
    let listener = current.heard()
    current.send(completion: .finished)
    current.send(2)
    #expect(current.value == 1)
    #expect(listener.values == [1] && listener.isFinished)
    #expect(current.heard().values.isEmpty)
  }

  @Test func `a subscriber that cancels gets no more, also from inside a value`() {
    let subject = PassthroughSubject<Int, Never>()
    var kept: AnyCancellable?
    var values: [Int] = []
    kept = subject.sink {
      values.append($0)
      if $0 == 2 { kept?.cancel() }
    }
    for value in 1...4 { subject.send(value) }
    #expect(values == [1, 2])
  }

  @Test func `a value that is sent from inside a value is delivered inside it`() {
    let subject = PassthroughSubject<Int, Never>()
    var events: [String] = []
    let kept = subject.sink { value in
      events.append("begin \(value)")
      if value < 3 { subject.send(value + 1) }
      events.append("end \(value)")
    }
    subject.send(1)
    #expect(events == ["begin 1", "begin 2", "begin 3", "end 3", "end 2", "end 1"])
    kept.cancel()
  }

  @Test func `a subscriber that comes during a value gets the next one`() {
    let subject = PassthroughSubject<Int, Never>()
    var (kept, late): (Set<AnyCancellable>, [Int]) = ([], [])
    subject.sink { value in
      if value == 1 { subject.sink { late.append($0) }.store(in: &kept) }
    }
    .store(in: &kept)
    subject.send(1)
    subject.send(2)
    #expect(late == [2])
  }

  @Test func `a subject sends on what another publisher publishes, until that is cancelled`() {
    let (source, subject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let listener = subject.heard()
    let connection = source.subscribe(subject)
    source.send(1)
    connection.cancel()
    source.send(2)
    #expect(listener.values == [1])
    let erased = source.eraseToAnyPublisher().subscribe(subject)
    source.send(3)
    source.send(completion: .finished)
    #expect(listener.values == [1, 3] && listener.isFinished)
    erased.cancel()
  }

  @Test func `a subject without output is sent through with no argument`() {
    let subject = PassthroughSubject<Void, Never>()
    let listener = subject.heard()
    subject.send()
    #expect(listener.values.count == 1)
  }

  @Test func `an ended subscription lets its subscriber go`() {
    final class Thing {}
    let subject = PassthroughSubject<Int, Never>()
    weak var seen: Thing?
    var kept: AnyCancellable?
    do {
      let thing = Thing()
      seen = thing
      kept = subject.sink { [thing] _ in withExtendedLifetime(thing) {} }
    }
    #expect(seen != nil)
    kept?.cancel()
    #expect(seen == nil)
    do {
      let thing = Thing()
      seen = thing
      kept = subject.map { $0 }.filter { _ in true }.removeDuplicates().sink { [thing] _ in
        withExtendedLifetime(thing) {}
      }
    }
    subject.send(completion: .finished)
    #expect(seen == nil)
    withExtendedLifetime(kept) {}
  }
}
