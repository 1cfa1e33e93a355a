public import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

extension AVPlayerItem {
  /// Goes near a time: where it costs least.
  ///
  /// - Parameter completionHandler: Called on the main queue when the picture is there, or with `false` when another seek has
  ///   ended this one or the item cannot be played. Before ``status`` is ready to play it is a programming mistake: it is called with
  ///   `false`, and the seek takes place without it.
  ///
  /// Apple: `AVPlayerItem.seek(to:completionHandler:)`.
  public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    seek(
      to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
      completionHandler: completionHandler)
  }

  /// Goes to a time, or near it within the tolerances; zero for both is exact.
  ///
  /// - Parameter completionHandler: Called on the main queue when the picture is there, or with `false` when another seek has
  ///   ended this one or the item cannot be played. Before ``status`` is ready to play it is a programming mistake: it is called with
  ///   `false`, and the seek takes place without it.
  ///
  /// Apple: `AVPlayerItem.seek(to:toleranceBefore:toleranceAfter:completionHandler:)`.
  public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: (@Sendable (Bool) -> Void)?
  ) {
    guard time.isNumeric || time == .positiveInfinity || time == .negativeInfinity, toleranceBefore.isValid,
      toleranceAfter.isValid
    else {
      ProgrammingMistake.report(
        rule: "A seek needs a valid time and valid tolerances; CMTime.invalid and indefinite are none.")
      return
    }
    var completion = completionHandler
    if let given = completionHandler, status == .unknown {
      ProgrammingMistake.report(
        rule:
          "A seek with a completion handler needs an AVPlayerItem whose status is readyToPlay; seek without one before."
      )
      DispatchQueue.main.async { given(false) }
      completion = nil
    }
    guard let core else {
      // Outside of a player only the place to begin changes.
      if time.isNumeric { try? ownTimebase.setTime(max(time, .zero)) }
      if let completion { DispatchQueue.main.async { completion(true) } }
      return
    }
    core.change {
      core.seek(
        self, to: PictureFeed.Target(time: time, before: toleranceBefore, after: toleranceAfter),
        completion: completion)
    }
  }

  /// Goes near a time: where it costs least.
  ///
  /// - Returns: Whether the picture is there; `false` when another seek has ended this one. To wait for a seek before the item's
  ///   status is ready to play is a programming mistake: it returns `false` at once, and the seek takes place.
  ///
  /// Apple: `AVPlayerItem.seek(to:)`.
  @discardableResult
  public func seek(to time: CMTime) async -> Bool {
    await seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
  }

  /// Goes to a time, or near it within the tolerances; zero for both is exact.
  ///
  /// - Returns: Whether the picture is there; `false` when another seek has ended this one. To wait for a seek before the item's
  ///   status is ready to play is a programming mistake: it returns `false` at once, and the seek takes place.
  ///
  /// Apple: `AVPlayerItem.seek(to:toleranceBefore:toleranceAfter:)`.
  @discardableResult
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await withCheckedContinuation { continuation in
      seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
        continuation.resume(returning: $0)
      }
    }
  }

  /// Ends a seek that is under way; its handler is called with `false`.
  ///
  /// Apple: `AVPlayerItem.cancelPendingSeeks()`.
  public func cancelPendingSeeks() {
    guard let core else { return }
    core.change { core.cancelSeeks(of: self) }
  }

  /// Goes so many pictures forwards, or backwards for a count below zero, from the one on show; at the ends, as far as there are.
  ///
  /// Apple: `AVPlayerItem.step(byCount:)`.
  public func step(byCount stepCount: Int) {
    guard let core, stepCount != 0 else { return }
    core.change { core.step(self, by: stepCount) }
  }

  /// Where playing backwards ends; invalid (the default) for zero.
  ///
  /// There the item posts ``didPlayToEndTimeNotification``, and the player does what its `actionAtItemEnd` says. Apple:
  /// `AVPlayerItem.reversePlaybackEndTime`.
  public var reversePlaybackEndTime: CMTime {
    get { state.withLock { $0.reverseEnd } }
    set {
      let core = state.withLock { state in
        state.reverseEnd = newValue
        return state.core
      }
      core?.change { core?.endChanged(self, backward: true) }
    }
  }

  /// How many decoded pictures wait to be shown.
  package var waitingPictures: Int { feed?.count ?? 0 }
}

/// What the item can do.
extension AVPlayerItem {
  private var isReady: Bool { status == .readyToPlay }

  /// Whether rates above 1 can be played.
  ///
  /// Apple: `AVPlayerItem.canPlayFastForward`.
  public var canPlayFastForward: Bool { isReady }

  /// Whether rates between 0 and 1 can be played.
  ///
  /// Apple: `AVPlayerItem.canPlaySlowForward`.
  public var canPlaySlowForward: Bool { isReady }

  /// Whether the rate -1 can be played: what can be played forwards can be played backwards, too.
  ///
  /// Where key frames lie far apart it takes more work: see ``AVPlayer/rate``. Apple: `AVPlayerItem.canPlayReverse`.
  public var canPlayReverse: Bool { isReady }

  /// Whether rates between -1 and 0 can be played.
  ///
  /// Apple: `AVPlayerItem.canPlaySlowReverse`.
  public var canPlaySlowReverse: Bool { isReady }

  /// Whether rates below -1 can be played.
  ///
  /// Apple: `AVPlayerItem.canPlayFastReverse`.
  public var canPlayFastReverse: Bool { isReady }

  /// Whether ``step(byCount:)`` goes forwards.
  ///
  /// Apple: `AVPlayerItem.canStepForward`.
  public var canStepForward: Bool { isReady && feed != nil }

  /// Whether ``step(byCount:)`` goes backwards.
  ///
  /// Apple: `AVPlayerItem.canStepBackward`.
  public var canStepBackward: Bool { isReady && feed != nil }

  /// How the pitch of audio is kept at other rates than 1 and in scaled edits; by its waveform by default.
  ///
  /// In scaled edits a mix's parameters of a track come first. Another value than those of ``AVAudioTimePitchAlgorithm`` is a programming
  /// mistake, and is not set.
  ///
  /// Apple: `AVPlayerItem.audioTimePitchAlgorithm`.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { state.withLock { $0.pitch } }
    set {
      guard newValue.isKnown(for: "AVPlayerItem.audioTimePitchAlgorithm") else { return }
      let old = state.withLock { state in
        defer { state.pitch = newValue }
        return state.pitch
      }
      if old != newValue { pitchChanged() }
    }
  }
}
