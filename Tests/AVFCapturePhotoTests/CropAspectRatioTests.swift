import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import ImageIO
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Photos of another shape")
  struct CropAspectRatio {
    private let size = FrameSize(width: 256, height: 192)

    private func settings(_ ratio: Double?, format: [String: Any]? = nil) -> AVCapturePhotoSettings {
      let settings = AVCapturePhotoSettings(
        format: format ?? [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
      settings.cropAspectRatio = ratio
      return settings
    }

    @Test(arguments: [(16.0 / 9, 256, 144), (1, 192, 192), (2.0, 256, 128), (4.0 / 3, 256, 192)])
    func `the photo is the middle of the picture, and all sizes are those after the cut`(
      ratio: Double, width: Int, height: Int
    ) throws {
      let rig = try CaptureRig(.camera(sizes: [size]), scene: Marks.scene(for: size), preset: .photo)
      let output = AVCapturePhotoOutput(), photographer = RecordingPhotoDelegate()
      rig.session.addOutput(output)
      rig.session.startRunning()
      rig.advance(frames: 2)
      let settings = settings(ratio)
      settings.previewPhotoFormat = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
        kCVPixelBufferWidthKey as String: 64, kCVPixelBufferHeightKey as String: 64,
      ]
      output.capturePhoto(with: settings, delegate: photographer)
      rig.advance(frames: 2)
      try #require(photographer.wait(for: 1))
      let photo = try #require(photographer.photos.withLock { $0.last })
      let picture = try #require(photo.pixelBuffer)
      #expect(CVPixelBufferGetWidth(picture) == width && CVPixelBufferGetHeight(picture) == height)
      #expect(photo.resolvedSettings.photoDimensions == (width, height))
      let preview = try #require(photo.previewPixelBuffer)
      #expect(
        photo.resolvedSettings.previewDimensions
          == (CVPixelBufferGetWidth(preview), CVPixelBufferGetHeight(preview)))
      let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
      #expect(exif?[kCGImagePropertyExifPixelXDimension as String] as? Int == width)
      #expect(exif?[kCGImagePropertyExifPixelYDimension as String] as? Int == height)
      let (left, top) = (Double(256 - width) / 2, Double(192 - height) / 2)
      for rect in Marks.rects(in: size) {
        let place = CGPoint(x: rect.midX - left, y: rect.midY - top)
        guard CGRect(x: 0, y: 0, width: width, height: height).insetBy(dx: 8, dy: 8).contains(place) else {
          continue
        }
        let error = Marks.find(in: picture).map { hypot($0.middle.x - place.x, $0.middle.y - place.y) }.min()
        #expect(try #require(error) < 1)
      }
    }

    @Test func `a camera's own JPEG is not the file of a photo that is cut`() throws {
      let rig = try CaptureRig(.webcam)
      let output = AVCapturePhotoOutput(), photographer = RecordingPhotoDelegate()
      rig.session.addOutput(output)
      rig.session.startRunning()
      rig.advance(frames: 2)
      for (index, ratio) in [nil, 1.0].enumerated() {
        output.capturePhoto(
          with: settings(ratio, format: [AVVideoCodecKey: AVVideoCodecType.jpeg]), delegate: photographer)
        rig.advance(frames: 2)
        try #require(photographer.wait(for: index + 1))
        let photo = try #require(photographer.photos.withLock { $0.last })
        let image = try #require(photo.cgImageRepresentation())
        #expect((image.width == image.height) == (ratio == 1))
      }
    }

    @Test func `a photo that is finished later is cut, and so is its proxy`() throws {
      let rig = try DeferredStage()
      let settings = DeferredStage.settings(.jpeg)
      settings.cropAspectRatio = 1
      try #require(rig.take(settings))
      let proxy = try #require(rig.delegate.proxies.withLock { $0.first })
      let file = try #require(proxy.fileDataRepresentation())
      let small = try #require(
        CGImageSourceCreateWithData(file, nil).flatMap { CGImageSourceCreateImageAtIndex($0, 0, nil) })
      #expect(small.width == small.height)
      #expect(proxy.resolvedSettings.deferredPhotoProxyDimensions == (small.width, small.height))
      let finished = try rig.store.finish(try #require(PhotoProxy.identifier(in: file)))
      let photo = try #require(
        CGImageSourceCreateWithData(finished.file, nil).flatMap {
          CGImageSourceCreateImageAtIndex($0, 0, nil)
        })
      #expect(photo.width == photo.height && photo.width > small.width)
      #expect(proxy.resolvedSettings.photoDimensions == (photo.width, photo.height))
    }

    @Test(arguments: [0.5, -1, .nan, 101]) func `a shape that is none is a mistake`(ratio: Double) throws {
      let rig = try CaptureRig(.camera(sizes: [size]))
      let output = AVCapturePhotoOutput(), photographer = RecordingPhotoDelegate()
      rig.session.addOutput(output)
      rig.session.startRunning()
      rig.advance(frames: 2)
      let mistakes = ProgrammingMistake.collect {
        output.capturePhoto(with: settings(ratio), delegate: photographer)
      }
      #expect(mistakes.first?.rule.contains("cropAspectRatio") == true)
      #expect(AVCapturePhotoSettings(from: settings(1.5)).cropAspectRatio == 1.5)
    }
  }
}

private func == (size: CMVideoDimensions, sides: (Int, Int)) -> Bool {
  Int(size.width) == sides.0 && Int(size.height) == sides.1
}
