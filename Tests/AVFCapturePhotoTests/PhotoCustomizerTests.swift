import AVFoundation
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import PhotoProcessing
import StillCodecs
import Testing

extension DeviceSuites {
  @Suite("Photos' files with other metadata and thumbnails")
  struct PhotoCustomizer {
    private final class Silent: AVCapturePhotoFileDataRepresentationCustomizer {}

    private final class Customizer: AVCapturePhotoFileDataRepresentationCustomizer {
      var metadata: ((AVCapturePhoto) -> [String: Any]?)?
      var format: [String: Any]?
      var picture: CVPixelBuffer?

      func replacementMetadata(for photo: AVCapturePhoto) -> [String: Any]? {
        guard let metadata else { return photo.metadata }
        return metadata(photo)
      }

      func replacementEmbeddedThumbnailPixelBuffer(
        withPhotoFormat replacementEmbeddedThumbnailPhotoFormatOut: AutoreleasingUnsafeMutablePointer<
          NSDictionary?
        >,
        for photo: AVCapturePhoto
      ) -> Unmanaged<CVPixelBuffer>? {
        replacementEmbeddedThumbnailPhotoFormatOut.pointee = format.map { NSDictionary(dictionary: $0) }
        return picture.map { Unmanaged.passUnretained($0) }
      }
    }

    private func photo(_ codec: AVVideoCodecType, hasThumbnail: Bool = true) throws -> AVCapturePhoto {
      let stage = try DeferredStage(isDeferring: false)
      let settings = DeferredStage.settings(codec)
      settings.metadata = [
        kCGImagePropertyGPSDictionary as String: [kCGImagePropertyGPSLatitude as String: 35.5]
      ]
      if hasThumbnail {
        settings.embeddedThumbnailPhotoFormat = [
          AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 32, AVVideoHeightKey: 32,
        ]
      }
      try #require(stage.take(settings))
      return try #require(stage.delegate.photos.withLock { $0.first })
    }

    private func properties(_ file: Data) throws -> [String: Any] {
      let source = try #require(CGImageSourceCreateWithData(file, nil))
      return try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
    }

    private func thumbnailWidth(_ file: Data) throws -> Int? {
      switch StillFormat(detecting: file) {
      case .heic: return try HEICDecoder.decodeThumbnail(file).map { CVPixelBufferGetWidth($0) }
      default: return try StillFacts(file).exifBlock?.thumbnail.map { try StillFacts($0).width }
      }
    }

