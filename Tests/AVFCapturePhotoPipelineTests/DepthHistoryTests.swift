import AVFCapture
import CaptureDevice
import CoreVideo
import Dispatch
import Linux
import Testing

@Suite("Depth maps that are kept for photos")
struct DepthHistoryTests {
  private static let interval: Int64 = 33_333_333

  private func moment(_ index: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 1_000_000_000 + index * Self.interval)
  }

  private func map(_ index: Int64) throws -> CapturedDepth {
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_DepthFloat16, width: 2, height: 2)
    return CapturedDepth(map: buffer, timestamp: moment(index), sequence: UInt32(index))
  }

  private func history(_ indices: Int64...) throws -> DepthHistory {
    let history = DepthHistory()
    history.keep(8)
    for index in indices { history.take(try map(index)) }
    return history
  }

  @Test func `a frame has the map of its moment, or the nearest`() throws {
    let history = try history(1, 2, 3, 5)
    #expect(history.claim(at: moment(2), every: Self.interval).map()?.sequence == 2)
    #expect(history.claim(at: moment(4), every: Self.interval).map()?.sequence == 3)
    let late = moment(5).advanced(byNanoseconds: Self.interval / 3)
    #expect(history.claim(at: late, every: Self.interval).map()?.sequence == 5)
    // Half as many maps as frames: the one before is the nearest that there will be.
    #expect(history.claim(at: moment(6), every: 2 * Self.interval).map()?.sequence == 5)
    #expect(history.claim(at: moment(-1), every: Self.interval).map() == nil)
  }

  @Test func `a map that comes after its frame is waited for, and one that is lost is not`() throws {
    // So far apart that a slow machine is in time.
    let interval: Int64 = 10_000_000_000
    func moment(_ index: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: index * interval) }
    func map(_ index: Int64) throws -> CapturedDepth {
      var map = try self.map(index)
      map.timestamp = moment(index)
      return map
    }
    let history = DepthHistory()
    history.keep(8)
    history.take(try map(1))
    let late = try map(3)
    let (waiting, begun) = (DispatchQueue(label: "waiting"), DispatchSemaphore(value: 0))
    let found = Locked<UInt32?>(nil)
    waiting.async {
      begun.signal()
      let sequence = history.claim(at: MonotonicInstant(nanoseconds: 3 * interval), every: interval).map()?
        .sequence
      found.withLock { $0 = sequence }
    }
    begun.wait()
    history.take(late)
    waiting.sync {}
    #expect(found.withLock { $0 } == 3)
    history.takeLoss(at: moment(4))
    #expect(history.claim(at: moment(4), every: interval).map()?.sequence == 3)
  }

  @Test func `few are kept, none before it is asked for or after it has ended`() throws {
    let history = DepthHistory()
    history.take(try map(1))
    #expect(history.claim(at: moment(1), every: Self.interval).map() == nil)
    history.keep(8)
    weak var first: CVPixelBuffer?
    try {
      let map = try map(0)
      first = map.map
      history.take(map)
    }()
    #expect(first != nil)
    for index in 1...8 as ClosedRange<Int64> { history.take(try map(index)) }
    #expect(first == nil)
    #expect(history.claim(at: moment(1), every: Self.interval).map()?.sequence == 1)
    history.keep(0)
    #expect(history.claim(at: moment(8), every: Self.interval).map() == nil)
  }

  @Test func `a claimed map stays, however many come after it, and a nearer one takes its place`() throws {
    let history = try history(1)
    let (early, own) = (
      history.claim(at: moment(1), every: Self.interval), history.claim(at: moment(2), every: Self.interval)
    )
    for index in 2...20 as ClosedRange<Int64> { history.take(try map(index)) }
    #expect(early.map()?.sequence == 1 && own.map()?.sequence == 2)
    #expect(history.claim(at: moment(2), every: Self.interval).map() == nil)
    // What is claimed survives the end of the stream, too.
    history.keep(0)
    #expect(early.map()?.sequence == 1)
  }

  @Test func `a claim that is given up holds nothing`() throws {
    let history = DepthHistory()
    history.keep(1)
    weak var first: CVPixelBuffer?
    var claim: DepthClaim?
    try {
      let map = try map(1)
      first = map.map
      history.take(map)
      claim = history.claim(at: moment(1), every: Self.interval)
    }()
    history.take(try map(2))
    #expect(first != nil && claim != nil)
    claim = nil
    #expect(first == nil)
  }
}
