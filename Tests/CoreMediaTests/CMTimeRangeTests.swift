import CoreMedia
import SeededNumbers
import Testing

private func seconds(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1) }

private func range(_ start: Int64, _ end: Int64) -> CMTimeRange {
  CMTimeRange(start: seconds(start), end: seconds(end))
}

@Suite struct `CMTimeRange sets` {
  @Test func `a range holds its start and not its end`() {
    let range = range(2, 5)
    #expect(range.containsTime(seconds(2)))
    #expect(!range.containsTime(range.end))
    #expect(!range.containsTime(.invalid))
    #expect(range.duration == seconds(3))
    #expect(range.end == seconds(5))
  }

  @Test func `a range holds the ranges inside it`() {
    #expect(range(2, 5).containsTimeRange(range(2, 5)))
    #expect(range(2, 5).containsTimeRange(range(3, 4)))
    #expect(!range(2, 5).containsTimeRange(range(3, 6)))
    #expect(range(2, 5).containsTimeRange(range(3, 3)))
    #expect(!range(2, 5).containsTimeRange(range(5, 5)))
  }

  @Test func `union spans and intersection meets`() {
    #expect(range(1, 3).union(range(5, 6)) == range(1, 6))
    #expect(range(1, 4).intersection(range(3, 6)) == range(3, 4))
    #expect(range(1, 3).intersection(range(3, 6)).isEmpty)
    #expect(range(1, 3).union(.invalid) == range(1, 3))
    #expect(!range(1, 3).intersection(.invalid).isValid)
  }

  @Test func `union and intersection agree with membership`() {
    var generator = SeededGenerator(seed: 20)
    func random() -> CMTimeRange {
      let start = Int64.random(in: -20...20, using: &generator)
      return range(start, start + Int64.random(in: 0...15, using: &generator))
    }
    for _ in 0..<60 {
      let (a, b) = (random(), random())
      for value in Int64(-25)...40 {
        let time = seconds(value)
        let (inA, inB) = (a.containsTime(time), b.containsTime(time))
        #expect(a.intersection(b).containsTime(time) == (inA && inB))
        if inA || inB { #expect(a.union(b).containsTime(time)) }
      }
    }
  }

  @Test func `swapped ends and epochs make no range`() {
    #expect(!range(5, 2).isValid)
    let other = CMTimeMakeWithEpoch(value: 1, timescale: 1, epoch: 1)
    #expect(!CMTimeRangeMake(start: seconds(0), duration: other).isValid)
    #expect(CMTimeRange(start: seconds(0), duration: other).duration.epoch == 1)
    #expect(!CMTimeRange(start: seconds(0), end: other).isValid)
    #expect(CMTimeRange(start: .zero, duration: .indefinite).isIndefinite)
    #expect(CMTimeRange(start: .zero, duration: .positiveInfinity).containsTime(seconds(1_000_000)))
  }

  @Test func `mapping lays one range onto another`() {
    let mapped = CMTimeMapTimeFromRangeToRange(seconds(3), fromRange: range(2, 4), toRange: range(10, 16))
    #expect(mapped == seconds(13))
    #expect(
      CMTimeMapTimeFromRangeToRange(seconds(2), fromRange: range(2, 4), toRange: range(10, 16)) == seconds(10)
    )
    #expect(
      CMTimeMapTimeFromRangeToRange(seconds(4), fromRange: range(2, 4), toRange: range(10, 16)) == seconds(16)
    )
    #expect(!CMTimeMapTimeFromRangeToRange(seconds(4), fromRange: range(2, 2), toRange: range(1, 3)).isValid)
    let endless = CMTimeRange(start: seconds(2), duration: .positiveInfinity)
    let moved = CMTimeRange(start: seconds(7), duration: .positiveInfinity)
    #expect(CMTimeMapTimeFromRangeToRange(seconds(3), fromRange: endless, toRange: moved) == seconds(8))
    #expect(
      CMTimeMapDurationFromRangeToRange(seconds(1), fromRange: range(0, 3), toRange: range(0, 2))
        == CMTime(value: 2, timescale: 3)
        || CMTimeMapDurationFromRangeToRange(seconds(1), fromRange: range(0, 3), toRange: range(0, 2))
          .hasBeenRounded
    )
  }

  @Test func `mapping there and back returns`() {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<500 {
      let from = range(Int64.random(in: -1000...1000, using: &generator), 2000)
      let to = range(Int64.random(in: -1000...1000, using: &generator), 5000)
      let time = CMTime(value: Int64.random(in: -90_000...90_000, using: &generator), timescale: 600)
      let there = CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to)
      let back = CMTimeMapTimeFromRangeToRange(there, fromRange: to, toRange: from)
      #expect(CMTimeAbsoluteValue(back - time).seconds < 1e-6, "\(time) \(from) \(to)")
    }
  }

  @Test func `folding repeats a range`() {
    let loop = range(2, 5)
    for value in Int64(-20)...20 {
      let folded = CMTimeFoldIntoRange(seconds(value), foldRange: loop)
      #expect(loop.containsTime(folded))
      #expect((folded.value - value) % 3 == 0)
    }
    #expect(!CMTimeFoldIntoRange(seconds(1), foldRange: range(2, 2)).isValid)
    #expect(CMTimeClampToRange(seconds(9), range: loop) == seconds(5))
    #expect(CMTimeClampToRange(seconds(0), range: loop) == seconds(2))
    #expect(CMTimeClampToRange(seconds(3), range: loop) == seconds(3))
  }

  @Test func `dictionaries bring ranges and mappings back`() {
    let mapping = CMTimeMapping(source: range(1, 2), target: range(3, 9))
    let read = CMTimeMappingMakeFromDictionary(CMTimeMappingCopyAsDictionary(mapping, allocator: nil) ?? [:])
    #expect(read == mapping)
    #expect(!CMTimeRangeMakeFromDictionary([:]).isValid)
    #expect(CMTIMEMAPPING_IS_EMPTY(CMTimeMappingMakeEmpty(target: range(1, 2))))
    #expect(
      CMTimeRangeCopyDescription(allocator: nil, range: range(1, 2)) == "{{1/1 = 1.000}, {1/1 = 1.000}}")
  }
}
