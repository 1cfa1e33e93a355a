internal import Linux
internal import CoreVideo
public import AVFCore
public import CoreMedia
public import Foundation
public import FoundationExtras
internal import PhotoProcessing

/// The settings of one photo: file format, size, preview, thumbnail, metadata.
///
/// One object serves one photo: using it twice is a programming mistake; ``init(from:)`` makes the next one. Any
/// combination may be set here; `AVCapturePhotoOutput.capturePhoto(with:delegate:)` checks whether it fits the
/// session and copies it, so later changes do not reach a photo that is under way. Not thread-safe.
///
/// Source: [AVCapturePhotoSettings](https://developer.apple.com/documentation/avfoundation/avcapturephotosettings).
open class AVCapturePhotoSettings: NSObject, NSCopying {
  /// The use of settings for a photo, which may happen once; shared with their copies.
  final class Use: Sendable {
    private let isUsed = Locked(false)

    /// Notes the use; `false` when there was one already.
    func begin() -> Bool {
      isUsed.withLock { isUsed in
        defer { isUsed = true }
        return !isUsed
      }
    }
  }

  let use: Use
  private static let lastUniqueID = Locked<Int64>(0)

  /// The number that sets this request apart from every other of the process; grows with each object.
  ///
  /// `AVCaptureResolvedPhotoSettings.uniqueID` carries it to the delegate.
  ///
  /// Apple: `AVCapturePhotoSettings.uniqueID`.
  public let uniqueID: Int64

  /// How the photo is encoded, as it was given to the initialiser; `nil` for a raw picture alone.
  ///
  /// Either `AVVideoCodecKey` with a codec (and, in `AVVideoCompressionPropertiesKey`, an `AVVideoQualityKey` from 0
  /// to 1), or `kCVPixelBufferPixelFormatTypeKey` with an uncompressed pixel format. Both keys, and a codec that is none, are
  /// programming mistakes of the initialiser; settings so made take no photo.
  ///
  /// Apple: `AVCapturePhotoSettings.format`.
  public let format: [String: Any]?

  /// The raw pixel format that was given to the initialiser; 0 for none.
  ///
  /// Must be one of the output's `availableRawPhotoPixelFormatTypes`.
  ///
  /// Apple: `AVCapturePhotoSettings.rawPhotoPixelFormatType`.
  public let rawPhotoPixelFormatType: OSType

  /// The file container of the raw picture: what the initialiser was given, else DNG; `nil` without a raw format.
  ///
  /// Apple: `AVCapturePhotoSettings.rawFileType`.
  open var rawFileType: AVFileType? {
    askedRawFileType ?? (rawPhotoPixelFormatType == 0 ? nil : .dng)
  }

  /// How a ProRAW picture is compressed: `nil`, no output here has `isAppleProRAWSupported`.
  ///
  /// Another value is a programming mistake without effect.
  ///
  /// Apple: `AVCapturePhotoSettings.rawFileFormat`.
  open var rawFileFormat: [String: Any]? {
    get { nil }
    set {
      guard newValue != nil else { return }
      ProgrammingMistake.report(
        rule: "rawFileFormat is for Apple ProRAW alone; ask the photo output's isAppleProRAWSupported first.")
    }
  }

  private let askedFileType: AVFileType?
  private let askedRawFileType: AVFileType?
  /// The value of ``rawEmbeddedThumbnailPhotoFormat``.
  var rawThumbnail: [String: Any]?

  /// The file container that `AVCapturePhoto.fileDataRepresentation()` writes: what the initialiser was given, else `.jpg`
  /// or `.heic` as ``format`` wants it, or `nil` for an uncompressed format.
  ///
  /// Apple: `AVCapturePhotoSettings.processedFileType`.
  open var processedFileType: AVFileType? {
    if let askedFileType { return askedFileType }
    return switch format.flatMap(PhotoEncoding.init(format:)) {
    case .jpeg: .jpg
    case .heic: .heic
    case .pixels, nil: nil
    }
  }

