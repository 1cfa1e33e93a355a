package import AVFCore
package import CaptureDevice

/// Where a connection's media ends: an output, or what a preview layer draws from.
///
/// What the session asks and tells; outputs say in their own words what each means. Thread-safe.
package protocol FrameSink: AnyObject, Sendable {
  /// The sink's number in graphs and plans.
  var id: NodeID { get }
  /// What the sink asks for now.
  var requirements: OutputRequirements { get }
  /// The connections that bring media here, in the order in which they were made.
  var connections: [AVCaptureConnection] { get }

  /// Notes a new connection.
  func add(_ connection: AVCaptureConnection)
  /// Forgets a connection.
  func remove(_ connection: AVCaptureConnection)
  /// Told, before ``prepare(for:connection:)``, where to note which frames clients were shown; `nil` when nobody asks.
  func noteShownFrames(in history: FrameHistory?)
  /// Told, before ``prepare(for:connection:)``, where to share decoded frames with other sinks of the stream.
  func shareDecodedFrames(_ opened: DecodedFrames)
  /// Told before the first frame that comes through `connection` under `plan`.
  func prepare(for plan: ConnectionPlan, connection: AVCaptureConnection)
  /// Takes one frame, on the device's reader thread: must only enqueue.
  func receive(_ frame: CapturedFrame, through connection: AVCaptureConnection, plan: ConnectionPlan)
  /// Takes one frame, as ``receive(_:through:plan:)`` does, without a copy of the plan.
  func receive(_ frame: CapturedFrame, over route: FrameRoute)
  /// Takes one chunk of audio, on the device's reader thread: must only enqueue.
  func receive(_ audio: CapturedAudio, through connection: AVCaptureConnection, plan: ConnectionPlan)
  /// Takes one depth map, on the device's reader thread: must only enqueue.
  func receive(_ depth: CapturedDepth, through connection: AVCaptureConnection, plan: ConnectionPlan)
  /// Told of a map that the device counted and lost, on the device's reader thread: must only enqueue.
  func receive(lostDepth drop: DroppedFrame, through connection: AVCaptureConnection, plan: ConnectionPlan)
  /// Told of a frame that the device counted and lost, on the device's reader thread: must only enqueue.
  func receive(_ drop: DroppedFrame, through connection: AVCaptureConnection, plan: ConnectionPlan)
  /// Whatever is under way cannot be finished by the devices any more: end it with `error`.
  func endCaptures(with error: AVError)
  /// The session runs, and no frame comes here: no connection is left, or all are switched off.
  func rest()
}

extension FrameSink {
  /// Most sinks want the plan.
  package func receive(_ frame: CapturedFrame, over route: FrameRoute) {
    receive(frame, through: route.connection, plan: route.plan)
  }

  /// Most sinks take no audio.
  package func receive(_ audio: CapturedAudio, through connection: AVCaptureConnection, plan: ConnectionPlan)
  {}

  /// Most sinks take no depth.
  package func receive(_ depth: CapturedDepth, through connection: AVCaptureConnection, plan: ConnectionPlan)
  {
  }

  /// Most sinks take no depth.
  package func receive(
    lostDepth drop: DroppedFrame, through connection: AVCaptureConnection, plan: ConnectionPlan
  ) {}

  /// Whether a connection brings media of `type` here already.
  func hasConnection(with type: AVMediaType) -> Bool {
    connections.contains { connection in connection.inputPorts.contains { $0.mediaType == type } }
  }
}

extension AVCaptureOutput: FrameSink {
  /// Nothing to do: an output waits for frames as long as it has a connection.
  package func rest() {}
}
