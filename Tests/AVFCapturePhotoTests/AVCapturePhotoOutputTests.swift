import AVFoundation
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import FoundationExtras
import ImageIO
import Linux
import SimulatedDevices
import StillCodecs
import Testing

extension DeviceSuites {
  @Suite("AVCapturePhotoOutput")
  struct PhotoOutput {
    let output = AVCapturePhotoOutput()
    let delegate = RecordingPhotoDelegate()

    func rig(
      _ model: SimulatedDeviceModel = .camera(), faults: [SceneFault] = [], isRunning: Bool = true
    ) throws -> CaptureRig {
      let rig = try CaptureRig(model, faults: faults, preset: .photo)
      rig.session.addOutput(output)
      if isRunning {
        rig.session.startRunning()
        rig.advance(frames: 2)
      }
      return rig
    }

    func take(_ settings: AVCapturePhotoSettings, _ rig: CaptureRig) throws -> AVCapturePhoto {
      let count = delegate.finishedCount.withLock { $0 }
      output.capturePhoto(with: settings, delegate: delegate)
      rig.advance(frames: 2)
      #expect(delegate.wait(for: count + 1))
      #expect(delegate.errors.withLock { $0.isEmpty })
      return try #require(delegate.photos.withLock { $0.last })
    }

    static func format(_ codec: AVVideoCodecType) -> [String: Any] {
      [AVVideoCodecKey: codec]
    }

    @Test(arguments: [AVVideoCodecType.jpeg, .hevc])
    func `a compressed photo has the still's size and shows the frame that it says`(codec: AVVideoCodecType)
      throws
    {
      let rig = try rig(.camera(stillSizes: [FrameSize(width: 320, height: 240)]))
      let photo = try take(AVCapturePhotoSettings(format: Self.format(codec)), rig)
      let data = try #require(photo.fileDataRepresentation())
      #expect(StillFormat(detecting: data) == (codec == .jpeg ? .jpeg : .heic))
      let image = try #require(photo.cgImageRepresentation())
      #expect(image.width == 320)
      #expect(image.height == 240)
      #expect(photo.resolvedSettings.photoDimensions.width == 320)
      #expect(photo.pixelBuffer == nil)
      #expect(photo.photoCount == 1)
      #expect(photo.sourceDeviceType == .builtInWideAngleCamera)
      #expect(photo.timestamp.isValid)
      #expect(try stamp(of: image) == photo.frameSequenceNumber)
      #expect(photo.frameSequenceNumber == 1)
    }

