internal import ImageIO
internal import AVFCore
internal import CameraFrames
internal import CaptureDevice
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import PhotoProcessing
internal import PixelTransforms

/// A press that was checked against the output and the session: what to capture, and what to make of it.
struct PhotoOrder {
  var capture: PhotoCaptureRequest
  var processing: PhotoProcessingRequest
  var source: StillSource
  /// The client's settings of a bracket; empty for other photos.
  var bracket: [AVCaptureBracketedStillImageSettings]

  /// The request for its depth; `nil` for a photo without.
  var depth: PhotoDepthRequest?

  /// The request for the matte of its people; `nil` for a photo without.
  var matte: PhotoMatteRequest?

  /// The request for mattes of parts of its people; `nil` for a photo without.
  var partMattes: PartMattesRequest?

  /// Whether its cameras' calibration comes with it.
  var wantsCalibration = false

  /// Whether eyes that its flash made red become dark.
  var reducesRedEyes = false

  /// Whether heads at the edges become round.
  var makesHeadsRound = false

  /// The request for the flash's light alone; `nil` for a photo as the camera sees the scene.
  var constantColor: ConstantColorRequest?

  /// The request for its movie; `nil` for a photo without one.
  var live: LivePhotoRequest?

  /// The prioritization that was asked for; the processing's own may be lower.
  var askedPrioritization: PhotoPrioritization

  /// Whether such a photo can be captured while others are processed.
  var canOverlap: Bool {
    // A raw picture keeps its memory for as long as the client likes, too; three of all photosites would fill 220 MB.
    processing.raw == nil && !readsAllPhotosites
      && Self.canOverlap(
        processing.encoding, isFlashing: capture.flash == .on, exposures: capture.pictures.count)
  }

  /// Whether the photo has so much processing that it may be left for later.
  ///
  /// As on Apple's devices that is what is taken for quality; not a photo with flash, whose scene does not come again, and not
  /// brackets, photos of chosen cameras and uncompressed ones, of which there is no proxy, nor one with depth or mattes, which are not stored, or
  /// with heads to be made round; nor one of all photosites, of whose one frame little is left to be done.
  var canBeDeferred: Bool {
    if case .pixels = processing.encoding { return false }
    return processing.raw == nil && processing.prioritization == .quality && isOfCameraInUse
      && bracket.isEmpty
      && capture.flash == .off && depth == nil && partMattes == nil && !makesHeadsRound && !readsAllPhotosites
  }

  /// Decides of how many frames the photo is made.
  ///
  /// Not a photo with flash, whose light is one frame's, and not pictures that the client chose one by one; nor, as Apple says of
  /// the older spelling of quality, one without `isAutoStillImageStabilizationEnabled`; nor one of all photosites.
  ///
  /// - Parameter mayExposeLonger: Whether the frames may be exposed for longer than the stream's, which come late meanwhile.
  mutating func planBurst(isWanted: Bool, mayExposeLonger: Bool) {
    guard isOfCameraInUse, bracket.isEmpty, capture.flash == .off, !readsAllPhotosites else { return }
    let controls = source.device.driver.controlState
    let frames = BurstPlan.frames(
      for: isWanted ? processing.prioritization : .speed, controls,
      size: capture.size, bound: source.burstLimit)
    let takesLonger = mayExposeLonger && frames > 1 && source.facts.capabilities.canExposeStillsByHand
    night = takesLonger ? NightExposure(controls, source.plan.stream.format) : nil
    capture.pictures[0].exposures = Array(repeating: night?.still, count: frames)
    capture.ownsFrames = source.ownsStills
    capture.isBurstLight =
      frames > 1 && source.ownsStills && BurstPlan.canOverlap(frames: frames, size: capture.size)
  }

  /// Decides whether another camera under the virtual one takes the photo, too, to give it its detail.
  ///
  /// In light that is enough for one frame, and unless speed is wanted; see ``DetailCamera``.
  mutating func planCompanion(isWanted: Bool) {
    guard isOfCameraInUse, bracket.isEmpty, capture.pictures.count == 1 else { return }
    let controls = source.device.driver.controlState
    let mayBe =
      isWanted && processing.prioritization != .speed && capture.flash == .off && !capture.isBurst
      && source.facts.capabilities.takesConstituentStills && !source.processor.hasEffect
      && !BurstPlan.isDim(controls)
    let camera = mayBe ? DetailCamera(processing.camera.lenses, controls) : nil
    let enlargement = camera?.enlargement ?? 1
    // Where the sensor has a pixel for each of the photo's the other camera's are of no use.
    let sharpest = source.plan.stream.format.stillSizes.map(\.width).max() ?? capture.size.width
    let isEnlarged = Double(capture.size.width) * enlargement > Double(sharpest) * DetailCamera.least
    capture.pictures[0].companion = isEnlarged ? camera?.uniqueID : nil
  }

