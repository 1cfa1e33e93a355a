internal import AVFCore
internal import CaptureDevice
package import CoreMedia
internal import Dispatch
package import Foundation
internal import FoundationExtras
internal import Linux

extension AVCaptureFileOutput {
  /// Begins a recording, or says why there is none.
  ///
  /// - Parameter moment: From when on it records, on the clock of the devices' time stamps; `nil` is now.
  func record(
    to url: URL, fileType: AVFileType?, at moment: CMTime? = nil,
    _ delegate: any AVCaptureFileOutputRecordingDelegate
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
      callbackQueue.carry { [self] in
        client.delegate.fileOutput(self, willFinishRecordingTo: url, from: [], error: error)
        client.delegate.fileOutput(self, didFinishRecordingTo: url, from: [], error: error)
      }
      return
    }
    plan.connections = activeConnections
    let leading = plan.connections.first { $0.media == .video } ?? plan.connections.first { $0.media != nil }
    if let clock = leading?.inputPorts.first?.device?.clock { plan.clock = clock }
    plan.start = moment.map { $0.convertScale(1_000_000_000, method: .default).value }
    begin(plan, RecordingClient(delegate))
    start(holding: leading?.inputPorts.first?.device?.driver.holdClock())
  }

  /// Has the session open the microphone and ask for the buffers that a recording needs, where it has not yet; the camera's frames
  /// come meanwhile.
  ///
  /// - Parameter token: Keeps a manual clock until that is done.
  private func start(holding token: (any AnyObject & Sendable)?) {
    guard let owner = membership.owner, owner.holdsBack(id) else { return }
    owner.whenStarted(id) { withExtendedLifetime(token) {} }
  }

  private func checkMedia(_ url: URL) throws(RecordingRefusal) {
    guard url.isFileURL else {
      throw RecordingRefusal(
        error: AVError(.unknown, because: "\(url.absoluteString) names no file."),
        rule: "A recording needs the URL of a file; given was \(url.absoluteString).")
    }
    let owner = membership.owner
    guard !connections.isEmpty else {
      throw RecordingRefusal(
        error: AVError(
          .sessionConfigurationChanged,
          because: "Nothing can be recorded because no connection brings media to the output."),
        rule:
          "startRecording needs a connection that is active and enabled; add the output, and an input, to a "
          + "session.")
    }
    guard let owner else { throw RecordingRefusal(error: Self.sessionReleased) }
    if isWithheld(by: owner) { throw RecordingRefusal(error: AVError(.sessionWasInterrupted)) }
    guard owner.isRunning else {
      throw RecordingRefusal(
        error: AVError(
          .sessionNotRunning,
          because: "Nothing can be recorded while the session does not run; start it first."))
    }
    guard activeConnections.contains(where: { $0.media != nil }) else {
      let reason = connections.firstResult { $0.refusal } ?? "all of them are switched off"
      throw RecordingRefusal(
        error: AVError(
          .sessionConfigurationChanged,
          because: "Nothing can be recorded because no connection is active: \(reason)."),
        rule: "startRecording needs a connection that is active and enabled; \(reason).")
    }
  }

  /// Whether a device of the output delivers nothing for now; known before recordings are ended for it.
  private func isWithheld(by owner: any ConnectionOwner) -> Bool {
    owner.isInterrupted
      || connections.contains { $0.inputPorts.first?.device.map { owner.withholds($0) } ?? false }
  }

  /// Why a recording that was just begun must end at once: the session may have ended what it ends while the recording was not
  /// among those under way yet.
  ///
  /// Whatever ends recordings changes first what is asked here, and then looks for those that are under way.
  private func obstacle(to plan: RecordingPlan) -> AVError? {
    let present = connections
    let isWhole = plan.connections.allSatisfy { one in present.contains { $0 === one } }
    if present.isEmpty || !(isWhole || plan.continuesAcrossSwitches) { return Self.connectionRemoved }
    guard let owner = membership.owner else { return Self.sessionReleased }
    if isWithheld(by: owner) { return AVError(.sessionWasInterrupted) }
    guard owner.isRunning else {
      return AVError(
        .sessionNotRunning,
        because: "The recording ended because its session stopped; start it, then record again.")
    }
    let lost = plan.connections.first { one in
      one.media != nil && !one.isActive && one.isEnabled && present.contains { $0 === one }
    }
    guard let lost, let device = lost.inputPorts.first?.device,
      lost.media == .video || plan.video == nil || !plan.continuesAcrossSwitches
    else { return nil }
    return AVError(
      .deviceWasDisconnected,
      because:
        "The recording ended because \(device.localizedName) was lost; record again, or plug it in first.",
      device: device)
  }

  static var connectionRemoved: AVError {
    AVError(
      .sessionConfigurationChanged,
      because:
        "The recording ended because a connection that it was made of was removed from the session.")
  }

  private static var sessionReleased: AVError {
    AVError(
      .sessionNotRunning,
      because:
        "The recording ended because nothing kept its session any more; keep the session while it records.")
  }

  private func begin(_ plan: RecordingPlan, _ client: RecordingClient) {
    let own = Locked<Recording?>(nil)
    let chosen = (self as? AVCaptureMovieFileOutput)?.chooseCameras()
    let recording = Recording(
      plan, limits: limits, queue: queue, lateness: { [weak self] in self?.lateness(of: $0) }
    ) { [self] event in
      if case .started = event { becomePresent(own.withLock { $0 }) }
      // Keeps the output until the recording has ended.
      if case .willFinish = event {
        forgetPresent(own.withLock { $0 })
        chosen?.endSwitching()
      }
      if case .finished = event { forget(own.withLock { $0.take() }) }
      callbackQueue.carry { [self] in
        report(event, plan, to: client.delegate)
        if case .finished = event { takeFormAgain() }
      }
    }
    own.withLock { $0 = recording }
    var replaced: Recording?
    change { state in
      // Here, so that two requests at once follow each other, and no sample of after the press is missed.
      recording.press(after: state.present)
      state.recordings.append(recording)
      replaced = state.planned
      state.planned = plan.start == nil ? nil : recording
      if plan.start == nil { state.show(recording) }
    }
    replaced?.stop()
    recording.begin()
    offerNewestMetadata(of: plan.connections)
    if let error = obstacle(to: plan) { end(recording, because: error) }
  }

  /// How late the devices that bring a kind of media may deliver it, in nanoseconds; `nil` while none streams.
  private func lateness(of media: MediaKind) -> Int64? {
    connections.filter { $0.media == media }.compactMap { $0.stillFeed?.feed.lookAheadNanoseconds }.max()
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

  /// Notes that a recording whose moment has come is the one that is recorded at present.
  private func becomePresent(_ recording: Recording?) {
    guard let recording else { return }
    change { state in
      guard state.planned === recording else { return }
      state.planned = nil
      state.show(recording)
    }
  }

  func end(_ recording: Recording, because error: AVError?) {
    forgetPresent(recording)
    recording.end(error)
  }

  /// Notes that a recording takes no more samples from its press on.
  func forgetPresent(_ recording: Recording?) {
    guard let recording else { return }
    change { state in
      if state.planned === recording { state.planned = nil }
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

  /// Has the session choose again whether a coding camera's pictures come decoded, which a recording keeps as it was.
  private func takeFormAgain() {
    let sendsCoded = connections.flatMap(\.inputPorts).contains {
      $0.device?.activeFormat.streamFormat?.encoding.isCoded == true
    }
    if sendsCoded, state.withLock({ $0.recordings.isEmpty }) { requirementsDidChange() }
  }

  /// What was recorded to one of the last files that ended; `nil` for others.
  package func summary(
    of url: URL
  ) -> (duration: CMTime, bytes: Int64, frames: Int, dropped: Int, missing: Int)? {
    state.withLock { state in
      state.ended.last { $0.url == url }.map { ended in
        let figures = ended.figures
        return (figures.duration, figures.bytes, figures.pictures, figures.dropped, figures.missing)
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

extension AVCaptureFileOutput.State {
  /// Takes a recording for the one that is recorded at present.
  fileprivate mutating func show(_ recording: Recording) {
    present = recording
    figures = recording.figures
    isPaused = false
  }
}

/// The delegate of one recording, on its way to the queue that calls it.
private final class RecordingClient: @unchecked Sendable {  // Safe because one serial queue uses it.
  let delegate: any AVCaptureFileOutputRecordingDelegate

  init(_ delegate: any AVCaptureFileOutputRecordingDelegate) {
    self.delegate = delegate
  }
}
