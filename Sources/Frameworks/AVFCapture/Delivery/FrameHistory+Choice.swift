internal import CaptureDevice
package import Linux

/// A press of the shutter, as far as the choice of its frame depends on it.
package struct PhotoPress: Sendable, Hashable, Codable {
  /// When it was, on the device's clock.
  package var time: MonotonicInstant
  /// The newest change of the camera's controls that the client had asked for: ``ControlState/change`` of its frames.
  package var change: UInt64

  /// A press at `time`, after the controls' change of that number.
  package init(time: MonotonicInstant, change: UInt64 = 0) {
    self.time = time
    self.change = change
  }
}

/// The frames of one press.
package struct FrameChoice: Sendable {
  /// The photo's frame.
  package var frame: PastFrame
  /// Those next to it, for several to be fused: the nearest in time, oldest first, without the photo's own.
  package var neighbours: [PastFrame]
}

extension FrameHistory {
  /// Chooses the frame that the viewfinder showed at a press; `nil` when no frame here will do.
  ///
  /// The newest that a viewfinder had shown by then; if that one is gone or must not be taken, the oldest that may, which is
  /// nearest to the press. Without a viewfinder, the newest frame that was exposed by then.
  ///
  /// Presses closer together than frames are a burst: each gets a frame of its own, after the last one's. While a photo waits for
  /// an exposure to come, none is chosen. Presses further apart may share a frame when the viewfinder stood still.
  ///
  /// Never chosen: frames from before a change of the controls that the client has asked for, of another lens than the frame on
  /// show, lit by a flash, or exposed for a picture of their own.
  ///
  /// Any thread; one lock, and one step for each frame.
  ///
  /// - Parameter neighbours: How many more frames are wanted; there may be fewer.
  package func choose(for press: PhotoPress, neighbours: Int = 0) -> FrameChoice? {
    state.withLock { $0.choose(for: press, neighbours: neighbours) }
  }
}

extension FrameHistory.State {
  /// Nanoseconds from one frame to the next; without end while there are not two.
  private var frameInterval: Int64 {
    zip(frames.dropFirst(), frames).map { $0.age(of: $1) }.min() ?? .max
  }

  fileprivate mutating func choose(for press: PhotoPress, neighbours: Int) -> FrameChoice? {
    let isBurst = lastPress.map { press.time.nanoseconds - $0.nanoseconds < frameInterval } ?? false
    lastPress = press.time
    guard awaited == 0, let newest = frames.last else { return nil }
    let onShow = frames.last { $0.shown != nil && newest.age(of: $0) <= FrameHistory.longestShow }
    let lens = (onShow ?? newest).conditions.state.constituent
    let shownThen = frames.last { frame in frame.shown.map { $0 <= press.time } ?? false }
    let repeats = !isBurst && shownThen != nil && shownThen?.timestamp == lastTaken
    let eligible = frames.filter { frame in
      guard let lastTaken, frame.timestamp <= lastTaken else { return frame.isFit(for: press, lens: lens) }
      return repeats && frame.timestamp == lastTaken && frame.isFit(for: press, lens: lens)
    }
    let index =
      if onShow != nil {
        eligible.lastIndex { frame in frame.shown.map { $0 <= press.time } ?? false }
      } else {
        eligible.lastIndex { $0.timestamp <= press.time }
      }
    let chosen = index ?? eligible.startIndex
    guard eligible.indices.contains(chosen) else { return nil }
    lastTaken = eligible[chosen].timestamp
    return FrameChoice(
      frame: eligible[chosen],
      neighbours: neighbours == 0
        ? [] : frames.filter { $0.isFit(for: press, lens: lens) }.nearest(eligible[chosen], count: neighbours)
    )
  }
}

extension PastFrame {
  /// Nanoseconds by which `other` is older.
  fileprivate func age(of other: PastFrame) -> Int64 {
    timestamp.nanoseconds - other.timestamp.nanoseconds
  }

  fileprivate func isFit(for press: PhotoPress, lens: String?) -> Bool {
    let controls = conditions.state
    return controls.change >= press.change && controls.constituent == lens && !controls.isFlashed
      && !controls.isExposedApart
  }
}

extension [PastFrame] {
  /// The nearest in time to `frame`, oldest first, without itself.
  fileprivate func nearest(_ frame: PastFrame, count: Int) -> [PastFrame] {
    filter { $0.sequence != frame.sequence }
      .sorted { abs(frame.age(of: $0)) < abs(frame.age(of: $1)) }
      .prefix(count).sorted { $0.timestamp < $1.timestamp }
  }
}