  /// When the flash fires; `.off` at first.
  ///
  /// One of the output's `supportedFlashModes`. With `.auto` it is decided at the press:
  /// `AVCaptureResolvedPhotoSettings.isFlashEnabled` says.
  ///
  /// Apple: `AVCapturePhotoSettings.flashMode`.
  open var flashMode = AVCaptureDevice.FlashMode.off

  /// Whether the photo is as large as the format's `highResolutionStillImageDimensions`.
  ///
  /// The older spelling of ``maxPhotoDimensions``; needs `AVCapturePhotoOutput.isHighResolutionCaptureEnabled`.
  ///
  /// Apple: `AVCapturePhotoSettings.isHighResolutionPhotoEnabled`.
  open var isHighResolutionPhotoEnabled = false

  /// The largest size that the photo may have: one of the active format's `supportedMaxPhotoDimensions`, and no larger than the
  /// output's own `maxPhotoDimensions`.
  ///
  /// 0×0, the value at first, stands for the smallest of them: settings do not know the format yet. For photos as large as
  /// the output allows, set this to the output's `maxPhotoDimensions`, which says when photos are smaller.
  ///
  /// Apple: `AVCapturePhotoSettings.maxPhotoDimensions`.
  open var maxPhotoDimensions = CMVideoDimensions(width: 0, height: 0)

  /// The value that ``photoQualityPrioritization`` was set to; `nil` while it is left alone.
  var prioritization: PhotoPrioritization?

  /// Properties that are written into the file beside the camera's own, in ImageIO's dictionaries (`{GPS}`, `{Exif}`, …).
  ///
  /// Where both name the same property, the client's value is written. A key that ImageIO does not have is a programming
  /// mistake, and leaves the dictionary as it was; in the dictionaries inside any key goes, for makers have keys of their own.
  ///
  /// Apple: `AVCapturePhotoSettings.metadata`.
  open var metadata: [String: Any] {
    get { clientMetadata }
    set {
      if let stranger = PhotoMetadata(newValue).strangeKey {
        return ProgrammingMistake.report(
          rule: "A photo's metadata cannot have the key \"\(stranger)\"; take kCGImageProperty… keys.")
      }
      clientMetadata = BoxedNumbers.boxed(newValue)
    }
  }

  private var clientMetadata: [String: Any] = [:]

  /// The format of the preview image, or `nil` for none.
  ///
  /// `kCVPixelBufferPixelFormatTypeKey` names one of ``availablePreviewPhotoPixelFormatTypes``. The width and height keys, both
  /// or neither, give the picture's longer side by the larger of the two: the picture keeps the photo's aspect, and is never
  /// enlarged. Without them its longer side has at most 1920 pixels.
  ///
  /// Apple: `AVCapturePhotoSettings.previewPhotoFormat`.
  open var previewPhotoFormat: [String: Any]?

  /// Pixel formats for ``previewPhotoFormat``: for an uncompressed photo its own format is first.
  ///
  /// Apple: `AVCapturePhotoSettings.availablePreviewPhotoPixelFormatTypes`.
  open var availablePreviewPhotoPixelFormatTypes: [OSType] {
    let all = PhotoPreviewRequest.pixelFormats
    guard case .pixels(let own) = PhotoEncoding(format: format) else { return all }
    return [own] + all.filter { $0 != own }
  }

  /// The format of the thumbnail inside the file, or `nil` for none.
  ///
  /// `AVVideoCodecKey` names one of ``availableEmbeddedThumbnailPhotoCodecTypes``; the keys `AVVideoWidthKey` and
  /// `AVVideoHeightKey` bound the picture. Without them it is at most 160×160.
  ///
  /// Apple: `AVCapturePhotoSettings.embeddedThumbnailPhotoFormat`.
  open var embeddedThumbnailPhotoFormat: [String: Any]?

