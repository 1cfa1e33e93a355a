internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Linux

/// A receiver that notes its events and, when asked, keeps frames and maps.
final class StreamRecorder: Sendable {
  /// A frame without its picture.
  struct Note: Sendable {
    var sequence: UInt32
    var timestamp: MonotonicInstant
    var size: FrameSize
    /// The address of its pixels; `nil` for JPEG.
    var address: UInt?
    /// When it came, on the host's clock.
    var arrival: MonotonicInstant
    var conditions: FrameConditions
  }

  /// A depth map without its distances.
  struct DepthNote: Sendable {
    var sequence: UInt32
    var timestamp: MonotonicInstant
    var size: FrameSize
    var pixelFormat: OSType
    var metresPerUnit: Float?
    /// The address of its distances.
    var address: UInt
  }

  struct Log: Sendable {
    var frames: [Note] = []
    var drops: [DroppedFrame] = []
    var order: [UInt32] = []
    var depths: [DepthNote] = []
    var depthDrops: [DroppedFrame] = []
    /// The numbers of maps, delivered or dropped, in the order of their events.
    var depthOrder: [UInt32] = []
    /// Chunks of audio, without their tokens: a manual clock may go on.
    var chunks: [CapturedAudio] = []
    var keptDepths: [CapturedDepth] = []
    var depthKeepCount = 0
    var failure: CaptureDeviceError?
    var kept: [CapturedFrame] = []
    var keepCount = 0
    var isClosed = false
    var eventsAfterClose = 0
    var concurrent = 0
    var wasConcurrent = false
  }

  private let log = Monitor(Log())
  private let reaction: @Sendable (StreamEvent) -> Void

  /// - Parameters:
  ///   - keeping: How many frames to hold on to.
  ///   - keepingDepths: How many depth maps to hold on to.
  ///   - reaction: What to do inside the receiver, without any lock held.
  init(
    keeping: Int = 0, keepingDepths: Int = 0, reaction: @escaping @Sendable (StreamEvent) -> Void = { _ in }
  ) {
    self.reaction = reaction
    log.withLock { log in
      log.keepCount = keeping
      log.depthKeepCount = keepingDepths
    }
  }

  /// The log so far.
  var now: Log { log.withLock { $0 } }

  /// The receiver.
  func receive(_ event: StreamEvent) {
    log.withLock { log in
      log.concurrent += 1
      if log.concurrent > 1 { log.wasConcurrent = true }
      if log.isClosed { log.eventsAfterClose += 1 }
      switch event {
      case .frame(let frame):
        log.order.append(frame.sequence)
        log.frames.append(Self.note(frame))
        if log.kept.count < log.keepCount {
          var frame = frame
          // The callback ends here, though the picture is kept: a manual clock may go on.
          frame.inFlight = nil
          log.kept.append(frame)
        }
      case .dropped(var drop):
        drop.inFlight = nil
        log.order.append(drop.sequence)
        log.drops.append(drop)
      case .depth(var depth):
        log.depthOrder.append(depth.sequence)
        log.depths.append(Self.note(depth))
        if log.keptDepths.count < log.depthKeepCount {
          depth.inFlight = nil
          log.keptDepths.append(depth)
        }
      case .depthDropped(var drop):
        drop.inFlight = nil
        log.depthOrder.append(drop.sequence)
        log.depthDrops.append(drop)
      case .failed(let error):
        log.failure = error
      case .audio(var audio):
        audio.inFlight = nil
        log.order.append(audio.sequence)
        log.chunks.append(audio)
      case .interrupted, .resumed:
        break
      }
    }
    reaction(event)
    log.withLock { $0.concurrent -= 1 }
  }

  /// From now on every event is one too many.
  func close() {
    log.withLock { $0.isClosed = true }
  }

  /// Lets go of the frames and maps that were kept, and keeps no more.
  func letGo() {
    var kept: [CapturedFrame] = []
    var keptDepths: [CapturedDepth] = []
    log.withLock { log in
      swap(&kept, &log.kept)
      swap(&keptDepths, &log.keptDepths)
      log.keepCount = 0
      log.depthKeepCount = 0
    }
    withExtendedLifetime((kept, keptDepths)) {}
  }

  /// Waits in real time until the log satisfies `condition`; `false` when it did not in time.
  func wait(until deadline: MonotonicInstant, _ condition: (Log) -> Bool) -> Bool {
    log.wait(until: deadline, for: condition, then: { _ in true }) ?? false
  }

  private static func note(_ depth: CapturedDepth) -> DepthNote {
    DepthNote(
      sequence: depth.sequence, timestamp: depth.timestamp,
      size: FrameSize(width: depth.map.width, height: depth.map.height), pixelFormat: depth.map.format,
      metresPerUnit: depth.metresPerUnit, address: UInt(bitPattern: depth.map.planes[0].baseAddress))
  }

  private static func note(_ frame: CapturedFrame) -> Note {
    switch frame.picture {
    case .pixels(let buffer):
      Note(
        sequence: frame.sequence, timestamp: frame.timestamp,
        size: FrameSize(width: buffer.width, height: buffer.height),
        address: UInt(bitPattern: buffer.planes[0].baseAddress), arrival: .now,
        conditions: frame.conditions)
    case .jpeg(_, let size):
      Note(
        sequence: frame.sequence, timestamp: frame.timestamp, size: size, address: nil, arrival: .now,
        conditions: frame.conditions)
    case .mosaic(let mosaic):
      Note(
        sequence: frame.sequence, timestamp: frame.timestamp, size: mosaic.size, address: nil, arrival: .now,
        conditions: frame.conditions)
    case .coded(let coded):
      Note(
        sequence: frame.sequence, timestamp: frame.timestamp, size: FrameSize(coded.format.dimensions),
        address: nil, arrival: .now, conditions: frame.conditions)
    }
  }
}

/// A number that changes when bytes do.
private struct Checksum {
  var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  mutating func add(_ buffer: CVPixelBuffer) {
    for plane in buffer.planes {
      for row in 0..<plane.height { add(plane.row(row)) }
    }
  }
}

extension CMBlockBuffer {
  /// A copy of its bytes.
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: CMBlockBufferGetDataLength(self))
    bytes.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress else { return }
      _ = CMBlockBufferCopyDataBytes(self, atOffset: 0, dataLength: target.count, destination: base)
    }
    return bytes
  }
}

extension CapturedFrame {
  /// A number that changes when the picture's bytes do.
  var checksum: UInt64 {
    var sum = Checksum()
    switch picture {
    case .pixels(let buffer): sum.add(buffer)
    case .jpeg(let block, _): sum.add(block.bytes)
    case .mosaic(let mosaic): sum.add(mosaic.data.bytes)
    case .coded(let coded): sum.add(coded.data.bytes)
    }
    return sum.value
  }
}

extension CapturedDepth {
  /// A number that changes when the map's bytes do.
  var checksum: UInt64 {
    var sum = Checksum()
    sum.add(map)
    return sum.value
  }
}

extension FrameSize {
  /// The same size, as descriptions say it.
  init(_ dimensions: CMVideoDimensions) {
    self.init(width: Int(dimensions.width), height: Int(dimensions.height))
  }
}
