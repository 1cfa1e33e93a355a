import CoreMedia
import Testing

@testable import CameraModel

@Suite struct FilmTimesTests {
  private func milliseconds(_ value: Int64) -> CMTime { CMTime(value: value, timescale: 1000) }

  /// Where pictures of these times are shown, in milliseconds; `nil` for those that are not taken.
  private func shown(_ times: inout FilmTimes, _ values: Int64...) -> [Int?] {
    values.map { value in
      let place = times.place(ofPictureAt: milliseconds(value))
      times.takePicture(at: milliseconds(value))
      return place.map { Int(($0.seconds * 1000).rounded()) }
    }
  }

  private func heard(_ times: inout FilmTimes, _ values: Int64...) -> [Int?] {
    values.map { value in
      let place = times.takeSound(at: milliseconds(value), duration: milliseconds(20))
      return place.map { Int(($0.seconds * 1000).rounded()) }
    }
  }

  @Test func `a film begins with its first picture, and has the sound since then`() {
    var times = FilmTimes(.live)
    #expect(times.isEmpty && heard(&times, 4980) == [nil])
    #expect(shown(&times, 5000, 5033, 5100) == [0, 33, 100])
    #expect(heard(&times, 4990, 5010, 5030, 5040, 5050) == [nil, 10, 30, nil, 50])
    #expect(!times.isEmpty && abs(times.end.seconds - 0.1333) < 0.001)
  }

  @Test func `what follows a pause is shown where the film had ended`() {
    var times = FilmTimes(.live)
    #expect(shown(&times, 1000, 1033) == [0, 33])
    #expect(heard(&times, 1000, 1020) == [0, 20])
    times.isPaused = true
    #expect(shown(&times, 1066, 9000) == [nil, nil] && heard(&times, 1040) == [nil])
    times.isPaused = false
    #expect(heard(&times, 9980) == [nil], "the sound goes on with the pictures")
    #expect(shown(&times, 10_000, 10_033) == [66, 99])
    #expect(heard(&times, 9990, 10_010) == [nil, 76])
  }

  @Test func `a camera that is switched to leaves the time that it took`() {
    var times = FilmTimes(.live)
    #expect(shown(&times, 1000, 1033, 1033, 1500) == [0, 33, nil, 500])
  }

  @Test func `a time-lapse keeps to the clock, and has no sound`() {
    var times = FilmTimes(.half)
    #expect(shown(&times, 0, 33, 490, 510, 900, 1005, 1490, 1500) == [0, nil, nil, 33, nil, 67, nil, 100])
    #expect(heard(&times, 1510) == [nil])
    // Some were missed: the next one is due half a second later.
    #expect(shown(&times, 4000, 4400, 4510) == [133, nil, 167])
  }
}
