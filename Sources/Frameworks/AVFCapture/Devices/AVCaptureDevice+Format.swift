public import AVFCore
package import CaptureDevice
public import CoreMedia
internal import CoreVideo
public import Foundation
internal import AudioTransforms

extension AVCaptureDevice {
  /// A format in which a device can deliver.
  ///
  /// The same object for as long as the device's formats are the same. Immutable.
  ///
  /// Apple: `AVCaptureDevice.Format`.
  public final class Format: NSObject, Sendable {
    /// The driver's description of the format; `nil` for audio.
    package let streamFormat: StreamFormat?

    /// The kind of media that the format delivers.
    ///
    /// Apple: `AVCaptureDevice.Format.mediaType`.
    public let mediaType: AVMediaType

    /// Size and pixel format of the pictures; MJPEG formats have the codec type of OpenDML JPEG, and H.264 and HEVC formats
    /// their own (`avc1`, `hvc1`).
    ///
    /// H.264 and HEVC are handed on as the camera sends them to movies, and to video data outputs whose `videoSettings` are `[:]`.
    /// For all else they are decoded; what comes before the first key frame, and between a loss and the next one, is dropped.
    ///
    /// Apple: `AVCaptureDevice.Format.formatDescription`.
    public let formatDescription: CMFormatDescription

    /// The frame rates.
    ///
    /// Apple: `AVCaptureDevice.Format.videoSupportedFrameRateRanges`.
    public let videoSupportedFrameRateRanges: [AVFrameRateRange]

    /// Horizontal field of view in degrees, as the lens bends it; 0 when it is unknown.
    ///
    /// Apple: `AVCaptureDevice.Format.videoFieldOfView`.
    public let videoFieldOfView: Float

    /// Horizontal field of view in degrees while the device's `isGeometricDistortionCorrectionEnabled`.
    ///
    /// The same as ``videoFieldOfView`` for devices that correct nothing.
    ///
    /// Apple: `AVCaptureDevice.Format.geometricDistortionCorrectedVideoFieldOfView`.
    public let geometricDistortionCorrectedVideoFieldOfView: Float

    /// The device's bias, in stops; `nil` where it has none.
    let exposureBias: ClosedRange<Float>?

    /// The driver's description of a depth format; `nil` for other formats.
    package let depthFormat: DepthStreamFormat?

    /// In which ways depth can be measured while this format is active; the same objects each time, and none where it cannot.
    ///
    /// Their `mediaType` is `depthData`, the media subtype of their `formatDescription` one of `kCVPixelFormatType_DepthFloat16`,
    /// `…DepthFloat32`, `…DisparityFloat16` and `…DisparityFloat32`.
    ///
    /// Apple: `AVCaptureDevice.Format.supportedDepthDataFormats`.
    public let supportedDepthDataFormats: [Format]

    init(_ format: StreamFormat, of facts: DeviceFacts) {
      streamFormat = format
      depthFormat = nil
      supportedDepthDataFormats = format.depthFormats.map { Format($0) }
      mediaType = .video
      formatDescription = Format.description(of: format)
      videoSupportedFrameRateRanges = format.frameDurations.map(AVFrameRateRange.init)
      func fieldOfView(isCorrected: Bool) -> Float {
        Float(facts.lens?.fieldOfView(of: format.size, isCorrected: isCorrected) ?? 0)
      }
      videoFieldOfView = fieldOfView(isCorrected: false)
      geometricDistortionCorrectedVideoFieldOfView = fieldOfView(
        isCorrected: facts.capabilities.hasDistortionCorrection)
      autoFocusSystem = AutoFocusSystem(facts.capabilities.focusSystem)
      isGlobalToneMappingSupported = facts.capabilities.hasGlobalToneMapping
      exposureBias = facts.capabilities.exposureBias
      super.init()
    }

    private convenience init(audio formatDescription: CMFormatDescription) {
      self.init(.audio, formatDescription, depth: nil)
    }

