internal import Linux

/// A node that has been opened and set to a format: whose it is, its buffers, and what is in them.
struct OpenNode: Sendable {
  let device: DeviceName
  let ring: BufferRing
  let wrapping: FrameWrapping
}

/// One node in one run of a stream: a camera's pictures, or the distances of its depth sensor.
final class StreamNode: Sendable {
  /// The content of a node's buffers.
  enum Content: Sendable, Hashable {
    case pictures
    /// Distances; how many metres a unit stands for.
    case depth(metresPerUnit: Float)

    /// One of them in a sentence.
    var one: String { self == .pictures ? "picture" : "depth map" }
  }

  let device: DeviceName
  let ring: BufferRing
  let wrapping: FrameWrapping
  let content: Content
  /// The duration of a frame, as the driver granted it.
  let frameNanoseconds: Int64
  /// The counters since the start.
  let diagnosis = Locked(StreamDiagnosis())

  init(_ node: OpenNode, _ content: Content, frameNanoseconds: Int64) {
    device = node.device
    ring = node.ring
    wrapping = node.wrapping
    self.content = content
    self.frameNanoseconds = frameNanoseconds
  }
}
