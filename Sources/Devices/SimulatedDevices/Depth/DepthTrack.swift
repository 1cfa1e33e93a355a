internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Linux

/// The depth maps of one camera's stream: which exposures have one, and whether there is a buffer for it.
///
/// A map is measured with the first exposure since whose predecessor's the wanted time has passed. Thread-safe.
final class DepthTrack: Sendable {
  private struct State {
    var run: UInt64 = 0
    /// From when on the next exposure has a map; `nil` is at once.
    var due: MonotonicInstant?
    var sequence: UInt32 = 0
    var statistics = StreamStatistics()
  }

  private let configuration: DepthConfiguration
  private let world: SimulatedWorld
  private let painter: DepthPainter
  private let ring: FrameRing
  private let state = Locked(State())

  /// - Parameter frame: The size of the frames beside.
  init(
    _ configuration: DepthConfiguration, frame: FrameSize, model: SimulatedDeviceModel, world: SimulatedWorld
  ) {
    self.configuration = configuration
    self.world = world
    let format = configuration.format
    painter = DepthPainter(
      DepthPainter.Shape(frame: frame, map: format.size, pixelFormat: format.pixelFormat), model: model,
      world: world)
    ring = FrameRing(
      format: format.pixelFormat, width: format.size.width, height: format.size.height,
      capacity: configuration.bufferCount, attachments: [:])
  }

  /// What became of the maps of the newest run.
  var statistics: StreamStatistics { state.withLock { $0.statistics } }

  /// Begins a run, whose maps count from 0.
  func begin(run: UInt64) {
    state.withLock { $0 = State(run: run) }
  }

  /// The map of an exposure, or its loss where clients hold all; `nil` when none is due.
  func measure(
    at timestamp: MonotonicInstant, _ conditions: FrameConditions, run: UInt64, moment: () -> FrameMoment
  ) -> StreamEvent? {
    guard let sequence = takeDue(timestamp, run: run) else { return nil }
    guard let (map, slot) = ring.take() else { return lose(.outOfBuffers, sequence, timestamp) }
    if !world.scene.isStill {
      painter.paint(moment(), into: map)
    } else if !slot.isPainted {
      painter.paint(FrameMoment(seconds: 0, sequence: 0, gain: 1, iso: 100, isFlash: false), into: map)
      slot.isPainted = true
    }
    // Counted before the receiver hears of it, as frames are.
    state.withLock { state in
      state.statistics.captured += 1
      state.statistics.delivered += 1
    }
    return .depth(
      CapturedDepth(
        map: map, timestamp: timestamp, sequence: sequence, conditions: conditions,
        inFlight: world.clock.makeToken()))
  }

  /// The loss of the map of an exposure that the device lost; `nil` when none was due.
  func lose(at timestamp: MonotonicInstant, run: UInt64) -> StreamEvent? {
    takeDue(timestamp, run: run).map { lose(.discontinuity, $0, timestamp) }
  }

  /// The number of the map of the exposure of `timestamp`; `nil` when it has none.
  private func takeDue(_ timestamp: MonotonicInstant, run: UInt64) -> UInt32? {
    state.withLock { state in
      // What a run that has ended still measures is nobody's.
      guard state.run == run else { return nil }
      if let due = state.due, timestamp < due { return nil }
      // A microsecond's slack: a third of a second is no whole number of nanoseconds.
      state.due = timestamp.advanced(byNanoseconds: configuration.frameDuration.nanoseconds - 1_000)
      defer { state.sequence += 1 }
      return state.sequence
    }
  }

  private func lose(_ reason: DropReason, _ sequence: UInt32, _ timestamp: MonotonicInstant) -> StreamEvent {
    state.withLock { state in
      state.statistics.captured += 1
      switch reason {
      case .outOfBuffers: state.statistics.droppedOutOfBuffers += 1
      case .discontinuity: state.statistics.droppedDiscontinuity += 1
      }
    }
    return .depthDropped(
      DroppedFrame(
        sequence: sequence, timestamp: timestamp, reason: reason, inFlight: world.clock.makeToken()))
  }
}