    private convenience init(_ depth: DepthStreamFormat) {
      self.init(.depthData, Format.description(of: depth), depth: depth)
    }

    /// A format without pictures of colours.
    private init(
      _ mediaType: AVMediaType, _ formatDescription: CMFormatDescription, depth: DepthStreamFormat?
    ) {
      streamFormat = nil
      depthFormat = depth
      supportedDepthDataFormats = []
      self.mediaType = mediaType
      self.formatDescription = formatDescription
      videoSupportedFrameRateRanges = depth?.frameDurations.map(AVFrameRateRange.init) ?? []
      videoFieldOfView = 0
      geometricDistortionCorrectedVideoFieldOfView = 0
      autoFocusSystem = .none
      isGlobalToneMappingSupported = false
      exposureBias = nil
      super.init()
    }

    /// The format of a device without formats of its own: plain audio.
    static let none = Format(audio: .audio(AudioFormat(AudioStreamFormat.usual[0])))

    static func all(of facts: DeviceFacts) -> [Format] {
      if facts.formats.isEmpty {
        return facts.audioFormats.map { Format(audio: .audio(AudioFormat($0))) }
      }
      return facts.formats.map { Format($0, of: facts) }
    }

    // MARK: Exposure

    /// The shortest exposure; `CMTime.invalid` when it is unknown.
    ///
    /// Apple: `AVCaptureDevice.Format.minExposureDuration`.
    public var minExposureDuration: CMTime {
      streamFormat?.exposureNanoseconds.map { CMTime(value: $0.lowerBound, timescale: 1_000_000_000) }
        ?? .invalid
    }

    /// The longest exposure; `CMTime.invalid` when it is unknown.
    ///
    /// Apple: `AVCaptureDevice.Format.maxExposureDuration`.
    public var maxExposureDuration: CMTime {
      streamFormat?.exposureNanoseconds.map { CMTime(value: $0.upperBound, timescale: 1_000_000_000) }
        ?? .invalid
    }

    /// The lowest ISO value; 0 when it is unknown.
    ///
    /// Apple: `AVCaptureDevice.Format.minISO`.
    public var minISO: Float { streamFormat?.iso?.lowerBound ?? 0 }

    /// The highest ISO value; 0 when it is unknown.
    ///
    /// Apple: `AVCaptureDevice.Format.maxISO`.
    public var maxISO: Float { streamFormat?.iso?.upperBound ?? 0 }

    // MARK: Zoom

    /// The greatest zoom factor; 1 where the format does not zoom.
    ///
    /// Apple: `AVCaptureDevice.Format.videoMaxZoomFactor`.
    public var videoMaxZoomFactor: CGFloat { CGFloat(streamFormat?.maxZoom ?? 1) }

    /// From which zoom factor on pictures are enlarged: up to it every pixel has one of the sensor of its own.
    ///
    /// Apple: `AVCaptureDevice.Format.videoZoomFactorUpscaleThreshold`.
    public var videoZoomFactorUpscaleThreshold: CGFloat { CGFloat(streamFormat?.zoomUpscaleThreshold ?? 1) }

    // MARK: Features

    /// The method of auto focus.
    ///
    /// Apple: `AVCaptureDevice.Format.AutoFocusSystem`.
    public enum AutoFocusSystem: Int, Sendable {
      /// There is none.
      case none = 0
      /// By trying where the contrast is greatest.
      case contrastDetection = 1
      /// By comparing halves of the lens.
      case phaseDetection = 2
    }

    /// How auto focus works.
    ///
    /// Apple: `AVCaptureDevice.Format.autoFocusSystem`.
    public let autoFocusSystem: AutoFocusSystem

    /// Whether frames of wider dynamic range can be had.
    ///
    /// Apple: `AVCaptureDevice.Format.isVideoHDRSupported`.
    public var isVideoHDRSupported: Bool { streamFormat?.supportsHDR ?? false }

