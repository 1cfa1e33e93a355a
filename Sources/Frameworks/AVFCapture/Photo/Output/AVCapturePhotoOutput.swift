internal import CameraFrames
public import AVFCore
internal import CaptureDevice
public import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import Foundation
public import FoundationExtras
package import Linux
package import PhotoProcessing

/// Takes photos: full-size pictures of the camera, as JPEG, HEIC or pixels, with preview, thumbnail and metadata.
///
/// Photos are taken one after the other, or side by side with ``isResponsiveCaptureEnabled``; more wait their turn, and beyond
/// those a press fails with `AVError.maximumStillImageCaptureRequestsExceeded`. ``captureReadiness`` says when a press is served
/// at once. Thread-safe; everything may be called from inside the delegate's
/// callbacks.
///
/// Observable: `isFlashScene`, `isStillImageStabilizationScene`, and what follows the connected camera: `supportedFlashModes`, `maxBracketedCapturePhotoCount`,
/// `availablePhotoCodecTypes`, `availablePhotoPixelFormatTypes`, `availablePhotoFileTypes`, `availableRawPhotoPixelFormatTypes`, `availableRawPhotoFileTypes`, `isZeroShutterLagSupported`, `isZeroShutterLagEnabled`, `isDepthDataDeliverySupported`, `isLivePhotoCaptureSupported`, `isLivePhotoCaptureEnabled`, `isLivePhotoCaptureSuspended`, `availableLivePhotoVideoCodecTypes`,
/// `isVirtualDeviceConstituentPhotoDeliverySupported`, `isVirtualDeviceFusionSupported`, `isConstantColorSupported`, `isStillImageStabilizationSupported`, `isResponsiveCaptureSupported`, `isFastCapturePrioritizationSupported`, `isAutoDeferredPhotoDeliverySupported`; and `captureReadiness`. Observers are called on the queue of the
/// callbacks.
///
/// Source: [AVCapturePhotoOutput](https://developer.apple.com/documentation/avfoundation/avcapturephotooutput).
open class AVCapturePhotoOutput: AVCaptureOutput, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under `state`, or has a lock of its own.

  /// Who observes the output's properties.
  public let observerTable = ObserverTable()

  private struct WeakRoute {
    weak var route: MediaRoute?
  }

  private struct State {
    var allowsHighResolution = false
    var maxPhotoDimensions: CMVideoDimensions?
    /// `nil` while the session decides.
    var maxPrioritization: QualityPrioritization?
  }

  private let state = Locked(State())
  package let pipeline: PhotoPipeline
  let responsiveness = PhotoResponsiveness()
  let flashScene = MonitoredScene(asked: { $0.flashMode != .off }, met: { $0.isDark })
  let fusionScene = MonitoredScene(
    asked: { $0.isAutoStillImageStabilizationEnabled && $0.prioritization != .speed },
    met: { BurstPlan.isDim($0) })
  let preparation = PhotoPreparation()
  private let attachedRoute = Locked(WeakRoute())
  let offers = Locked(PhotoOutputCapabilities(nil))
  let shutter = Locked(ZeroShutterLag())
  /// Whether photos may ask for cameras under a virtual one.
  let deliversConstituents = Locked(false)
  let depthDelivery = PhotoDepthDelivery()
  /// What a client has enabled for people in photos.
  let people = Locked(PhotosOfPeople())
  /// Whether a client has left the compensation of the sensor's orientation on; whether it is supported at the moment is asked apart.
  let compensatesSensor = Locked(true)
  /// Whether a client has enabled constant colours; whether they are supported at the moment is asked apart.
  let wantsConstantColor = Locked(false)
  /// Pixel formats of raw pictures, as observers know them.
  let rawFormats = ReviewedValue<[OSType]>([])
  let live = LivePhotoCapture()
  /// Where photos that are finished later leave their frames.
  package let deferredPhotos = Locked(DeferredPhotoStore.user())
  /// Where delegates are called: one queue, serial, and not the main one, which need not run.
  let callbackQueue = DispatchQueue(label: "obscura.photo-callbacks", qos: .userInitiated)

  /// An output that takes photos once a session has it.
  ///
  /// Apple: `AVCapturePhotoOutput.init()`.
  public init() {
    pipeline = PhotoPipeline()
    super.init(number: ())
    followPipeline()
  }

  /// An output whose photos cost so much work beside their own.
  package init(load: PhotoPipeline.Load?) {
    pipeline = PhotoPipeline(load: load)
    super.init(number: ())
    followPipeline()
  }

  private func followPipeline() {
    pipeline.onChange { [weak self] in self?.reviewReadiness() }
  }

  // MARK: Formats

  /// Codecs for `AVCapturePhotoSettings`: HEVC and JPEG, or none before a session has connected a camera.
  ///
  /// Apple: `AVCapturePhotoOutput.availablePhotoCodecTypes`.
  open var availablePhotoCodecTypes: [AVVideoCodecType] {
    observerTable.access(\AVCapturePhotoOutput.availablePhotoCodecTypes)
    return PhotoOutputCapabilities(camera).codecs
  }

  /// Uncompressed pixel formats for `AVCapturePhotoSettings`; none before a session has connected a camera.
  ///
  /// Apple: `AVCapturePhotoOutput.availablePhotoPixelFormatTypes`.
  open var availablePhotoPixelFormatTypes: [OSType] {
    observerTable.access(\AVCapturePhotoOutput.availablePhotoPixelFormatTypes)
    return PhotoOutputCapabilities(camera).pixelFormats
  }

  /// The files that photos can be written as; none before a session has connected a camera.
  ///
  /// Apple: `AVCapturePhotoOutput.availablePhotoFileTypes`.
  open var availablePhotoFileTypes: [AVFileType] {
    observerTable.access(\AVCapturePhotoOutput.availablePhotoFileTypes)
    return PhotoOutputCapabilities(camera).fileTypes
  }

  /// The codecs that a file of the given type can hold.
  ///
  /// Apple: `AVCapturePhotoOutput.supportedPhotoCodecTypes(for:)`.
  open func supportedPhotoCodecTypes(for fileType: AVFileType) -> [AVVideoCodecType] {
    guard camera != nil else { return [] }
    switch fileType {
    case .heic: return [.hevc]
    case .jpg: return [.jpeg]
    default: return []
    }
  }

  /// The uncompressed pixel formats that a file of the given type can hold: none, no such file is written.
  ///
  /// Apple: `AVCapturePhotoOutput.supportedPhotoPixelFormatTypes(for:)`.
  open func supportedPhotoPixelFormatTypes(for fileType: AVFileType) -> [OSType] { [] }

  // MARK: Size and quality

  /// The largest size that photos may have; one of the active format's `supportedMaxPhotoDimensions`.
  ///
  /// At first the smallest of those; a size that the format no longer has falls back to it. 0×0 without a camera.
  ///
  /// Photos may be smaller, never larger: `AVCaptureResolvedPhotoSettings.photoDimensions` says how large one will be. Of a sensor that
  /// otherwise adds its photosites in fours (8064×6048 instead of 4032×3024) a photo shows each by itself where the output and
  /// the photo's settings name that size. Such a photo is of one frame, and of the next exposure: it is neither of a past one
  /// (``isZeroShutterLagEnabled``), nor fused of several, nor finished later (``isAutoDeferredPhotoDeliveryEnabled``), nor taken
  /// while others are processed (``isResponsiveCaptureEnabled``). It comes with the photosites added where it is asked for with a
  /// raw picture, whose mosaic is of added ones, as a part of a bracket or with constant colours, where the zoom leaves no more of
  /// them in view than a photo has pixels anyway (2 and more), and in light in which photos are fused. Apple says that photos may be
  /// smaller, and not when; these rules are our choice.
  ///
  /// Apple: `AVCapturePhotoOutput.maxPhotoDimensions`.
  open var maxPhotoDimensions: CMVideoDimensions {
    get {
      let chosen = state.withLock { $0.maxPhotoDimensions }
      let supported = supportedDimensions
      if let chosen, supported.isEmpty || supported.contains(where: { $0.isEqual(to: chosen) }) {
        return chosen
      }
      return supported.first ?? CMVideoDimensions(width: 0, height: 0)
    }
    set {
      let supported = supportedDimensions
      guard supported.contains(where: { $0.isEqual(to: newValue) }) else {
        ProgrammingMistake.report(
          rule: """
            maxPhotoDimensions cannot be \(newValue.width)×\(newValue.height); choose one of the active format's \
            supportedMaxPhotoDimensions.
            """)
        return
      }
      state.withLock { $0.maxPhotoDimensions = newValue }
      requirementsDidChange()
    }
  }

  /// Whether photos may ask for the format's `highResolutionStillImageDimensions` by `isHighResolutionPhotoEnabled`; the older
  /// spelling of ``maxPhotoDimensions``.
  ///
  /// Apple: `AVCapturePhotoOutput.isHighResolutionCaptureEnabled`.
  open var isHighResolutionCaptureEnabled: Bool {
    get { state.withLock { $0.allowsHighResolution } }
    set {
      let isChanged = state.withLock { state in
        defer { state.allowsHighResolution = newValue }
        return state.allowsHighResolution != newValue
      }
      if isChanged { requirementsDidChange() }
    }
  }

  /// The highest `photoQualityPrioritization` that photos may ask for; at first `.speed` in an `AVCaptureMultiCamSession` and
  /// `.balanced` everywhere else.
  ///
  /// Apple: `AVCapturePhotoOutput.maxPhotoQualityPrioritization`.
  open var maxPhotoQualityPrioritization: QualityPrioritization {
    get {
      state.withLock { $0.maxPrioritization }
        ?? (membership.owner?.takesSeveralCameras == true ? .speed : .balanced)
    }
    set { state.withLock { $0.maxPrioritization = newValue } }
  }

  // MARK: Capture

  /// Takes the picture of the frame that the viewfinder shows, or of the next exposure: see ``isZeroShutterLagEnabled``.
  ///
  /// Returns at once; `delegate` is retained until its last callback. From any thread, also from inside callbacks. A press
  /// that breaks a rule of `AVCapturePhotoSettings` or of this output, or that has no active and enabled video connection, is
  /// a programming mistake: nothing is captured and the delegate gets every callback, those of the results with an error. While
  /// the session does not run, the error is `AVError.sessionNotRunning`, and `AVError.sessionWasInterrupted` while it is interrupted.
  ///
  /// - Note: Unlike AVFoundation, where a press that breaks a rule raises an exception and the delegate is not called, a refused
  ///   press calls its delegate with the error: a program that waits for its photo goes on.
  ///
  /// Apple: `AVCapturePhotoOutput.capturePhoto(with:delegate:)`.
  open func capturePhoto(with settings: AVCapturePhotoSettings, delegate: any AVCapturePhotoCaptureDelegate) {
    take(settings, delegate)
  }

  // MARK: Session

  /// The camera that photos come from, when a session has connected one.
  var camera: DeviceFacts? {
    videoConnections.flatMap(\.inputPorts).firstResult(\.cameraFacts)
  }

  /// The connections without that of a microphone, whose sound movies of Live Photos have.
  var videoConnections: [AVCaptureConnection] { connections.filter { $0.media != .audio } }

  /// The running device behind the first enabled video connection; `nil` while none streams, and while it is withheld.
  package var stillSource: StillSource? {
    let source = videoConnections.firstResult { $0.isEnabled ? $0.stillSource : nil }
    return source.flatMap { membership.owner?.withholds($0.device) == true ? nil : $0 }
  }

  /// The sizes that photos can have, smallest first.
  var supportedDimensions: [CMVideoDimensions] { videoFormat?.supportedMaxPhotoDimensions ?? [] }

  /// The active format of the connected camera.
  var videoFormat: AVCaptureDevice.Format? {
    let inputs = videoConnections.flatMap(\.inputPorts).map(\.input)
    return inputs.firstResult { ($0 as? AVCaptureDeviceInput)?.device }?.activeFormat
  }

  package override var requirements: OutputRequirements {
    // The planner picks formats by what they can give, and every size they have can be asked for later.
    let wantsLive = wantsLive
    var requirements = OutputRequirements(role: .photo, media: wantsLive ? [.video, .audio] : [.video])
    requirements.makesFilms = wantsLive
    requirements.keepsHistory = wantsZeroShutterLag
    requirements.takesDepth = wantsDepth
    requirements.historySize = state.withLock { $0.maxPhotoDimensions }.map {
      FrameSize(width: Int($0.width), height: Int($0.height))
    }
    return requirements
  }

  package override var defersStartByItself: Bool { true }

  /// Whether the session has not made yet what photos need.
  var isHeldBack: Bool { membership.owner?.holdsBack(id) ?? false }

  package override var largestPicture: CMVideoDimensions? { maxPhotoDimensions }

  package override func connectionsDidChange() {
    tellOffers()
    tellDepth()
    tellRaw()
    tellLive()
    tellZeroShutterLag()
    // Not now: the session is being changed, and would be asked for its state.
    callbackQueue.carry { [weak self] in self?.reviewResponsiveness() }
  }

  package override func planDidChange() {
    tellDepth()
    tellRaw()
    tellLive()
    tellZeroShutterLag()
    callbackQueue.carry { [weak self] in self?.reviewResponsiveness() }
  }

  package override func sessionDidChange() {
    reviewSuspension()
    reviewReadiness()
  }

  package override func attach(_ route: MediaRoute) {
    guard route.media == .video else { return }
    let former = attachedRoute.withLock { attached in
      defer { attached.route = route }
      return attached.route
    }
    // Another effect makes nothing new.
    let isSame = former.map { $0.plan == route.plan && $0.processor.isOfStream(route.processor) } ?? false
    if !isSame { rehearseAgain() }
    reviewResponsiveness(isPlanned: true)
  }

  package override func receive(_ sample: MediaSample, over route: MediaRoute) {
    live.recorder.offer(sample, over: route)
    guard case .frame(let frame) = sample else { return }
    noteScene(frame.conditions)
    rehearse(after: frame)
  }

  package override func endCaptures(with error: AVError) {
    // A microphone that is gone takes the sound of movies along, and no photo.
    let endsAll = [.sessionNotRunning, .sessionWasInterrupted, .mediaServicesWereReset].contains(error.code)
    if !endsAll, connection(with: .audio) != nil, videoConnections.contains(where: \.isFed) { return }
    pipeline.abandon(with: error)
    live.recorder.cut()
  }
}

extension CMVideoDimensions {
  func isEqual(to other: CMVideoDimensions) -> Bool {
    width == other.width && height == other.height
  }
}
