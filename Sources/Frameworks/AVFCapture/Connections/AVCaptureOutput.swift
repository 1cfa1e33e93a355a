public import AVFCore
internal import CaptureDevice
package import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// Where a session's media goes; the base of all outputs.
///
/// Made through its subclasses only. Thread-safe.
///
/// Apple: `AVCaptureOutput`.
open class AVCaptureOutput: NSObject, @unchecked Sendable {  // Safe because its state is behind a lock.
  /// The output's number in graphs and plans.
  package let id = NodeID()

  private struct Ties {
    weak var session: AVCaptureSession?
    var connections: [AVCaptureConnection] = []
  }

  private let ties = Locked(Ties())

  /// An output that takes what its subclass says in ``requirements``.
  package init(number: Void = ()) {
    super.init()
  }

  // MARK: Connections

  /// The connections that bring media here, in the order in which they were made.
  ///
  /// Apple: `AVCaptureOutput.connections`.
  open var connections: [AVCaptureConnection] {
    ties.withLock { $0.connections }
  }

  /// The first connection with a port of `mediaType`, or `nil` when there is none.
  ///
  /// Apple: `AVCaptureOutput.connection(with:)`.
  open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    connections.first { connection in connection.inputPorts.contains { $0.mediaType == mediaType } }
  }

  /// The session that the output is in, or `nil`.
  package var session: AVCaptureSession? {
    ties.withLock { $0.session }
  }

  // MARK: What the session asks and tells; subclasses override

  /// What the output asks for now.
  ///
  /// Called from any thread; must not call the session.
  package var requirements: OutputRequirements {
    OutputRequirements(role: .photo(maximumSize: nil), media: [])
  }

  /// Tells the session that ``requirements`` changed: it plans anew, and restarts only what must.
  ///
  /// Blocks as a commit does, unless the session is between begin and commit.
  package func requirementsDidChange() {
    session?.somethingChanged()
  }

  /// The size of the largest picture that the output delivers; `nil` for outputs whose pictures follow the stream.
  package var largestPicture: CMVideoDimensions? { nil }

  /// Told when a connection was added or removed.
  package func connectionsDidChange() {}

  /// Told when the session has planned anew, whether or not it runs; may be called under the session's lock on planning.
  package func planDidChange() {}

  /// Told when the session began to run, stopped, was interrupted or resumed; its properties say so already.
  package func sessionDidChange() {}

  /// Prepares for a route, before its first sample; it takes the place of the connection's former route.
  ///
  /// Must only note it.
  package func attach(_ route: MediaRoute) {}

  /// Takes one sample, on the device's reader thread: must only enqueue.
  package func receive(_ sample: MediaSample, over route: MediaRoute) {}

  /// Whatever is under way cannot be finished by the devices any more: end it with `error`.
  ///
  /// Comes when the session stops (`sessionNotRunning`), fails (its error), is interrupted (`sessionWasInterrupted`), or
  /// takes the output's device away (`sessionConfigurationChanged`). Frames that have arrived may still be finished.
  package func endCaptures(with error: AVError) {}

  // MARK: Ties, which the session makes

  /// Gives the output to `session`, or takes it away with `nil`.
  ///
  /// - Returns: The other session that has it, and keeps it. The caller lets it go under no lock.
  func join(_ session: AVCaptureSession?) -> AVCaptureSession? {
    let (present, isJoined) = ties.withLock { ties -> (AVCaptureSession?, Bool) in
      guard let session else {
        ties.session = nil
        return (nil, true)
      }
      let present = ties.session
      if let present, present !== session { return (present, false) }
      ties.session = session
      return (present, true)
    }
    return isJoined ? nil : present
  }

  /// Notes a new connection.
  package func add(_ connection: AVCaptureConnection) {
    ties.withLock { $0.connections.append(connection) }
    connectionsDidChange()
  }

  /// Forgets a connection.
  package func remove(_ connection: AVCaptureConnection) {
    ties.withLock { $0.connections.removeAll { $0 === connection } }
    connectionsDidChange()
  }
}
