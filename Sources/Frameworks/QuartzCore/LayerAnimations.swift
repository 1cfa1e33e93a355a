internal import Dispatch
internal import Foundation
internal import FoundationExtras

/// The animations of a layer, in the order in which they were added.
///
/// Thread-bound as the layer.
final class LayerAnimations {
  private struct Running {
    let key: String
    let animation: CAAnimation
    let course: AnimationCourse
    var isReported = false
  }

  /// Whether the layer has the values that are shown in place of its own for a moment.
  private(set) var isApplied = false
  /// The time of the movie that the layer is shown in, in seconds: then animations neither end nor move by the host's clock.
  private var movieTime: CFTimeInterval?
  private var running: [Running] = []
  private var count = 0
  private var timer: (any DispatchSourceTimer)?

  deinit {
    timer?.cancel()
  }

  private var now: CFTimeInterval { movieTime ?? LayerTime.now }

  var isEmpty: Bool { running.isEmpty }
  var keys: [String] { running.map(\.key) }

  func animation(_ key: String) -> CAAnimation? { running.first { $0.key == key }?.animation }

  func add(_ animation: CAAnimation, _ key: String?, to layer: CALayer) {
    guard let copy = animation.copy() as? CAAnimation else { return }
    if copy.duration <= 0 { copy.duration = CATransaction.animationDuration() }
    if let key { remove(key) }
    count += 1
    let begin = copy.beginTime > 0 ? copy.beginTime : now
    // What has no name cannot be removed by it.
    running.append(
      Running(
        key: key ?? "\u{0}\(count)", animation: copy, course: AnimationCourse(copy, begin: begin)))
    copy.delegate?.animationDidStart(copy)
    layer.noteChange()
    follow(layer)
  }

  func remove(_ key: String) { stop(running.filter { $0.key == key }) }

  func removeAll() { stop(running) }

  private func stop(_ stopped: [Running]) {
    running.removeAll { one in stopped.contains { $0.animation === one.animation } }
    for one in stopped where !one.isReported {
      one.animation.delegate?.animationDidStop(one.animation, finished: false)
    }
  }

  /// Forgets the animations that have ended, and notifies their delegates.
  func settle() {
    guard movieTime == nil else { return }
    let now = now
    let ended = running.filter { $0.course.end <= now && !$0.isReported }
    running = running.compactMap { one in
      guard one.course.end <= now else { return one }
      var kept = one
      kept.isReported = true
      return one.animation.isRemovedOnCompletion ? nil : kept
    }
    for one in ended { one.animation.delegate?.animationDidStop(one.animation, finished: true) }
  }

  /// Runs `body` while the layer has the values that are shown.
  func showing<Result>(_ layer: CALayer, _ body: () throws -> Result) rethrows -> Result {
    guard !running.isEmpty, !isApplied else { return try body() }
    let own = ShownValues(layer)
    var shown = own
    let now = now
    for one in running {
      guard let (progress, elapsed) = one.course.shown(at: now) else { continue }
      one.animation.apply(progress, elapsed: elapsed, to: &shown)
    }
    isApplied = true
    shown.put(into: layer)
    defer {
      own.put(into: layer)
      isApplied = false
    }
    return try body()
  }

  /// Has the layer drawn anew, and looks for what has ended, until nothing moves any more.
  private func follow(_ layer: CALayer) {
    guard timer == nil, movieTime == nil else { return }
    let reference = Reference(layer)
    let timer = DispatchSource.makeTimerSource(queue: .main)
    timer.setEventHandler {
      guard let layer = reference.layer else { return }
      layer.animations.tick(layer)
    }
    timer.schedule(deadline: .now() + 1.0 / 60, repeating: 1.0 / 60)
    timer.resume()
    self.timer = timer
  }

  /// From now on the layer is shown at times of a movie, and at this one first.
  func joinMovie(at time: CFTimeInterval) {
    movieTime = time
    timer?.cancel()
    timer = nil
  }

  private func tick(_ layer: CALayer) {
    settle()
    layer.noteChange()
    guard !running.contains(where: { !$0.isReported }) else { return }
    timer?.cancel()
    timer = nil
  }

  private final class Reference: @unchecked Sendable {  // Safe because it is followed on the main thread.
    weak let layer: CALayer?

    init(_ layer: CALayer) {
      self.layer = layer
    }
  }
}