  /// The longer exposure of each of its frames, where there is too little light for the stream's own.
  private(set) var night: NightExposure?

  /// How long the shutter is open for a photo in the night; 0 for others, whose frames are the stream's own.
  var nightSeconds: Double {
    Double((night?.durationNanoseconds ?? 0) * Int64(capture.pictures[0].exposures.count)) / 1e9
  }

  /// The store of the frames, if the photo is finished later.
  var store: DeferredPhotoStore?

  /// The request to the processing stages now.
  var immediateProcessing: PhotoProcessingRequest {
    store == nil ? processing : processing.proxy(PhotoProxy.newIdentifier())
  }

  /// Whether the exposure takes long for what it is, not for how long the shutter is open.
  var isSlowToExpose: Bool { capture.flash == .on || bracket.count > 1 }

  /// Whether the camera in use takes the photo, and not cameras under a virtual one that the client chose.
  var isOfCameraInUse: Bool { capture.pictures.allSatisfy { $0.constituent == nil } }

  /// Whether a photo can be captured while others are processed.
  ///
  /// As on Apple's devices not with flash, not in brackets, and not uncompressed: such a picture keeps its memory for as long as the
  /// client likes.
  static func canOverlap(_ encoding: PhotoEncoding, isFlashing: Bool, exposures: Int) -> Bool {
    if case .pixels = encoding { return false }
    return !isFlashing && exposures == 1
  }

  /// The resolved settings, which the delegate gets before the exposure; `seconds` is how long processing may take.
  func resolved(processingSeconds seconds: (shortest: Double, longest: Double))
    -> AVCaptureResolvedPhotoSettings
  {
    let shortest = seconds.shortest + nightSeconds
    let size = processing.pictureSize(of: capture.size)
    let isProcessed = processing.isProcessed
    let rawThumbnail = processing.raw?.thumbnail.map {
      PhotoDeveloper.size(capture.size, within: $0.maxWidth, $0.maxHeight)
    }
    let preview = processing.preview.map { PhotoDeveloper.size(size, within: $0.longerSide, $0.longerSide) }
    let thumbnail = processing.thumbnail.map { PhotoDeveloper.size(size, within: $0.maxWidth, $0.maxHeight) }
    return AVCaptureResolvedPhotoSettings(
      uniqueID: capture.uniqueID, photo: CMVideoDimensions(isProcessed ? size : nil),
      preview: CMVideoDimensions(preview), thumbnail: CMVideoDimensions(thumbnail),
      expectedPhotoCount: capture.pictures.count * processing.resultCount
        + (constantColor?.deliversFallback == true ? 1 : 0),
      processingTime: CMTimeRange(
        start: CMTime(seconds: shortest, preferredTimescale: 1_000_000),
        duration: CMTime(seconds: seconds.longest - seconds.shortest, preferredTimescale: 1_000_000)),
      isFlashEnabled: capture.flash == .on,
      isFastCapturePrioritizationEnabled: processing.prioritization != askedPrioritization,
      isFused: capture.isBurst, isOfTwoCameras: capture.isOfTwoCameras,
      deferredPhotoProxy: CMVideoDimensions(store.map { _ in PhotoProxy.size(of: size) }),
      raw: CMVideoDimensions(capture.wantsMosaic ? source.plan.stream.format.rawFormat?.size : nil),
      rawThumbnail: CMVideoDimensions(rawThumbnail),
      livePhotoMovie: CMVideoDimensions(live?.size),
      portraitMatte: CMVideoDimensions(matte.map { _ in PhotoMatteRequest.size(of: size) }),
      partMattes: (partMattes?.types ?? [], CMVideoDimensions(PhotoMatteRequest.size(of: size))),
      reducesRedEyes: reducesRedEyes, makesHeadsRound: makesHeadsRound)
  }
}

extension CMVideoDimensions {
  /// The same size in Core Media's terms; 0×0 for none.
  init(_ size: FrameSize?) {
    self.init(width: Int32(size?.width ?? 0), height: Int32(size?.height ?? 0))
  }
}

extension AVCapturePhotoOutput {
  /// The reason why a photo is not taken.
  enum Refusal: Error {
    /// The caller broke a rule, for which Apple raises an exception.
    case mistake(String)
    /// Not a mistake of the caller.
    case failure(AVError)

    var error: AVError {
      switch self {
      case .mistake(let rule): AVError(.unknown, because: rule)
      case .failure(let error): error
      }
    }
  }

