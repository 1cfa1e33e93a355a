public import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux

/// The state of Live Photos of an output.
struct LivePhotoCapture: Sendable {
  struct Wishes: Sendable {
    /// Whether a client has enabled them, with this camera or one before.
    var isEnabled = false
    var isSuspended = false
    var trims = true
    var staysSuspended = false
  }

  let wishes = Locked(Wishes())
  /// Whether they can be had, as observers know it.
  let support = ReviewedValue(false)
  let recorder = LiveRecorder()
}

extension AVCapturePhotoOutput {
  // MARK: Enabling

  /// Whether photos can come with a movie of the moments around them.
  ///
  /// They can with a camera whose active format has pictures, where something codes H.264, and not while the session has a movie file
  /// output; video data outputs, other programs' included, may run beside. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isLivePhotoCaptureSupported`.
  public var isLivePhotoCaptureSupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isLivePhotoCaptureSupported)
    return supportsLive
  }

  /// Whether photos may ask for a movie; `false` at first.
  ///
  /// While it is on, every frame of the camera is coded, and the session's microphone is opened for the output; the newest two and a half
  /// seconds are kept, for movies of presses to come. Observable. Goes back to `false` when ``isLivePhotoCaptureSupported`` does; `true` without
  /// support is a programming mistake without effect. Switched off, it ends the movies under way where they are.
  ///
  /// - Note: Unlike AVFoundation, switching it while the session runs neither stops the preview nor aborts photos.
  ///
  /// Apple: `AVCapturePhotoOutput.isLivePhotoCaptureEnabled`.
  public var isLivePhotoCaptureEnabled: Bool {
    get {
      observerTable.access(\AVCapturePhotoOutput.isLivePhotoCaptureEnabled)
      return wantsLive && supportsLive
    }
    set {
      guard !newValue || supportsLive else {
        return ProgrammingMistake.report(
          rule: "isLivePhotoCaptureEnabled cannot be true here; ask isLivePhotoCaptureSupported first.")
      }
      guard enableLive(newValue) else { return }
      membership.owner?.connectAnew(self)
    }
  }

  /// Whether movies are left out for now; `false` at first.
  ///
  /// `true` cuts the movies under way at this moment, and after it was set back, movies hold nothing from before that. It can be set only
  /// while the session runs, else it stays `false`; without ``isLivePhotoCaptureEnabled`` it is a programming mistake. Goes back to
  /// `false` when the session stops, unless ``preservesLivePhotoCaptureSuspendedOnSessionStop``. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isLivePhotoCaptureSuspended`.
  public var isLivePhotoCaptureSuspended: Bool {
    get {
      observerTable.access(\AVCapturePhotoOutput.isLivePhotoCaptureSuspended)
      return live.wishes.withLock { $0.isSuspended }
    }
    set {
      guard !newValue || isLivePhotoCaptureEnabled else {
        return ProgrammingMistake.report(
          rule: "isLivePhotoCaptureSuspended cannot be true without isLivePhotoCaptureEnabled.")
      }
      suspendLive(newValue && membership.owner?.isRunning == true)
    }
  }

  /// Whether ``isLivePhotoCaptureSuspended`` stays as it is when the session stops; `false` at first.
  ///
  /// Apple: `AVCapturePhotoOutput.preservesLivePhotoCaptureSuspendedOnSessionStop`.
  public var preservesLivePhotoCaptureSuspendedOnSessionStop: Bool {
    get { live.wishes.withLock { $0.staysSuspended } }
    set { live.wishes.withLock { $0.staysSuspended = newValue } }
  }

  /// Whether movies leave out how the camera is raised before the photo and put away after it; `true` where
  /// ``isLivePhotoCaptureSupported`` is, unless a client has switched it off.
  ///
  /// Left out is what lies before or after a swing of the whole view, by more than its width in a second. A movie begins at least half
  /// a second before its press and ends at least as much after it.
  ///
  /// - Note: Unlike AVFoundation, changing it does not interrupt the session.
  ///
  /// Apple: `AVCapturePhotoOutput.isLivePhotoAutoTrimmingEnabled`.
  public var isLivePhotoAutoTrimmingEnabled: Bool {
    get { supportsLive && live.wishes.withLock { $0.trims } }
    set { live.wishes.withLock { $0.trims = newValue } }
  }

  /// Codecs for `AVCapturePhotoSettings.livePhotoVideoCodecType`: H.264, or none where ``isLivePhotoCaptureSupported`` is `false`.
  ///
  /// Observable.
  ///
  /// - Note: Unlike AVFoundation, HEVC is not among them: pictures are coded before the press, whatever its settings will say, on
  ///   processors that code H.264 alone in real time without effort.
  ///
  /// Apple: `AVCapturePhotoOutput.availableLivePhotoVideoCodecTypes`.
  public var availableLivePhotoVideoCodecTypes: [AVVideoCodecType] {
    observerTable.access(\AVCapturePhotoOutput.availableLivePhotoVideoCodecTypes)
    return Self.liveCodecs(supportsLive)
  }

  private static func liveCodecs(_ isSupported: Bool) -> [AVVideoCodecType] { isSupported ? [.h264] : [] }

  // MARK: State

  /// Whether a client has enabled Live Photos, with this camera or one before.
  var wantsLive: Bool { live.wishes.withLock { $0.isEnabled } }

  private var supportsLive: Bool {
    guard FilmEncoder.isAvailable, let connection = connection(with: .video), connection.refusal == nil,
      videoDevice != nil, let owner = membership.owner
    else { return false }
    return !owner.outputs.contains { $0 is AVCaptureMovieFileOutput }
  }

  /// Notes what a client wants; whether that is new.
  private func enableLive(_ isEnabled: Bool) -> Bool {
    let (old, wasSuspended) = live.wishes.withLock { wishes in
      defer {
        wishes.isEnabled = isEnabled
        if !isEnabled { wishes.isSuspended = false }
      }
      return (wishes.isEnabled, wishes.isSuspended)
    }
    guard old != isEnabled else { return false }
    openLive()
    tell { output in
      output.observerTable.changed(
        \AVCapturePhotoOutput.isLivePhotoCaptureEnabled, of: output, from: old, to: isEnabled)
    }
    if !isEnabled, wasSuspended { tellSuspended(from: true, to: false) }
    return true
  }

  private func suspendLive(_ isSuspended: Bool) {
    let old = live.wishes.withLock { wishes in
      defer { wishes.isSuspended = isSuspended }
      return wishes.isSuspended
    }
    guard old != isSuspended else { return }
    openLive()
    tellSuspended(from: old, to: isSuspended)
  }

  private func openLive() {
    let isOpen = live.wishes.withLock { $0.isEnabled && !$0.isSuspended }
    live.recorder.setOpen(isOpen, now: isOpen ? videoDevice?.now.nanoseconds : nil)
  }

  private func tellSuspended(from old: Bool, to new: Bool) {
    tell { output in
      output.observerTable.changed(
        \AVCapturePhotoOutput.isLivePhotoCaptureSuspended, of: output, from: old, to: new)
    }
  }

  /// Notifies those who observe now, on the queue of callbacks.
  private func tell(_ change: @escaping @Sendable (AVCapturePhotoOutput) -> Void) {
    guard observerTable.count > 0 else { return }
    callbackQueue.carry { [weak self] in
      if let self { change(self) }
    }
  }

  /// Switches Live Photos off where they cannot be had any more, cuts movies to which nothing comes, and notifies observers of what the
  /// session's present plan changes.
  func tellLive() {
    live.support.review {
      supportsLive
    } notify: { old, new in
      let isSwitchedOff = !new && enableLive(false)
      tell { output in
        output.observerTable.changed(
          \AVCapturePhotoOutput.isLivePhotoCaptureSupported, of: output, from: old, to: new)
        output.observerTable.changed(
          \AVCapturePhotoOutput.availableLivePhotoVideoCodecTypes, of: output, from: Self.liveCodecs(old),
          to: Self.liveCodecs(new))
      }
      guard isSwitchedOff else { return }
      // Not in the session's planning: the microphone's connection goes.
      callbackQueue.carry { [weak self] in
        guard let self else { return }
        membership.owner?.connectAnew(self)
      }
    }
    if connection(with: .video)?.isEnabled != true { live.recorder.cut() }
  }

  /// Takes suspension back where the session has stopped.
  func reviewSuspension() {
    guard membership.owner?.isRunning != true, !preservesLivePhotoCaptureSuspendedOnSessionStop else {
      return
    }
    suspendLive(false)
  }
}
