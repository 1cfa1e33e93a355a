internal import CaptureDevice
internal import Linux
internal import StreamParts

/// The depth node's part of a run's reader thread: it delivers the maps in its buffers.
struct DepthReader {
  private let run: StreamingNodes
  private let wrapping: FrameWrapping
  private let metresPerUnit: Float
  private var check = MotionJPEGCheck()
  var node: NodeReader

  /// For the depth of a run; `nil` when it has none.
  init?(_ run: StreamingNodes) {
    guard let depth = run.depth, case .depth(let metresPerUnit) = depth.content else { return nil }
    self.run = run
    self.metresPerUnit = metresPerUnit
    wrapping = depth.wrapping
    node = NodeReader(depth, of: run)
  }

  /// Hands over the map in a buffer, in the driver's own memory.
  mutating func handle(_ buffer: FilledBuffer) {
    let (sequence, time) = node.count(buffer)
    let ring = node.ring
    let memory = ring.memory(buffer.index)
    guard !buffer.isBroken, wrapping.isWhole(memory.bytes, used: buffer.usedBytes, &check) else {
      ring.giveBack(buffer.index)
      return node.drop(sequence, time, .discontinuity)
    }
    // This buffer counts as out already.
    guard ring.filledCount <= ring.limit else {
      ring.giveBack(buffer.index)
      return node.drop(sequence, time, .outOfBuffers)
    }
    guard let map = node.picture(in: memory, buffer.index) else {
      ring.giveBack(buffer.index)
      return node.drop(sequence, time, .discontinuity)
    }
    node.deliver(
      .depth(
        CapturedDepth(
          map: map, metresPerUnit: metresPerUnit, timestamp: time, sequence: sequence,
          conditions: run.history.conditions(at: time))))
  }
}
