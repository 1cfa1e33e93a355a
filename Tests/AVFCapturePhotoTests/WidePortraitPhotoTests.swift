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
  @Suite("Heads at the edge", .enabled(if: hasFaces, "there are no models here; run scripts/setup --models"))
  struct WidePortraitPhotos {
    /// How much longer a lens of 108° draws a head there: 1 / cos θ.
    private static let stretch = 1.3

    /// The astronaut's head and shoulders, with green dots as far beside as above and below the middle of the face.
    private static func head(stretchedBy factor: Double) throws -> CVPixelBuffer {
      let head = try PixelTransformer().apply(
        FrameTransform(
          crop: PixelRect(x: 96, y: 0, width: 256, height: 256), size: PixelSize(width: 256, height: 256),
          pixelFormat: kCVPixelFormatType_32BGRA), to: Portrait.astronaut.picture())
      for (x, y) in [(69, 120), (189, 120), (129, 60), (129, 180)] {
        for row in y - 4...y + 4 {
          for column in x - 4...x + 4 {
            for (index, value) in [0, 255, 0].enumerated() {
              head.planes[0].row(row)[4 * column + index] = UInt8(value)
            }
          }
        }
      }
      return try PixelTransformer().apply(
        FrameTransform(size: PixelSize(width: Int(256 * factor) / 2 * 2, height: 256)), to: head)
    }

    private final class Stage {
      let rig: CaptureRig
      let output = AVCapturePhotoOutput()
      let delegate = RecordingPhotoDelegate()

      /// A camera before the astronaut at the right edge, as long as a lens draws a head there.
      init(fieldOfView: Double? = 108, hasFace: Bool = true) throws {
        var camera = SimulatedDeviceModel.camera(
          uniqueID: "wide.heads", sizes: [FrameSize(width: 1280, height: 960)], sensorRotation: 0)
        camera.facts.lens = fieldOfView.map {
          LensFacts(
            focalLength: 1.54, focalLengthIn35mmFilm: 13, aperture: 2.4, fieldOfView: $0, model: "A wide lens"
          )
        }
        var scene = Scene(
          isStamped: false, isNoisy: false,
          background: SceneBackground(.color(red: 0.6, green: 0.6, blue: 0.6)))
        if hasFace {
          let long = try WidePortraitPhotos.head(stretchedBy: WidePortraitPhotos.stretch)
          scene.layers = [
            SceneLayer(.picture(try ScenePicture(long)), center: CGPoint(x: 0.79, y: 0.5), width: 0.4)
          ]
        }
        rig = try CaptureRig(camera, scene: scene)
        rig.session.addOutput(output)
        rig.session.startRunning()
        rig.advance(frames: 20)
      }

      func take(corrects: Bool, format: [String: Any]? = nil) throws -> AVCapturePhoto {
        let settings = AVCapturePhotoSettings(
          format: format ?? [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA])
        settings.isAutoContentAwareDistortionCorrectionEnabled = corrects
        settings.previewPhotoFormat = [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
        ]
        let count = delegate.photos.withLock { $0.count }
        output.capturePhoto(with: settings, delegate: delegate)
        rig.advance(frames: 6)
        try #require(delegate.wait(for: count + 1))
        return try #require(delegate.photos.withLock { $0.last })
      }
    }

    /// How far the green dots are apart from left to right, by how far from top to bottom; about 1 for a head as it is.
    private func breadth(_ picture: CVPixelBuffer) throws -> Double {
      var (columns, rows): ([Int], [Int]) = ([], [])
      for y in 0..<picture.height {
        let row = picture.planes[0].row(y)
        for x in 0..<picture.width where row[4 * x + 1] > 130 && row[4 * x] < 110 && row[4 * x + 2] < 110 {
          columns.append(x)
          rows.append(y)
        }
      }
      let (left, right) = (try #require(columns.min()), try #require(columns.max()))
      return Double(right - left) / Double(try #require(rows.max()) - #require(rows.min()))
    }

    private func changes(_ one: CVPixelBuffer, _ other: CVPixelBuffer, columns: Range<Int>) -> Int {
      (0..<one.height).reduce(0) { count, y in
        let (left, right) = (one.planes[0].row(y), other.planes[0].row(y))
        return count + columns.count { x in (0..<3).contains { left[4 * x + $0] != right[4 * x + $0] } }
      }
    }

    @Test func `become as broad as they are, in the photo and its preview, and the rest stays`() throws {
      let stage = try Stage()
      #expect(stage.output.isContentAwareDistortionCorrectionSupported)
      #expect(!stage.output.isContentAwareDistortionCorrectionEnabled)
      stage.output.isContentAwareDistortionCorrectionEnabled = true
      #expect(stage.output.isContentAwareDistortionCorrectionEnabled)
      let plain = try stage.take(corrects: false)
      let round = try stage.take(corrects: true)
      #expect(!plain.resolvedSettings.isContentAwareDistortionCorrectionEnabled)
      #expect(round.resolvedSettings.isContentAwareDistortionCorrectionEnabled)
      let (one, other) = (try #require(plain.pixelBuffer), try #require(round.pixelBuffer))
      let (before, after) = (try breadth(one), try breadth(other))
      #expect(before > 1.2, "\(before)")
      #expect(abs(after - 1) < abs(before - 1) / 3, "\(before) became \(after)")
      let small = try breadth(try #require(round.previewPixelBuffer))
      #expect(abs(small - 1) < abs(before - 1) / 3, "\(before) became \(small)")
      #expect(changes(one, other, columns: 0..<400) == 0 && changes(one, other, columns: 700..<1280) > 10_000)
    }

    @Test func `nothing changes without people`() throws {
      let stage = try Stage(hasFace: false)
      stage.output.isContentAwareDistortionCorrectionEnabled = true
      let (one, other) = (try stage.take(corrects: false), try stage.take(corrects: true))
      #expect(
        changes(try #require(one.pixelBuffer), try #require(other.pixelBuffer), columns: 0..<1280) == 0)
    }

    @Test func `stay as they are where the lens is not wide, or zoom leaves out the edges`() throws {
      for field in [69.0, nil] {
        let stage = try Stage(fieldOfView: field)
        #expect(!stage.output.isContentAwareDistortionCorrectionSupported)
        let mistakes = ProgrammingMistake.collect {
          stage.output.isContentAwareDistortionCorrectionEnabled = true
        }
        #expect(mistakes.count == 1 && !stage.output.isContentAwareDistortionCorrectionEnabled)
      }
      let stage = try Stage()
      stage.output.isContentAwareDistortionCorrectionEnabled = true
      let device = try #require(AVCaptureDevice(uniqueID: "wide.heads"))
      try device.lockForConfiguration()
      device.videoZoomFactor = 4
      device.unlockForConfiguration()
      stage.rig.advance(frames: 4)
      let photo = try stage.take(corrects: true, format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
      #expect(!photo.resolvedSettings.isContentAwareDistortionCorrectionEnabled)
      #expect(photo.fileDataRepresentation() != nil)
    }

    @Test func `cannot be asked for by a photo whose output is not enabled`() throws {
      let stage = try Stage()
      let settings = AVCapturePhotoSettings()
      settings.isAutoContentAwareDistortionCorrectionEnabled = true
      let mistakes = ProgrammingMistake.collect {
        stage.output.capturePhoto(with: settings, delegate: stage.delegate)
      }
      #expect(mistakes.first?.rule.contains("isContentAwareDistortionCorrectionEnabled") == true)
      #expect(stage.delegate.wait())
    }
  }
}
