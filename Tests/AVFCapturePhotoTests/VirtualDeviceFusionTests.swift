import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Photos of two cameras under a virtual one")
  struct VirtualDeviceFusion {
    /// A small dual camera, whose lenses begin at 1 and 2, before a still life on a manual clock.
    private final class Dual {
      let clock = SimulatedClock()
      let session = AVCaptureSession()
      let output = AVCapturePhotoOutput()
      let photographer = RecordingPhotoDelegate()
      let device: AVCaptureDevice
      static let size = FrameSize(width: 640, height: 480)

      /// - Parameter isSharp: Whether the sensors have four times the photosites of a photo in a row.
      init(
        lux: Double = 250, isSharp: Bool = false, isNoisy: Bool = true, depth: Double? = nil,
        nearest: Int = 400
      ) throws {
        var scene = Scene(seed: 3, lux: lux, isStamped: false, isNoisy: isNoisy)
        scene.background = Scene.builtIn.background
        scene.layers = Scene.builtIn.layers
        if let depth {
          scene.background.depth = depth
          for index in scene.layers.indices { scene.layers[index].depth = depth }
        }
        func camera(_ id: String, _ kind: DeviceKind, _ magnification: Double) -> SimulatedDeviceModel {
          let most = FrameSize(width: 2560, height: 1920)
          var model = SimulatedDeviceModel.camera(
            uniqueID: id, name: id, kind: kind, sizes: [Self.size],
            stillSizes: isSharp ? [Self.size, most] : [Self.size])
          model.magnification = magnification
          return model
        }
        var (wide, tele) = (camera("wide", .wideAngleCamera, 1), camera("tele", .telephotoCamera, 2))
        var dual = camera("dual", .dualCamera, 1)
        dual.facts.constituents = [wide.facts.uniqueID, tele.facts.uniqueID]
        dual.facts.capabilities.switchOverZooms = [2]
        dual.facts.capabilities.takesConstituentStills = true
        wide.facts.lens?.minimumFocusDistance = 100
        tele.facts.lens?.minimumFocusDistance = nearest
        scene.devices = [wide, tele, dual]
        SimulatedDevices.install(scene: scene, clock: clock, access: .granted)
        device = try #require(AVCaptureDevice(uniqueID: "dual"))
        session.sessionPreset = .photo
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
      }

      deinit {
        session.stopRunning()
        CaptureDeviceProviders.install(nil)
      }

      func pass(frames: Int) {
        for _ in 0..<frames { clock.advance(by: .nanoseconds(33_333_334)) }
      }

      func start(zoom: CGFloat) throws {
        session.startRunning()
        try device.lockForConfiguration()
        device.videoZoomFactor = zoom
        device.unlockForConfiguration()
        pass(frames: 30)
      }

      static func settings() -> AVCapturePhotoSettings {
        AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ])
      }

      func take(_ settings: AVCapturePhotoSettings = Dual.settings()) throws -> AVCapturePhoto {
        let finished = photographer.finishedCount.withLock { $0 }
        output.capturePhoto(with: settings, delegate: photographer)
        pass(frames: 4)
        try #require(photographer.wait(for: finished + 1))
        #expect(photographer.errors.withLock { $0 }.isEmpty)
        return try #require(photographer.photos.withLock { $0.last })
      }

      /// Whether a photo at a zoom factor is of two cameras.
      func joins(zoom: CGFloat, _ settings: AVCapturePhotoSettings = Dual.settings()) throws -> Bool {
        try start(zoom: zoom)
        let photo = try take(settings)
        let isJoined = photo.resolvedSettings.isVirtualDeviceFusionEnabled
        #expect(photo.resolvedSettings.isDualCameraFusionEnabled == isJoined)
        return isJoined
      }
    }

    private func luma(_ photo: AVCapturePhoto) throws -> [[Double]] {
      let pixels = try #require(photo.pixelBuffer)
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
      let plane = try #require(pixels.planes.first)
      return (0..<plane.height).map { plane.row($0).prefix(plane.width).map(Double.init) }
    }

    /// The mean square of the difference in a rectangle.
    private func error(_ one: [[Double]], _ other: [[Double]], x: Range<Int>, y: Range<Int>) -> Double {
      let sum = y.reduce(0.0) { sum, row in
        x.reduce(sum) { $0 + (one[row][$1] - other[row][$1]) * (one[row][$1] - other[row][$1]) }
      }
      return sum / Double(x.count * y.count)
    }

    private func frames(_ photo: AVCapturePhoto) -> [Int]? {
      let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
      return exif?[kCGImagePropertyExifSourceImageNumberOfCompositeImage as String] as? [Int]
    }

    @Test(arguments: [true, false])
    func `between two lenses the longer one's detail brings the middle nearer to the scene, without a seam`(
      isOfPast: Bool
    ) throws {
      let sharp = try Dual(isSharp: true, isNoisy: false)
      sharp.output.isZeroShutterLagEnabled = sharp.output.isZeroShutterLagSupported && isOfPast
      try sharp.start(zoom: 1.7)
      let truth = try luma(sharp.take())
      let dual = try Dual()
      dual.output.isZeroShutterLagEnabled = dual.output.isZeroShutterLagSupported && isOfPast
      try dual.start(zoom: 1.7)
      let alone = Dual.settings()
      alone.isAutoVirtualDeviceFusionEnabled = false
      let one = try dual.take(alone)
      #expect(!one.resolvedSettings.isVirtualDeviceFusionEnabled && frames(one) == nil)
      let other = try Dual()
      other.output.isZeroShutterLagEnabled = other.output.isZeroShutterLagSupported && isOfPast
      try other.start(zoom: 1.7)
      let both = try other.take()
      #expect(both.resolvedSettings.isVirtualDeviceFusionEnabled)
      #expect(!both.resolvedSettings.isStillImageStabilizationEnabled)
      #expect(frames(both) == [2, 2] && both.sourceDeviceType == .builtInWideAngleCamera)
      #expect(both.frameSequenceNumber == one.frameSequenceNumber)
      let (plain, fused) = (try luma(one), try luma(both))
      // The longer lens sees 0.85 of the sides.
      let middle = (x: 80..<560, y: 60..<420)
      let (before, after) = (
        error(plain, truth, x: middle.x, y: middle.y), error(fused, truth, x: middle.x, y: middle.y)
      )
      #expect(after < before * 0.6, "\(before) → \(after)")
      #expect(
        error(plain, fused, x: 0..<640, y: 0..<36) == 0 && error(plain, fused, x: 0..<48, y: 0..<480) == 0)
      // Nothing but detail is new: no part is brighter or darker, neither inside nor where it begins.
      for y in stride(from: 0, to: 480, by: 16) {
        for x in stride(from: 0, to: 640, by: 16) {
          #expect(abs(brightness(plain, x, y) - brightness(fused, x, y)) < 2.5, "\(x), \(y)")
        }
      }
    }

    private func brightness(_ picture: [[Double]], _ x: Int, _ y: Int) -> Double {
      picture[y..<y + 16].reduce(0) { $0 + $1[x..<x + 16].reduce(0, +) } / 256
    }

    @Test func `it depends on the zoom factor, and on nothing else having been asked for`() throws {
      #expect(try !Dual().joins(zoom: 1))
      #expect(try !Dual().joins(zoom: 1.05))
      #expect(try Dual().joins(zoom: 1.3))
      #expect(try Dual().joins(zoom: 1.95))
      #expect(try !Dual().joins(zoom: 2))
      #expect(try !Dual().joins(zoom: 3))
      let fast = Dual.settings()
      fast.photoQualityPrioritization = .speed
      #expect(try !Dual().joins(zoom: 1.5, fast))
      let flashed = Dual.settings()
      flashed.flashMode = .on
      #expect(try !Dual().joins(zoom: 1.5, flashed))
      let old = Dual.settings()
      old.isAutoDualCameraFusionEnabled = false
      #expect(!old.isAutoVirtualDeviceFusionEnabled)
      #expect(try !Dual().joins(zoom: 1.5, old))
    }

    @Test
    func
      `the wide picture stays alone where its sensor has pixels enough, in the dark, and before near things`()
      throws
    {
      #expect(try !Dual(isSharp: true).joins(zoom: 1.5))
      #expect(try !Dual(lux: 20).joins(zoom: 1.5))
      #expect(try Dual(depth: 0.5).joins(zoom: 1.5))
      #expect(try !Dual(depth: 0.3).joins(zoom: 1.5))
    }

    @Test func `a photo of chosen cameras is of each by itself`() throws {
      let dual = try Dual()
      dual.output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
      let settings = Dual.settings()
      settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices = dual.device.constituentDevices
      try dual.start(zoom: 1.5)
      dual.output.capturePhoto(with: settings, delegate: dual.photographer)
      dual.pass(frames: 4)
      try #require(dual.photographer.wait())
      let photos = dual.photographer.photos.withLock { $0 }
      #expect(photos.count == 2)
      #expect(photos.allSatisfy { !$0.resolvedSettings.isVirtualDeviceFusionEnabled && frames($0) == nil })
    }

    @Test func `presses in a row get photos of two cameras each, in their order`() throws {
      let dual = try Dual()
      try dual.start(zoom: 1.5)
      dual.output.isResponsiveCaptureEnabled = dual.output.isResponsiveCaptureSupported
      for _ in 0..<4 { dual.output.capturePhoto(with: Dual.settings(), delegate: dual.photographer) }
      dual.pass(frames: 20)
      try #require(dual.photographer.wait(for: 4))
      let photos = dual.photographer.photos.withLock { $0 }
      #expect(photos.map(frames) == Array(repeating: [2, 2], count: 4))
      #expect(photos.map(\.resolvedSettings.uniqueID) == photos.map(\.resolvedSettings.uniqueID).sorted())
    }

    @Test func `support follows the camera and the highest quality`() throws {
      let dual = try Dual()
      let output = dual.output
      #expect(output.isVirtualDeviceFusionSupported && output.isDualCameraFusionSupported)
      output.maxPhotoQualityPrioritization = .speed
      #expect(!output.isVirtualDeviceFusionSupported && !output.isDualCameraFusionSupported)
      output.maxPhotoQualityPrioritization = .balanced
      let heard = Monitor<[Bool]>([])
      let observation = output.observe(\.isVirtualDeviceFusionSupported, options: .new) { _, change in
        heard.withLock { $0.append(change.newValue ?? true) }
      }
      defer { observation.invalidate() }
      let session = dual.session
      session.beginConfiguration()
      session.removeInput(session.inputs[0])
      session.addInput(try AVCaptureDeviceInput(device: #require(AVCaptureDevice(uniqueID: "wide"))))
      session.commitConfiguration()
      #expect(!output.isVirtualDeviceFusionSupported)
      #expect(heard.wait(for: [false]))
    }

    @Test func `finished later it is the same photo`() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "obscura-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let dual = try Dual()
      dual.output.maxPhotoQualityPrioritization = .quality
      let own = DeferredPhotoStore(folder: folder.path)
      dual.output.deferredPhotos.withLock { $0 = own }
      func settings() -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        settings.photoQualityPrioritization = .quality
        return settings
      }
      try dual.start(zoom: 1.5)
      dual.output.isAutoDeferredPhotoDeliveryEnabled = true
      let delegate = ProxyDelegate()
      dual.output.capturePhoto(with: settings(), delegate: delegate)
      dual.pass(frames: 4)
      try #require(delegate.wait(for: 1))
      let identifier = try #require(own.entries().first?.identifier)
      let result = try own.finish(identifier)
      let exif = result.metadata.properties[kCGImagePropertyExifDictionary as String] as? [String: Any]
      #expect(
        exif?[kCGImagePropertyExifSourceImageNumberOfCompositeImage as String] as? [Int] == [2, 2])
    }
  }
}
