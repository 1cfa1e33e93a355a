package import AVFCore
internal import CaptureDevice

/// The sink of a connection's media: an output, or the frames of a preview layer.
///
/// Media comes over a ``MediaRoute``: the sink is attached to it, receives its samples, and the route ends. Thread-safe.
package protocol MediaSink: AnyObject, Sendable {
  /// The sink's number in graphs and plans.
  var id: NodeID { get }
  /// The requirements of the sink now.
  var requirements: OutputRequirements { get }
  /// The connections that bring media here, in the order in which they were made.
  var connections: [AVCaptureConnection] { get }

  /// Whether the session connects the sink to inputs that are added.
  var connectsByItself: Bool { get }

  /// Whether a session that is started starts the sink later, see ``AVCaptureOutput/isDeferredStartEnabled``.
  var isDeferredStartEnabled: Bool { get }

  /// Notes a new connection.
  func add(_ connection: AVCaptureConnection)
  /// Forgets a connection.
  func remove(_ connection: AVCaptureConnection)

  /// Prepares for a route, before its first sample; it takes the place of the connection's former route.
  func attach(_ route: MediaRoute)
  /// Takes one sample, on the device's reader thread: must only enqueue.
  func receive(_ sample: MediaSample, over route: MediaRoute)
  /// Ends with `error` whatever is under way, for the devices cannot finish it any more.
  func endCaptures(with error: AVError)
  /// The session runs, and no media comes here: no connection is left, or all are switched off.
  func rest()
}

extension MediaSink {
  /// Whether a connection brings media of `type` here already.
  func hasConnection(with type: AVMediaType) -> Bool {
    connections.contains { connection in connection.inputPorts.contains { $0.mediaType == type } }
  }
}

extension AVCaptureOutput: MediaSink {
  package var connectsByItself: Bool { true }

  /// Nothing to do: an output waits for media as long as it has a connection.
  package func rest() {}
}
