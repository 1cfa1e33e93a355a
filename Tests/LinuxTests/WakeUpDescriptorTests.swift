import Linux
import Testing

@Suite("WakeUp beside descriptors")
struct WakeUpDescriptorTests {
  @Test func `of several descriptors those are named that have something, and a signal comes first`() throws {
    let (wakeUp, first, second) = (try WakeUp(), try WakeUp(), try WakeUp())
    let others = [first.descriptor, second.descriptor]
    second.signal()
    #expect(wakeUp.wait(forAnyOf: others) == [1])
    first.signal()
    #expect(wakeUp.wait(forAnyOf: others) == [0, 1])
    second.clear()
    #expect(wakeUp.wait(forAnyOf: others) == [0])
    wakeUp.signal()
    #expect(wakeUp.wait(forAnyOf: others) == nil)
  }
}
