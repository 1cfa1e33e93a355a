internal import AVFCore
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux

extension AVCapturePhotoOutput {
  /// Whether photos can be of the frame that the viewfinder shows when the shutter is pressed.
  ///
  /// Where photos of ``maxPhotoDimensions`` are as large as the stream's frames, of which the newest are then kept. A device that
  /// itself keeps a memory of full-size pictures, as phones do, has it in formats with `isHighestPhotoQualitySupported` alone,
  /// which the preset `.photo` chooses. `false` without a camera, and where a driver gives so few
  /// buffers that keeping some would cost the viewfinder frames. Between begin and commit the answer is for what the commit
  /// will bring. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isZeroShutterLagSupported`.
  public var isZeroShutterLagSupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isZeroShutterLagSupported)
    return supportsZeroShutterLag
  }

  /// Whether photos are of the frame that the viewfinder shows when the shutter is pressed, and not of the next exposure;
  /// `true` wherever ``isZeroShutterLagSupported`` is, unless it is switched off.
  ///
  /// The photo's timestamp is that frame's, a little earlier than the press; see also `AVCapturePhotoSettings.pressTime`. It
  /// costs memory: up to 128 MB of frames are held for presses to come. The next exposure serves all the same
  /// photos with flash, brackets, photos of chosen cameras under a virtual one, photos under custom exposure, photos of another size than frames are kept in, those of all photosites (``maxPhotoDimensions``), and those
  /// pressed right after a change of the camera's controls that no frame shows yet. `true` where it is not supported is a
  /// programming mistake without effect. Observable.
  ///
  /// - Note: Unlike AVFoundation, a configuration in which zero shutter lag is not possible does not switch it off for good: it
  ///   reads `false` meanwhile, and is on again with the next configuration that supports it, unless a client switched it
  ///   off. Switching it on while the session runs restarts nothing: until the camera is next started, the history is as
  ///   long as the buffers at hand allow.
  ///
  /// Apple: `AVCapturePhotoOutput.isZeroShutterLagEnabled`.
  public var isZeroShutterLagEnabled: Bool {
    get {
      observerTable.access(\AVCapturePhotoOutput.isZeroShutterLagEnabled)
      return wantsZeroShutterLag && supportsZeroShutterLag
    }
    set {
      guard !newValue || supportsZeroShutterLag else {
        return ProgrammingMistake.report(
          rule: "isZeroShutterLagEnabled cannot be true here; ask isZeroShutterLagSupported first.")
      }
      guard wantsZeroShutterLag != newValue else { return }
      observerTable.changing(\AVCapturePhotoOutput.isZeroShutterLagEnabled, of: self) {
        shutter.withLock { shutter in
          shutter.isWanted = newValue
          shutter.present.enabled = newValue && shutter.present.supported
          shutter.reported.enabled = shutter.present.enabled
        }
      }
      requirementsDidChange()
    }
  }

  /// Whether clients want it where it is possible.
  var wantsZeroShutterLag: Bool { shutter.withLock { $0.isWanted } }

  private var supportsZeroShutterLag: Bool {
    guard let connection = connection(with: .video), plan(of: connection)?.history != nil
    else { return false }
    // While the device streams, the truth is what it has granted.
    guard let source = stillSource, source.plan.history != nil, wantsZeroShutterLag, !isHeldBack else {
      return true
    }
    return source.history != nil
  }

  /// Whether a photo may be of the moment of its press; else only the next exposure will do.
  func canBePast(_ order: PhotoOrder) -> Bool {
    order.source.history != nil && order.isOfCameraInUse && order.bracket.isEmpty && !order.readsAllPhotosites
      && order.capture.flash == .off && order.source.device.exposureMode != .custom
  }

  /// Notifies observers of what the session's present plan changes.
  func tellZeroShutterLag() {
    let supported = supportsZeroShutterLag
    let hasObservers = observerTable.count > 0
    let isNews = shutter.withLock { shutter in
      shutter.present = .init(supported: supported, enabled: shutter.isWanted && supported)
      if !hasObservers { shutter.reported = shutter.present }
      return shutter.present != shutter.reported
    }
    guard isNews else { return }
    callbackQueue.carry { [weak self] in
      self?.report(\.supported, of: \AVCapturePhotoOutput.isZeroShutterLagSupported)
      self?.report(\.enabled, of: \AVCapturePhotoOutput.isZeroShutterLagEnabled)
    }
  }

  /// Notifies observers of the present value, and not of an older one: a change by a client was reported at once.
  private func report(
    _ fact: WritableKeyPath<ZeroShutterLag.Facts, Bool>, of property: KeyPath<AVCapturePhotoOutput, Bool>
  ) {
    let (old, new) = shutter.withLock { shutter in
      defer { shutter.reported[keyPath: fact] = shutter.present[keyPath: fact] }
      return (shutter.reported[keyPath: fact], shutter.present[keyPath: fact])
    }
    if old != new { observerTable.changed(property, of: self, from: old, to: new) }
  }
}
