internal import Dispatch
internal import Linux
internal import FoundationExtras

extension AVCapturePhotoOutput {
  // MARK: Responsive capture

  /// Whether photos can overlap: they can while zero shutter lag is enabled.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isResponsiveCaptureSupported`.
  public var isResponsiveCaptureSupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isResponsiveCaptureSupported)
    return isZeroShutterLagEnabled
  }

  /// Whether the next photo may be captured while others are still processed; `false` at first.
  ///
  /// The callbacks of several photos then interleave, each photo's in its own order; photos are still delivered in the order of
  /// their presses. Three full-size frames are held at most. Photos with flash, brackets and uncompressed photos overlap with
  /// none. Goes back to `false` when a configuration is committed that does not support it; `true` without support is a
  /// programming mistake and has no effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isResponsiveCaptureEnabled`.
  public var isResponsiveCaptureEnabled: Bool {
    get { responsiveness.switches.withLock { $0.isResponsive } && isResponsiveCaptureSupported }
    set {
      guard !newValue || isResponsiveCaptureSupported else {
        return ProgrammingMistake.report(
          rule: "isResponsiveCaptureEnabled cannot be true here; ask isResponsiveCaptureSupported first.")
      }
      responsiveness.switches.withLock { $0.isResponsive = newValue }
      reviewResponsiveness()
    }
  }

  // MARK: Fast-capture prioritization

  /// Whether photos in a row can be processed with less effort than they ask for: while ``isResponsiveCaptureEnabled``.
  ///
  /// Observable. Apple's declaration has a setter without a documented meaning; here there is none.
  ///
  /// Apple: `AVCapturePhotoOutput.isFastCapturePrioritizationSupported`.
  public var isFastCapturePrioritizationSupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isFastCapturePrioritizationSupported)
    return isResponsiveCaptureEnabled
  }

  /// Whether photos in quick succession get a lower `photoQualityPrioritization` than they ask for, where processing could
  /// not keep up with the presses otherwise; `false` at first.
  ///
  /// The output learns what each prioritization takes on this machine. A press after a pause as long as that gets what it asks
  /// for again. `AVCaptureResolvedPhotoSettings.isFastCapturePrioritizationEnabled` says which photos were lowered. Goes back to
  /// `false` when a configuration is committed that does not support it; `true` without support is a programming mistake and
  /// has no effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isFastCapturePrioritizationEnabled`.
  public var isFastCapturePrioritizationEnabled: Bool {
    get { responsiveness.switches.withLock { $0.isFast } && isFastCapturePrioritizationSupported }
    set {
      guard !newValue || isFastCapturePrioritizationSupported else {
        return ProgrammingMistake.report(
          rule:
            "isFastCapturePrioritizationEnabled cannot be true here; ask isFastCapturePrioritizationSupported first."
        )
      }
      responsiveness.switches.withLock { $0.isFast = newValue }
      reviewResponsiveness()
    }
  }

  // MARK: Changes

  /// Looks what is supported now and notifies observers; after a commit (`isPlanned`) takes back what is not.
  ///
  /// Between a camera's leaving and the next one's coming nothing is taken back: a switch of cameras keeps the switches.
  func reviewResponsiveness(isPlanned: Bool = false) {
    if isPlanned {
      let isResponsive = isResponsiveCaptureEnabled
      let isDeferring = isAutoDeferredPhotoDeliveryEnabled
      responsiveness.switches.withLock { switches in
        switches.isResponsive = isResponsive
        switches.isFast = switches.isFast && isResponsive
        switches.isDeferring = isDeferring
      }
    }
    responsiveness.face.review(
      {
        PhotoResponsiveness.Face(
          isResponsiveSupported: isResponsiveCaptureSupported,
          isResponsiveEnabled: isResponsiveCaptureEnabled,
          isFastSupported: isFastCapturePrioritizationSupported,
          isFastEnabled: isFastCapturePrioritizationEnabled,
          isDeferringSupported: isAutoDeferredPhotoDeliverySupported,
          isDeferringEnabled: isAutoDeferredPhotoDeliveryEnabled)
      }, notify: { old, new in callbackQueue.carry { [weak self] in self?.notify(old, new) } })
    reviewReadiness()
  }

  private func notify(_ old: PhotoResponsiveness.Face, _ new: PhotoResponsiveness.Face) {
    func notify(
      _ property: KeyPath<AVCapturePhotoOutput, Bool>, _ value: KeyPath<PhotoResponsiveness.Face, Bool>
    ) {
      guard old[keyPath: value] != new[keyPath: value] else { return }
      observerTable.changed(property, of: self, from: old[keyPath: value], to: new[keyPath: value])
    }
    notify(\.isResponsiveCaptureSupported, \.isResponsiveSupported)
    notify(\.isResponsiveCaptureEnabled, \.isResponsiveEnabled)
    notify(\.isFastCapturePrioritizationSupported, \.isFastSupported)
    notify(\.isFastCapturePrioritizationEnabled, \.isFastEnabled)
    notify(\.isAutoDeferredPhotoDeliverySupported, \.isDeferringSupported)
    notify(\.isAutoDeferredPhotoDeliveryEnabled, \.isDeferringEnabled)
  }
}