  /// Codecs for ``embeddedThumbnailPhotoFormat``: JPEG, or none for an uncompressed photo, which has no file.
  ///
  /// Apple: `AVCapturePhotoSettings.availableEmbeddedThumbnailPhotoCodecTypes`.
  open var availableEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] {
    processedFileType == nil ? [] : [.jpeg]
  }

  /// When the user pressed, on the session's `synchronizationClock`; `nil`, the value at first, is when the settings are
  /// captured.
  ///
  /// For programs that learn of a touch some time after it: the photo is of the frame that the viewfinder showed then, as far
  /// back as `AVCapturePhotoOutput` keeps frames. A time to come counts as now. Without zero shutter lag it changes nothing.
  ///
  /// - Note: Unlike AVFoundation, which has no such property.
  open var pressTime: CMTime?

  /// The aspect ratio to which the photo is cropped around its middle: the longer side divided by the shorter one, from 1 to 100;
  /// `nil`, the value at first, crops nothing.
  ///
  /// The photo is cropped before it is encoded, so that it can be deferred and overlap others. Another value is a programming mistake
  /// of the capture. A portrait picture stays portrait; a picture whose ratio is within half a per cent is not cropped. The resolved
  /// settings have the cropped sizes in pixels.
  ///
  /// - Note: Unlike AVFoundation, which has no such property.
  open var cropAspectRatio: Double?

  /// Which of the cameras under a virtual device take the photo; empty, as at first, is the one that is in use.
  ///
  /// A subset of the device's `constituentDevices`. All of them expose at the same time, and
  /// `photoOutput(_:didFinishProcessingPhoto:error:)` is called once for each, in the order of this list;
  /// `AVCapturePhoto.sourceDeviceType` says which it was. Each picture has the photo's size. It shows what the device's
  /// zoom factor shows, or the camera's whole view where that is narrower. Such photos are exposed after the press and are
  /// never deferred. Needs the output's `isVirtualDeviceConstituentPhotoDeliveryEnabled`; without it, with another device,
  /// with one twice, and in a bracket the capture is a programming mistake.
  ///
  /// - Note: Apple does not say in which order the photos come, nor what zoom makes of them.
  ///
  /// Apple: `AVCapturePhotoSettings.virtualDeviceConstituentPhotoDeliveryEnabledDevices`.
  open var virtualDeviceConstituentPhotoDeliveryEnabledDevices: [AVCaptureDevice] = []

  /// The settings of features that are not supported, see `AVCapturePhotoSettings+Features.swift`.
  var features = PhotoFeatureWishes()

  /// A JPEG without flash, preview or thumbnail.
  ///
  /// Apple: `AVCapturePhotoSettings.init()`.
  public override convenience init() {
    self.init(format: nil)
  }

  /// A photo in the given format, with the keys of ``format``; `nil` is JPEG.
  ///
  /// Apple: `AVCapturePhotoSettings.init(format:)`.
  public convenience init(format: [String: Any]?) {
    self.init(rawPixelFormatType: 0, rawFileType: nil, processedFormat: format, processedFileType: nil)
  }

  /// A raw picture alone, in one of the output's `availableRawPhotoPixelFormatTypes`.
  ///
  /// Apple: `AVCapturePhotoSettings.init(rawPixelFormatType:)`.
  public convenience init(rawPixelFormatType: OSType) {
    self.init(
      rawPixelFormatType: rawPixelFormatType, rawFileType: nil, processedFormat: nil, processedFileType: nil)
  }

  /// A raw picture and, beside it, a photo in `processedFormat`, with the keys of ``format``; `nil` for none.
  ///
  /// Apple: `AVCapturePhotoSettings.init(rawPixelFormatType:processedFormat:)`.
  public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) {
    self.init(
      rawPixelFormatType: rawPixelFormatType, rawFileType: nil, processedFormat: processedFormat,
      processedFileType: nil)
  }

  /// A photo in the given formats and file containers.
  ///
  /// - Parameters:
  ///   - rawPixelFormatType: One of the output's `availableRawPhotoPixelFormatTypes`; 0 for no raw picture.
  ///   - rawFileType: The container of the raw picture; `nil` for the usual one.
  ///   - processedFormat: With the keys of ``format``; `nil` without a raw format is JPEG.
  ///   - processedFileType: One of the output's `availablePhotoFileTypes` that can hold the format; `nil` for the usual one.
  ///
  /// Apple: `AVCapturePhotoSettings.init(rawPixelFormatType:rawFileType:processedFormat:processedFileType:)`.
  public init(
    rawPixelFormatType: OSType, rawFileType: AVFileType?, processedFormat: [String: Any]?,
    processedFileType: AVFileType?
  ) {
    uniqueID = Self.nextUniqueID()
    use = Use()
    let usual: [String: Any]? = rawPixelFormatType == 0 ? [AVVideoCodecKey: AVVideoCodecType.jpeg] : nil
    format = processedFormat ?? usual
    rawPhotoPixelFormatType = rawPixelFormatType
    askedRawFileType = rawFileType
    askedFileType = processedFileType
    super.init()
    if let rule = processedFormat.flatMap(PhotoEncoding.mistake) { ProgrammingMistake.report(rule: rule) }
    // A raw picture is what one exposure of one sensor gave.
    if rawPixelFormatType != 0 {
      isAutoStillImageStabilizationEnabled = false
      isAutoVirtualDeviceFusionEnabled = false
    }
  }

  /// The same wishes under a new ``uniqueID``, for the next photo.
  ///
  /// Apple: `AVCapturePhotoSettings.init(from:)`.
  public init(from photoSettings: AVCapturePhotoSettings) {
    uniqueID = Self.nextUniqueID()
    use = Use()
    format = photoSettings.format
    rawPhotoPixelFormatType = photoSettings.rawPhotoPixelFormatType
    askedRawFileType = photoSettings.askedRawFileType
    askedFileType = photoSettings.askedFileType
    super.init()
    takeWishes(of: photoSettings)
  }

  init(copying photoSettings: AVCapturePhotoSettings) {
    uniqueID = photoSettings.uniqueID
    use = photoSettings.use
    format = photoSettings.format
    rawPhotoPixelFormatType = photoSettings.rawPhotoPixelFormatType
    askedRawFileType = photoSettings.askedRawFileType
    askedFileType = photoSettings.askedFileType
    super.init()
    takeWishes(of: photoSettings)
    // Not a wish for further photos, which have a press of their own.
    pressTime = photoSettings.pressTime
  }

  /// The same request again, with the same ``uniqueID``: it may not be captured beside the original.
  ///
  /// Apple: `AVCapturePhotoSettings.copy(with:)`.
  open func copy(with zone: NSZone? = nil) -> Any {
    AVCapturePhotoSettings(copying: self)
  }

  private func takeWishes(of other: AVCapturePhotoSettings) {
    flashMode = other.flashMode
    isHighResolutionPhotoEnabled = other.isHighResolutionPhotoEnabled
    maxPhotoDimensions = other.maxPhotoDimensions
    prioritization = other.prioritization
    clientMetadata = other.clientMetadata
    previewPhotoFormat = other.previewPhotoFormat
    embeddedThumbnailPhotoFormat = other.embeddedThumbnailPhotoFormat
    rawThumbnail = other.rawThumbnail
    virtualDeviceConstituentPhotoDeliveryEnabledDevices =
      other.virtualDeviceConstituentPhotoDeliveryEnabledDevices
    cropAspectRatio = other.cropAspectRatio
    features = other.features
  }

  private static func nextUniqueID() -> Int64 {
    lastUniqueID.withLock { last in
      last += 1
      return last
    }
  }
}
