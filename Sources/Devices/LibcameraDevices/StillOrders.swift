internal import CaptureDevice
internal import Linux
internal import StreamParts

/// The photos that wait for a frame of a run, and the newest pictures of full size for photos of what was.
///
/// Thread-safe.
final class StillOrders: Sendable {
  /// A photo that waits.
  struct Order: Sendable {
    var request: StillRequest
    /// When it was asked for: frames of before are not its.
    var since: MonotonicInstant
    var completion: WaitingStills.Completion
  }

  /// So many pictures of the past are kept.
  static let pastCount = 3

  private struct State {
    var orders: [Order] = []
    /// Oldest first.
    var past: [CapturedFrame] = []
  }

  private let state = Locked(State())

  func add(_ order: Order) { state.withLock { $0.orders.append(order) } }

  /// Whether one of them wants the sensor's numbers.
  var wantMosaic: Bool { state.withLock { $0.orders.contains { $0.request.wantsMosaic } } }

  /// Answers all of them.
  func refuse(_ error: CaptureDeviceError) {
    for order in take(where: { _ in true }) { order.completion(.failure(error)) }
  }

  /// Takes those that an exposure at `time` can answer.
  ///
  /// - Parameter hasMosaic: Whether the sensor's numbers came with it.
  func take(at time: MonotonicInstant, hasMosaic: Bool) -> [Order] {
    take { $0.since <= time && (hasMosaic || !$0.request.wantsMosaic) }
  }

  private func take(where condition: (Order) -> Bool) -> [Order] {
    state.withLock { state in
      defer { state.orders.removeAll(where: condition) }
      return state.orders.filter(condition)
    }
  }

  // MARK: Past

  /// Keeps a picture of full size.
  func keep(_ frame: CapturedFrame) {
    let former = state.withLock { state -> CapturedFrame? in
      state.past.append(frame)
      return state.past.count > Self.pastCount ? state.past.removeFirst() : nil
    }
    withExtendedLifetime(former) {}
  }

  /// Lets go of the oldest picture, and with it of its buffer; false when there is none.
  func forgetOldest() -> Bool {
    let former = state.withLock { $0.past.isEmpty ? nil : $0.past.removeFirst() }
    return former != nil
  }

  /// Lets go of all pictures.
  func forgetAll() {
    let former = state.withLock { state in
      defer { state.past = [] }
      return state.past
    }
    withExtendedLifetime(former) {}
  }

  /// The picture of a past frame of the stream; `nil` for one that is not kept.
  func past(_ sequence: UInt32) -> CapturedFrame? {
    state.withLock { $0.past.last { $0.sequence == sequence } }
  }
}
