import CoreMedia
import Testing

@testable import CameraModel

@Suite struct TimeLapseTimesTests {
  private func milliseconds(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1000) }

  /// Where pictures of these times are shown, in milliseconds; `nil` for those that are not taken.
  private func shown(_ times: inout TimeLapseTimes, _ values: Int64...) -> [Int?] {
    values.map { value in
      let place = times.place(ofPictureAt: milliseconds(value))
      times.takePicture(at: milliseconds(value))
      return place.map { Int(($0.seconds * 1000).rounded()) }
    }
  }

  @Test func `a time-lapse keeps to the clock`() {
    var times = TimeLapseTimes(step: 0.5)
    #expect(times.isEmpty)
    #expect(shown(&times, 0, 33, 490, 510, 900, 1005, 1490, 1500) == [0, nil, nil, 33, nil, 67, nil, 100])
    #expect(!times.isEmpty && abs(times.end.seconds - 0.1333) < 0.001)
    // Some were missed: the next ones are due where they were.
    #expect(shown(&times, 4210, 4400, 4510, 4990, 5010) == [133, nil, 167, nil, 200])
  }

  @Test func `a step that is no whole number of milliseconds adds up to no error`() {
    var times = TimeLapseTimes(step: 1.0 / 3)
    let frame = CMTime(value: 1, timescale: 30)
    var taken = 0
    for index in 0..<30 * 3600 {
      let time = CMTimeMultiply(frame, multiplier: Int32(index)) + milliseconds(7)
      if times.place(ofPictureAt: time) != nil { taken += 1 }
      times.takePicture(at: time)
    }
    #expect(taken == 3 * 3600)
  }

  @Test func `a slot without a picture is left out and counted, but for those of pauses`() {
    var times = TimeLapseTimes(step: 0.5)
    #expect(shown(&times, 0, 510, 1010) == [0, 33, 67] && times.missed == 0)
    // Those of 1.5, 2 and 2.5 s; what follows comes once in each slot.
    #expect(shown(&times, 3100, 3400, 3505) == [100, nil, 133] && times.missed == 3)
    times.isPaused = true
    times.isPaused = false
    #expect(shown(&times, 9010, 9510) == [167, 200] && times.missed == 3)
    #expect(shown(&times, 10_510) == [233] && times.missed == 4)
  }

  @Test func `ten thousand slots keep to the first picture, however late each picture is`() {
    var times = TimeLapseTimes(step: 0.5)
    var numbers = SystemRandomNumberGenerator()
    var (slot, wanted, taken) = (0, 0, 0)
    for _ in 0..<10_000 {
      // Up to three slots without a picture, and a picture somewhere in its slot.
      let time = milliseconds(
        Int64(slot) * 500 + (slot == 0 ? 0 : Int64.random(in: 0...490, using: &numbers)))
      if times.place(ofPictureAt: time) != nil { taken += 1 }
      times.takePicture(at: time)
      #expect(times.place(ofPictureAt: milliseconds(Int64(slot) * 500 + 494)) == nil)
      let next = slot + 1 + Int.random(in: 0...3, using: &numbers)
      if taken < 10_000 { wanted += next - slot - 1 }
      slot = next
    }
    #expect(taken == 10_000 && times.missed == wanted)
  }

  @Test func `a camera that has a picture for each slot misses none, though its times vary`() {
    var times = TimeLapseTimes(step: 0.5)
    let shown = shown(&times, 0, 498, 1001, 1496, 2004, 2499, 3000)
    #expect(!shown.contains(nil) && times.missed == 0)
  }

  @Test func `what follows a pause is shown where the video had ended`() {
    var times = TimeLapseTimes(step: 0.5)
    #expect(shown(&times, 1000, 1500) == [0, 33])
    times.isPaused = true
    #expect(shown(&times, 2000, 9000) == [nil, nil])
    times.isPaused = false
    #expect(shown(&times, 9010, 9510) == [67, 100])
  }
}
