import CGTK
import Glibc
import Testing

@testable import GTKKit

@Suite(.serialized) @MainActor struct LoopWatchTests {
  private func longestTurn(of work: @escaping @MainActor () -> Void) -> LoopWatch.Turn? {
    var turns: [LoopWatch.Turn] = []
    LoopWatch.begin { turns.append($0) }
    var isDone = false
    whenIdle {
      work()
      isDone = true
      return false
    }
    while !isDone { g_main_context_iteration(nil, 1) }
    // The next call for news ends the turn.
    g_main_context_iteration(nil, 0)
    LoopWatch.begin(nil)
    return turns.max { $0.seconds < $1.seconds }
  }

  @Test func `a turn of the main loop that sleeps has waited, and its time is not its own`() throws {
    let turn = try #require(longestTurn { usleep(30_000) })
    #expect(turn.seconds >= 0.03 && turn.ownSeconds < turn.seconds && turn.hasWaited)
  }

  @Test func `a turn of the main loop that computes has the processor all the time`() throws {
    let turn = try #require(
      longestTurn {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        let end = time.tv_sec * 1_000_000_000 + time.tv_nsec + 25_000_000
        while time.tv_sec * 1_000_000_000 + time.tv_nsec < end {
          clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        }
      })
    #expect(turn.ownSeconds >= 0.025)
  }
}
