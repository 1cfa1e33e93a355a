import Linux
import Testing

/// Debug builds count locks; release builds have nothing to test.
#if DEBUG
  @Suite("HeldLocks: mistakes that would hang are found where they are made")
  struct HeldLocksTests {
    @Test func `a thread that takes its lock again is stopped with a sentence`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lock = Lock()
        lock.withLock { lock.withLock {} }
      }
      #expect(text(result).contains("takes a lock that it holds already"))
    }

    @Test func `a thread that waits with a monitor it holds is stopped`() async {
      await #expect(processExitsWith: .failure) {
        let monitor = Monitor(0)
        monitor.withLock { _ in _ = monitor.wait(for: { _ in true }, then: { _ in }) }
      }
    }

    @Test func `a lock that is given back twice stops the program`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let lock = Lock()
        lock.lock()
        lock.unlock()
        lock.unlock()
      }
      #expect(text(result).contains("does not hold"))
    }

    @Test func `a call to clients under a lock stops the program and names the place`() async {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        Locked(0).withLock { _ in HeldLocks.assertNone(in: "Camera.tellClients()") }
      }
      #expect(text(result).contains("Camera.tellClients() runs while its thread holds 1 lock(s)"))
    }

    @Test func `what ends under a lock is found by its deinit`() async {
      await #expect(processExitsWith: .failure) {
        let kept = Locked<Closing?>(Closing())
        kept.withLock { $0 = nil }
      }
    }

    @Test func `two locks may be held, in any order of giving back, and then none is`() {
      let (first, second) = (Lock(), Locked(1))
      first.lock()
      second.withLock { value in
        value += 1
        first.unlock()
      }
      HeldLocks.assertNone(in: "a test")
    }

    @Test func `a lock counts for the thread that holds it, and not for others`() throws {
      let kept = Locked<Closing?>(Closing())
      let old = kept.withLock { value in
        let thread = try? ReaderThread(name: "other") { HeldLocks.assertNone(in: "another thread") }
        thread?.join()
        defer { value = nil }
        return value
      }
      withExtendedLifetime(old) {}
    }

    @Test func `an error, an early return and a wait that gives up leave no lock behind`() {
      struct Failure: Error {}
      let monitor = Monitor(false)
      #expect(throws: Failure.self) { try monitor.withLock { _ in throw Failure() } }
      #expect(monitor.wait(until: .now, for: { $0 }, then: { _ in true }) == nil)
      HeldLocks.assertNone(in: "a test")
    }

    private func text(_ result: ExitTest.Result?) -> String {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }
  }

  /// Closes something when it goes, for which no lock may be held.
  private final class Closing: Sendable {
    deinit { HeldLocks.assertNone(in: "Closing.deinit") }
  }
#endif

@Suite("WeakObjects")
struct WeakObjectsTests {
  private final class Thing: Sendable {}
  private protocol Hearer: AnyObject, Sendable {}
  private final class Listener: Hearer {}

  @Test func `knows what is there in its order, once, and forgets what was removed or has gone`() {
    let objects = WeakObjects<Thing>()
    let (first, second) = (Thing(), Thing())
    var third: Thing? = Thing()
    objects.add(first)
    if let third { objects.add(third) }
    objects.add(second)
    objects.add(first)
    #expect(
      objects.present.map(ObjectIdentifier.init)
        == [third, second, first].compactMap(\.self).map(ObjectIdentifier.init))
    third = nil
    #expect(objects.present.map(ObjectIdentifier.init) == [second, first].map(ObjectIdentifier.init))
    objects.remove(second)
    #expect(objects.present.map(ObjectIdentifier.init) == [ObjectIdentifier(first)])
    withExtendedLifetime((first, second)) {}
  }

  @Test func `knows objects by a protocol, too`() {
    let objects = WeakObjects<any Hearer>()
    var first: Listener? = Listener()
    let second = Listener()
    for listener in [first, second].compactMap(\.self) {
      objects.add(ObjectIdentifier(listener)) { [weak listener] in listener }
    }
    #expect(objects.present.count == 2)
    first = nil
    #expect(objects.present.first === second)
    objects.remove(ObjectIdentifier(second))
    #expect(objects.present.isEmpty)
  }

  @Test func `an object that goes while the list is read goes under no lock`() {
    let objects = WeakObjects<Ending>()
    var last: Ending? = Ending(objects)
    last.map(objects.add)
    let read = objects.present
    last = nil
    #expect(read.count == 1)
  }

  /// Asks the list that knows it, when it goes: under the list's lock that would never return.
  private final class Ending: Sendable {
    private let objects: WeakObjects<Ending>

    init(_ objects: WeakObjects<Ending>) { self.objects = objects }

    deinit { _ = objects.present }
  }
}
