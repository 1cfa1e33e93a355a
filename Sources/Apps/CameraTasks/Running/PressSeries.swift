/// Presses on a ``PressSchedule``, one after the other, on the thread of the caller.
package struct PressSeries: Sendable {
  /// How many times to press.
  package var count: Int
  /// From one slot to the next; 0 is a series without a schedule.
  package var intervalSeconds: Double

  /// A series.
  package init(count: Int, intervalSeconds: Double) {
    self.count = count
    self.intervalSeconds = intervalSeconds
  }

  /// Presses until all are done, or something throws.
  ///
  /// - Parameters:
  ///   - now: Nanoseconds of a clock that goes on while the machine is asleep.
  ///   - prepare: Blocks until a press can be made.
  ///   - sleep: Blocks until a moment of that clock, or a little longer; gets the number of the press, from 0.
  ///   - press: Presses in a slot.
  package func run(
    now: () -> Int64, prepare: () throws -> Void,
    sleep: (_ moment: Int64, _ number: Int) throws -> Void, press: (PressSchedule.Place) throws -> Void
  ) rethrows {
    var schedule: PressSchedule?
    for number in 0..<count {
      try prepare()
      // The first press is in time when the schedule begins.
      var present = now()
      var slots = schedule ?? PressSchedule(start: present, intervalSeconds: intervalSeconds)
      var place: PressSchedule.Place
      repeat {
        place = slots.choose(at: present)
        try sleep(place.moment, number)
        present = now()
      } while !slots.isInTime(at: present)
      slots.press()
      schedule = slots
      try press(place)
    }
  }
}
