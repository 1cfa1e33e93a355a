internal import CaptureDevice
internal import CoreMedia
internal import Linux

/// A ledger of a device's controls: the changes that were requested, and the frames that show them.
///
/// A value under the device's lock; calls no client.
struct ControlLedger: Sendable {
  typealias Completion = @Sendable (CMTime) -> Void

  /// A setter's request to the driver.
  struct Request: Sendable {
    /// The property that the setter sets, in a sentence; `nil` for what no client has asked for.
    let property: String?
    let controls: [CameraControl]
    let completion: Completion?
  }

  /// The conditions of the last frame; `nil` until there was one.
  private(set) var conditions: FrameConditions?
  /// The state as clients see it, after the last request, frame or stop.
  private(set) var reported: ControlState
  /// The new state of the last news.
  private var announced: ControlState
  /// The number of the newest change that a driver has taken.
  private(set) var newest: UInt64 = 0
  private var wishes: [Wish] = []
  private var waits: [Wait] = []
  /// Changes that came with frames while a driver was being asked, so that none is missed before its number is known.
  private var arrivals: [Arrival]?
  /// The requests that wait for the stream of the active format, in the order of the calls.
  private var postponed: [Request] = []
  /// Whether no frames come: then nothing is on its way either.
  private var isAtRest = false
  private var newsCount: UInt64 = 0

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

  /// The changes that a frame, a setter or a stop brings about, and the completions that are due.
  struct News: Sendable {
    /// Increases with each news, so that observers, who are notified on several threads, skip outdated ones.
    let number: UInt64
    let old: ControlState
    let new: ControlState
    /// Whether it is the first frame that has brought it about.
    var isFirstFrame = false
    /// The completions to call, each with its time.
    var due: [(Completion, CMTime)] = []
  }

  /// The ledger of a driver in `state`; the numbers of its news follow those of `former`.
  init(_ state: ControlState, after former: ControlLedger? = nil) {
    reported = state
    announced = state
    newsCount = former?.newsCount ?? 0
  }

  /// `state` as clients see it: with what was asked and does not show yet.
  func shown(_ state: ControlState) -> ControlState {
    guard isAtRest || !postponed.isEmpty || wishes.contains(where: { $0.change > state.change }) else {
      return state
    }
    var shown = state
    for wish in wishes where wish.change > state.change {
      for control in wish.controls { shown.expect(control) }
    }
    for request in postponed {
      for control in request.controls { shown.expect(control) }
    }
    if isAtRest { shown.rest() }
    return shown
  }

  /// Notes what held for a frame; `nil` when that is the same as for the one before.
  mutating func take(_ conditions: FrameConditions, at timestamp: MonotonicInstant) -> News? {
    guard self.conditions !== conditions else { return nil }
    let isFirstFrame = self.conditions == nil
    self.conditions = conditions
    isAtRest = false
    let state = conditions.state
    let time = CMTime(timestamp)
    if arrivals != nil { arrivals?.append(Arrival(change: state.change, time: time)) }
    if !wishes.isEmpty { wishes.removeAll { $0.change <= state.change } }
    note(state)
    var news = news()
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

  /// The driver has refused and stands at `state`: nothing changes, and what was shown of a postponed request no longer is.
  mutating func cancel(at state: ControlState) {
    arrivals = nil
    note(state)
  }

  // MARK: Requests that wait

  /// Whether requests wait, behind which others have to.
  var hasPostponed: Bool { !postponed.isEmpty }

  /// Notes a request for the stream of the active format, which shows from now on, while the driver stands at `state`.
  mutating func postpone(_ request: Request, at state: ControlState) {
    arrivals = nil
    postponed.append(request)
    note(state)
  }

  /// Takes out the requests that wait, for the caller to ask the driver now.
  mutating func takePostponed() -> [Request] {
    defer { postponed = [] }
    return postponed
  }

  // MARK: Rest

  /// Notes that the stream has ended with the driver in `state`; `nil` when the driver did not answer.
  mutating func rest(at state: ControlState?) {
    isAtRest = true
    note(state ?? reported)
  }

  // MARK: Answers

  /// The driver has taken `controls` as its change of that number, and stands at `state` now; returns the completions that are due.
  mutating func end(
    _ change: UInt64, _ controls: [CameraControl], at state: ControlState, then completion: Completion?
  ) -> [(Completion, CMTime)] {
    let arrived = arrivals?.first { $0.change >= change }
    arrivals = nil
    newest = max(newest, change)
    wishes.removeAll { $0.change <= state.change }
    wishes.append(Wish(change: change, controls: controls))
    note(state)
    guard let completion else { return [] }
    if let arrived, waits.isEmpty { return [(completion, arrived.time)] }
    waits.append(Wait(change: change, completion: completion))
    return []
  }

  /// Notes that the driver is in `state`.
  mutating func note(_ state: ControlState) {
    reported = shown(state)
  }

  /// No frame will come for those who wait.
  mutating func endWaits() -> [Completion] {
    defer { waits = [] }
    let late = postponed.compactMap(\.completion)
    postponed = postponed.map { Request(property: $0.property, controls: $0.controls, completion: nil) }
    return waits.map(\.completion) + late
  }

  /// The changes since the last news; the caller notifies observers of them.
  mutating func news() -> News {
    newsCount += 1
    defer { announced = reported }
    return News(number: newsCount, old: announced, new: reported)
  }
}
