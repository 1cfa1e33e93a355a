internal import CameraFrames
internal import AVFCore
internal import CaptureDevice
public import CoreMedia
internal import CoreVideo
public import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import PixelTransforms
internal import StillCodecs
internal import PhotoProcessing

extension AVCapturePhoto {
  /// The photo as the older delegates take it, or why it cannot be.
  func sampleBuffer(unless error: (any Error)?) -> (CMSampleBuffer?, (any Error)?) {
    if let error { return (nil, error) }
    do {
      let sample: CMSampleBuffer
      if let pixelBuffer {
        sample = try Self.sample(of: pixelBuffer, at: timestamp)
      } else if let file = fileDataRepresentation(), StillFormat(detecting: file) == .jpeg {
        let dimensions = resolvedSettings.photoDimensions
        let format = try CMFormatDescription(
          videoCodecType: .jpeg, width: Int(dimensions.width), height: Int(dimensions.height))
        sample = CMSampleBuffer(
          data: file.withUnsafeBytes { CMBlockBuffer(copying: $0) }, formatDescription: format,
          sampleCount: 1,
          sampleSize: file.count, timing: Self.timing(timestamp))
      } else {
        throw AVError(
          .unknown,
          because:
            "A HEIC photo does not come as a sample buffer; implement photoOutput(_:didFinishProcessingPhoto:error:) or take JPEG."
        )
      }
      CMSetAttachments(
        sample, attachments: metadata as CFDictionary, attachmentMode: kCMAttachmentMode_ShouldPropagate)
      return (sample, nil)
    } catch {
      return (nil, AVError(photoFailure: error))
    }
  }

  /// The preview as the older delegates take it.
  var previewSampleBuffer: CMSampleBuffer? {
    // Fails only for formats that do not describe their own picture.
    previewPixelBuffer.flatMap { try? Self.sample(of: $0, at: timestamp) }
  }

  private static func sample(of pixelBuffer: CVPixelBuffer, at time: CMTime) throws -> CMSampleBuffer {
    try CMSampleBuffer(
      imageBuffer: pixelBuffer, formatDescription: CMFormatDescription(imageBuffer: pixelBuffer),
      sampleTiming: timing(time))
  }

  private static func timing(_ time: CMTime) -> CMSampleTimingInfo {
    CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
  }
}

extension AVCapturePhotoOutput {
  /// A raw picture that came as a sample buffer, as the bytes of a DNG file.
  ///
  /// Apple has deprecated it, with the delegate's form that hands such buffers out.
  ///
  /// - Parameters:
  ///   - rawSampleBuffer: As `photoOutput(_:didFinishProcessingRawPhoto:previewPhoto:…)` got it.
  ///   - previewPhotoSampleBuffer: A picture for the file's preview, made at most 1024×1024; `nil` for a file without one.
  /// - Returns: `nil` when the buffer holds no raw picture.
  ///
  /// Apple: `AVCapturePhotoOutput.dngPhotoDataRepresentation(forRawSampleBuffer:previewPhotoSampleBuffer:)`.
  public static func dngPhotoDataRepresentation(
    forRawSampleBuffer rawSampleBuffer: CMSampleBuffer, previewPhotoSampleBuffer: CMSampleBuffer?
  ) -> Data? {
    guard let mosaic = rawSampleBuffer.imageBuffer else { return nil }
    let attachments = CMCopyDictionaryOfAttachments(
      allocator: nil, target: rawSampleBuffer, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    let properties = attachments.map { $0 as [String: Any] } ?? [:]
    // Apple's function has no way to say why.
    return try? RawPhoto(mosaic, properties, preview: previewPhotoSampleBuffer?.imageBuffer)
      .file(PhotoMetadata(properties))
  }

  /// A JPEG photo that came as a sample buffer, as the bytes of a file.
  ///
  /// Apple has deprecated it, with the delegate's form that hands such buffers out.
  ///
  /// - Parameters:
  ///   - JPEGSampleBuffer: As `photoOutput(_:didFinishProcessingPhoto:previewPhoto:…)` got it.
  ///   - previewPhotoSampleBuffer: A picture for the file's thumbnail, made at most 160×160; `nil` leaves the file as it is.
  /// - Returns: `nil` when the buffer holds no JPEG picture, or the thumbnail cannot be written.
  ///
  /// Apple: `AVCapturePhotoOutput.jpegPhotoDataRepresentation(forJPEGSampleBuffer:previewPhotoSampleBuffer:)`.
  public static func jpegPhotoDataRepresentation(
    forJPEGSampleBuffer JPEGSampleBuffer: CMSampleBuffer, previewPhotoSampleBuffer: CMSampleBuffer?
  ) -> Data? {
    guard let file = try? JPEGSampleBuffer.dataBuffer?.dataBytes(), let facts = try? StillFacts(file),
      facts.format == .jpeg
    else { return nil }
    guard let preview = previewPhotoSampleBuffer else { return file }
    guard let picture = preview.imageBuffer else { return nil }
    do {
      let size = PhotoDeveloper.size(
        .init(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture)), within: 160,
        160)
      let small = try PixelTransformer(bufferLimit: 1).apply(
        FrameTransform(
          size: PixelSize(size), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange), to: picture)
      var block = facts.exifBlock ?? ExifBlock()
      block.thumbnail = try PhotoEncoder.thumbnail(small)
      return try JPEGMetadata.replace(in: file, facts: facts, with: block)
    } catch {
      // Apple's function has no way to say why.
      return nil
    }
  }
}
