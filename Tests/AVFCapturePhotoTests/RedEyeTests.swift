import AVFoundation
import CaptureDevice
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PeopleFinding
import PixelTransforms
import Portraits
import SimulatedDevices
import Testing

private let hasFaces = ModelFolder.current.obstacle(to: .faces) == nil

extension DeviceSuites {
  @Suite("Red eyes", .enabled(if: hasFaces, "there are no models here; run scripts/setup --models"))
  struct RedEyePhotos {
    /// The astronaut as a flash beside the lens shows her: with red pupils; and where these are.
    private static func picture() throws -> (CVPixelBuffer, [CGPoint]) {
      let picture = try PixelTransformer().apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_32BGRA), to: Portrait.astronaut.picture())
      let marks = try #require(FaceFinder().faces(in: picture).first?.marks)
      let eyes = [marks.leftEye, marks.rightEye]
      for eye in eyes {
        for y in Int(eye.y) - 3...Int(eye.y) + 3 {
          for x in Int(eye.x) - 3...Int(eye.x) + 3
          where hypot(Double(x) - eye.x, Double(y) - eye.y) < 3 {
            let row = picture.planes[0].row(y)
            for (index, value) in [20, 24, 210].enumerated() { row[4 * x + index] = UInt8(value) }
          }
        }
      }
      return (picture, eyes)
    }

    private final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()
      /// Where the eyes are in a photo.
      let eyes: [CGPoint]

      init() throws {
        let (picture, places) = try RedEyePhotos.picture()
        var scene = Scene(
          isStamped: false, isNoisy: false,
          background: SceneBackground(.color(red: 0.6, green: 0.6, blue: 0.6)),
          layers: [
            SceneLayer(.picture(try ScenePicture(picture)), center: CGPoint(x: 0.5, y: 0.5), width: 0.75)
          ])
        scene.lux = 40
        rig = try CaptureRig(
          .camera(uniqueID: "red.eyes", sizes: [FrameSize(width: 1280, height: 960)], sensorRotation: 0),
          scene: scene)
        eyes = places.map { CGPoint(x: 160 + $0.x / 512 * 960, y: $0.y / 512 * 960) }
        rig.session.addOutput(output)
        rig.session.startRunning()
        rig.advance(frames: 40)
      }

      func take(_ flash: AVCaptureDevice.FlashMode, reduces: Bool) throws -> AVCapturePhoto {
        let settings = AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
        ])
        settings.flashMode = flash
        settings.isAutoRedEyeReductionEnabled = reduces
        let count = delegate.photos.withLock { $0.count }
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 6)
        try #require(delegate.wait(for: count + 1))
        return try #require(delegate.photos.withLock { $0.last })
      }

      /// How much redder than green and blue the photo is at an eye.
      func redness(_ photo: AVCapturePhoto, at eye: CGPoint) throws -> Double {
        let row = try #require(photo.pixelBuffer).planes[0].row(Int(eye.y))
        let colors = (0..<3).map { Double(row[4 * Int(eye.x) + $0]) }
        return colors[2] / max((colors[0] + colors[1]) / 2, 8)
      }
    }

    @Test func `become dark in photos with flash that ask for it, and stay otherwise`() throws {
      let stage = try Stage()
      #expect(stage.output.isAutoRedEyeReductionSupported)
      let red = try stage.take(.on, reduces: false)
      #expect(!red.resolvedSettings.isRedEyeReductionEnabled)
      for eye in stage.eyes { #expect(try stage.redness(red, at: eye) > 2.5) }
      let mended = try stage.take(.on, reduces: true)
      #expect(mended.resolvedSettings.isRedEyeReductionEnabled)
      for eye in stage.eyes { #expect(try stage.redness(mended, at: eye) < 1.4) }
      // All else is as it was.
      let (one, other) = (try #require(red.pixelBuffer), try #require(mended.pixelBuffer))
      var changed = 0
      for y in 0..<one.height {
        let (left, right) = (one.planes[0].row(y), other.planes[0].row(y))
        for x in 0..<one.width where abs(Int(left[4 * x + 2]) - Int(right[4 * x + 2])) > 24 { changed += 1 }
      }
      #expect(changed > 20 && changed < 2000, "\(changed)")
      let dark = try stage.take(.off, reduces: true)
      #expect(!dark.resolvedSettings.isRedEyeReductionEnabled)
    }

    @Test func `cannot be reduced by a camera without a flash`() throws {
      #expect(!AVCapturePhotoOutput().isAutoRedEyeReductionSupported)
    }
  }
}
