internal import AVFCore
internal import CaptureDevice
public import CoreMedia
package import Dispatch
public import Foundation
public import FoundationExtras
internal import Linux

/// Brings media from inputs to outputs.
///
/// Configure it with inputs, outputs, and a preset, then start it. Between ``beginConfiguration()`` and
/// ``commitConfiguration()`` calls gather, and the commit carries them out together; outside, each call is carried out by
/// itself. A commit while the session runs disturbs only what it changes. Every method may be called from any thread, also
/// from inside every callback.
///
/// A session that nothing keeps any more closes its devices, and ends what is captured as ``stopRunning()`` does: recordings are whole
/// movies, whose delegates get `AVError.sessionNotRunning`, and photos end with an error.
///
/// Observable: `isRunning`, `isInterrupted`. Its life is the table of `Documentation/States.md`.
///
/// Apple: `AVCaptureSession`.
open class AVCaptureSession: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: locked state.
  /// Who observes the session's properties.
  public let observerTable = ObserverTable()

  struct Core {
    var runner = SessionRunner()
    var edits = SessionEdits()
    var feeds = SessionFeeds()
    var outbox = SessionOutbox()
    var watchdog = SessionWatchdog()
    var deferral = SessionDeferral()
    /// Counts the session while it is started.
    var running: RunningSession?
    /// What reports the machine's sleep, while the session is started.
    var sleepWatch: (any AnyObject & Sendable)?
    /// Keeps the next look for devices that are late after sleep planned, on a clock that is moved by hand.
    var plannedWaking: (any AnyObject & Sendable)?
  }

  let core = Monitor(Core())
  let audioSessionUse = Locked(AudioSessionUse())
  let controlDesk = ControlDesk()
  let controlsRecipient = Locked<Recipient<any AVCaptureSessionControlsDelegate>?>(nil)
  let deferredStartRecipient = Locked<Recipient<any AVCaptureSessionDeferredStartDelegate>?>(nil)
  /// Whether the session is an ``AVCaptureMultiCamSession``.
  let takesSeveralCameras: Bool
  /// Held while the structure is edited; the outputs' own locks and `core` are taken under it, nothing else.
  ///
  /// What an edit takes away, and other sessions that it meets, are kept until it is left.
  let editing = Lock()
  /// Held while a plan is made and noted with devices and connections; `core` and their locks are taken under it.
  let planning = Lock()
  /// News of devices, and timers; never blocked for long, but clients may be called on it.
  package let events = DispatchQueue(label: "obscura.session")

  /// A session without inputs and outputs, with the preset `high`.
  ///
  /// Apple: `AVCaptureSession.init()`.
  public override init() {
    takesSeveralCameras = false
    super.init()
  }

  init(takesSeveralCameras: Bool) {
    self.takesSeveralCameras = takesSeveralCameras
    super.init()
    if takesSeveralCameras { core.withLock { $0.edits.committed.preset = .inputPriority } }
  }

  deinit {
    HeldLocks.assertNone(in: "AVCaptureSession.deinit")
    let (feeds, timer, captures) = core.withLock {
      ($0.feeds.forgetAll(), $0.watchdog.end(), $0.deferral.end())
    }
    timer?.cancel()
    for feed in feeds {
      let answers = feed.close()
      feed.device.rest(answers: answers)?()
    }
    // A recording keeps its output until its file is whole, and would wait for ever.
    let error = AVError(
      .sessionNotRunning,
      because:
        "The capture ended because nothing kept its session any more; keep the session while it captures.")
    for sink in knownSinks { sink.endCaptures(with: error) }
    for goOn in captures { goOn() }
    // An output that stays may be in another session next, and would take these for connections of that.
    for connection in core.withLock({ $0.edits.committed.connections + $0.edits.structure.connections }) {
      connection.sink?.remove(connection)
      connection.note(isActive: false)?()
    }
  }

  // MARK: What it is made of

  /// The inputs, in the order in which they were added.
  ///
  /// Apple: `AVCaptureSession.inputs`.
  open var inputs: [AVCaptureInput] { core.withLock { $0.edits.structure.inputs } }

  /// The outputs, in the order in which they were added.
  ///
  /// Apple: `AVCaptureSession.outputs`.
  open var outputs: [AVCaptureOutput] { core.withLock { $0.edits.structure.outputs } }

  /// The connections, in the order in which they were made.
  ///
  /// Apple: `AVCaptureSession.connections`.
  open var connections: [AVCaptureConnection] { core.withLock { $0.edits.structure.connections } }

  // MARK: What it is doing

  /// Whether media flows.
  ///
  /// Observable.
  ///
  /// `false` while the session is interrupted. Apple: `AVCaptureSession.isRunning`.
  open var isRunning: Bool {
    observerTable.access(\AVCaptureSession.isRunning)
    return core.withLock { $0.runner.face.isRunning }
  }

  /// Whether the session waits for the end of an interruption, after which it goes on by itself.
  ///
  /// Observable.
  ///
  /// Apple: `AVCaptureSession.isInterrupted`.
  open var isInterrupted: Bool {
    observerTable.access(\AVCaptureSession.isInterrupted)
    return core.withLock { $0.runner.face.isInterrupted }
  }

  /// The clock of all timestamps: that of the first input's device, the host's when there is none.
  ///
  /// Apple: `AVCaptureSession.synchronizationClock`.
  open var synchronizationClock: CMClock? {
    inputs.firstResult { $0 as? AVCaptureDeviceInput }?.device.clock ?? CMClock.hostTimeClock
  }

  /// The older name of ``synchronizationClock``.
  ///
  /// Apple: `AVCaptureSession.masterClock`.
  open var masterClock: CMClock? { synchronizationClock }

  // MARK: Running

  /// Opens the devices and starts the flow; returns when the devices have accepted, before the first frame.
  ///
  /// Does nothing when the session runs. When a device cannot be had, `isRunning` stays `false` and the session posts
  /// why: a runtime error, or an interruption where another program holds the camera, which ends by itself when that
  /// program lets go. Between begin and commit it is a programming mistake without effect.
  ///
  /// When a device is unplugged while the session runs, the session posts a runtime error and stops. It does not start again
  /// when the device is plugged in again, unless ``startsAgainWhenDevicesReturn``. When a device stands still, the same comes five
  /// seconds after its last frame by its clock, with `AVError.noDataCaptured`; nothing reports when it would give frames again, so
  /// that the client starts the session again, and may do so in the error's notification: then the device is opened anew.
  ///
  /// A lost microphone ends nothing while a camera streams, nor does a camera of an ``AVCaptureMultiCamSession`` while another one
  /// does: the session posts the error and goes on, and the device's connections are not active. Then this call, or the next
  /// commit, tries a device again that stood still, and the others do not notice; one that was unplugged needs a new input when it is
  /// back, unless ``startsAgainWhenDevicesReturn``.
  ///
  /// Blocks as long as the driver's opening does, so call it off the main thread: the first call there is reported on standard
  /// error, as Xcode's checker does.
  ///
  /// Apple: `AVCaptureSession.startRunning()`.
  open func startRunning() {
    guard mayRun("startRunning()") else { return }
    configureAudioSession()
    handle(.start)
  }

  /// Stops the flow and closes the devices, within one second whatever they do.
  ///
  /// No callback with media begins after this returns; what was under way is dropped. Does nothing when the session is stopped. Photos that the devices have not delivered end with an error. Between begin
  /// and commit it is a programming mistake without effect. Lamps go dark, see `AVCaptureDevice.torchMode`. Call it off the main
  /// thread, as ``startRunning()``.
  ///
  /// Apple: `AVCaptureSession.stopRunning()`.
  open func stopRunning() {
    guard mayRun("stopRunning()") else { return }
    let feeds = core.withLock { core in
      core.feeds.lost = []
      return Array(core.feeds.open.values)
    }
    // At once: a device may take a second to stop.
    for feed in feeds { feed.endRoutes() }
    handle(.stop)
  }

  private func mayRun(_ method: String) -> Bool {
    if MainQueue.isCurrent { MainThreadUse.report(method) }
    if core.withLock({ !$0.edits.isOpen }) { return true }
    ProgrammingMistake.report(
      rule:
        "\(method) may not be called between beginConfiguration() and commitConfiguration(); commit first.")
    return false
  }
}
