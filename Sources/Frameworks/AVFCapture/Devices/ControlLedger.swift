internal import CaptureDevice
internal import CoreMedia
internal import Linux

/// What was asked of a device's controls and which frames show it.
///
/// A value under the device's lock; calls no client.
struct ControlLedger: Sendable {
  typealias Completion = @Sendable (CMTime) -> Void

  /// What the last frame reported; `nil` until there was one.
  private(set) var conditions: FrameConditions?
  /// What observers were notified of last.
  private(set) var reported: ControlState
  /// The number of the newest change that a driver has taken.
  private(set) var newest: UInt64 = 0
  private var wishes: [Wish] = []
  private var waits: [Wait] = []
  /// Changes that came with frames while a driver was being asked, so that none is missed before its number is known.
  private var arrivals: [Arrival]?

  private struct Wish {
    let change: UInt64
    let controls: [CameraControl]
  }

  private struct Wait {
    let change: UInt64
    let completion: Completion
  }

  private struct Arrival {
    let change: UInt64
    let time: CMTime
  }

  /// What a frame or a setter brings about.
  struct News: Sendable {
    let old: ControlState
    let new: ControlState
    /// Whether it is the first frame that has brought it about.
    var isFirstFrame = false
    /// What is to be called, and with which time.
    var due: [(Completion, CMTime)] = []
  }

  init(_ state: ControlState) {
    reported = state
  }

  /// `state` as clients see it: with what was asked and does not show yet.
  func shown(_ state: ControlState) -> ControlState {
    guard wishes.contains(where: { $0.change > state.change }) else { return state }
    var shown = state
    for wish in wishes where wish.change > state.change {
      for control in wish.controls { shown.expect(control) }
    }
    return shown
  }

  /// Notes what held for a frame; `nil` when that is the same as for the one before.
  mutating func take(_ conditions: FrameConditions, at timestamp: MonotonicInstant) -> News? {
    guard self.conditions !== conditions else { return nil }
    let isFirstFrame = self.conditions == nil
    self.conditions = conditions
    let state = conditions.state
    let time = CMTime(timestamp)
    if arrivals != nil { arrivals?.append(Arrival(change: state.change, time: time)) }
    if !wishes.isEmpty { wishes.removeAll { $0.change <= state.change } }
    var news = notify(state)
    news.isFirstFrame = isFirstFrame
    while let first = waits.first, first.change <= state.change {
      news.due.append((waits.removeFirst().completion, time))
    }
    return news
  }

  /// A driver is about to be asked for a change.
  mutating func begin() {
    arrivals = []
  }

  /// The driver has refused: nothing changes.
  mutating func cancel() {
    arrivals = nil
  }

  /// The driver has taken `controls` as its change of that number, and stands at `state` now.
  mutating func end(
    _ change: UInt64, _ controls: [CameraControl], at state: ControlState, then completion: Completion?
  ) -> News {
    let arrived = arrivals?.first { $0.change >= change }
    arrivals = nil
    newest = max(newest, change)
    wishes.removeAll { $0.change <= state.change }
    wishes.append(Wish(change: change, controls: controls))
    var news = notify(state)
    if let completion {
      if let arrived, waits.isEmpty {
        news.due.append((completion, arrived.time))
      } else {
        waits.append(Wait(change: change, completion: completion))
      }
    }
    return news
  }

  /// No frame will come for those who wait.
  mutating func endWaits() -> [Completion] {
    defer { waits = [] }
    return waits.map(\.completion)
  }

  private mutating func notify(_ state: ControlState) -> News {
    let new = shown(state)
    defer { reported = new }
    return News(old: reported, new: new)
  }
}
