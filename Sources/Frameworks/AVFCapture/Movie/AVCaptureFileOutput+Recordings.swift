internal import AVFCore
package import CoreMedia
internal import Dispatch
package import Foundation
internal import FoundationExtras
internal import Linux

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
        rule:
          "startRecording needs a connection that is active and enabled; add the output, and an input, to a "
          + "session.")
    }
    if owner.isInterrupted { throw RecordingRefusal(error: AVError(.sessionWasInterrupted)) }
    guard owner.isRunning else {
      throw RecordingRefusal(
        error: AVError(
          .sessionNotRunning,
          because: "Nothing can be recorded while the session does not run; start it first."))
    }
    guard !activeConnections.isEmpty else {
      let reason = connections.firstResult { $0.refusal } ?? "all of them are switched off"
      throw RecordingRefusal(
        error: AVError(
          .sessionConfigurationChanged,
          because: "Nothing can be recorded because no connection is active: \(reason)."),
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

  func end(_ recording: Recording?, because error: AVError?) {
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
private final class RecordingClient: @unchecked Sendable {  // Safe because one serial queue uses it.
  let delegate: any AVCaptureFileOutputRecordingDelegate

  init(_ delegate: any AVCaptureFileOutputRecordingDelegate) {
    self.delegate = delegate
  }
}
