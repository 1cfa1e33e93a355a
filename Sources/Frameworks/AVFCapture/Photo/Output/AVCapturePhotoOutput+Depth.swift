internal import CaptureDevice
internal import Dispatch
internal import FoundationExtras
internal import Linux
internal import PhotoProcessing

/// The state of depth in an output's photos.
struct PhotoDepthDelivery: Sendable {
  /// Whether a client has enabled it.
  let isWanted = Locked(false)
  /// Whether it can be had, as observers know it.
  let support = ReviewedValue(false)
}

extension AVCapturePhotoOutput {
  /// Whether photos can come with depth.
  ///
  /// They can with a camera whose active format has `supportedDepthDataFormats`. Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isDepthDataDeliverySupported`.
  public var isDepthDataDeliverySupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isDepthDataDeliverySupported)
    return supportsDepth
  }

  /// Whether photos may ask for depth; `false` at first.
  ///
  /// While it is on, the camera measures depth as its `activeDepthDataFormat` says, whether or not the session has a depth data output;
  /// switching it while the session runs starts the camera anew. Goes back to `false` when ``isDepthDataDeliverySupported`` does;
  /// `true` without support is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoOutput.isDepthDataDeliveryEnabled`.
  public var isDepthDataDeliveryEnabled: Bool {
    get { wantsDepth && supportsDepth }
    set {
      guard !newValue || supportsDepth else {
        return ProgrammingMistake.report(
          rule: "isDepthDataDeliveryEnabled cannot be true here; ask isDepthDataDeliverySupported first.")
      }
      let isChanged = depthDelivery.isWanted.withLock { isWanted in
        defer { isWanted = newValue }
        return isWanted != newValue
      }
      if isChanged { requirementsDidChange() }
    }
  }

  /// Whether a client has enabled depth, with this camera or one before.
  var wantsDepth: Bool { depthDelivery.isWanted.withLock { $0 } }

  private var supportsDepth: Bool {
    videoDevice?.activeFormat.supportedDepthDataFormats.isEmpty == false
  }

  /// The depth that the settings ask for; cameras under a virtual one that are chosen measure none.
  func checkDepth(
    _ settings: AVCapturePhotoSettings, _ connection: AVCaptureConnection, _ shape: PhotoShape?
  ) throws(Refusal) -> PhotoDepthRequest? {
    guard settings.isDepthDataDeliveryEnabled else { return nil }
    guard isDepthDataDeliveryEnabled else {
      throw .mistake(
        "isDepthDataDeliveryEnabled needs the photo output's own; ask its isDepthDataDeliverySupported first."
      )
    }
    guard settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty else { return nil }
    return PhotoDepthRequest(
      isFiltered: settings.isDepthDataFiltered, isEmbedded: settings.embedsDepthDataInPhoto,
      enlargement: connection.settings.enlargement, shape: shape)
  }

  /// Switches depth off where it cannot be had any more, and notifies observers of what the session's present plan changes.
  func tellDepth() {
    depthDelivery.support.review {
      supportsDepth
    } notify: { old, new in
      if !new {
        depthDelivery.isWanted.withLock { $0 = false }
        people.withLock { $0.haveMattes = false }
      }
      guard observerTable.count > 0 else { return }
      callbackQueue.carry { [weak self] in
        guard let self else { return }
        observerTable.changed(
          \AVCapturePhotoOutput.isDepthDataDeliverySupported, of: self, from: old, to: new)
      }
    }
  }
}
