import Linux
import Testing

@Suite("Hook")
struct HookTests {
  @Test func `what is set last is called, and nothing when it was removed`() {
    let hook = Hook<Int>()
    let reported = Locked<[Int]>([])
    hook.call(1)
    hook.set { number in reported.withLock { $0.append(number) } }
    hook.call(2)
    hook.set { number in reported.withLock { $0.append(-number) } }
    hook.call(3)
    hook.set(nil)
    hook.call(4)
    #expect(reported.withLock { $0 } == [2, -3])
  }

  @Test func `a function may replace itself`() {
    let hook = Hook<Void>()
    let count = Locked(0)
    hook.set {
      count.withLock { $0 += 1 }
      hook.set(nil)
    }
    hook.call()
    hook.call()
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `each call is as deep in the stack as the first`() {
    let hook = Hook<Void>()
    let places = Locked<Set<Int>>([])
    hook.set {
      var here = 0
      withUnsafeMutablePointer(to: &here) { place in
        places.withLock { _ = $0.insert(Int(bitPattern: place)) }
      }
    }
    for _ in 0..<1000 { hook.call() }
    #expect(places.withLock { $0.count } == 1)
  }
}
