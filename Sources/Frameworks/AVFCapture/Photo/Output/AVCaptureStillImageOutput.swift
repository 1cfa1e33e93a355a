public import AVFCore
internal import CaptureDevice
public import CoreMedia
internal import CoreVideo
public import Foundation
public import FoundationExtras
internal import Linux

/// Takes photos in the way of the first years: one call, one sample buffer.
///
/// Apple has deprecated it for `AVCapturePhotoOutput`, which makes the photos here, too: what is said there of sizes, flash and processing
/// holds. In a session that has either of the two the other cannot be added. Thread-safe; handlers are called on a queue of the output's,
/// in the order of the calls.
///
/// Source: [AVCaptureStillImageOutput](https://developer.apple.com/documentation/avfoundation/avcapturestillimageoutput).
open class AVCaptureStillImageOutput: AVCaptureOutput, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under `state`.

  private struct State {
    var settings: [String: Any] = [AVVideoCodecKey: AVVideoCodecType.jpeg]
    var stabilizes = true
    var isHighResolution = false
    /// Pictures that are exposed, and those of several frames among them.
    var exposing = 0
    var fusing = 0
  }

  /// Who observes ``isCapturingStillImage`` and ``isStillImageStabilizationActive``.
  public let observerTable = ObserverTable()
  /// What makes the photos; the session knows this output alone.
  let photos: AVCapturePhotoOutput
  private let state = Locked(State())

  /// An output that takes photos once a session has it.
  ///
  /// Apple: `AVCaptureStillImageOutput.init()`.
  public init() {
    photos = AVCapturePhotoOutput()
    super.init(leadingTo: photos)
  }

  // MARK: Settings

  /// How photos come: `AVVideoCodecKey` with one of ``availableImageDataCodecTypes``, or `kCVPixelBufferPixelFormatTypeKey` with one of
  /// ``availableImageDataCVPixelFormatTypes``; JPEG at first.
  ///
  /// Apple: `AVCaptureStillImageOutput.outputSettings`.
  open var outputSettings: [String: Any] {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// The pixel formats of uncompressed photos, as numbers; none before a session has connected a camera.
  ///
  /// Apple: `AVCaptureStillImageOutput.availableImageDataCVPixelFormatTypes`.
  open var availableImageDataCVPixelFormatTypes: [NSNumber] {
    photos.availablePhotoPixelFormatTypes.map { NSNumber(value: $0) }
  }

  /// The codecs of compressed photos: JPEG; none before a session has connected a camera.
  ///
  /// Apple: `AVCaptureStillImageOutput.availableImageDataCodecTypes`.
  open var availableImageDataCodecTypes: [AVVideoCodecType] {
    photos.availablePhotoCodecTypes.filter { $0 == .jpeg }
  }

  /// Whether photos are as large as the device's format can make them; `false` at first.
  ///
  /// Apple: `AVCaptureStillImageOutput.isHighResolutionStillImageOutputEnabled`.
  open var isHighResolutionStillImageOutputEnabled: Bool {
    get { state.withLock { $0.isHighResolution } }
    set {
      state.withLock { $0.isHighResolution = newValue }
      photos.isHighResolutionCaptureEnabled = newValue
    }
  }

  /// Whether photos in little light can be made of several frames.
  ///
  /// Apple: `AVCaptureStillImageOutput.isStillImageStabilizationSupported`.
  open var isStillImageStabilizationSupported: Bool { photos.isStillImageStabilizationSupported }

  /// Whether they are, where there is little light; `true` at first.
  ///
  /// Apple: `AVCaptureStillImageOutput.automaticallyEnablesStillImageStabilizationWhenAvailable`.
  open var automaticallyEnablesStillImageStabilizationWhenAvailable: Bool {
    get { state.withLock { $0.stabilizes } }
    set { state.withLock { $0.stabilizes = newValue } }
  }

  // MARK: State

  /// Whether a photo is being exposed; observable.
  ///
  /// Apple: `AVCaptureStillImageOutput.isCapturingStillImage`.
  open var isCapturingStillImage: Bool {
    observerTable.access(\AVCaptureStillImageOutput.isCapturingStillImage)
    return state.withLock { $0.exposing > 0 }
  }

  /// Whether the photo that is being exposed is made of several frames; observable.
  ///
  /// Apple: `AVCaptureStillImageOutput.isStillImageStabilizationActive`.
  open var isStillImageStabilizationActive: Bool {
    observerTable.access(\AVCaptureStillImageOutput.isStillImageStabilizationActive)
    return state.withLock { $0.fusing > 0 }
  }

  /// Notes that an exposure begins, or is over, on the queue of the callbacks.
  fileprivate func note(_ change: Int, isFused: Bool) {
    let (old, new) = state.withLock { state -> ((Bool, Bool), (Bool, Bool)) in
      let old = (state.exposing > 0, state.fusing > 0)
      state.exposing += change
      if isFused { state.fusing += change }
      return (old, (state.exposing > 0, state.fusing > 0))
    }
    if old.0 != new.0 {
      observerTable.changed(
        \AVCaptureStillImageOutput.isCapturingStillImage, of: self, from: old.0, to: new.0)
    }
    if old.1 != new.1 {
      observerTable.changed(
        \AVCaptureStillImageOutput.isStillImageStabilizationActive, of: self, from: old.1, to: new.1)
    }
  }

  // MARK: Photos

  /// Takes a photo.
  ///
  /// - Parameters:
  ///   - connection: The output's connection for video; another one, and one that is not active, is a programming mistake that ends in an
  ///     error.
  ///   - handler: Gets a JPEG file's bytes in the buffer's data, or an uncompressed picture, with the photo's metadata as attachments; or
  ///     ``AVError``.
  ///
  /// Apple: `AVCaptureStillImageOutput.captureStillImageAsynchronously(from:completionHandler:)`.
  open func captureStillImageAsynchronously(
    from connection: AVCaptureConnection,
    completionHandler handler: @escaping @Sendable (CMSampleBuffer?, (any Error)?) -> Void
  ) {
    guard isOwn(connection) else { return refuse { handler(nil, $0) } }
    take(wish(AVCapturePhotoSettings(format: outputSettings))) { sample, _, error in handler(sample, error) }
  }

  /// The photo of a sample buffer as the bytes of a JPEG file, with its metadata.
  ///
  /// - Returns: `nil` when the buffer holds no JPEG picture.
  ///
  /// Apple: `AVCaptureStillImageOutput.jpegStillImageNSDataRepresentation(_:)`.
  public static func jpegStillImageNSDataRepresentation(_ jpegSampleBuffer: CMSampleBuffer) -> Data? {
    AVCapturePhotoOutput.jpegPhotoDataRepresentation(
      forJPEGSampleBuffer: jpegSampleBuffer, previewPhotoSampleBuffer: nil)
  }

  private func isOwn(_ connection: AVCaptureConnection) -> Bool {
    connections.contains { $0 === connection } && connection.isEnabled && connection.isActive
  }

  private func refuse(_ handler: @escaping @Sendable (AVError) -> Void) {
    let rule = "A still image is taken from the output's own connection for video, which must be active."
    ProgrammingMistake.report(rule: rule)
    photos.callbackQueue.carry { handler(AVError(.unknown, because: rule)) }
  }

  /// The settings with what the output and the device stand at.
  private func wish(_ settings: AVCapturePhotoSettings) -> AVCapturePhotoSettings {
    settings.isHighResolutionPhotoEnabled = isHighResolutionStillImageOutputEnabled
    settings.isAutoStillImageStabilizationEnabled = automaticallyEnablesStillImageStabilizationWhenAvailable
    // Of the photo output's settings the device's own mode decides nothing; here it does.
    if let mode = photos.videoDevice?.flashMode, photos.supportedFlashModes.contains(mode),
      !(settings is AVCapturePhotoBracketSettings)
    {
      settings.flashMode = mode
    }
    return settings
  }

  private func take(_ settings: AVCapturePhotoSettings, _ handler: @escaping StillImageDelegate.Handler) {
    photos.capturePhoto(with: settings, delegate: StillImageDelegate(self, handler))
  }

  // MARK: Brackets

  /// How many photos a bracket may have; 0 before a session has connected a camera.
  ///
  /// Apple: `AVCaptureStillImageOutput.maxBracketedCaptureStillImageCount`.
  open var maxBracketedCaptureStillImageCount: Int { photos.maxBracketedCapturePhotoCount }

  /// Whether the lens is held still over a bracket: no camera here moves its lens against a trembling hand.
  ///
  /// Apple: `AVCaptureStillImageOutput.isLensStabilizationDuringBracketedCaptureSupported`.
  open var isLensStabilizationDuringBracketedCaptureSupported: Bool {
    photos.isLensStabilizationDuringBracketedCaptureSupported
  }

  /// Whether the lens shall be held still over brackets.
  ///
  /// `true` is a programming mistake without effect while ``isLensStabilizationDuringBracketedCaptureSupported`` is `false`.
  ///
  /// Apple: `AVCaptureStillImageOutput.isLensStabilizationDuringBracketedCaptureEnabled`.
  open var isLensStabilizationDuringBracketedCaptureEnabled: Bool {
    get { false }
    set {
      guard newValue else { return }
      ProgrammingMistake.report(
        rule:
          "isLensStabilizationDuringBracketedCaptureEnabled cannot be true here; ask isLensStabilizationDuringBracketedCaptureSupported first."
      )
    }
  }

  private func bracket(_ pictures: [AVCaptureBracketedStillImageSettings]) -> AVCapturePhotoBracketSettings {
    let settings = AVCapturePhotoBracketSettings(
      rawPixelFormatType: 0, processedFormat: outputSettings, bracketedSettings: pictures)
    _ = wish(settings)
    settings.isAutoStillImageStabilizationEnabled = false
    return settings
  }

  /// Makes the memory for a bracket.
  ///
  /// Apple: `AVCaptureStillImageOutput.prepareToCaptureStillImageBracket(from:withSettingsArray:completionHandler:)`.
  open func prepareToCaptureStillImageBracket(
    from connection: AVCaptureConnection, withSettingsArray settings: [AVCaptureBracketedStillImageSettings],
    completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    guard isOwn(connection) else { return refuse { handler(false, $0) } }
    photos.setPreparedPhotoSettingsArray([bracket(settings)], completionHandler: handler)
  }

  /// Takes a bracket: several photos in a row, each exposed as its settings say.
  ///
  /// - Parameter handler: Called once for each of `settings`, in their order, with the photo or why there is none, as of
  ///   ``captureStillImageAsynchronously(from:completionHandler:)``.
  ///
  /// Apple: `AVCaptureStillImageOutput.captureStillImageBracketAsynchronously(from:withSettingsArray:completionHandler:)`.
  open func captureStillImageBracketAsynchronously(
    from connection: AVCaptureConnection, withSettingsArray settings: [AVCaptureBracketedStillImageSettings],
    completionHandler handler:
      @escaping @Sendable (CMSampleBuffer?, AVCaptureBracketedStillImageSettings?, (any Error)?) -> Void
  ) {
    guard isOwn(connection) else {
      return refuse { error in
        for picture in settings { handler(nil, picture, error) }
      }
    }
    take(bracket(settings), handler)
  }

  // MARK: What the session asks and reports

  package override var requirements: OutputRequirements { photos.requirements }
  package override var defersStartByItself: Bool { photos.defersStartByItself }
  package override var largestPicture: CMVideoDimensions? { photos.largestPicture }

  package override func add(_ connection: AVCaptureConnection) {
    super.add(connection)
    photos.add(connection)
  }

  package override func remove(_ connection: AVCaptureConnection) {
    super.remove(connection)
    photos.remove(connection)
  }

  package override func planDidChange() { photos.planDidChange() }
  package override func sessionDidChange() { photos.sessionDidChange() }
  package override func attach(_ route: MediaRoute) { photos.attach(route) }
  package override func receive(_ sample: MediaSample, over route: MediaRoute) {
    photos.receive(sample, over: route)
  }
  package override func endCaptures(with error: AVError) { photos.endCaptures(with: error) }
}

/// Turns the callbacks of a photo into a handler's calls.
private final class StillImageDelegate: NSObject, AVCapturePhotoCaptureDelegate, Sendable {
  typealias Handler =
    @Sendable (CMSampleBuffer?, AVCaptureBracketedStillImageSettings?, (any Error)?) -> Void

  private let output: AVCaptureStillImageOutput
  private let handler: Handler

  init(_ output: AVCaptureStillImageOutput, _ handler: @escaping Handler) {
    self.output = output
    self.handler = handler
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, willCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    self.output.note(1, isFused: resolvedSettings.isStillImageStabilizationEnabled)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didCapturePhotoFor resolvedSettings: AVCaptureResolvedPhotoSettings
  ) {
    self.output.note(-1, isFused: resolvedSettings.isStillImageStabilizationEnabled)
  }

  func photoOutput(
    _ output: AVCapturePhotoOutput, didFinishProcessingPhoto photo: AVCapturePhoto, error: (any Error)?
  ) {
    let (sample, problem) = photo.sampleBuffer(unless: error)
    handler(sample, photo.bracketSettings, problem)
  }
}
