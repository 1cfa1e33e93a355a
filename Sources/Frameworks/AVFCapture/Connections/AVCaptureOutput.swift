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

  private let knownConnections = Locked<[AVCaptureConnection]>([])
  /// Which session has it; the session makes and ends the membership.
  let membership = Membership()

  /// An output that takes what its subclass says in ``requirements``.
  package init(number: Void = ()) {
    super.init()
  }

  // MARK: Connections

  /// The connections that bring media here, in the order in which they were made.
  ///
  /// Apple: `AVCaptureOutput.connections`.
  open var connections: [AVCaptureConnection] {
    knownConnections.withLock { $0 }
  }

  /// The first connection with a port of `mediaType`, or `nil` when there is none.
  ///
  /// Apple: `AVCaptureOutput.connection(with:)`.
  open func connection(with mediaType: AVMediaType) -> AVCaptureConnection? {
    connections.first { connection in connection.inputPorts.contains { $0.mediaType == mediaType } }
  }

  /// What happens to the media of `connection` as things stand, whether the session runs or not; `nil` without a plan for it.
  func plan(of connection: AVCaptureConnection) -> ConnectionPlan? {
    membership.owner?.presentPlan?.connections[connection.id]
  }

  // MARK: What the session asks and reports; subclasses override

  /// What the output asks for now.
  ///
  /// Called from any thread; must not call the session.
  package var requirements: OutputRequirements {
    OutputRequirements(role: .photo, media: [])
  }

  /// Reports to the session that ``requirements`` changed: it plans anew, and restarts only what must.
  ///
  /// Blocks as a commit does, unless the session is between begin and commit.
  package func requirementsDidChange() {
    membership.owner?.somethingChanged()
  }

  /// The size of the largest picture that the output delivers; `nil` for outputs whose pictures follow the stream.
  package var largestPicture: CMVideoDimensions? { nil }

  /// Called when a connection was added or removed.
  package func connectionsDidChange() {}

  /// Called when the session has planned anew, whether or not it runs; may be called under the session's lock on planning.
  package func planDidChange() {}

  /// Called when the session began to run, stopped, was interrupted or resumed; its properties say so already.
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

  // MARK: Connections, which the session makes

  /// Notes a new connection.
  package func add(_ connection: AVCaptureConnection) {
    knownConnections.withLock { $0.append(connection) }
    connectionsDidChange()
  }

  /// Forgets a connection.
  package func remove(_ connection: AVCaptureConnection) {
    knownConnections.withLock { $0.removeAll { $0 === connection } }
    connectionsDidChange()
  }
}
