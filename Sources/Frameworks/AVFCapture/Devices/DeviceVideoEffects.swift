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
    var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)
    /// The sessions that deliver the camera's depth.
    var depthUsers: [DepthUser] = []
  }

  private struct DepthUser {
    weak var session: (any AnyObject & Sendable)?
  }

  private let state = Locked(State())
  /// The maps that Portrait goes by.
  private let depths = EffectDepths()
  /// The queue that notifies observers of reactions, in the order of the frames.
  private let reports = DispatchQueue(label: "obscura.device.reactions")

  // MARK: Effects

  /// The effect on the device's pictures; the same object until the choices, the format or the reactions change, `nil` without any.
  func effect(of device: AVCaptureDevice) -> FrameEffect? {
    Self.followChoices()
    let look = look(of: device)
    let new =
      look == nil || state.withLock { $0.painter != nil }
      ? nil
      : VideoEffectPainter(
        device.facts, on: device.driver.machine, isWatched: device.streamingFormat != nil)
    // Former objects are released after the lock is left.
    let (effect, former) = state.withLock { state -> (FrameEffect?, Any) in
      let former = (state.present, state.painter)
      if let present = state.present, present.look == look { return (present.effect, former) }
      guard let look else {
        (state.present, state.painter) = (nil, nil)
        return (nil, former)
      }
      guard let painter = state.painter ?? new else { return (nil, former) }
      let effect = FrameEffect(
        pixelFormats: VideoEffectPainter.pixelFormats, movesPixels: look.centerStage != nil
      ) { [weak self, weak device] in
        let depth = look.blursByDepth ? self?.depths.map(before: $2) : nil
        let request = try painter.paint(
          look, self?.reactions(at: $2) ?? [], depth, of: $0, into: $1, at: $2)
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

  /// Whether an effect is drawn into the camera's pictures.
  func draws(on device: AVCaptureDevice) -> Bool { look(of: device)?.draws == true }

  private func look(of device: AVCaptureDevice) -> VideoEffectLook? {
    let facts = device.effectFacts
    let (rect, reacts) = state.withLock { ($0.rectOfInterest, !$0.schedule.isIdle) }
    return VideoEffectLook(
      facts.choices, facts.format, rectOfInterest: facts.blocksCenterStage ? nil : rect, reacts: reacts)
  }

  // MARK: Center Stage

  /// The part of the pictures in which Center Stage shows people, as fractions from the top left.
  var rectOfInterest: CGRect {
    get { state.withLock { $0.rectOfInterest } }
    set { state.withLock { $0.rectOfInterest = newValue } }
  }

  /// What Center Stage shows of the newest picture; `nil` for all of it, or without Center Stage.
  var shownView: StageView? {
    state.withLock { $0.present?.look.centerStage == nil ? nil : $0.painter }?.shownView
  }

  /// Whether some session delivers the camera's depth.
  var hasDepthUsers: Bool { state.withLock { $0.depthUsers.contains { $0.session != nil } } }

  /// Notes whether a session delivers the camera's depth.
  ///
  /// - Returns: The work of notifying observers, if there is any.
  func note(
    deliversDepth: Bool, in session: any AnyObject & Sendable, of device: AVCaptureDevice
  ) -> (@Sendable () -> Void)? {
    guard state.withLock({ $0.depthUsers.contains { $0.session === session } }) != deliversDepth else {
      return nil
    }
    let old = device.effectFacts
    state.withLock { state in
      state.depthUsers.removeAll { $0.session == nil || $0.session === session }
      if deliversDepth { state.depthUsers.append(DepthUser(session: session)) }
    }
    let new = device.effectFacts
    guard old.blocksCenterStage != new.blocksCenterStage else { return nil }
    return { [weak device] in device?.notifyEffects(old, new) }
  }

  // MARK: Depth

  /// Takes a depth map as it comes from the device; kept only while Portrait goes by it.
  func depthCame(_ depth: CapturedDepth) {
    guard state.withLock({ $0.present?.look.blursByDepth == true }) else { return depths.forget() }
    depths.take(depth)
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
    depths.forget()
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
      var (before, now) = (device.effectFacts, device.effectFacts)
      (before.choices, now.choices) = (old, new)
      device.notifyEffects(before, now)
      device.replan()
    }
  }
}

extension AVCaptureDevice {
  /// Notifies observers of effects that have become active or inactive.
  func notifyEffects(_ old: EffectFacts, _ new: EffectFacts) {
    let properties: [(VideoEffect, KeyPath<AVCaptureDevice, Bool>)] = [
      (.centerStage, \.isCenterStageActive), (.portrait, \.isPortraitEffectActive),
      (.studioLight, \.isStudioLightActive),
      (.background, \.isBackgroundReplacementActive), (.reactions, \.canPerformReactionEffects),
    ]
    for (effect, property) in properties {
      let (before, now) = (old.isActive(effect), new.isActive(effect))
      if before != now { observerTable.changed(property, of: self, from: before, to: now) }
    }
    let (before, now) = (availableReactions(old.format), availableReactions(new.format))
    if before != now {
      observerTable.changed(\AVCaptureDevice.availableReactionTypes, of: self, from: before, to: now)
    }
    guard old.mostZoom != new.mostZoom else { return }
    observerTable.changed(
      \AVCaptureDevice.maxAvailableVideoZoomFactor, of: self, from: old.mostZoom, to: new.mostZoom)
    if new.isActive(.centerStage), !old.isActive(.centerStage), controls.zoom > Double(new.mostZoom) {
      change("the zoom factor \(new.mostZoom)", .zoom(Double(new.mostZoom)))
    }
  }

  fileprivate static func notifyClass(_ old: VideoEffectChoices, _ new: VideoEffectChoices) {
    let properties: [(VideoEffect, KeyPath<AVCaptureDevice.Type, Bool>)] = [
      (.centerStage, \.isCenterStageEnabled), (.portrait, \.isPortraitEffectEnabled),
      (.studioLight, \.isStudioLightEnabled),
      (.background, \.isBackgroundReplacementEnabled), (.reactions, \.reactionEffectsEnabled),
      (.gestures, \.reactionEffectGesturesEnabled), (.edgeLight, \.isEdgeLightEnabled),
    ]
    for (effect, property) in properties where old[effect].isOn != new[effect].isOn {
      classObservers.changed(property, of: AVCaptureDevice.self, from: old[effect].isOn, to: new[effect].isOn)
    }
    if VideoEffectPreferences.edgeLight == .shown, old[.edgeLight].isOn != new[.edgeLight].isOn {
      notifyEdgeLight(from: old[.edgeLight].isOn, to: new[.edgeLight].isOn)
    }
    let (before, now) = (MicrophoneMode(old), MicrophoneMode(new))
    guard before != now else { return }
    let modes: [KeyPath<AVCaptureDevice.Type, MicrophoneMode>] = [
      \.preferredMicrophoneMode, \.activeMicrophoneMode,
    ]
    for property in modes {
      classObservers.changed(property, of: AVCaptureDevice.self, from: before, to: now)
    }
  }

  /// Makes the device's sessions plan anew.
  func replan() {
    for user in users { user.somethingChanged() }
  }
}