    /// Whether one tone curve can serve the whole picture.
    ///
    /// Apple: `AVCaptureDevice.Format.isGlobalToneMappingSupported`.
    public let isGlobalToneMappingSupported: Bool

    // MARK: Pictures

    /// Whether neighbouring photosites are added.
    ///
    /// Apple: `AVCaptureDevice.Format.isVideoBinned`.
    public var isVideoBinned: Bool { streamFormat?.isBinned ?? false }

    /// Whether the format reads the sensor at its full quality, as a photo wants it.
    ///
    /// Apple: `AVCaptureDevice.Format.isHighPhotoQualitySupported`.
    public var isHighPhotoQualitySupported: Bool { streamFormat?.isPhotoQuality ?? false }

    /// Whether the format gives photos of the highest quality that the device has.
    ///
    /// Apple: `AVCaptureDevice.Format.isHighestPhotoQualitySupported`.
    public var isHighestPhotoQualitySupported: Bool { streamFormat?.isPhotoQuality ?? false }

    /// Zoom factors at which the sensor is read in another resolution, pixel for pixel.
    ///
    /// Empty: no driver reports a sensor that is read in two resolutions with one format, and the simulated one that adds its
    /// photosites in fours reads them one by one for photos of all of them alone, not for a part of the view.
    ///
    /// Apple: `AVCaptureDevice.Format.secondaryNativeResolutionZoomFactors`.
    public var secondaryNativeResolutionZoomFactors: [CGFloat] { [] }

    /// The colours that can be chosen.
    ///
    /// Apple: `AVCaptureDevice.Format.supportedColorSpaces`.
    public var supportedColorSpaces: [AVCaptureColorSpace] {
      guard let streamFormat else { return [] }
      return streamFormat.supportsP3 ? [.sRGB, .P3_D65] : [.sRGB]
    }

    /// Sizes in which a photo can be taken while this format is active, smallest first; for H.264 and HEVC that of the stream.
    ///
    /// A sensor that adds its photosites in fours, as that of the simulated back wide-angle camera, has beside the photos of 12
    /// megapixels those of 48: the last of these sizes, in the formats with `isHighestPhotoQualitySupported`. See
    /// `AVCapturePhotoOutput.maxPhotoDimensions`.
    ///
    /// Apple: `AVCaptureDevice.Format.supportedMaxPhotoDimensions`.
    public var supportedMaxPhotoDimensions: [CMVideoDimensions] {
      guard let format = streamFormat?.decoded else { return [] }
      return (format.stillSizes + format.fullStillSizes).map { CMVideoDimensions($0) }
    }

    /// The largest size of photos by `AVCapturePhotoSettings.isHighResolutionPhotoEnabled`: of a sensor that adds its photosites in
    /// fours the size with them added.
    ///
    /// Apple: `AVCaptureDevice.Format.highResolutionStillImageDimensions`.
    public var highResolutionStillImageDimensions: CMVideoDimensions {
      CMVideoDimensions(streamFormat?.decoded.stillSizes.last)
    }

    /// The format's media, size, and rates.
    public override var description: String {
      guard let size = streamFormat?.size ?? depthFormat?.size else {
        return "<AVCaptureDevice.Format: sound>"
      }
      let name = streamFormat?.encodingName ?? depthFormat?.encodingName ?? ""
      let rates = videoSupportedFrameRateRanges.map { "\($0.minFrameRate)-\($0.maxFrameRate) fps" }
      return "<AVCaptureDevice.Format: \(name) \(size) \(rates.joined(separator: ", "))>"
    }
  }
}

extension AVCaptureDevice.Format.AutoFocusSystem {
  init(_ system: FocusSystem) {
    self =
      switch system {
      case .none: .none
      case .contrastDetection: .contrastDetection
      case .phaseDetection: .phaseDetection
      }
  }
}
