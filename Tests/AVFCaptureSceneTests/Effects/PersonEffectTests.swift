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

private let hasSegmentation = ModelFolder.current.obstacle(to: .segmentation) == nil

extension DeviceSuites {
  /// Tests of effects that depend on where people are: Portrait, Studio Light, another background.
  @Suite(.enabled(if: hasSegmentation, "there are no models here; run scripts/setup --models"))
  struct PersonEffectTests {
    /// A session with the astronaut before a camera.
    private final class Studio {
      let rig: CaptureRig
      let output = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()

      init() throws {
        let photograph = SceneLayer(
          .picture(try ScenePicture(Portrait.astronaut.picture())), center: CGPoint(x: 0.5, y: 0.5),
          width: 0.75)
        let scene = Scene(
          isStamped: false, isNoisy: false,
          background: SceneBackground(.color(red: 0.75, green: 0.75, blue: 0.75)),
          layers: [photograph])
        rig = try CaptureRig(
          .camera(sizes: [FrameSize(width: 640, height: 480)], sensorRotation: 0), scene: scene)
        rig.session.addOutput(output)
        output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "studio"))
      }

      deinit { SimulatedDevices.setVideoEffects(nil) }

      func choose(_ effect: VideoEffect, strength: Double = 1, picture: String? = nil) {
        var choices = VideoEffectChoices.standard
        choices[effect] = VideoEffectChoice(isOn: true, strength: strength, picture: picture)
        SimulatedDevices.setVideoEffects(choices)
      }

      /// Starts, and lets exposure and focus settle.
      func start() {
        rig.session.startRunning()
        rig.advance(frames: 40)
      }

