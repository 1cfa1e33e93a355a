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

  @Test func `what follows a pause is shown where the video had ended`() {
    var times = TimeLapseTimes(step: 0.5)
    #expect(shown(&times, 1000, 1500) == [0, 33])
    times.isPaused = true
    #expect(shown(&times, 2000, 9000) == [nil, nil])
    times.isPaused = false
    #expect(shown(&times, 9010, 9510) == [67, 100])
  }
}
