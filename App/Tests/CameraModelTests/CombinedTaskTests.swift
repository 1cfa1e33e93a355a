import Dispatch
import Testing

@testable import CameraModel

struct CombinedTaskTests {
  @Test func `requests that come while a task runs are served together by one more run`() {
    let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let runs = Guarded(0)
    let task = CombinedTask(label: "test.combined", qos: .userInitiated) {
      runs.change { $0 += 1 }
      begun.signal()
      mayEnd.wait()
    }
    #expect(!task.request())
    begun.wait()
    #expect(!task.request())
    #expect(task.request() && task.request())
    mayEnd.signal()
    begun.wait()
    #expect(runs.change { $0 } == 2)
    mayEnd.signal()
    // The next request may still find the run at its end, which it then prolongs.
    #expect(!task.request())
    begun.wait()
    #expect(runs.change { $0 } == 3)
    mayEnd.signal()
  }
}
