import Foundation
import FoundationExtras
import Linux
import Testing

private class Machine: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: Locked.
  let observerTable = ObserverTable()
  private let running = Locked(false)
  private let label = Locked<String?>(nil)

  var isRunning: Bool {
    get {
      observerTable.access(\Machine.isRunning)
      return running.withLock { $0 }
    }
    set {
      observerTable.changing(\Machine.isRunning, of: self) { running.withLock { $0 = newValue } }
    }
  }

  /// A property that announces with explicit values.
  var name: String? {
    get {
      observerTable.access(\Machine.name)
      return label.withLock { $0 }
    }
    set {
      let old = label.withLock { label in
        defer { label = newValue }
        return label
      }
      observerTable.changed(\Machine.name, of: self, from: old, to: newValue)
    }
  }
}

private final class SpecialMachine: Machine, @unchecked Sendable {}  // Safe because it adds no state.

private struct Call: Equatable {
  var new: Bool?
  var old: Bool?
  var isPrior = false
}

@Suite("Key-value observing")
struct KeyValueObservingTests {
  fileprivate static let hearings: [(NSKeyValueObservingOptions, [Call])] = [
    ([], [Call()]),
    ([.new], [Call(new: true)]),
    ([.old], [Call(old: false)]),
    ([.new, .old], [Call(new: true, old: false)]),
    ([.initial, .new], [Call(new: false), Call(new: true)]),
    ([.initial], [Call(), Call()]),
    ([.prior, .new, .old], [Call(old: false, isPrior: true), Call(new: true, old: false)]),
  ]

  @Test(arguments: hearings.indices)
  func `options decide what the handler hears`(index: Int) {
    let (options, expected) = Self.hearings[index]
    let machine = Machine()
    let calls = Locked<[Call]>([])
    let observation = machine.observe(\.isRunning, options: options) { _, change in
      #expect(change.kind == .setting)
      #expect(change.indexes == nil)
      calls.withLock { $0.append(Call(new: change.newValue, old: change.oldValue, isPrior: change.isPrior)) }
    }
    machine.isRunning = true
    #expect(calls.withLock { $0 } == expected)
    observation.invalidate()
  }

  @Test func `setting the same value notifies the observers, as on Apple`() {
    let machine = Machine()
    let count = Locked(0)
    let observation = machine.observe(\.isRunning) { _, _ in count.withLock { $0 += 1 } }
    machine.isRunning = false
    #expect(count.withLock { $0 } == 1)
    observation.invalidate()
  }

  @Test func `the handler sees the changed object`() {
    let machine = Machine()
    let seen = Locked<[Bool]>([])
    let observation = machine.observe(\.isRunning) { machine, _ in
      let value = machine.isRunning
      seen.withLock { $0.append(value) }
    }
    machine.isRunning = true
    #expect(seen.withLock { $0 } == [true])
    observation.invalidate()
  }

  @Test func `invalidating ends it, from inside the handler, too`() {
    let machine = Machine()
    let count = Locked(0)
    let token = Locked<NSKeyValueObservation?>(nil)
    token.withLock {
      $0 = machine.observe(\.isRunning) { _, _ in
        count.withLock { $0 += 1 }
        token.withLock { $0 }?.invalidate()
      }
    }
    machine.isRunning = true
    machine.isRunning = false
    #expect(count.withLock { $0 } == 1)
    #expect(machine.observerTable.count == 0)
  }

  @Test func `dropping the token ends it`() {
    let machine = Machine()
    let count = Locked(0)
    var observation: NSKeyValueObservation? = machine.observe(\.isRunning) { _, _ in
      count.withLock { $0 += 1 }
    }
    #expect(observation != nil)
    machine.isRunning = true
    observation = nil
    machine.isRunning = false
    #expect(count.withLock { $0 } == 1)
    #expect(machine.observerTable.count == 0)
  }

  @Test func `an observer that another handler ends is not called any more`() {
    let machine = Machine()
    let second = Locked<NSKeyValueObservation?>(nil)
    let count = Locked(0)
    let first = machine.observe(\.isRunning) { _, _ in second.withLock { $0 }?.invalidate() }
    second.withLock { $0 = machine.observe(\.isRunning) { _, _ in count.withLock { $0 += 1 } } }
    machine.isRunning = true
    #expect(count.withLock { $0 } == 0)
    first.invalidate()
  }

  @Test func `a handler may change the property again`() {
    let machine = Machine()
    let values = Locked<[Bool?]>([])
    let observation = machine.observe(\.isRunning, options: .new) { machine, change in
      values.withLock { $0.append(change.newValue) }
      if change.newValue == true { machine.isRunning = false }
    }
    machine.isRunning = true
    #expect(values.withLock { $0 } == [true, false])
    observation.invalidate()
  }

  @Test func `an optional property's nil is a value`() {
    let machine = Machine()
    let changes = Locked<[String]>([])
    let observation = machine.observe(\.name, options: [.new, .old]) { _, change in
      changes.withLock {
        $0.append("\(String(describing: change.oldValue)) \(String(describing: change.newValue))")
      }
    }
    machine.name = "a"
    machine.name = nil
    #expect(
      changes.withLock { $0 } == [
        "Optional(nil) Optional(Optional(\"a\"))", "Optional(Optional(\"a\")) Optional(nil)",
      ])
    observation.invalidate()
  }

  @Test func `a key path of a subclass observes what it inherits`() {
    let machine = SpecialMachine()
    let count = Locked(0)
    let observation = machine.observe(\.isRunning) { machine, _ in
      #expect(type(of: machine) == SpecialMachine.self)
      count.withLock { $0 += 1 }
    }
    machine.isRunning = true
    machine.name = "other"
    #expect(count.withLock { $0 } == 1)
    observation.invalidate()
  }

  @Test func `an observer keeps its object no longer alive`() {
    weak var gone: Machine?
    var observation: NSKeyValueObservation?
    do {
      let machine = Machine()
      gone = machine
      observation = machine.observe(\.isRunning) { _, _ in }
    }
    #expect(gone == nil)
    observation?.invalidate()
  }

  @Test func `values begin with the present one and follow the changes`() async {
    let machine = Machine()
    var values = machine.values(for: \.isRunning).makeAsyncIterator()
    #expect(await values.next() == false)
    machine.isRunning = true
    machine.isRunning = false
    #expect(await values.next() == true)
    #expect(await values.next() == false)
  }

  @Test func `values keep only the newest and end with the object`() async {
    var machine: Machine? = Machine()
    let values = machine?.values(for: \.name)
    for index in 0..<100 { machine?.name = "\(index)" }
    machine = nil
    var received: [String?] = []
    if let values { for await value in values { received.append(value) } }
    #expect(received == (84..<100).map { "\($0)" })
  }

  @Test func `a cancelled iteration leaves no observer`() async {
    let machine = Machine()
    let task = Task { for await _ in machine.values(for: \.isRunning) {} }
    while machine.observerTable.count == 0 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(machine.observerTable.count == 0)
  }

  @Test func `observers come and go while another thread changes`() throws {
    let machine = Machine()
    let calls = Locked(0)
    let changer = try ReaderThread(name: "changer") {
      for index in 0..<2000 { machine.isRunning = index.isMultiple(of: 2) }
    }
    for _ in 0..<200 {
      let observation = machine.observe(\.isRunning, options: [.new, .old]) { _, _ in
        calls.withLock { $0 += 1 }
      }
      observation.invalidate()
    }
    changer.join()
    #expect(machine.observerTable.count == 0)
  }
}
