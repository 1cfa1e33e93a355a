import AVFCapture
import BusStage
import CaptureStage
import Dispatch
import Linux
import SeededNumbers
import Testing
import Waiting

@Suite("Logind's word about sleep")
struct SystemSleepTests {
  @Test func `sleep and waking up are heard, and sleep waits for those that hear of it`() throws {
    let bus = try LogindBus()
    let sleep = SystemSleep(address: bus.address)
    let words = Monitor<[Bool]>([])
    let delaysWhenTold = Locked<[Int]>([])
    let watch = sleep.observe { isAsleep in
      delaysWhenTold.withLock { $0.append(bus.delays) }
      words.withLock { $0.append(isAsleep) }
    }
    #expect(sleep.waitUntilDecided(until: .limitOfWaits) == true && bus.delays == 1)
    bus.announce(isBefore: true)
    #expect(words.wait(for: [true]) && sleep.isAsleep)
    // Sleep may go on when the observer has returned, not before.
    #expect(bus.comes(delays: 0, requests: 1))
    #expect(delaysWhenTold.withLock { $0 } == [1])
    bus.announce(isBefore: false)
    #expect(words.wait(for: [true, false]) && !sleep.isAsleep)
    #expect(bus.comes(delays: 1, requests: 2))
    withExtendedLifetime(watch) {}
  }

  @Test func `sleep is not delayed once there is no observer`() throws {
    let bus = try LogindBus()
    let sleep = SystemSleep(address: bus.address)
    var watch: (any AnyObject & Sendable)? = sleep.observe { _ in }
    #expect(bus.comes(delays: 1, requests: 1))
    withExtendedLifetime(watch) {}
    watch = nil
    #expect(bus.comes(delays: 0, requests: 1))
    #expect(!sleep.isHeard)
    let again = sleep.observe { _ in }
    #expect(bus.comes(delays: 1, requests: 2))
    withExtendedLifetime(again) {}
  }

  @Test func `a bus that goes away while the machine sleeps does not leave anybody asleep`() throws {
    let bus = try LogindBus()
    let sleep = SystemSleep(address: bus.address)
    let words = Monitor<[Bool]>([])
    let watch = sleep.observe { isAsleep in words.withLock { $0.append(isAsleep) } }
    #expect(sleep.waitUntilDecided(until: .limitOfWaits) == true)
    bus.announce(isBefore: true)
    #expect(words.wait(for: [true]))
    bus.end()
    #expect(words.wait(for: [true, false]))
    #expect(!sleep.isHeard && !sleep.isAsleep)
    withExtendedLifetime(watch) {}
  }

  @Test func `without a bus nothing is reported and nothing fails`() {
    let sleep = SystemSleep(address: "unix:path=/nowhere/at/all")
    let watch = sleep.observe { _ in }
    #expect(sleep.waitUntilDecided(until: .limitOfWaits) == false)
    #expect(!sleep.isAsleep)
    withExtendedLifetime(watch) {}
  }
}

/// A program that hears of sleep, while any one of the bus's messages is another than expected.
@Suite("Logind's word about sleep: any answer of the bus")
struct SleepAnyCallTests {
  /// A program hears of sleep and of waking up, and stops listening; what it has heard.
  private func story(_ bus: LogindBus, _ proxy: BusProxy) -> [Bool] {
    let sleep = SystemSleep(address: proxy.address)
    let news = Monitor<(words: [Bool], isOver: Bool)>(([], false))
    let watch = sleep.observe { isAsleep in news.withLock { $0.words.append(isAsleep) } }
    #expect(sleep.waitUntilDecided(until: .limitOfWaits) != nil)
    DispatchQueue.global().async {
      sleep.waitUntilUnheard(until: .limitOfWaits)
      news.withLock { $0.isOver = true }
    }
    bus.announce(isBefore: true)
    bus.announce(isBefore: false)
    #expect(news.wait { $0.words.count == 2 || $0.isOver && $0.words.isEmpty })
    withExtendedLifetime(watch) {}
    return news.now.words
  }

  @Test(arguments: BusProxy.Fault.allCases)
  func `any answer of the bus may be spoilt: none is left asleep, and the next start hears again`(
    fault: BusProxy.Fault
  ) throws {
    let bus = try LogindBus()
    let proxy = try bus.proxy()
    proxy.trap()
    #expect(story(bus, proxy) == [true, false])
    let count = proxy.count
    let tried = min(count, FuzzCount(usual: 6, all: count).value)
    for number in Set((0..<tried).map { $0 * count / tried + 1 }).sorted() {
      proxy.trap(number, fault)
      let heard = story(bus, proxy)
      #expect([[], [true, false]].contains(heard), "\(fault) at answer \(number): \(heard)")
      proxy.trap()
      #expect(story(bus, proxy) == [true, false], "\(fault) at answer \(number): the next start is deaf")
    }
  }
}
