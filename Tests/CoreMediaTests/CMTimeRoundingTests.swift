import CoreMedia
import Testing

@Suite struct `CMTime rounding` {
  @Test(arguments: [
    (CMTimeRoundingMethod.roundHalfAwayFromZero, [Int64(-3), -2, -1, 0, 1, 2, 3]),
    (.roundTowardZero, [-2, -1, -1, 0, 1, 1, 2]),
    (.roundAwayFromZero, [-3, -2, -2, 0, 2, 2, 3]),
    (.roundTowardPositiveInfinity, [-2, -1, -1, 0, 2, 2, 3]),
    (.roundTowardNegativeInfinity, [-3, -2, -2, 0, 1, 1, 2]),
  ])
  func `each method treats quarters its way`(method: CMTimeRoundingMethod, expected: [Int64]) {
    // -2.5, -1.5, -1.25, 0, 1.25, 1.5 and 2.5 seconds.
    let quarters: [Int64] = [-10, -6, -5, 0, 5, 6, 10]
    for (value, result) in zip(quarters, expected) {
      let time = CMTimeConvertScale(CMTime(value: value, timescale: 4), timescale: 1, method: method)
      #expect(time.value == result, "\(value)/4 by \(method)")
      #expect(time.hasBeenRounded == (value != 0))
    }
  }

  @Test func `QuickTime's method looks at the direction and keeps negative times negative`() {
    func convert(_ value: Int64, _ from: Int32, _ to: Int32) -> Int64 {
      CMTimeConvertScale(CMTime(value: value, timescale: from), timescale: to, method: .quickTime).value
    }
    #expect(convert(5, 600, 100) == 0)
    #expect(convert(-5, 600, 100) == -1)
    #expect(convert(-11, 600, 100) == -1)
    #expect(convert(1, 3, 10) == 4)
    #expect(convert(-1, 3, 10) == -4)
    #expect(convert(3, 3, 10) == 10)
  }

  @Test func `what has no room becomes infinite, what is no number stays so`() {
    let long = CMTime(value: .max, timescale: 1)
    #expect(CMTimeConvertScale(long, timescale: 2, method: .default).isPositiveInfinity)
    #expect(
      CMTimeConvertScale(CMTime(value: .min, timescale: 1), timescale: 2, method: .default).isNegativeInfinity
    )
    #expect(CMTimeConvertScale(.indefinite, timescale: 2, method: .default).isIndefinite)
    #expect(!CMTimeConvertScale(.zero, timescale: 0, method: .default).isValid)
    #expect(CMTimeConvertScale(long, timescale: 1, method: .default).hasBeenRounded == false)
  }

  @Test func `seconds become times as far as the timescale goes`() {
    #expect(CMTime(seconds: 0.1, preferredTimescale: 10).value == 1)
    #expect(CMTime(seconds: 0.1, preferredTimescale: 10).hasBeenRounded == false)
    #expect(CMTime(seconds: 1.99, preferredTimescale: 1).value == 1)
    #expect(CMTime(seconds: 1.99, preferredTimescale: 1).hasBeenRounded)
    #expect(CMTime(seconds: -1.99, preferredTimescale: 1).value == -1)
    #expect(CMTime(seconds: 1e12, preferredTimescale: 1_000_000_000).timescale == 7_812_500)
    #expect(CMTime(seconds: 1e19, preferredTimescale: 600).isPositiveInfinity)
    #expect(CMTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
    #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
    #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
  }

  @Test func `times become seconds`() {
    #expect(CMTime(value: 1, timescale: 4).seconds == 0.25)
    #expect(CMTimeGetSeconds(.positiveInfinity) == .infinity)
    #expect(CMTimeGetSeconds(.negativeInfinity) == -.infinity)
    #expect(CMTimeGetSeconds(.invalid).isNaN)
    #expect(CMTimeGetSeconds(.indefinite).isNaN)
  }

  @Test func `a timescale of zero makes no time`() {
    #expect(!CMTime(value: 1, timescale: 0).isValid)
    #expect(!CMTimeMake(value: 1, timescale: -600).isValid)
    let crooked = CMTime(value: 1, timescale: 0, flags: .valid, epoch: 0)
    #expect(!(crooked + .zero).isValid)
    #expect(crooked > .positiveInfinity)
  }

  @Test func `dictionaries and descriptions say it all`() {
    let time = CMTimeMakeWithEpoch(value: 1001, timescale: 30000, epoch: 7)
    let read = CMTimeMakeFromDictionary(CMTimeCopyAsDictionary(time, allocator: nil))
    #expect(read == time)
    #expect(read.epoch == 7)
    #expect(!CMTimeMakeFromDictionary(["value": 1]).isValid)
    #expect(!CMTimeMakeFromDictionary(nil).isValid)
    #expect(CMTimeCopyDescription(allocator: nil, time: CMTime(value: 1, timescale: 30)) == "{1/30 = 0.033}")
    #expect(
      CMTimeCopyDescription(allocator: nil, time: CMTime(value: -90000, timescale: 600))
        == "{-90000/600 = -150.000}")
    #expect(CMTimeCopyDescription(allocator: nil, time: .invalid) == "{INVALID}")
  }
}
