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
/// ``droppedFrameCount``. A recording that the session ends (a stop, an interruption, an unplugged camera) is a file that can be
/// played, and its delegate gets the reason with `AVErrorRecordingSuccessfullyFinishedKey`. Thread-safe; everything may be called
/// from inside the delegate's callbacks.
///
/// Source: [AVCaptureFileOutput](https://developer.apple.com/documentation/avfoundation/avcapturefileoutput).
open class AVCaptureFileOutput: AVCaptureOutput, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// Who observes the output's properties.
  public let observerTable = ObserverTable()

  private struct State {
    /// The one that is recorded, and those whose last audio is still to come.
    var recordings: [Recording] = []
    var present: Recording?
    /// Of the newest file, also after its end.
    var figures = Locked(RecordingFigures())
    /// The last files that ended.
    var ended: [(url: URL, figures: RecordingFigures)] = []
    var isPaused = false
    var continuesAcrossSwitches = false
  }

  private let state = Locked(State())
  private let limits = Locked(RecordingLimits())
  /// Where samples are coded and written, in the order in which devices delivered them.
  private let queue = DispatchQueue(label: "obscura.movie-writer", qos: .userInitiated)
  /// Where delegates are called: one queue, serial, and not the main one, which need not run.
  private let callbackQueue = DispatchQueue(label: "obscura.movie-callbacks", qos: .userInitiated)

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
  /// What was captured until now is written, and the delegate hears when that is done.
  ///
  /// Apple: `AVCaptureFileOutput.stopRecording()`.
  open func stopRecording() {
    end(state.withLock { $0.present }, because: nil)
  }

  /// Leaves out what is captured from now on, until ``resumeRecording()``.
  ///
  /// The file goes on without a gap: its times leave the pause out. Nothing happens when there is no recording, or it is paused.
  ///
  /// Apple: `AVCaptureFileOutput.pauseRecording()`.
  open func pauseRecording() { setPaused(true)?.pause() }

  /// Goes on after ``pauseRecording()``.
  ///
  /// Apple: `AVCaptureFileOutput.resumeRecording()`.
  open func resumeRecording() { setPaused(false)?.resume() }

  /// The recording that shall change; `nil` when none shall.
  private func setPaused(_ isPaused: Bool) -> Recording? {
    let recording = state.withLock { state -> Recording? in
      guard let present = state.present, state.isPaused != isPaused else { return nil }
      state.isPaused = isPaused
      return present
    }
    if recording != nil {
      observerTable.changed(
        \AVCaptureFileOutput.isRecordingPaused, of: self, from: !isPaused, to: isPaused)
    }
    return recording
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

  /// How many frames the camera made and the file lacks: lost by the camera, or because disk or encoder were too slow and all of
  /// the camera's buffers waited here.
  public var droppedFrameCount: Int { figures.dropped }

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
  /// A recording that reaches it ends with `AVError.maximumFileSizeReached`. A change holds for the present recording, too.
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

  /// Whether a recording goes on when another camera or microphone takes the place of the one that it began with; `false` at
  /// first. Read when a recording begins.
  ///
  /// Apple has no such property: there, a change of the session's inputs ends a recording with
  /// `AVError.sessionConfigurationChanged`, and so it does here while this is `false`. While it is `true`, the file goes on with the
  /// other camera's frames, scaled into the size of the first and turned as its matrix needs them; the gap is as long as the switch
  /// took. Recordings without encoding still end, with `AVError.mediaChanged`.
  public var continuesRecordingAcrossDeviceSwitches: Bool {
    get { state.withLock { $0.continuesAcrossSwitches } }
    set { state.withLock { $0.continuesAcrossSwitches = newValue } }
  }

  // MARK: Session

  /// What would be recorded now; subclasses override.
  func recordingPlan(_ url: URL, _ fileType: AVFileType?) throws(RecordingRefusal) -> RecordingPlan {
    throw RecordingRefusal(error: AVError(.unknown))
  }

  /// The connections that bring media at present.
  var activeConnections: [AVCaptureConnection] { connections.filter { $0.isActive && $0.isEnabled } }

  package override func connectionsDidChange() {
    // Not now: the session is being changed, and observers would be called under its lock.
    queue.async { [self] in
      let present = connections
      let recordings = state.withLock { $0.recordings }
      for recording in recordings where !recording.plan.continuesAcrossSwitches {
        let isLost = recording.plan.connections.contains { one in !present.contains { $0 === one } }
        guard isLost else { continue }
        end(
          recording,
          because: AVError(
            .sessionConfigurationChanged,
            because: "The recording ended because a connection that it was made of was removed from the session."))
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
    for recording in state.withLock({ $0.recordings }) {
      if isSwitch, recording.plan.continuesAcrossSwitches { continue }
      end(recording, because: error)
    }
  }
}

// MARK: - Recordings

extension AVCaptureFileOutput {
  /// Begins a recording, or says why there is none.
  func record(
    to url: URL, fileType: AVFileType?, _ delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    var refusal: RecordingRefusal?
    var plan: RecordingPlan?
    do throws(RecordingRefusal) {
      try checkMedia(url)
      plan = try recordingPlan(url, fileType)
    } catch {
      refusal = error
    }
    guard var plan else {
      if let rule = refusal?.rule { ProgrammingMistake.report(rule: rule) }
      let error = refusal?.error.ending(RecordingFigures(), isPlayable: false)
      let client = RecordingClient(delegate)
      callbackQueue.async { [self] in
        client.delegate.fileOutput(self, willFinishRecordingTo: url, from: [], error: error)
        client.delegate.fileOutput(self, didFinishRecordingTo: url, from: [], error: error)
      }
      return
    }
    plan.connections = activeConnections
    begin(plan, RecordingClient(delegate))
  }

  private func checkMedia(_ url: URL) throws(RecordingRefusal) {
    guard url.isFileURL else {
      throw RecordingRefusal(
        error: AVError(.unknown, because: "\(url.absoluteString) names no file."),
        rule: "A recording needs the URL of a file; given was \(url.absoluteString).")
    }
    guard let owner = membership.owner, !connections.isEmpty else {
      throw RecordingRefusal(
        error: AVError(
          .sessionConfigurationChanged,
          because: "Nothing can be recorded because no connection brings media to the output."),
        rule: "startRecording needs a connection that is active and enabled; add the output, and an input, to a session.")
    }
    if owner.isInterrupted { throw RecordingRefusal(error: AVError(.sessionWasInterrupted)) }
    guard owner.isRunning else {
      throw RecordingRefusal(
        error: AVError(
          .sessionNotRunning, because: "Nothing can be recorded while the session does not run; start it first."))
    }
    guard !activeConnections.isEmpty else {
      let reason = connections.firstResult { $0.refusal } ?? "all of them are switched off"
      throw RecordingRefusal(
        error: AVError(
          .sessionConfigurationChanged, because: "Nothing can be recorded because no connection is active: \(reason)."),
        rule: "startRecording needs a connection that is active and enabled; \(reason).")
    }
  }

  private func begin(_ plan: RecordingPlan, _ client: RecordingClient) {
    let own = Locked<Recording?>(nil)
    let former = state.withLock { $0.present }
    let recording = Recording(plan, limits: limits, queue: queue, after: former) { [self] event in
      // Keeps the output until the recording has ended.
      if case .willFinish = event { forgetPresent(own.withLock { $0 }) }
      if case .finished = event { forget(own.withLock { $0.take() }) }
      callbackQueue.async { self.report(event, plan, to: client.delegate) }
    }
    own.withLock { $0 = recording }
    change { state in
      state.recordings.append(recording)
      state.present = recording
      state.figures = recording.figures
      state.isPaused = false
    }
    recording.begin()
  }

  private func report(
    _ event: Recording.Event, _ plan: RecordingPlan, to delegate: any AVCaptureFileOutputRecordingDelegate
  ) {
    let (url, connections) = (plan.url, plan.connections)
    switch event {
    case .started(let time):
      delegate.fileOutput(self, didStartRecordingTo: url, startPTS: time, from: connections)
    case .paused: delegate.fileOutput(self, didPauseRecordingTo: url, from: connections)
    case .resumed: delegate.fileOutput(self, didResumeRecordingTo: url, from: connections)
    case .willFinish(let error):
      delegate.fileOutput(self, willFinishRecordingTo: url, from: connections, error: error)
    case .finished(let error):
      delegate.fileOutput(self, didFinishRecordingTo: url, from: connections, error: error)
    }
  }

  private func end(_ recording: Recording?, because error: AVError?) {
    guard let recording else { return }
    forgetPresent(recording)
    recording.end(error)
  }

  /// Notes that a recording takes no more samples from its press on.
  private func forgetPresent(_ recording: Recording?) {
    guard let recording else { return }
    change { state in
      guard state.present === recording else { return }
      state.present = nil
      state.isPaused = false
    }
  }

  private func forget(_ recording: Recording?) {
    let figures = recording?.figures.withLock { $0 }
    change { state in
      state.recordings.removeAll { $0 === recording }
      guard let recording, let figures else { return }
      state.ended.append((recording.plan.url, figures))
      if state.ended.count > 8 { state.ended.removeFirst() }
    }
  }

  /// What was recorded to one of the last files that ended; `nil` for others.
  package func summary(of url: URL) -> (duration: CMTime, bytes: Int64, frames: Int, dropped: Int)? {
    state.withLock { state in
      state.ended.last { $0.url == url }.map { ended in
        let figures = ended.figures
        return (figures.duration, figures.bytes, figures.pictures, figures.dropped)
      }
    }
  }

  /// Changes what is recorded, and notifies observers.
  private func change(_ body: (inout State) -> Void) {
    // What is let go of goes outside the lock.
    let (old, new) = state.withLock { state in
      let old = state
      body(&state)
      return (old, state)
    }
    if (old.present == nil) != (new.present == nil) {
      observerTable.changed(
        \AVCaptureFileOutput.isRecording, of: self, from: old.present != nil, to: new.present != nil)
    }
    if old.present !== new.present {
      observerTable.changed(
        \AVCaptureFileOutput.outputFileURL, of: self, from: old.present?.plan.url, to: new.present?.plan.url)
    }
    if old.isPaused != new.isPaused {
      observerTable.changed(
        \AVCaptureFileOutput.isRecordingPaused, of: self, from: old.isPaused, to: new.isPaused)
    }
  }
}

/// The delegate of one recording, on its way to the queue that calls it.
private final class RecordingClient: @unchecked Sendable {  // Safe because only one serial queue uses the delegate.
  let delegate: any AVCaptureFileOutputRecordingDelegate

  init(_ delegate: any AVCaptureFileOutputRecordingDelegate) {
    self.delegate = delegate
  }
}
