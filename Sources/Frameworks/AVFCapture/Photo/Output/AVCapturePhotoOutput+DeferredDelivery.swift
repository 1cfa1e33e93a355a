internal import AVFCore
internal import CaptureDevice
internal import FoundationExtras
internal import Linux
internal import PhotoProcessing

extension AVCapturePhotoOutput {
  /// Whether photos can be finished later: with a camera in a format with `isHighestPhotoQualitySupported`, which the preset
  /// `.photo` chooses.
  ///
  /// Observable.
  ///
  /// Apple: `AVCapturePhotoOutput.isAutoDeferredPhotoDeliverySupported`.
  public var isAutoDeferredPhotoDeliverySupported: Bool {
    observerTable.access(\AVCapturePhotoOutput.isAutoDeferredPhotoDeliverySupported)
    guard let connection = connection(with: .video), connection.isActive else { return false }
    let inputs = videoConnections.flatMap(\.inputPorts).map(\.input)
    let device = inputs.firstResult { ($0 as? AVCaptureDeviceInput)?.device }
    return device?.activeFormat.isHighestPhotoQualitySupported ?? false
  }

  /// Whether photos may be delivered as proxies, to be finished later; `false` at first.
  ///
  /// A photo with `photoQualityPrioritization` `.quality`, without flash, in no bracket and in a file format is then delivered
  /// to `photoOutput(_:didFinishCapturingDeferredPhotoProxy:error:)`, and not to
  /// `photoOutput(_:didFinishProcessingPhoto:error:)`: all its processing is left for later, and the next photo can be taken at
  /// once. Its frames are stored until the photo library has finished it; where they cannot be stored, the photo is finished
  /// at once. A delegate without that method gets no proxy: to capture with it is a programming mistake, found when the first
  /// proxy is due, and its photos are finished at once.
  /// `AVCaptureResolvedPhotoSettings.deferredPhotoProxyDimensions` says which photos will be proxies.
  ///
  /// Goes back to `false` when a configuration is committed that does not support it; `true` without support is a programming
  /// mistake and has no effect.
  ///
  /// - Note: Unlike AVFoundation, where it takes a long reconfiguration and is best set before `startRunning`, it costs nothing
  ///   to change.
  ///
  /// Apple: `AVCapturePhotoOutput.isAutoDeferredPhotoDeliveryEnabled`.
  public var isAutoDeferredPhotoDeliveryEnabled: Bool {
    get { responsiveness.switches.withLock { $0.isDeferring } && isAutoDeferredPhotoDeliverySupported }
    set {
      guard !newValue || isAutoDeferredPhotoDeliverySupported else {
        return ProgrammingMistake.report(
          rule:
            "isAutoDeferredPhotoDeliveryEnabled cannot be true here; ask isAutoDeferredPhotoDeliverySupported first."
        )
      }
      responsiveness.switches.withLock { $0.isDeferring = newValue }
      reviewResponsiveness()
    }
  }

  /// Whether such a photo is finished later where it can be stored.
  func defers(_ order: PhotoOrder) -> Bool {
    order.canBeDeferred && isAutoDeferredPhotoDeliveryEnabled
  }

  /// Where a photo's frames go if it is finished later; `nil` for one that is finished at once.
  func store(for order: PhotoOrder, _ delegate: any AVCapturePhotoCaptureDelegate) -> DeferredPhotoStore? {
    guard defers(order), !ProxylessDelegates.contain(delegate) else { return nil }
    let store = deferredPhotos.withLock { $0 }
    // As YCbCr 4:2:0, the largest that cameras send; the store looks again when it knows.
    let frameBytes = order.capture.size.width * order.capture.size.height * 3 / 2
    return store.hasRoom(for: frameBytes * order.capture.stills.count) ? store : nil
  }
}

/// The delegates' types that turned out to have no method for proxies.
///
/// Swift cannot be asked whether a type implements an optional method; the first proxy shows it.
enum ProxylessDelegates {
  private static let types = Locked<Set<ObjectIdentifier>>([])

  static func contain(_ delegate: any AVCapturePhotoCaptureDelegate) -> Bool {
    types.withLock { $0.contains(ObjectIdentifier(type(of: delegate))) }
  }

  static func note(_ delegate: any AVCapturePhotoCaptureDelegate) {
    types.withLock { _ = $0.insert(ObjectIdentifier(type(of: delegate))) }
  }
}
