public import AVFCore
internal import CaptureDevice
package import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// The base of a session's outputs, which take media from it.
///
/// Made through its subclasses only. Thread-safe.
///
/// Apple: `AVCaptureOutput`.
open class AVCaptureOutput: NSObject, @unchecked Sendable {  // Safe because its state is behind a lock.
  /// The output's number in graphs and plans.
  package let id: NodeID

  private let knownConnections = Locked<[AVCaptureConnection]>([])
  /// Whether its start is to be deferred; `nil` while no client has said.
  let defersStart = Locked<Bool?>(nil)
  /// Which session has it; the session makes and ends the membership.
  let membership: Membership

  /// An output that takes what its subclass says in ``requirements``.
  package init(number: Void = ()) {
    id = NodeID()
    membership = Membership()
    super.init()
  }

  /// An output through which a session reaches `other`, of which it knows nothing: both have one number, and are in one session.
  init(leadingTo other: AVCaptureOutput) {
    id = other.id
    membership = other.membership
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

  /// The plan for the media of `connection` as things stand, whether the session runs or not; `nil` when there is none.
  func plan(of connection: AVCaptureConnection) -> ConnectionPlan? {
    membership.owner?.presentPlan?.connections[connection.id]
  }

  // MARK: What the session asks and reports; subclasses override

  /// The requirements of the output now.
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

  /// Whether a session that is started starts the output later unless a client says otherwise; subclasses override.
  package var defersStartByItself: Bool { false }

  // MARK: Deferred start

  /// Whether a session can start the output after it has begun to run.
  ///
  /// `true` for all but ``AVCaptureDepthDataOutput``: a camera measures depth from its first frame, or is opened anew for it.
  ///
  /// Apple: `AVCaptureOutput.isDeferredStartSupported`.
  open var isDeferredStartSupported: Bool { true }

  /// Whether the session starts the output after the others, so that their first frames come sooner; `true` at first for
  /// ``AVCapturePhotoOutput`` and ``AVCaptureFileOutput``, `false` for all others.
  ///
  /// Deferred are the microphone of a file output or an audio data output, the camera's buffers for movies and for zero shutter lag,
  /// rehearsals of prepared photos, and delivery to the delegate, until ``AVCaptureSession/automaticallyRunsDeferredStart`` or a
  /// client runs the deferred start. Nothing is deferred where all connected outputs and preview layers have the same value. A photo
  /// or recording that is asked for before makes the session run it at once, and is not lost.
  ///
  /// Set it before `commitConfiguration()`: what has been started is not taken back. `true` where
  /// ``isDeferredStartSupported`` is `false` is a programming mistake without effect.
  ///
  /// - Note: Unlike AVFoundation, several photos before the deferred start need no `isResponsiveCaptureEnabled`: they wait their
  ///   turn, as at any time.
  ///
  /// Apple: `AVCaptureOutput.isDeferredStartEnabled`.
  open var isDeferredStartEnabled: Bool {
    get { defersStart.withLock { $0 } ?? (defersStartByItself && isDeferredStartSupported) }
    set {
      guard !newValue || isDeferredStartSupported else {
        return ProgrammingMistake.report(
          rule: "isDeferredStartEnabled cannot be true here; ask isDeferredStartSupported first.")
      }
      let isChanged = isDeferredStartEnabled != newValue
      defersStart.withLock { $0 = newValue }
      if isChanged { requirementsDidChange() }
    }
  }

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