      /// The next frame's picture.
      func frame() throws -> CVPixelBuffer {
        delegate.samples.withLock { $0 = [] }
        rig.advance(frames: 2)
        return try #require(delegate.samples.withLock { $0.last?.buffer.imageBuffer })
      }
    }

    /// Where the rocket behind her stands, and her eyes and mouth, in the frame's own width and height.
    private static let rocket = CGRect(x: 0.655, y: 0.03, width: 0.09, height: 0.3)
    private static let face = CGRect(x: 0.4, y: 0.12, width: 0.1, height: 0.14)

    @Test
    func `Portrait blurs what is behind a person, and nothing of the face, in frames and photos alike`()
      throws
    {
      let studio = try Studio()
      studio.start()
      let plain = try studio.frame()
      studio.choose(.portrait)
      for blurred in [try studio.frame(), try studio.frame()] {
        #expect(detail(blurred, Self.rocket) < 0.3 * detail(plain, Self.rocket))
        #expect(detail(blurred, Self.face) > 0.8 * detail(plain, Self.face))
      }
      let photos = AVCapturePhotoOutput()
      studio.rig.session.addOutput(photos)
      studio.rig.advance(frames: 2)
      let recorder = RecordingPhotoDelegate()
      photos.capturePhoto(
        with: AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ]), delegate: recorder)
      studio.rig.advance(frames: 4)
      #expect(recorder.wait())
      let photo = try #require(recorder.photos.withLock { $0.first?.pixelBuffer })
      #expect(detail(photo, Self.rocket) < 0.3 * detail(plain, Self.rocket))
      #expect(detail(photo, Self.face) > 0.8 * detail(plain, Self.face))
      SimulatedDevices.setVideoEffects(nil)
      #expect(detail(try studio.frame(), Self.rocket) > 0.8 * detail(plain, Self.rocket))
    }

    @Test
    func `Studio Light makes the face brighter and the background darker`() throws {
      let studio = try Studio()
      studio.start()
      let plain = try studio.frame()
      studio.choose(.studioLight)
      studio.rig.advance(frames: 15)
      let lit = try studio.frame()
      #expect(brightness(lit, Self.face) > 1.05 * brightness(plain, Self.face))
      #expect(brightness(lit, Self.rocket) < 0.9 * brightness(plain, Self.rocket))
    }

    @Test
    func `another background stands behind the person, upright, and a missing one is blurred instead`() throws
    {
      let studio = try Studio()
      studio.start()
      let plain = try studio.frame()
      let picture = try green()
      defer { try? FileManager.default.removeItem(atPath: picture) }
      studio.choose(.background, picture: picture)
      let replaced = try studio.frame()
      #expect(detail(replaced, Self.rocket) < 0.5, "one colour")
      #expect(detail(replaced, Self.face) > 0.8 * detail(plain, Self.face))
      studio.choose(.background, picture: "/nowhere.png")
      let blurred = try studio.frame()
      #expect((0.5..<0.5 * detail(plain, Self.rocket)).contains(detail(blurred, Self.rocket)))
    }

    @Test
    func `the class, the camera and its observers know what is enabled and active`() async throws {
      let studio = try Studio()
      let device = studio.rig.device
      let active = ObservedValues(device, \.isPortraitEffectActive)
      let enabled = Monitor<[Bool?]>([])
      let observation = AVCaptureDevice.observe(\.isPortraitEffectEnabled, options: .new) { _, change in
        enabled.withLock { $0.append(change.newValue) }
      }
      #expect(!AVCaptureDevice.isPortraitEffectEnabled && !device.isPortraitEffectActive)
      #expect(device.activeFormat.isPortraitEffectSupported && device.activeFormat.isStudioLightSupported)
      #expect(device.activeFormat.isBackgroundReplacementSupported)
      studio.choose(.portrait)
      #expect(AVCaptureDevice.isPortraitEffectEnabled && device.isPortraitEffectActive)
      #expect(!AVCaptureDevice.isStudioLightEnabled && !device.isStudioLightActive)
      #expect(!AVCaptureDevice.isBackgroundReplacementEnabled && !device.isBackgroundReplacementActive)
      SimulatedDevices.setVideoEffects(nil)
      #expect(active.values == [true, false] && enabled.withLock { $0 } == [true, false])
      observation.invalidate()
      studio.choose(.studioLight)
      var values = AVCaptureDevice.values(for: \.isStudioLightEnabled).makeAsyncIterator()
      #expect(await values.next() == true && device.isStudioLightActive)
      SimulatedDevices.setVideoEffects(nil)
      #expect(await values.next() == false)
      studio.choose(.background)
      #expect(AVCaptureDevice.isBackgroundReplacementEnabled && device.isBackgroundReplacementActive)
    }

    @Test
    func `streams are no faster than their format's range while an effect is active`() throws {
      let studio = try Studio()
      let device = studio.rig.device
      try device.lockForConfiguration()
      device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 60)
      device.unlockForConfiguration()
      let range = try #require(device.activeFormat.videoFrameRateRangeForPortraitEffect)
      #expect(range.maxFrameRate == 30)
      #expect(device.activeFormat.videoFrameRateRangeForStudioLight?.maxFrameRate == 30)
      #expect(device.activeFormat.videoFrameRateRangeForBackgroundReplacement?.maxFrameRate == 30)
      // Kept buffers would be lost to the camera.
      studio.delegate.keepsBuffers.withLock { $0 = false }
      studio.choose(.portrait)
      studio.rig.session.startRunning()
      studio.rig.advance(frames: 6)
      #expect(studio.delegate.count.withLock { $0 } == 6)
      SimulatedDevices.setVideoEffects(nil)
      studio.rig.advance(frames: 6)
      let before = studio.delegate.count.withLock { $0 }
      studio.rig.advance(frames: 6)
      #expect(studio.delegate.count.withLock { $0 } - before >= 11)
    }

    /// A picture of one green, in a file for temporary files.
    private func green() throws -> String {
      let path = NSTemporaryDirectory() + "green-\(UUID().uuidString).png"
      let image = CIImage(color: CIColor(red: 0.1, green: 0.7, blue: 0.2)).cropped(
        to: CGRect(x: 0, y: 0, width: 64, height: 48))
      try CIContext().writePNGRepresentation(
        of: image, to: URL(fileURLWithPath: path), format: .RGBA8,
        colorSpace: try #require(CGColorSpace(name: CGColorSpace.sRGB)))
      return path
    }

    /// How much neighbours differ from the line between their neighbours, which a slope does not.
    private func detail(_ picture: CVPixelBuffer, _ part: CGRect) -> Double {
      let rows = lumaRows(picture, part)
      var sum = 0
      for row in rows {
        for column in 2..<row.count - 2 {
          sum += abs(2 * Int(row[column]) - Int(row[column - 2]) - Int(row[column + 2]))
        }
      }
      return Double(sum) / Double(rows.joined().count)
    }

    private func brightness(_ picture: CVPixelBuffer, _ part: CGRect) -> Double {
      let bytes = lumaRows(picture, part).joined()
      return bytes.reduce(0) { $0 + Double($1) } / Double(bytes.count)
    }

    private func lumaRows(_ picture: CVPixelBuffer, _ part: CGRect) -> [[UInt8]] {
      CVPixelBufferLockBaseAddress(picture, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
      guard let base = CVPixelBufferGetBaseAddressOfPlane(picture, 0) else { return [] }
      let stride = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
      let (width, height) = (Double(CVPixelBufferGetWidth(picture)), Double(CVPixelBufferGetHeight(picture)))
      let columns = Int(part.minX * width)..<Int(part.maxX * width)
      return (Int(part.minY * height)..<Int(part.maxY * height)).map { row in
        columns.map { base.load(fromByteOffset: row * stride + $0, as: UInt8.self) }
      }
    }
  }
}
