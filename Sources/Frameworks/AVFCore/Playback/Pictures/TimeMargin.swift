internal import CoreMedia

/// The margin in comparing times: those of different scales are rounded, so that things are done a microsecond early.
enum TimeMargin {
  private static let whole = CMTime(value: 1, timescale: 1_000_000)
  private static let half = CMTime(value: 1, timescale: 2_000_000)

  /// What is due at a time: everything up to this one, or down to it, backwards.
  static func due(_ time: CMTime, backward isBackward: Bool = false) -> CMTime {
    isBackward ? time - whole : time + whole
  }

  /// When to wake up for what is to be done at a time, so that it is due then, however times are rounded.
  static func wake(for time: CMTime, backward isBackward: Bool) -> CMTime {
    isBackward ? time + half : time - half
  }

  /// When a picture that begins at a time is no longer on show, played backwards.
  static func justBefore(_ time: CMTime) -> CMTime { time - whole - whole }
}
