package import AVFCore
internal import CaptureDevice
public import CoreMedia
internal import Dispatch
public import Foundation
public import FoundationExtras
internal import Linux

/// Records what a session captures to files; the base of `AVCaptureMovieFileOutput` and `AVCaptureAudioFileOutput`.
///
/// Every frame that the camera delivers is written with its own time stamp; what a slow disk or encoder costs is counted in
/// ``droppedFrameCount``. A frame counts by when it was captured: what was captured between ``startRecording(to:recordingDelegate:)`` and
/// ``stopRecording()``, on the devices' clock, is in the file, pictures and sound from the same instant. A recording that the session
/// ends (a stop, an interruption, an unplugged camera, its release) is a file that can be
/// played, and its delegate gets the reason with `AVErrorRecordingSuccessfullyFinishedKey`. Thread-safe; everything may be called
/// from inside the delegate's callbacks.
///
/// Source: [AVCaptureFileOutput](https://developer.apple.com/documentation/avfoundation/avcapturefileoutput).
open class AVCaptureFileOutput: AVCaptureOutput, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// Who observes the output's properties.
  public let observerTable = ObserverTable()

  struct State {
    /// The one that is recorded, and those whose last audio is still to come.
    var recordings: [Recording] = []
    var present: Recording?
    /// The one that takes the place of the present one at a moment that is still to come.
    var planned: Recording?
    /// Of the newest file, also after its end.
    var figures = Locked(RecordingFigures())
    /// The last files that ended.
    var ended: [(url: URL, figures: RecordingFigures)] = []
    var isPaused = false
    var continuesAcrossSwitches = false
  }

  let state = Locked(State())
  let limits = Locked(RecordingLimits())
  /// Where samples are coded and written, in the order in which devices delivered them.
  let queue = DispatchQueue(label: "obscura.movie-writer", qos: .userInitiated)
  /// Where delegates are called: one queue, serial, and not the main one, which need not run.
  let callbackQueue = DispatchQueue(label: "obscura.movie-callbacks", qos: .userInitiated)

  // MARK: The file

  /// The file that is recorded at present; `nil` when none is.
  ///
  /// Observable. Apple: `AVCaptureFileOutput.outputFileURL`.
  open var outputFileURL: URL? {
    observerTable.access(\AVCaptureFileOutput.outputFileURL)
    return state.withLock { $0.present }?.plan.url
  }

  /// Whether a file is recorded at present; also while it is paused.
  ///
  /// Observable. Apple: `AVCaptureFileOutput.isRecording`.
  open var isRecording: Bool {
    observerTable.access(\AVCaptureFileOutput.isRecording)
    return state.withLock { $0.present } != nil
  }

  /// Whether the file that is recorded is paused.
  ///
  /// Observable. Apple: `AVCaptureFileOutput.isRecordingPaused`.
  open var isRecordingPaused: Bool {
    observerTable.access(\AVCaptureFileOutput.isRecordingPaused)
    return state.withLock { $0.isPaused }
  }

  // MARK: Recording

  /// Records to a new file.
  ///
  /// While another file is recorded, that one ends where this one begins: no frame and no audio is lost between them, and none is
  /// in both.
  ///
  /// - Parameters:
  ///   - outputFileURL: The file, which must not be there; a URL that names no file is a programming mistake.
  ///   - delegate: Hears how it goes; retained until its last call. It gets that call whatever happens: with
  ///     `fileAlreadyExists` or `diskFull` when the file cannot be made, with `sessionNotRunning` when nothing is captured. Without a
  ///     connection that is active and enabled the call is a programming mistake, too.
  ///
  /// Apple: `AVCaptureFileOutput.startRecording(to:recordingDelegate:)`.
  open func startRecording(
    to outputFileURL: URL, recordingDelegate delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    record(to: outputFileURL, fileType: nil, delegate)
  }

  /// Ends the recording; nothing happens when there is none.
  ///
  /// What was captured until now is written, also what comes later, as pictures of a stabilization that looks ahead do; the delegate
  /// is notified when that is done. A recording in which no frame was captured (begun and stopped between two frames, that is) ends with
  /// `AVError.noDataCaptured` and leaves no file, as on Apple's systems.
  ///
  /// Apple: `AVCaptureFileOutput.stopRecording()`.
  open func stopRecording() {
    let (present, planned) = state.withLock { ($0.present, $0.planned) }
    planned?.stop()
    forgetPresent(planned)
    present?.stop()
    forgetPresent(present)
  }

  /// Leaves out what is captured from now on, until ``resumeRecording()``.
  ///
  /// The file goes on without a gap: its times leave the pause out. Nothing happens when there is no recording, or it is paused.
  ///
  /// Apple: `AVCaptureFileOutput.pauseRecording()`.
  open func pauseRecording() { setPaused(true) }

  /// Goes on after ``pauseRecording()``.
  ///
  /// Apple: `AVCaptureFileOutput.resumeRecording()`.
  open func resumeRecording() { setPaused(false) }

  private func setPaused(_ isPaused: Bool) {
    let recording = state.withLock { state -> Recording? in
      guard let present = state.present, state.isPaused != isPaused else { return nil }
      state.isPaused = isPaused
      present.order(isPaused: isPaused)
      return present
    }
    guard let recording else { return }
    observerTable.changed(
      \AVCaptureFileOutput.isRecordingPaused, of: self, from: !isPaused, to: isPaused)
    recording.announce(isPaused: isPaused)
  }

  // MARK: Figures

  /// How long the file is that is recorded, or was the last; zero before the first.
  ///
  /// Apple: `AVCaptureFileOutput.recordedDuration`.
  open var recordedDuration: CMTime { figures.duration }

  /// How many bytes the file has that is recorded, or was the last; 0 before the first.
  ///
  /// Includes what waits for its fragment to be written.
  ///
  /// Apple: `AVCaptureFileOutput.recordedFileSize`.
  open var recordedFileSize: Int64 { figures.bytes }

  /// How many frames are in the file that is recorded, or was the last.
  public var recordedFrameCount: Int { figures.pictures }

  /// How many frames the file lacks: lost by the camera, or because disk or encoder were too slow and all of the camera's buffers
  /// waited here, or not brought by a camera that stood still.
  ///
  /// A camera stands still when nothing comes for two and a half of its frame durations (one and three quarters where it kept its
  /// rhythm), unless its pictures are exposed for so long or go on as slowly.
  public var droppedFrameCount: Int { figures.dropped + figures.missing }

  private var figures: RecordingFigures {
    state.withLock { $0.figures }.withLock { $0 }
  }

  // MARK: Limits

  /// How long a file may get; invalid, the value at first, is no limit.
  ///
  /// A recording that reaches it ends with `AVError.maximumDurationReached`. A change holds for the present recording, too.
  ///
  /// Apple: `AVCaptureFileOutput.maxRecordedDuration`.
  open var maxRecordedDuration: CMTime {
    get { limits.withLock { $0.duration } }
    set { limits.withLock { $0.duration = newValue } }
  }

  /// How many bytes a file may get; 0, the value at first, is no limit.
  ///
  /// A recording ends with `AVError.maximumFileSizeReached` before the sample that would make its file larger; the first picture is
  /// written in any case. A change holds for the present recording, too.
  ///
  /// Apple: `AVCaptureFileOutput.maxRecordedFileSize`.
  open var maxRecordedFileSize: Int64 {
    get { limits.withLock { $0.fileSize } }
    set { limits.withLock { $0.fileSize = newValue } }
  }

  /// How many bytes must stay free on the file's disk; 0, the value at first, is no limit.
  ///
  /// A recording that reaches it ends with `AVError.diskFull`. A change holds for the present recording, too.
  ///
  /// Apple: `AVCaptureFileOutput.minFreeDiskSpaceLimit`.
  open var minFreeDiskSpaceLimit: Int64 {
    get { limits.withLock { $0.freeSpace } }
    set { limits.withLock { $0.freeSpace = newValue } }
  }

  /// Whether a recording goes on when another camera or microphone takes the place of the one that it began with, or a movie loses
  /// its microphone.
  ///
  /// `false` at first; read when a recording begins.
  ///
  /// Apple has no such property: there, a change of the session's inputs ends a recording with
  /// `AVError.sessionConfigurationChanged`, and a microphone that is pulled out ends one with `AVError.deviceWasDisconnected`, even
  /// beside a camera that is there (AV Foundation Programming Guide, "Still and Video Media Capture"). So it is here while this is
  /// `false`. While it is `true`, the file goes on with the other camera's frames, scaled into the size of the first and turned as
  /// its matrix needs them; the gap is as long as the switch took. A movie that has lost its microphone goes on without sound, and
  /// has it again when the microphone is back (``AVCaptureSession/startsAgainWhenDevicesReturn``). Recordings without encoding still
  /// end, with `AVError.mediaChanged`.
  public var continuesRecordingAcrossDeviceSwitches: Bool {
    get { state.withLock { $0.continuesAcrossSwitches } }
    set { state.withLock { $0.continuesAcrossSwitches = newValue } }
  }

  // MARK: Session

  package override var defersStartByItself: Bool { true }

  /// What would be recorded now; subclasses override.
  func recordingPlan(_ url: URL, _ fileType: AVFileType?) throws(RecordingRefusal) -> RecordingPlan {
    throw RecordingRefusal(error: AVError(.unknown))
  }

  /// The connections that bring media at present.
  var activeConnections: [AVCaptureConnection] { connections.filter { $0.isActive && $0.isEnabled } }

  package override func connectionsDidChange() {
    // Not now: the session is being changed, and observers would be called under its lock.
    queue.carry { [self] in
      let present = connections
      let recordings = state.withLock { $0.recordings }
      for recording in recordings where !recording.plan.continuesAcrossSwitches {
        let isLost = recording.plan.connections.contains { one in !present.contains { $0 === one } }
        guard isLost else { continue }
        end(recording, because: Self.connectionRemoved)
      }
    }
  }

  package override func receive(_ sample: MediaSample, over route: MediaRoute) {
    let recordings = state.withLock { $0.recordings }
    // The newest first: it says where the one before it ends.
    for recording in recordings.reversed() { recording.offer(sample, over: route) }
  }

  package override func endCaptures(with error: AVError) {
    let isSwitch = error.code == .sessionConfigurationChanged && membership.owner != nil
    // A lost microphone takes its sound with it; a session that ends takes the camera, too.
    let hasPictures =
      ![.sessionNotRunning, .sessionWasInterrupted, .mediaServicesWereReset].contains(error.code)
      && connections.contains { $0.media == .video && $0.isFed }
    for recording in state.withLock({ $0.recordings }) {
      let goesOn = isSwitch || (hasPictures && recording.plan.video != nil)
      if goesOn, recording.plan.continuesAcrossSwitches { continue }
      end(recording, because: error)
    }
  }
}