  /// Checks a press in Apple's order: the settings by themselves, then against this output, then against the session.
  func check(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PhotoOrder {
    guard settings.use.begin() else {
      throw .mistake(
        "An AVCapturePhotoSettings object serves one photo; make the next with AVCapturePhotoSettings(from:)."
      )
    }
    return try resolve(settings)
  }

  /// Checks settings without using them up, and decides what they leave open.
  func resolve(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PhotoOrder {
    guard let connection = connection(with: .video), connection.isEnabled, connection.isActive else {
      if let refusal = connection(with: .video)?.refusal {
        throw .mistake(
          "capturePhoto(with:delegate:) needs an active video connection, and this one is not: \(refusal).")
      }
      throw .mistake(
        "capturePhoto(with:delegate:) needs an active and enabled video connection; add a camera and this output to a session."
      )
    }
    let encoding = try checkFormat(settings)
    let raw = try checkRaw(settings, connection)
    let preview = try checkPreview(settings)
    let thumbnail = try checkThumbnail(settings)
    try checkQuality(settings)
    let constantColor = try checkConstantColor(settings)
    try checkHeads(settings)
    try checkLive(settings)
    let shape = try checkShape(settings)
    let depth = try checkDepth(settings, connection, shape)
    let matte = try checkMatte(settings, depth)
    let partMattes = try checkPartMattes(settings)
    let wantsCalibration = try checkCalibration(settings)
    try checkBracket(settings)
    try checkConstituents(settings)
    let dimensions = try checkDimensions(settings)
    guard let source = stillSource else { throw .failure(AVError(silence)) }
    let bracket = (settings as? AVCapturePhotoBracketSettings)?.bracketedSettings ?? []
    let turn = isCameraSensorOrientationCompensationEnabled ? sensorTurn : .none
    let prioritization = settings.prioritization ?? (raw == nil ? usualPrioritization : .speed)
    let controls = source.device.driver.controlState
    let live = liveRequest(settings, connection, source)
    let isFlashing = settings.flashMode.fires(when: controls) && source.device.isFlashAvailable
    var capture = PhotoCaptureRequest(
      uniqueID: settings.uniqueID,
      size: stillSize(
        within: dimensions, of: source,
        readsAllPhotosites: raw == nil && constantColor == nil && bracket.isEmpty
          && canReadAllPhotosites(
            settings, prioritization, source, isFlashing: isFlashing,
            enlargement: connection.settings.enlargement)
      ),
      flash: isFlashing ? .on : .off,
      pictures: pictures(of: settings, bracket, at: controls))
    capture.wantsMosaic = raw != nil
    if constantColor != nil {
      capture.flash = .on
      capture.isConstantColor = true
      capture.pictures = [PhotoCaptureRequest.Picture([nil, nil])]
    }
    var order = PhotoOrder(
      capture: capture,
      processing: PhotoProcessingRequest(
        uniqueID: settings.uniqueID, encoding: encoding, preview: preview, thumbnail: thumbnail,
        orientation: connection.settings.orientation(after: turn),
        turn: turn == .none ? nil : (turn, connection.settings.orientation(after: .none)),
        enlargement: connection.settings.enlargement, shape: shape,
        prioritization: prioritization, camera: PhotoCamera(source.device, source.facts),
        flash: FlashMode(settings.flashMode),
        clientMetadata: PhotoMetadata(settings.metadata).merging(live?.photoMetadata ?? PhotoMetadata())),
      source: source, bracket: bracket, depth: depth, live: live, askedPrioritization: prioritization)
    order.processing.raw = raw
    order.matte = matte
    order.partMattes = source.processor.hasEffect ? nil : partMattes
    order.wantsCalibration = wantsCalibration
    order.reducesRedEyes =
      settings.isAutoRedEyeReductionEnabled && capture.flash == .on && order.processing.isProcessed
      && isAutoRedEyeReductionSupported
    order.constantColor = constantColor
    order.makesHeadsRound = makesHeadsRound(settings, order, controls)
    return order
  }

  /// The pictures of the photo: one for each exposure of a bracket, one for each camera that was chosen, else one.
  private func pictures(
    of settings: AVCapturePhotoSettings, _ bracket: [AVCaptureBracketedStillImageSettings],
    at controls: ControlState
  ) -> [PhotoCaptureRequest.Picture] {
    let chosen = settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices
    guard chosen.isEmpty else {
      return chosen.map { PhotoCaptureRequest.Picture(constituent: $0.uniqueID) }
    }
    guard !bracket.isEmpty else { return [PhotoCaptureRequest.Picture()] }
    return bracket.map { PhotoCaptureRequest.Picture([$0.exposure.still(at: controls)]) }
  }

  private func checkFormat(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PhotoEncoding {
    // A raw picture alone is made no file of; its preview is made of what a file would be.
    if settings.rawPhotoPixelFormatType != 0, settings.format == nil { return .jpeg(quality: nil) }
    guard let encoding = PhotoEncoding(format: settings.format) else {
      throw .mistake(
        "A photo's format names either a codec of availablePhotoCodecTypes or a pixel format; given was \(settings.format ?? [:])."
      )
    }
    if case .pixels(let format) = encoding, !availablePhotoPixelFormatTypes.contains(format) {
      throw .mistake(
        "Photos cannot be \(FourCharacterCode(rawValue: format)); choose one of availablePhotoPixelFormatTypes."
      )
    }
    if let type = settings.processedFileType, !encoding.fits(supportedPhotoCodecTypes(for: type)) {
      throw .mistake(
        "A file of type \(type.rawValue) cannot hold the photo's format; ask supportedPhotoCodecTypes(for:).")
    }
    return encoding
  }

  private func checkPreview(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PhotoPreviewRequest? {
    guard let format = settings.previewPhotoFormat else { return nil }
    guard let preview = PhotoPreviewRequest(format: format),
      settings.availablePreviewPhotoPixelFormatTypes.contains(preview.pixelFormat)
    else {
      throw .mistake(
        "previewPhotoFormat names one of availablePreviewPhotoPixelFormatTypes, and both width and height or neither; "
          + "given was \(format).")
    }
    return preview
  }

  private func checkThumbnail(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PhotoThumbnailRequest? {
    guard let format = settings.embeddedThumbnailPhotoFormat else { return nil }
    guard let thumbnail = PhotoThumbnailRequest(format: format),
      !settings.availableEmbeddedThumbnailPhotoCodecTypes.isEmpty
    else {
      throw .mistake(
        "embeddedThumbnailPhotoFormat names one of availableEmbeddedThumbnailPhotoCodecTypes; given was \(format)."
      )
    }
    return thumbnail
  }

  private func checkShape(_ settings: AVCapturePhotoSettings) throws(Refusal) -> PhotoShape? {
    guard let ratio = settings.cropAspectRatio else { return nil }
    guard let shape = PhotoShape(aspectRatio: ratio) else {
      throw .mistake(
        "cropAspectRatio is the longer side by the shorter one, from 1 to 100; given was \(ratio).")
    }
    return shape
  }

  private func checkQuality(_ settings: AVCapturePhotoSettings) throws(Refusal) {
    guard supportedFlashModes.contains(settings.flashMode) else {
      throw .mistake("flashMode must be one of the photo output's supportedFlashModes.")
    }
    if let asked = settings.prioritization, asked.rawValue > maxPhotoQualityPrioritization.rawValue {
      throw .mistake(
        "photoQualityPrioritization may not be above the photo output's maxPhotoQualityPrioritization.")
    }
  }

  /// The prioritization of settings that name none.
  ///
  /// Apple's settings stand at `.balanced`, above the maximum of an output in a multi-camera session, and Apple does not say
  /// what becomes of them. Here only what a client has set can be a mistake: a client that leaves both alone has made none.
  private var usualPrioritization: PhotoPrioritization {
    maxPhotoQualityPrioritization == .speed ? .speed : .balanced
  }

  /// The bound of the photo's size.
  private func checkDimensions(_ settings: AVCapturePhotoSettings) throws(Refusal) -> CMVideoDimensions {
    let supported = supportedDimensions
    if settings.isHighResolutionPhotoEnabled {
      guard isHighResolutionCaptureEnabled else {
        throw .mistake(
          "isHighResolutionPhotoEnabled needs the photo output's isHighResolutionCaptureEnabled; set that to true first."
        )
      }
      return videoFormat?.highResolutionStillImageDimensions ?? maxPhotoDimensions
    }
    let asked = settings.maxPhotoDimensions
    guard asked.width != 0 || asked.height != 0 else { return supported.first ?? maxPhotoDimensions }
    let limit = maxPhotoDimensions
    guard supported.contains(where: { $0.isEqual(to: asked) }), asked.width <= limit.width,
      asked.height <= limit.height
    else {
      throw .mistake(
        "maxPhotoDimensions must be one of the active format's supportedMaxPhotoDimensions and no larger than the photo output's."
      )
    }
    return asked
  }

  /// Why nothing streams.
  var silence: AVError.Code {
    guard let owner = membership.owner, owner.isRunning else { return .sessionNotRunning }
    return owner.isInterrupted ? .sessionWasInterrupted : .noDataCaptured
  }
}