    private func keepsPicture(_ file: Data, _ photo: AVCapturePhoto) throws -> Bool {
      let old = try #require(photo.fileDataRepresentation())
      func pixels(_ file: Data) throws -> [UInt8] {
        let buffer =
          try StillFormat(detecting: file) == .heic
          ? HEICDecoder.decode(file) : #require(CGImageSourceCreateWithData(file, nil)).decodedBuffer()
        return buffer.planes.flatMap { plane in
          (0..<plane.height).flatMap { Array(plane.row($0).prefix(plane.width)) }
        }
      }
      return try pixels(old) == pixels(file)
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `a customizer without methods keeps everything`(codec: AVVideoCodecType) throws {
      let photo = try photo(codec)
      let file = try #require(photo.fileDataRepresentation(with: Silent()))
      #expect(try keepsPicture(file, photo))
      #expect(try thumbnailWidth(file) == 32)
      let (old, new) = (try properties(#require(photo.fileDataRepresentation())), try properties(file))
      #expect(NSDictionary(dictionary: old) == NSDictionary(dictionary: new))
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `the older way gives the files that a customizer gives`(codec: AVVideoCodecType) throws {
      let photo = try photo(codec)
      let own = photo.fileDataRepresentation(
        withReplacementMetadata: photo.metadata,
        replacementEmbeddedThumbnailPhotoFormat: photo.embeddedThumbnailPhotoFormat,
        replacementEmbeddedThumbnailPixelBuffer: nil, replacementDepthData: photo.depthData)
      #expect(own == photo.fileDataRepresentation(with: Silent()))
      #expect(try thumbnailWidth(#require(own)) == 32)
      let bare = try #require(
        photo.fileDataRepresentation(
          withReplacementMetadata: nil, replacementEmbeddedThumbnailPhotoFormat: nil,
          replacementEmbeddedThumbnailPixelBuffer: nil, replacementDepthData: nil))
      #expect(try keepsPicture(bare, photo) && thumbnailWidth(bare) == nil)
      #expect(try properties(bare)[kCGImagePropertyGPSDictionary as String] == nil)
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `metadata is replaced, or left out but for the orientation`(codec: AVVideoCodecType) throws {
      let photo = try photo(codec, hasThumbnail: false)
      let customizer = Customizer()
      customizer.metadata = { photo in
        var metadata = photo.metadata
        metadata[kCGImagePropertyGPSDictionary as String] = nil
        var exif = metadata[kCGImagePropertyExifDictionary as String] as? [String: Any] ?? [:]
        exif[kCGImagePropertyExifUserComment as String] = "Edited"
        metadata[kCGImagePropertyExifDictionary as String] = exif
        return metadata
      }
      let file = try #require(photo.fileDataRepresentation(with: customizer))
      #expect(try keepsPicture(file, photo))
      let edited = try properties(file)
      #expect(edited[kCGImagePropertyGPSDictionary as String] == nil)
      let exif = try #require(edited[kCGImagePropertyExifDictionary as String] as? [String: Any])
      #expect(exif[kCGImagePropertyExifUserComment as String] as? String == "Edited")
      #expect(exif[kCGImagePropertyExifExposureTime as String] != nil)

      customizer.metadata = { _ in nil }
      let bare = try #require(photo.fileDataRepresentation(with: customizer))
      #expect(try keepsPicture(bare, photo))
      let left = try properties(bare)
      #expect((left[kCGImagePropertyExifDictionary as String] as? [String: Any])?["DateTimeOriginal"] == nil)
      #expect(
        (left[kCGImagePropertyOrientation as String] as? NSNumber)
          == (photo.metadata[kCGImagePropertyOrientation as String] as? NSNumber))
    }

    @Test(arguments: [AVVideoCodecType.hevc, .jpeg])
    func `the thumbnail is replaced or removed`(codec: AVVideoCodecType) throws {
      let photo = try photo(codec)
      let customizer = Customizer()
      let none = try #require(photo.fileDataRepresentation(with: customizer))
      #expect(try thumbnailWidth(none) == nil)
      customizer.format = [AVVideoCodecKey: AVVideoCodecType.jpeg, AVVideoWidthKey: 24, AVVideoHeightKey: 24]
      customizer.picture = try emptyPicture(width: 80, height: 60, kCVPixelFormatType_32BGRA)
      let other = try #require(photo.fileDataRepresentation(with: customizer))
      #expect(try thumbnailWidth(other) == 24)
      #expect(try StillFacts(other).width == 96)
      customizer.format = ["nonsense": 1]
      var file: Data?
      let mistakes = ProgrammingMistake.collect { file = photo.fileDataRepresentation(with: customizer) }
      #expect(mistakes.count == 1 && file == nil)
    }

    @Test func `a proxy names its frames whatever its metadata become`() throws {
      let stage = try DeferredStage()
      try #require(stage.take())
      let proxy = try #require(stage.delegate.proxies.withLock { $0.first })
      let customizer = Customizer()
      customizer.metadata = { _ in nil }
      let file = try #require(proxy.fileDataRepresentation(with: customizer))
      #expect(DeferredPhotoStore.identifier(inProxy: file) == proxy.identifier)
    }
  }
}

extension CGImageSource {
  /// The picture's pixels.
  fileprivate func decodedBuffer() throws -> CVPixelBuffer {
    let image = try #require(CGImageSourceCreateImageAtIndex(self, 0, nil))
    return try image.makePixelBuffer()
  }
}
