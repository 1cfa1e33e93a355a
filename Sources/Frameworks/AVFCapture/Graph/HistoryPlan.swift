package import CaptureDevice
internal import CoreVideo
internal import Foundation
internal import PhotoProcessing

/// The plan for keeping a stream's past for photos: the keeper of its pictures, and their number.
package struct HistoryPlan: Sendable, Hashable {
  /// The keeper of past frames' pictures: the session or the device.
  package enum Keeper: Sendable, Hashable {
    /// The session: photos are as large as the stream's frames, which are held, not copied.
    case us
    /// The device, which can give a picture of any of its newest frames in full size.
    case device
  }

  /// The keeper of the pictures.
  package var keeper: Keeper
  /// How many of the newest frames are kept.
  package var frames: Int
  /// The bytes that one of them takes here; 0 when the device keeps them.
  ///
  /// For motion JPEG a bound that pictures stay below.
  package var frameBytes: Int

  /// More bytes than these are never held for the sake of photos to come: seven frames of 12 megapixels in 4:2:0.
  package static let byteLimit = 128 << 20

  /// So far back a user's event may lie: touch screens and desktops report theirs some frames late.
  private static let windowSeconds = 0.2
  /// The fewest and most frames for that time: a slow stream needs neighbours too, a fast one holds no more than drivers give.
  private static let usualFrames = 3...12
  /// With fewer, the frame on show is gone as soon as the next is there.
  package static let leastFrames = 2

  /// How many full-size frames photos under way may hold at once: one that is exposed, one that is developed, one that is encoded.
  ///
  /// More would not make photos come faster, for each stage works on one.
  package static let photoFrames = 3

  /// The frames that a photo may be fused of where they are the stream's own memory.
  package var burstFrames: Int {
    min(BurstPlan.most, max(Self.photoFrames, Self.byteLimit / 2 / max(frameBytes, 1)))
  }

  /// How the past of `stream` is kept for photos of a camera; `nil` when it cannot be.
  ///
  /// - Parameter photoSize: What the photo output asks for; where the format has no such stills its smallest counts, as
  ///   `AVCapturePhotoOutput.maxPhotoDimensions` says.
  package init?(of stream: StreamConfiguration, photoSize: FrameSize?, capabilities: CameraCapabilities) {
    // Devices with a memory of their own do as phones do; Apple says only that it depends on preset and format. Where frames
    // are kept here, any format will do.
    if capabilities.recalledFrames > 0, !stream.format.isPhotoQuality { return nil }
    let sizes = stream.format.stillSizes
    let size = photoSize.flatMap { sizes.contains($0) ? $0 : nil } ?? sizes.first
    let wanted = Int((stream.frameDuration.rate * Self.windowSeconds).rounded(.up))
    let usual = min(max(wanted, Self.usualFrames.lowerBound), Self.usualFrames.upperBound)
    // A steadied stream shows less than the sensor does, which a device with a memory of its own can still give.
    let isStabilized = stream.stabilization != .off && capabilities.recalledFrames > 0
    if size == stream.size, !isStabilized {
      frameBytes = Self.bytes(of: stream)
      frames = min(usual, Self.byteLimit / max(frameBytes, 1))
      keeper = .us
    } else {
      frameBytes = 0
      frames = min(usual, capabilities.recalledFrames)
      keeper = .device
    }
    if frames < Self.leastFrames { return nil }
  }

  /// How the past is kept when a session with preview and photos runs in `format` at its usual rate; `nil` when it cannot be.
  package init?(usualFor format: StreamFormat, of device: DeviceFacts) {
    let size = format.scalesStream ? FormatChoice.fitted(format.size, into: FormatChoice.previewBounds) : nil
    self.init(
      of: StreamConfiguration(
        format: format.decoded, size: size, frameDuration: GraphPlanner.frameDuration(of: format)),
      photoSize: nil, capabilities: device.capabilities)
  }

  /// How many buffers a stream needs so that clients keep the `usual` ones beside the history and photos on their way.
  package func bufferCount(besides usual: Int) -> Int {
    keeper == .us ? usual + frames + burstFrames : usual
  }

  private static func bytes(of stream: StreamConfiguration) -> Int {
    let pixels = stream.size.width * stream.size.height
    return stream.format.encoding.nativePixelFormat.map { pixels * bitsPerPixel($0) / 8 } ?? pixels
  }

  private static func bitsPerPixel(_ format: UInt32) -> Int {
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
      12
    case kCVPixelFormatType_OneComponent8: 8
    case kCVPixelFormatType_422YpCbCr8_yuvs, kCVPixelFormatType_422YpCbCr8: 16
    default: 32
    }
  }
}
