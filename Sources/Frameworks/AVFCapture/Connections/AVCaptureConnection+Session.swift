internal import AVFCore
internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import Linux

/// What the session and outputs use.
extension AVCaptureConnection {
  /// The switches and turns as a value.
  package var settings: ConnectionSettings {
    state.withLock { $0.settings }
  }

  /// The device that feeds the connection, and how; `nil` while it does not stream.
  package var stillFeed: (feed: any StillFeed, plan: ConnectionPlan)? {
    let (feed, plan) = state.withLock { ($0.feed, $0.plan) }
    guard let feed, let plan else { return nil }
    return (feed, plan)
  }

  var owner: (any ConnectionOwner)? {
    state.withLock { $0.owner }
  }

  /// The unique identifier of the device behind the first port; empty without ports.
  var deviceID: String { inputPorts.first?.device?.uniqueID ?? "" }

  func join(_ owner: (any ConnectionOwner)?) {
    state.withLock { $0.owner = owner }
  }

  /// Notes where frames come from now, and how.
  func route(_ feed: any StillFeed, plan: ConnectionPlan) {
    state.withLock { state in
      state.feed = feed
      state.plan = plan
    }
  }

  /// Forgets where frames come from.
  func unroute() {
    state.withLock { state in
      state.feed = nil
      state.plan = nil
    }
  }

  /// Forgets where frames come from, if it is `feed`; whether it was.
  func forget(_ feed: any StillFeed) -> Bool {
    let present = state.withLock { state in
      let present = state.feed
      if present === feed {
        state.feed = nil
        state.plan = nil
      }
      return present
    }
    return present === feed
  }

  /// Whether a device streams over it.
  var isFed: Bool { state.withLock { $0.feed != nil } }

  func isFed(by other: any StillFeed) -> Bool {
    let feed = state.withLock { $0.feed }
    return feed === other
  }

  /// Notes whether the session can bring media through; returns the work of notifying observers, if there is any.
  func note(isActive: Bool) -> (@Sendable () -> Void)? {
    let wasActive = state.withLock { state in
      defer { state.isActive = isActive }
      return state.isActive
    }
    guard wasActive != isActive else { return nil }
    return { [weak self] in
      guard let self else { return }
      observerTable.changed(\AVCaptureConnection.isActive, of: self, from: wasActive, to: isActive)
    }
  }

  /// Why the session brings nothing through although it is there; half a sentence.
  var refusal: String? { state.withLock { $0.refusal?.reason } }

  /// Notes why the session brings nothing through; `nil` when it does.
  func note(refusal reason: String?) {
    state.withLock { state in
      if state.refusal?.reason != reason { state.refusal = reason.map { ($0, false) } }
    }
  }

  /// Why the session brings nothing through, unless that was asked before.
  func takeUnreportedRefusal() -> String? {
    state.withLock { state in
      guard let refusal = state.refusal, !refusal.wasReported else { return nil }
      state.refusal?.wasReported = true
      return refusal.reason
    }
  }

  /// Changes the settings, notifies the observers of one property, and has the session plan anew.
  func change<Value: Equatable>(
    _ keyPath: KeyPath<AVCaptureConnection, Value>, to value: Value,
    _ body: (inout ConnectionSettings) -> Void
  ) {
    var isChanged = false
    var isTurned = false
    observerTable.changing(keyPath, of: self) {
      isChanged = state.withLock { state in
        let old = state.settings
        body(&state.settings)
        isTurned =
          state.settings.rotation != old.rotation || state.settings.isMirrored != old.isMirrored
        return state.settings != old
      }
    }
    if isTurned { (output as? any OrientationReceiver)?.noteOrientation(of: self) }
    if isChanged { owner?.somethingChanged() }
  }
}

extension OutputRequirements.Role {
  /// What the role's frames are for, as far as turning goes.
  var destination: OrientationTable.Destination? {
    switch self {
    case .videoData: .videoData
    case .depthData: .depthData
    case .photo: .photo
    case .preview: .preview
    case .movie: .movie
    case .audioData, .audioFile, .metadata: nil
    }
  }
}
