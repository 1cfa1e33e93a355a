import Dispatch
import Linux
import Testing

import VirtualCameras

struct CombinedTaskTests {
  @Test func `requests that come while a task runs are served together by one more run`() {
    let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let runs = Locked(0)
    let task = CombinedTask(label: "test.combined", qos: .userInitiated) {
      runs.withLock { $0 += 1 }
      begun.signal()
      mayEnd.wait()
    }
    #expect(!task.request())
    begun.wait()
    #expect(!task.request())
    #expect(task.request() && task.request())
    mayEnd.signal()
    begun.wait()
    #expect(runs.withLock { $0 } == 2)
    mayEnd.signal()
    // The next request may still find the run at its end, which it then prolongs.
    #expect(!task.request())
    begun.wait()
    #expect(runs.withLock { $0 } == 3)
    mayEnd.signal()
  }
}
