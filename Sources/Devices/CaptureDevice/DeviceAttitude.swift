internal import Dispatch
internal import Foundation
internal import Linux

/// The direction of gravity in the machine's own axes: x to the right of its screen, y to its top, z out of it to the user.
///
/// Only the direction counts. An upright machine has (0, −1, 0); one that lies on its back has (0, 0, −1).
public struct GravityVector: Sendable, Hashable {
  /// To the right of the screen.
  public var x: Double
  /// To its top.
  public var y: Double
  /// Out of it.
  public var z: Double

  /// A direction.
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }
}

/// The machine that carries cameras, as far as how it is held goes: upright, on a side, or upside down.
///
/// It follows an accelerometer while it is observed, or what a program sets. Between two quarter turns it stays
/// with the one that it was in until it is tilted well into the other, and a machine that lies flat stays as it was before.
/// Thread-safe.
public final class DeviceAttitude: Sendable {
  private struct State {
    var turn: Int
    var observers: [Int: @Sendable (Int) -> Void] = [:]
    var nextObserver = 0
    var timer: (any DispatchSourceTimer)?
  }

  private let state: Locked<State>
  private let measure: (@Sendable () -> GravityVector?)?
  private let queue = DispatchQueue(label: "obscura.attitude")

  /// The tilt from its present turn from which it counts as turned, in degrees; 45 would flutter at the border.
  private static let tiltToTurn = 60.0
  /// The share of gravity that must lie in the screen's plane; below, the machine lies flat, and no side of it is up.
  private static let uprightShare = 0.5
  /// The interval of reading an accelerometer while the machine is observed, in seconds.
  private static let interval = 0.2

  /// A machine that is held so until another attitude is set or measured.
  ///
  /// - Parameters:
  ///   - turn: Degrees clockwise from upright: 0, 90, 180, or 270.
  ///   - measure: Asks an accelerometer, on a queue of its own or the caller's; `nil` when it does not answer.
  public init(turn: Int = 0, measure: (@Sendable () -> GravityVector?)? = nil) {
    state = Locked(State(turn: turn))
    self.measure = measure
  }

  deinit {
    state.withLock { $0.timer }?.cancel()
  }

  /// Degrees clockwise, as seen from before the screen, by which the machine is turned from upright: 0, 90, 180, or
  /// 270.
  ///
  /// Asks the accelerometer, if there is one and no observer.
  public var turn: Int {
    let isFollowed = state.withLock { $0.timer != nil }
    if !isFollowed, let gravity = measure?() { feel(gravity) }
    return state.withLock { $0.turn }
  }

  // MARK: Setting

  /// Holds the machine turned by `degrees` clockwise from upright; other than quarter turns count as the nearest.
  public func hold(turnedBy degrees: Int) {
    let quarters = Int((Double(degrees) / 90).rounded())
    turn(to: ((quarters % 4) + 4) % 4 * 90)
  }

  /// Takes what an accelerometer measured.
  public func feel(_ gravity: GravityVector) {
    let whole = (gravity.x * gravity.x + gravity.y * gravity.y + gravity.z * gravity.z).squareRoot()
    guard whole > 0, hypot(gravity.x, gravity.y) >= Self.uprightShare * whole else { return }
    let angle = atan2(gravity.x, -gravity.y) * 180 / .pi
    let present = state.withLock { $0.turn }
    let tilt = abs((angle - Double(present)).remainder(dividingBy: 360))
    if tilt > Self.tiltToTurn { hold(turnedBy: Int(angle.rounded())) }
  }

  private func turn(to turn: Int) {
    let observers = state.withLock { state in
      guard state.turn != turn else { return [] as [@Sendable (Int) -> Void] }
      state.turn = turn
      return Array(state.observers.values)
    }
    for observer in observers { observer(turn) }
  }

  // MARK: Observing

  /// Calls `observer` with the new turn after each change, on any thread, as long as the result is kept.
  public func observe(_ observer: @escaping @Sendable (Int) -> Void) -> any AnyObject & Sendable {
    let number = state.withLock { state in
      defer { state.nextObserver += 1 }
      state.observers[state.nextObserver] = observer
      return state.nextObserver
    }
    follow()
    return Observation { [weak self] in self?.forget(number) }
  }

  private func forget(_ number: Int) {
    // The observer goes after the lock is left: with it may go what a client captured.
    let (timer, observer) = state.withLock { state -> ((any DispatchSourceTimer)?, Any?) in
      let observer = state.observers.removeValue(forKey: number)
      guard state.observers.isEmpty else { return (nil, observer) }
      defer { state.timer = nil }
      return (state.timer, observer)
    }
    timer?.cancel()
    withExtendedLifetime(observer) {}
  }

  /// Begins to ask the accelerometer, if there is one.
  private func follow() {
    guard let measure else { return }
    if let gravity = measure() { feel(gravity) }
    state.withLock { state in
      guard state.timer == nil, !state.observers.isEmpty else { return }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(50))
      timer.setEventHandler { [weak self] in
        if let gravity = measure() { self?.feel(gravity) }
      }
      timer.resume()
      state.timer = timer
    }
  }

  private final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit { end() }
  }
}
