import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import ImageIO
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Scale and crop")
  struct ScaleAndCropTests {
    @Test func `photos are enlarged about their middle at their size, and their files say so`() throws {
      let size = FrameSize(width: 256, height: 192)
      let rig = try CaptureRig(.camera(sizes: [size]), scene: Marks.scene(for: size), preset: .photo)
      let output = AVCapturePhotoOutput(), photographer = RecordingPhotoDelegate()
      rig.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      #expect(connection.videoScaleAndCropFactor == 1 && connection.videoMaxScaleAndCropFactor == 16)
      rig.session.startRunning()
      rig.advance(frames: 2)
      for (index, factor) in [1.0, 2].enumerated() {
        connection.videoScaleAndCropFactor = factor
        output.capturePhoto(
          with: AVCapturePhotoSettings(format: [
            kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
          ]), delegate: photographer)
        rig.advance(frames: 2)
        #expect(photographer.wait(for: index + 1))
        let photo = try #require(photographer.photos.withLock { $0.last })
        let picture = try #require(photo.pixelBuffer)
        #expect(CVPixelBufferGetWidth(picture) == 256 && CVPixelBufferGetHeight(picture) == 192)
        let found = Marks.find(in: picture)
        #expect(found.count == 3)
        for rect in Marks.rects(in: size) {
          let place = CGPoint(x: 128 + (rect.midX - 128) * factor, y: 96 + (rect.midY - 96) * factor)
          let error = found.map { hypot($0.middle.x - place.x, $0.middle.y - place.y) }.min() ?? .infinity
          #expect(error < 0.5, "\(factor)×")
        }
        let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
        let ratio = exif?[kCGImagePropertyExifDigitalZoomRatio as String] as? Double
        #expect(ratio == (factor == 1 ? nil : factor))
      }
    }

    @Test func `a camera's own JPEG is not the file of a photo that is enlarged`() throws {
      var scene = Scene(
        isStamped: false, isNoisy: false, background: SceneBackground(.color(red: 0, green: 0, blue: 0)),
        layers: [SceneLayer(.color(red: 1, green: 1, blue: 1), width: 0.2)])
      scene.isStill = true
      let rig = try CaptureRig(.webcam, scene: scene)
      let output = AVCapturePhotoOutput(), photographer = RecordingPhotoDelegate()
      rig.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      rig.session.startRunning()
      rig.advance(frames: 2)
      var lights: [Double] = []
      for (index, factor) in [1.0, 4].enumerated() {
        connection.videoScaleAndCropFactor = factor
        output.capturePhoto(with: AVCapturePhotoSettings(), delegate: photographer)
        rig.advance(frames: 2)
        #expect(photographer.wait(for: index + 1))
        let photo = try #require(photographer.photos.withLock { $0.last })
        lights.append(Gray(try #require(photo.cgImageRepresentation())).light(at: (0.3, 0.5)))
      }
      #expect(lights[0] < 40 && lights[1] > 100)
    }

    @Test func `a factor out of range, and one on another way than a photo's, is a mistake`() throws {
      let rig = try CaptureRig(.camera())
      let photo = AVCapturePhotoOutput(), data = AVCaptureVideoDataOutput()
      rig.session.addOutput(photo)
      rig.session.addOutput(data)
      for (output, wrong) in [(photo as AVCaptureOutput, [0.5, 16.5, .nan]), (data, [2])] {
        let connection = try #require(output.connection(with: .video))
        for factor in wrong {
          let rules = ProgrammingMistake.collect { connection.videoScaleAndCropFactor = factor }
          #expect(rules.count == 1 && connection.videoScaleAndCropFactor == 1)
        }
      }
      #expect(data.connection(with: .video)?.videoMaxScaleAndCropFactor == 1)
    }
  }
}
