internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Linux

/// Makes the depth maps of one camera's stream in the buffers of a ring.
final class DepthMaker: Sendable {
  let frameDuration: FrameDuration
  let world: SimulatedWorld
  private let painter: DepthPainter
  private let ring: FrameRing

  init(_ configuration: StreamConfiguration, _ depth: DepthConfiguration, _ camera: CameraParts) {
    world = camera.world
    frameDuration = depth.frameDuration
    let format = depth.format
    painter = DepthPainter(
      DepthPainter.Shape(frame: configuration.size, map: format.size, pixelFormat: format.pixelFormat),
      model: camera.model, world: world)
    ring = FrameRing(
      format: format.pixelFormat, width: format.size.width, height: format.size.height,
      capacity: depth.bufferCount, attachments: [:])
  }

  /// The map of a moment; `nil` where clients hold all buffers.
  fileprivate func map(_ moment: () -> FrameMoment) -> CVPixelBuffer? {
    guard let slot = ring.take() else { return nil }
    if !world.scene.isStill {
      painter.paint(moment(), into: slot.pixels)
    } else if !slot.isPainted {
      painter.paint(.still, into: slot.pixels)
      slot.isPainted = true
    }
    return ring.picture(in: slot)
  }
}

/// The depth maps of one run: which exposures have one, and what became of them.
///
/// A map is measured with the first exposure that begins when the wanted time has passed since the map before.
final class DepthTrack: @unchecked Sendable {  // Safe because the ticks of a run follow each other.
  private let maker: DepthMaker
  /// From when on the next exposure has a map; `nil` is at once.
  private var due: MonotonicInstant?
  private var sequence: UInt32 = 0
  private let counts = Locked(StreamStatistics())

  init(_ maker: DepthMaker) {
    self.maker = maker
  }

  /// The counts of maps.
  var statistics: StreamStatistics { counts.withLock { $0 } }

  /// The map of an exposure, or its loss where clients hold all; `nil` when none is due.
  func measure(_ exposure: Exposure, _ moment: () -> FrameMoment) -> StreamEvent? {
    guard let sequence = takeDue(exposure.timestamp) else { return nil }
    guard let map = maker.map({ moment().stabilized(exposure.stabilization) }) else {
      return lose(.outOfBuffers, sequence, exposure.timestamp)
    }
    // Counted before the receiver is called, as frames are.
    counts.withLock { $0.countDelivered() }
    return .depth(
      CapturedDepth(
        map: map, timestamp: exposure.timestamp, sequence: sequence, conditions: exposure.conditions,
        inFlight: maker.world.clock.makeToken()))
  }

  /// The loss of the map of an exposure that the device lost; `nil` when none was due.
  func lose(at timestamp: MonotonicInstant) -> StreamEvent? {
    takeDue(timestamp).map { lose(.discontinuity, $0, timestamp) }
  }

  /// The number of the map of the exposure of `timestamp`; `nil` when it has none.
  private func takeDue(_ timestamp: MonotonicInstant) -> UInt32? {
    if let due, timestamp < due { return nil }
    // A microsecond's slack: a third of a second is no whole number of nanoseconds.
    due = timestamp.advanced(byNanoseconds: maker.frameDuration.nanoseconds - 1_000)
    defer { sequence += 1 }
    return sequence
  }

  private func lose(_ reason: DropReason, _ sequence: UInt32, _ timestamp: MonotonicInstant) -> StreamEvent {
    counts.withLock { $0.countDropped(reason) }
    return .depthDropped(
      DroppedFrame(
        sequence: sequence, timestamp: timestamp, reason: reason, inFlight: maker.world.clock.makeToken()))
  }
}
