public import AVFCore
public import Foundation
public import FoundationExtras

/// The settings of a bracket: several photos of one press, each exposed in its own way, one frame after the other.
///
/// The delegate gets `photoOutput(_:didFinishProcessingPhoto:error:)` once for each, in the order of ``bracketedSettings``.
/// Brackets take no flash.
///
/// Source: [AVCapturePhotoBracketSettings](https://developer.apple.com/documentation/avfoundation/avcapturephotobracketsettings).
open class AVCapturePhotoBracketSettings: AVCapturePhotoSettings {
  /// How each photo is exposed.
  ///
  /// Apple: `AVCapturePhotoBracketSettings.bracketedSettings`.
  public let bracketedSettings: [AVCaptureBracketedStillImageSettings]

  /// Whether the lens is kept still during the bracket; `false` at first.
  ///
  /// May only be `true` where the output's `isLensStabilizationDuringBracketedCaptureSupported` is.
  ///
  /// Apple: `AVCapturePhotoBracketSettings.isLensStabilizationEnabled`.
  open var isLensStabilizationEnabled = false

  /// A bracket in the given format.
  ///
  /// No settings, and automatic and manual ones mixed, are a programming mistake; capturing such a bracket ends in an error.
  ///
  /// - Parameters:
  ///   - rawPixelFormatType: One of the output's `availableRawPhotoPixelFormatTypes`; 0 for no raw pictures.
  ///   - processedFormat: As for `AVCapturePhotoSettings(format:)`; `nil` without a raw format is JPEG.
  ///   - bracketedSettings: One for each photo, at most the output's `maxBracketedCapturePhotoCount`, all of one class.
  ///
  /// Apple: `AVCapturePhotoBracketSettings.init(rawPixelFormatType:processedFormat:bracketedSettings:)`.
  public convenience init(
    rawPixelFormatType: OSType, processedFormat: [String: Any]?,
    bracketedSettings: [AVCaptureBracketedStillImageSettings]
  ) {
    self.init(
      rawPixelFormatType: rawPixelFormatType, rawFileType: nil, processedFormat: processedFormat,
      processedFileType: nil, bracketedSettings: bracketedSettings)
  }

  /// A bracket in the given format and file container.
  ///
  /// - Parameters:
  ///   - rawPixelFormatType: One of the output's `availableRawPhotoPixelFormatTypes`; 0 for no raw pictures.
  ///   - rawFileType: The container of the raw pictures; `nil` for the usual one.
  ///   - processedFormat: As for `AVCapturePhotoSettings(format:)`; `nil` without a raw format is JPEG.
  ///   - processedFileType: One of the output's `availablePhotoFileTypes` that can hold the format; `nil` for the usual one.
  ///   - bracketedSettings: One for each photo, at most the output's `maxBracketedCapturePhotoCount`, all of one class.
  ///
  /// Apple: `AVCapturePhotoBracketSettings.init(rawPixelFormatType:rawFileType:processedFormat:processedFileType:bracketedSettings:)`.
  public init(
    rawPixelFormatType: OSType, rawFileType: AVFileType?, processedFormat: [String: Any]?,
    processedFileType: AVFileType?, bracketedSettings: [AVCaptureBracketedStillImageSettings]
  ) {
    self.bracketedSettings = bracketedSettings
    super.init(
      rawPixelFormatType: rawPixelFormatType, rawFileType: rawFileType, processedFormat: processedFormat,
      processedFileType: processedFileType)
    // One exposure after the other leaves nothing to fuse.
    isAutoStillImageStabilizationEnabled = false
    isAutoVirtualDeviceFusionEnabled = false
    if let rule = Self.mistake(in: bracketedSettings) { ProgrammingMistake.report(rule: rule) }
  }

  /// The same wishes under a new `uniqueID`; the settings must be a bracket's.
  ///
  /// Apple: `AVCapturePhotoBracketSettings.init(from:)`.
  public override init(from photoSettings: AVCapturePhotoSettings) {
    let bracket = photoSettings as? AVCapturePhotoBracketSettings
    bracketedSettings = bracket?.bracketedSettings ?? []
    super.init(from: photoSettings)
    isLensStabilizationEnabled = bracket?.isLensStabilizationEnabled ?? false
    if let rule = Self.mistake(in: bracketedSettings) { ProgrammingMistake.report(rule: rule) }
  }

  private init(copyingBracket settings: AVCapturePhotoBracketSettings) {
    bracketedSettings = settings.bracketedSettings
    super.init(copying: settings)
    isLensStabilizationEnabled = settings.isLensStabilizationEnabled
  }

  /// The same request again, with the same `uniqueID`.
  ///
  /// Apple: `AVCapturePhotoBracketSettings.copy(with:)`.
  open override func copy(with zone: NSZone? = nil) -> Any {
    AVCapturePhotoBracketSettings(copyingBracket: self)
  }

  /// The mistake in such a bracket on any camera, or `nil`.
  static func mistake(in settings: [AVCaptureBracketedStillImageSettings]) -> String? {
    guard let first = settings.first else {
      return "A bracket needs at least one of bracketedSettings."
    }
    let isUniform = settings.allSatisfy {
      ($0 is AVCaptureAutoExposureBracketedStillImageSettings)
        == (first is AVCaptureAutoExposureBracketedStillImageSettings)
    }
    return isUniform ? nil : "A bracket's settings are all automatic or all manual, not some of each."
  }
}
