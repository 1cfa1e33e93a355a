import CameraTasks
import Linux
import Testing

@Suite("Requests to stop")
struct StopRequestTests {
  @Test func `a request reaches those who asked before and those who ask after it, once each`() {
    let request = StopRequest()
    let calls = Locked<[String]>([])
    request.whenRequested { calls.withLock { $0.append("before") } }
    #expect(!request.isRequested && calls.withLock { $0 } == [])
    request.request()
    request.whenRequested { calls.withLock { $0.append("after") } }
    request.request()
    #expect(request.isRequested && calls.withLock { $0 } == ["before", "after"])
    request.wait()
  }

  @Test func `a handler may use the request that calls it`() {
    let request = StopRequest()
    let isRequested = Locked(false)
    request.whenRequested { isRequested.withLock { $0 = request.isRequested } }
    request.request()
    #expect(isRequested.withLock { $0 })
  }
}

@Suite("Whether frames keep coming")
struct FrameWatchTests {
  private let start = MonotonicInstant(nanoseconds: 0)
  private let second: Int64 = 1_000_000_000

  private func after(_ seconds: Double) -> MonotonicInstant { start.advanced(bySeconds: seconds) }

  @Test func `a camera without any frame is silent`() {
    var watch = FrameWatch(at: start)
    watch.note(0, at: after(0.1))
    #expect(watch.isSilent(at: after(0.2), limitNanoseconds: second))
  }

  @Test func `a frame within the limit is enough, however long that is`() {
    var watch = FrameWatch(at: start)
    watch.note(1, at: after(0.1))
    watch.note(2, at: after(5))
    #expect(!watch.isSilent(at: after(5.9), limitNanoseconds: second))
    #expect(!watch.isSilent(at: after(44), limitNanoseconds: 40 * second))
  }

  @Test func `a camera that stood still for longer than the limit is silent`() {
    var watch = FrameWatch(at: start)
    watch.note(30, at: after(1))
    watch.note(30, at: after(2.5))
    #expect(watch.isSilent(at: after(2.5), limitNanoseconds: second))
  }
}
