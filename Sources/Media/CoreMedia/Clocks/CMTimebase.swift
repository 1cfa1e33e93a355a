internal import Foundation
internal import FoundationExtras
internal import Linux

/// A timeline under control: it runs at a rate on top of a clock or another timebase, can be stopped and set.
///
/// A new timebase shows zero and stands still. Thread-safe. Notifications are posted on the thread that made the change,
/// before the call returns. Apple: `CMTimebase`.
public final class CMTimebase: Sendable {
  /// The course of the time: `time = anchor + (source - sourceAnchor) × rate`.
  struct Course {
    var source: CMClockOrTimebase
    var anchor = CMTime.zero
    var sourceAnchor: CMTime
    var rate = 0.0
  }

  private let course: Locked<CourseBox>
  let dependents = TimebaseList()
  let timers = TimebaseTimers()

  /// Carries a source, which is one of two thread-safe classes, through the lock.
  struct CourseBox: @unchecked Sendable {  // Safe because clocks and timebases are thread-safe.
    var course: Course
  }

  init(on source: CMClockOrTimebase) {
    course = Locked(CourseBox(course: Course(source: source, sourceAnchor: CMSyncGetTime(source))))
    sourceDependents(source)?.add(self)
  }

  /// A timeline on top of a clock.
  public convenience init(sourceClock: CMClock) throws {
    self.init(on: sourceClock)
  }

  /// A timeline on top of another one.
  public convenience init(sourceTimebase: CMTimebase) throws {
    self.init(on: sourceTimebase)
  }

  /// A timeline on top of a clock; the older spelling of `init(sourceClock:)`.
  public convenience init(masterClock: CMClock) throws {
    self.init(on: masterClock)
  }

  /// A timeline on top of another one; the older spelling of `init(sourceTimebase:)`.
  public convenience init(masterTimebase: CMTimebase) throws {
    self.init(on: masterTimebase)
  }

  var currentCourse: Course { course.withLock { $0.course } }

  /// The time now.
  public var time: CMTime { currentCourse.time }

  /// How fast the timeline runs on top of its source; 0 when it stands still, negative backwards.
  public var rate: Double { currentCourse.rate }

  /// The time now and the rate, of one moment.
  public var timeAndRate: (time: CMTime, rate: Double) {
    let course = currentCourse
    return (course.time, course.rate)
  }

  /// How fast the timeline runs on top of its clock.
  public var effectiveRate: Double {
    let course = currentCourse
    return course.rate * ((course.source as? CMTimebase)?.effectiveRate ?? 1)
  }

  /// Changes the course and notifies dependents.
  func change(_ body: (inout Course) -> Void) {
    let oldRate = effectiveRate
    let (old, new) = course.withLock { box in
      let old = box.course
      body(&box.course)
      return (CourseBox(course: old), CourseBox(course: box.course))
    }
    reschedule()
    if effectiveRate != oldRate { announceRateChange(at: new.course.anchor) }
    // The same moment of the source on the old course and on the new one: what differs is a jump.
    let moment = CMSyncGetTime(new.course.source)
    if old.course.source === new.course.source {
      let before = old.course.time(whenSourceIs: moment)
      let after = new.course.time(whenSourceIs: moment)
      if CMTimeAbsoluteValue(before - after).seconds > 1e-6 {
        announce(CMTimebase.timeJumped, at: new.course.anchor)
      }
    }
  }

  /// Fires or plans the timers anew, here and on every timebase above.
  func reschedule() {
    timers.reschedule(on: self)
    dependents.reschedule()
  }

  private func announceRateChange(at time: CMTime) {
    announce(CMTimebase.effectiveRateChanged, at: time)
    for timebase in dependents.members { timebase.announceRateChange(at: timebase.time) }
  }

  private func announce(_ name: Notification.Name, at time: CMTime) {
    let userInfo = [
      kCMTimebaseNotificationKey_EventTime: CMTimeCopyAsDictionary(time, allocator: kCFAllocatorDefault)
        as Any
    ]
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }
}

extension CMTimebase.Course {
  var time: CMTime { time(whenSourceIs: CMSyncGetTime(source)) }

  func time(whenSourceIs moment: CMTime) -> CMTime {
    anchor + scaled(moment - sourceAnchor, by: rate)
  }

  /// The moment of the source at which the time is `time`; invalid when it stands still.
  func sourceTime(at time: CMTime) -> CMTime {
    rate == 0 ? .invalid : sourceAnchor + scaled(time - anchor, by: 1 / rate)
  }

  private func scaled(_ time: CMTime, by rate: Double) -> CMTime {
    if rate == 1 { return time }
    if rate == 0 { return .zero }
    return CMTimeMultiplyByFloat64(time, multiplier: rate)
  }
}

extension CMTimebase: Hashable {
  /// Whether both are the same object.
  public static func == (left: CMTimebase, right: CMTimebase) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The timebases on top of a clock or timebase, without keeping them alive.
final class TimebaseList: Sendable {
  private let timebases = WeakObjects<CMTimebase>()

  func add(_ timebase: CMTimebase) {
    timebases.add(timebase)
  }

  func remove(_ timebase: CMTimebase) {
    timebases.remove(timebase)
  }

  var members: [CMTimebase] { timebases.present }

  func reschedule() {
    for timebase in members { timebase.reschedule() }
  }
}

func sourceDependents(_ source: CMClockOrTimebase) -> TimebaseList? {
  (source as? CMClock)?.dependents ?? (source as? CMTimebase)?.dependents
}
