import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Photos of a dark room with a bright window, in the light of a candle.
  @Suite("Tone-mapped photos")
  struct ToneMappedPhotos {
    static let size = FrameSize(width: 640, height: 480)

    private let output = AVCapturePhotoOutput()
    private let delegate = RecordingPhotoDelegate()

    /// A running camera that has settled, with two patches of one grey: in the room, and before the window.
    private func rig(isGlobal: Bool = false) throws -> CaptureRig {
      var scene = Scene(seed: 5, lux: 40, isStamped: false)
      scene.background.content = .color(red: 0.04, green: 0.04, blue: 0.04)
      scene.layers = [
        SceneLayer(
          .color(red: 1, green: 1, blue: 1), center: CGPoint(x: 0.8, y: 0.5), width: 0.4, depth: 3),
        SceneLayer(
          .color(red: 0.16, green: 0.16, blue: 0.16), center: CGPoint(x: 0.25, y: 0.5), width: 0.03, depth: 3),
        SceneLayer(
          .color(red: 0.16, green: 0.16, blue: 0.16), center: CGPoint(x: 0.8, y: 0.5), width: 0.03, depth: 3),
      ]
      let rig = try CaptureRig(.camera(sizes: [Self.size]), scene: scene, preset: .photo)
      rig.session.addOutput(output)
      output.maxPhotoQualityPrioritization = .quality
      rig.session.startRunning()
      try rig.device.lockForConfiguration()
      #expect(rig.device.activeFormat.isGlobalToneMappingSupported)
      rig.device.isGlobalToneMappingEnabled = isGlobal
      // The window is clipped.
      rig.device.setExposureTargetBias(1.5)
      rig.device.unlockForConfiguration()
      rig.advance(frames: 40)
      return rig
    }

    private func settings(
      _ quality: AVCapturePhotoOutput.QualityPrioritization, isFile: Bool = false
    ) -> AVCapturePhotoSettings {
      let settings = AVCapturePhotoSettings(
        format: isFile
          ? [AVVideoCodecKey: AVVideoCodecType.jpeg]
          : [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange])
      settings.photoQualityPrioritization = quality
      return settings
    }

    /// Mean luma of the room, of the window, and of the two patches.
    private struct Brightness {
      var room, window, patch, patchBeforeWindow: Double

      init(_ photo: AVCapturePhoto) throws {
        let picture = try #require(photo.pixelBuffer)
        CVPixelBufferLockBaseAddress(picture, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
        let base = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, 0))
        let stride = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
        func mean(_ x: Range<Int>, _ y: Range<Int>) -> Double {
          let sum = y.reduce(0) { sum, row in
            sum + x.reduce(0) { $0 + Int(base.load(fromByteOffset: row * stride + $1, as: UInt8.self)) }
          }
          return Double(sum) / Double(x.count * y.count)
        }
        room = mean(40..<120, 60..<420)
        window = mean(420..<470, 160..<320)
        patch = mean(155..<165, 235..<245)
        patchBeforeWindow = mean(507..<517, 235..<245)
      }
    }

    private func take(
      _ quality: AVCapturePhotoOutput.QualityPrioritization, isGlobal: Bool = false
    ) throws -> Brightness {
      let rig = try rig(isGlobal: isGlobal)
      let count = delegate.finishedCount.withLock { $0 }
      output.capturePhoto(with: settings(quality), delegate: delegate)
      rig.advance(frames: 12)
      try #require(delegate.wait(for: count + 1))
      defer { rig.session.removeOutput(output) }
      return try Brightness(#require(delegate.photos.withLock { $0.last }))
    }

    @Test func `in a photo of several frames what was black becomes visible, and the window stays`() throws {
      let single = try take(.speed)
      let fused = try take(.quality)
      #expect(fused.room > 1.5 * single.room)
      #expect(abs(fused.window - single.window) < 1.5)
    }

    @Test func `with global tone mapping equal greys stay equal, without it the one in the dark is brighter`()
      throws
    {
      let local = try take(.quality)
      let global = try take(.quality, isGlobal: true)
      #expect(abs(global.patch - global.patchBeforeWindow) < 1)
      #expect(local.patch > local.patchBeforeWindow + 3)
    }

    @Test(arguments: [false, true])
    func `a photo that is finished later has the tones of one that is finished at once`(isGlobal: Bool) throws
    {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "obscura-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = DeferredPhotoStore(folder: folder.path)
      func take(isDeferring: Bool) throws -> Data? {
        let (rig, delegate) = (try rig(isGlobal: isGlobal), ProxyDelegate())
        output.deferredPhotos.withLock { $0 = store }
        output.isAutoDeferredPhotoDeliveryEnabled = isDeferring
        output.capturePhoto(with: settings(.quality, isFile: true), delegate: delegate)
        rig.advance(frames: 12)
        try #require(delegate.wait(for: 1))
        // What the device does later is of no matter.
        try rig.device.lockForConfiguration()
        rig.device.isGlobalToneMappingEnabled = !isGlobal
        rig.device.unlockForConfiguration()
        rig.session.removeOutput(output)
        return delegate.photos.withLock { $0.first?.fileDataRepresentation() }
      }
      _ = try take(isDeferring: true)
      let waiting = try #require(store.entries().first)
      let atOnce = try #require(try take(isDeferring: false))
      #expect(try store.finish(waiting.identifier).file == atOnce)
    }
  }
}
