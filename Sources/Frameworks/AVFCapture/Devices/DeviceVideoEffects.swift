internal import AVFCore
internal import CameraFrames
internal import CaptureDevice
internal import CoreVideo
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import VideoEffects

/// The video effects and reactions of one camera.
///
/// Sessions get the ``effect(of:)`` whenever they plan, and plan anew when it changes. Thread-safe.
final class DeviceVideoEffects: Sendable {
  private struct State {
    var schedule = ReactionSchedule()
    /// The latest effect, and what it was made from.
    var present: (look: VideoEffectLook, effect: FrameEffect)?
    var painter: VideoEffectPainter?
  }

  private let state = Locked(State())
  /// The queue that notifies observers of reactions, in the order of the frames.
  private let reports = DispatchQueue(label: "obscura.device.reactions")

  // MARK: Effects

  /// The effect on the device's pictures; the same object until the choices, the format or the reactions change, `nil` without any.
  func effect(of device: AVCaptureDevice) -> FrameEffect? {
    Self.followChoices()
    let look = look(of: device)
    let new =
      look == nil || state.withLock { $0.painter != nil }
      ? nil : VideoEffectPainter(device.facts, on: device.driver.machine)
    // Former objects are released after the lock is left.
    let (effect, former) = state.withLock { state -> (FrameEffect?, Any) in
      let former = (state.present, state.painter)
      if let present = state.present, present.look == look { return (present.effect, former) }
      guard let look else {
        (state.present, state.painter) = (nil, nil)
        return (nil, former)
      }
      guard let painter = state.painter ?? new else { return (nil, former) }
      let effect = FrameEffect(pixelFormats: VideoEffectPainter.pixelFormats) { [weak self, weak device] in
        let request = try painter.paint(look, self?.reactions(at: $2) ?? [], of: $0, into: $1, at: $2)
        guard let request, let self, let device else { return }
        // Planning must not run on a thread that delivers pictures.
        reports.carry { self.start(request.type, request.kind, at: request.hand, on: device) }
      }
      (state.present, state.painter) = ((look, effect), painter)
      return (effect, former)
    }
    withExtendedLifetime(former) {}
    return effect
  }

  /// The shortest frame duration while an effect is drawn; `nil` without one.
  func shortestFrameDuration(of device: AVCaptureDevice) -> FrameDuration? {
    look(of: device)?.draws == true ? device.activeStreamFormat?.effectDurations?.lowerBound : nil
  }

  private func look(of device: AVCaptureDevice) -> VideoEffectLook? {
    VideoEffectLook(
      VideoEffectSettings.shared.choices, device.activeStreamFormat,
      reacts: !state.withLock { $0.schedule.isIdle })
  }

  // MARK: Reactions

  var reactionsInProgress: [AVCaptureReactionEffectState] { state.withLock { $0.schedule.inProgress } }

  /// Performs a reaction, which begins with the next frame that the effect is drawn into.
  ///
  /// - Parameter hand: The place of the hand whose sign requested it, as fractions of the stored picture from its top left; `nil` for a
  ///   call.
  func start(
    _ type: AVCaptureReactionType, _ kind: ReactionKind, at hand: CGPoint? = nil, on device: AVCaptureDevice
  ) {
    let begins = state.withLock { state in
      defer { state.schedule.start(type, kind, at: hand) }
      return state.schedule.isIdle
    }
    if begins { device.replan() }
  }

  /// The reactions in a frame of that time.
  private func reactions(at time: MonotonicInstant) -> [Reaction] {
    state.withLock { $0.schedule.reactions(at: time) }
  }

  /// Begins and ends reactions with a new frame.
  ///
  /// Called on the device's reader thread, before the frame is delivered.
  ///
  /// - Parameter isDrawn: Whether some route of the stream draws the effect. A route gets it with a commit, so that reactions which were
  ///   performed in the middle of a configuration begin after it.
  func frameCame(
    at time: MonotonicInstant, on device: AVCaptureDevice, isDrawn: (FrameEffect) -> Bool
  ) {
    guard let present = state.withLock({ $0.schedule.isIdle ? nil : $0.present }) else { return }
    let begins = isDrawn(present.effect)
    let (news, isOver) = state.withLock { state in
      (state.schedule.advance(to: time, begins: begins), state.schedule.isIdle)
    }
    report(news, of: device, then: isOver)
  }

  /// Ends all reactions, because no more frames come.
  func streamEnded(on device: AVCaptureDevice) {
    let now = device.now
    let news = state.withLock { $0.schedule.end(at: now) }
    report(news.map { [$0] } ?? [], of: device, then: false)
  }

  private func report(_ news: [ReactionSchedule.News], of device: AVCaptureDevice, then isOver: Bool) {
    guard !news.isEmpty else { return }
    reports.carry { [weak device] in
      guard let device else { return }
      for change in news {
        device.observerTable.changed(
          \AVCaptureDevice.reactionEffectsInProgress, of: device, from: change.old, to: change.new)
      }
      if isOver { device.replan() }
    }
  }

  // MARK: Choices

  /// Makes all cameras follow the user's choices, from the first call on.
  static func followChoices() { _ = following }

  private static let following: Void = VideoEffectSettings.shared.observe { old, new in
    AVCaptureDevice.notifyClass(old, new)
    for device in DeviceRegistry.shared.connected() where device.hasMediaType(.video) {
      let format = device.activeStreamFormat
      device.notifyEffects((old, format), (new, format))
      device.replan()
    }
  }
}

extension AVCaptureDevice {
  /// The choices and the format, from which the active effects follow.
  typealias EffectFacts = (choices: VideoEffectChoices, format: StreamFormat?)

  /// Notifies observers of effects that have become active or inactive.
  func notifyEffects(_ old: EffectFacts, _ new: EffectFacts) {
    let properties: [(VideoEffect, KeyPath<AVCaptureDevice, Bool>)] = [
      (.portrait, \.isPortraitEffectActive), (.studioLight, \.isStudioLightActive),
      (.background, \.isBackgroundReplacementActive), (.reactions, \.canPerformReactionEffects),
    ]
    for (effect, property) in properties {
      let (before, now) = (
        isActive(effect, old.choices, old.format), isActive(effect, new.choices, new.format)
      )
      if before != now { observerTable.changed(property, of: self, from: before, to: now) }
    }
    let (before, now) = (availableReactions(old.format), availableReactions(new.format))
    if before != now {
      observerTable.changed(\AVCaptureDevice.availableReactionTypes, of: self, from: before, to: now)
    }
  }

  fileprivate static func notifyClass(_ old: VideoEffectChoices, _ new: VideoEffectChoices) {
    let properties: [(VideoEffect, KeyPath<AVCaptureDevice.Type, Bool>)] = [
      (.portrait, \.isPortraitEffectEnabled), (.studioLight, \.isStudioLightEnabled),
      (.background, \.isBackgroundReplacementEnabled), (.reactions, \.reactionEffectsEnabled),
      (.gestures, \.reactionEffectGesturesEnabled),
    ]
    for (effect, property) in properties where old[effect].isOn != new[effect].isOn {
      classObservers.changed(property, of: AVCaptureDevice.self, from: old[effect].isOn, to: new[effect].isOn)
    }
  }

  /// Makes the device's sessions plan anew.
  func replan() {
    for user in users { user.somethingChanged() }
  }
}