    @Test func `an uncompressed photo is a pixel buffer and no file`() throws {
      let rig = try rig()
      let format = kCVPixelFormatType_32BGRA
      let photo = try take(
        AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: format]), rig)
      let pixels = try #require(photo.pixelBuffer)
      #expect(CVPixelBufferGetPixelFormatType(pixels) == format)
      #expect(photo.fileDataRepresentation() == nil)
      #expect(FrameStamp.read(from: pixels) == photo.frameSequenceNumber)
      #expect(photo.cgImageRepresentation()?.width == 160)
    }

    @Test(arguments: [AVVideoCodecType.jpeg, .hevc])
    func `preview and thumbnail come in the sizes that were resolved before, a preview's larger side counts`(
      codec: AVVideoCodecType
    ) throws {
      let rig = try rig()
      let settings = AVCapturePhotoSettings(format: Self.format(codec))
      settings.previewPhotoFormat = [
        kCVPixelBufferPixelFormatTypeKey as String: settings.availablePreviewPhotoPixelFormatTypes[0],
        kCVPixelBufferWidthKey as String: 32, kCVPixelBufferHeightKey as String: 64,
      ]
      settings.embeddedThumbnailPhotoFormat = [
        AVVideoCodecKey: settings.availableEmbeddedThumbnailPhotoCodecTypes[0], AVVideoWidthKey: 80,
        AVVideoHeightKey: 80,
      ]
      let photo = try take(settings, rig)
      let preview = try #require(photo.previewPixelBuffer)
      #expect(CVPixelBufferGetWidth(preview) == 64)
      #expect(CVPixelBufferGetHeight(preview) == 48)
      #expect(photo.resolvedSettings.previewDimensions.height == 48)
      #expect(photo.previewCGImageRepresentation()?.width == 64)
      #expect(photo.resolvedSettings.embeddedThumbnailDimensions.width == 80)
      #expect(photo.embeddedThumbnailPhotoFormat?[AVVideoHeightKey] as? Int == 60)
      let data = try #require(photo.fileDataRepresentation())
      let source = try #require(CGImageSourceCreateWithData(data, nil))
      let thumbnail = try #require(CGImageSourceCreateThumbnailAtIndex(source, 0, nil))
      #expect(thumbnail.width == 80)
    }

    @Test(arguments: [AVVideoCodecType.jpeg, .hevc])
    func `the file says how it was taken`(codec: AVVideoCodecType) throws {
      let rig = try rig()
      let settings = AVCapturePhotoSettings(format: Self.format(codec))
      settings.metadata = [
        kCGImagePropertyGPSDictionary as String: [
          kCGImagePropertyGPSLatitude as String: 59.5, kCGImagePropertyGPSLatitudeRef as String: "N",
          kCGImagePropertyGPSLongitude as String: 18.25, kCGImagePropertyGPSLongitudeRef as String: "E",
        ]
      ]
      let photo = try take(settings, rig)
      let tags = try exifTool(try #require(photo.fileDataRepresentation()), codec == .jpeg ? "jpg" : "heic")
      #expect(tags["Make"] as? String == "Obscura")
      #expect(tags["Model"] as? String == "Simulated Test Camera")
      #expect((tags["Software"] as? String)?.hasPrefix("Obscura ") == true)
      #expect(tags["Orientation"] as? Int == 6)
      #expect(tags["ExifImageWidth"] as? Int == 160)
      #expect(tags["ExifImageHeight"] as? Int == 120)
      #expect((tags["DateTimeOriginal"] as? String)?.hasPrefix("2001:01:01 00:16:") == true)
      #expect(tags["OffsetTimeOriginal"] as? String == "+00:00")
      #expect(tags["SubSecTimeOriginal"] != nil)
      #expect(tags["GPSLatitude"] as? Double == 59.5)
      #expect(tags["GPSLongitude"] as? Double == 18.25)
      let lens = try #require(rig.provider.device("simulated.test")?.facts.lens)
      #expect(tags["LensModel"] as? String == lens.model)
      #expect(try #require(tags["FNumber"] as? Double) == lens.aperture)
      #expect(tags["FocalLengthIn35mmFormat"] as? Int == Int(lens.focalLengthIn35mmFilm.rounded()))
      let exif = try #require(photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])
      let exposure = try #require(exif[kCGImagePropertyExifExposureTime as String] as? Double)
      #expect(abs(try #require(tags["ExposureTime"] as? Double) / exposure - 1) < 0.01)
      #expect(tags["ISO"] as? Int == (exif[kCGImagePropertyExifISOSpeedRatings as String] as? [Int])?.first)
    }

    @Test func `the connection's turn and mirroring become the orientation, the pixels stay`() throws {
      let rig = try rig()
      let connection = try #require(output.connection(with: .video))
      connection.videoRotationAngle = 180
      connection.isVideoMirrored = true
      let photo = try take(AVCapturePhotoSettings(), rig)
      #expect(photo.metadata[kCGImagePropertyOrientation as String] as? Int == 4)
      let image = try #require(photo.cgImageRepresentation())
      #expect(try stamp(of: image) == photo.frameSequenceNumber)
    }

    @Test func `the same run gives the same bytes`() throws {
      func run(_ codec: AVVideoCodecType) throws -> Data {
        let output = AVCapturePhotoOutput()
        let delegate = RecordingPhotoDelegate()
        let rig = try CaptureRig(.camera(), scene: Scene(seed: 3), preset: .photo)
        rig.session.addOutput(output)
        rig.session.startRunning()
        rig.advance(frames: 3)
        output.capturePhoto(with: AVCapturePhotoSettings(format: Self.format(codec)), delegate: delegate)
        rig.advance(frames: 2)
        #expect(delegate.wait())
        return try #require(delegate.photos.withLock { $0.first }?.fileDataRepresentation())
      }
      #expect(try run(.jpeg) == run(.jpeg))
      #expect(try run(.hevc) == run(.hevc))
    }

    @Test func `a photo is as large as the settings and the output allow`() throws {
      let small = FrameSize(width: 160, height: 120), large = FrameSize(width: 320, height: 240)
      let rig = try rig(.camera(stillSizes: [small, large]))
      #expect(output.maxPhotoDimensions.width == 160)
      #expect(try take(AVCapturePhotoSettings(), rig).resolvedSettings.photoDimensions.width == 160)
      output.maxPhotoDimensions = CMVideoDimensions(width: 320, height: 240)
      for width in [320, 160] {
        let settings = AVCapturePhotoSettings()
        settings.maxPhotoDimensions = CMVideoDimensions(width: Int32(width), height: Int32(width * 3 / 4))
        #expect(try take(settings, rig).resolvedSettings.photoDimensions.width == width)
      }
    }

    @Test func `the older high-resolution switches give the largest size`() throws {
      let small = FrameSize(width: 160, height: 120), large = FrameSize(width: 320, height: 240)
      let rig = try rig(.camera(stillSizes: [small, large]))
      output.isHighResolutionCaptureEnabled = true
      let settings = AVCapturePhotoSettings()
      settings.isHighResolutionPhotoEnabled = true
      #expect(try take(settings, rig).resolvedSettings.photoDimensions.width == 320)
    }

    func stamp(of image: CGImage) throws -> UInt32? {
      var buffer: CVPixelBuffer?
      CVPixelBufferCreate(nil, image.width, image.height, kCVPixelFormatType_32BGRA, nil, &buffer)
      let pixels = try #require(buffer)
      CIContext().render(CIImage(cgImage: image), to: pixels)
      return FrameStamp.read(from: pixels)
    }

    func exifTool(_ file: Data, _ suffix: String) throws -> [String: Any] {
      let url = FileManager.default.temporaryDirectory.appendingPathComponent(
        "\(UUID().uuidString).\(suffix)")
      try file.write(to: url)
      defer { try? FileManager.default.removeItem(at: url) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["exiftool", "-json", "-n", url.path]
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let answer = pipe.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      let list = try JSONSerialization.jsonObject(with: answer) as? [[String: Any]]
      return try #require(list?.first)
    }
  }
}
