import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  /// Photos of several frames, in the light of a candle.
  @Suite("Fused photos")
  struct FusedPhotos {
    static let size = FrameSize(width: 320, height: 240)

    let output = AVCapturePhotoOutput()
    let delegate = RecordingPhotoDelegate()

    /// A running camera that has settled on the scene's light.
    func rig(
      lux: Double = 2, shake: Double = 0, isNoisy: Bool = true, isStamped: Bool = false,
      encodings: [FrameEncoding]? = nil, isLagging: Bool = true
    ) throws -> CaptureRig {
      var scene = Scene(seed: 5, lux: lux, isStamped: isStamped, isNoisy: isNoisy)
      scene.background = Scene.builtIn.background
      scene.layers = Scene.builtIn.layers
      scene.shakePixels = shake
      let rig = try CaptureRig(
        .camera(sizes: [Self.size], encodings: encodings), scene: scene, preset: .photo)
      rig.session.addOutput(output)
      output.maxPhotoQualityPrioritization = .quality
      output.isZeroShutterLagEnabled = output.isZeroShutterLagSupported && !isLagging
      rig.session.startRunning()
      rig.advance(frames: 40)
      return rig
    }

    func settings(
      _ quality: AVCapturePhotoOutput.QualityPrioritization, _ format: [String: Any]? = nil
    ) -> AVCapturePhotoSettings {
      let settings = AVCapturePhotoSettings(
        format: format ?? [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ])
      settings.photoQualityPrioritization = quality
      return settings
    }

    func take(_ rig: CaptureRig, _ settings: AVCapturePhotoSettings, frames: Int = 12) throws
      -> AVCapturePhoto
    {
      let count = delegate.finishedCount.withLock { $0 }
      output.capturePhoto(with: settings, delegate: delegate)
      rig.advance(frames: frames)
      try #require(delegate.wait(for: count + 1))
      #expect(delegate.errors.withLock { $0 }.isEmpty)
      return try #require(delegate.photos.withLock { $0.last })
    }

    /// The frames that the photo's file says it was made of: taken, used.
    func frames(_ photo: AVCapturePhoto) -> [Int]? {
      let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
      return exif?[kCGImagePropertyExifSourceImageNumberOfCompositeImage as String] as? [Int]
    }

    func luma(_ photo: AVCapturePhoto) throws -> [Double] {
      let picture = try #require(photo.pixelBuffer)
      CVPixelBufferLockBaseAddress(picture, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
      let base = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, 0))
      let stride = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
      return (0..<Self.size.height).flatMap { row in
        (0..<Self.size.width).map {
          Double(base.load(fromByteOffset: row * stride + $0, as: UInt8.self))
        }
      }
    }

    /// The mean square difference of two pictures.
    private func error(_ one: [Double], _ other: [Double]) -> Double {
      zip(one, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Double(one.count)
    }

    @Test(arguments: [0, 0.3])
    func `in little light each quality is nearer to the truth than the one below`(shake: Double) throws {
      let truth = try luma(take(rig(isNoisy: false), settings(.speed)))
      let rig = try rig(shake: shake)
      let qualities: [AVCapturePhotoOutput.QualityPrioritization] = [.speed, .balanced, .quality]
      let errors = try qualities.map { error(try luma(take(rig, settings($0))), truth) }
      // A shaking hand moves the whole picture against the truth; what is left then is not noise.
      if shake == 0 {
        #expect(errors[1] < errors[0] * 0.75 && errors[2] < errors[0] * 0.45, "\(errors)")
      }
    }

    @Test func `the file says how many frames were taken and used`() throws {
      let rig = try rig()
      #expect(frames(try take(rig, settings(.speed))) == nil)
      #expect(frames(try take(rig, settings(.balanced))) == [3, 3])
      #expect(frames(try take(rig, settings(.quality))) == [8, 8])
      let file = try #require(
        take(rig, settings(.balanced, [AVVideoCodecKey: AVVideoCodecType.jpeg])).fileDataRepresentation())
      let source = try #require(CGImageSourceCreateWithData(file, nil))
      let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
      let exif = properties?[kCGImagePropertyExifDictionary] as? [String: Any]
      #expect(exif?[kCGImagePropertyExifCompositeImage as String] as? Int == 3)
    }

    @Test func `in good light a photo is one frame, as the camera gave it`() throws {
      let rig = try rig(lux: 500)
      for quality in [AVCapturePhotoOutput.QualityPrioritization.speed, .quality] {
        let photo = try take(rig, settings(quality), frames: 3)
        #expect(frames(photo) == nil)
      }
    }

    @Test func `the callbacks come once, and the number and the moment are those of the first frame`() throws
    {
      let rig = try rig(isStamped: true)
      let settings = settings(.quality)
      let id = settings.uniqueID
      let before = try #require(output.stillSource?.deliveredFrames)
      let photo = try take(rig, settings)
      #expect(
        delegate.steps.withLock { $0 } == [
          .willBegin(id), .willCapture(id), .didCapture(id), .processed(id, failed: false),
          .finished(id, failed: false),
        ])
      let number = try #require(photo.frameSequenceNumber)
      #expect(Int(number) <= before + 2)
      #expect(try FrameStamp.read(from: #require(photo.pixelBuffer)) == number)
    }

    @Test
    func `with zero shutter lag the frames before the press serve, and the photo is of the one on show`()
      throws
    {
      let rig = try rig(isStamped: true, isLagging: false)
      try #require(output.isZeroShutterLagEnabled)
      let newest = try #require(output.stillSource?.deliveredFrames)
      // Without a frame to come there are those of the past.
      let photo = try take(rig, settings(.balanced), frames: 1)
      #expect(frames(photo) == [3, 3])
      #expect(abs(Int(try #require(photo.frameSequenceNumber)) - newest) <= 2)
    }

    @Test func `a client that wants no frames joined, flash and brackets have one frame each`() throws {
      let rig = try rig()
      let plain = settings(.quality)
      plain.isAutoStillImageStabilizationEnabled = false
      #expect(frames(try take(rig, plain)) == nil)
      let flash = settings(.quality)
      flash.flashMode = .on
      #expect(frames(try take(rig, flash)) == nil)
      let bracket = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg],
        bracketedSettings: [-1, 0, 1].map {
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        })
      #expect(frames(try take(rig, bracket, frames: 30)) == nil)
    }

    @Test func `little light is a scene for joined frames, for settings that want them`() throws {
      #expect(!output.isStillImageStabilizationSupported)
      let rig = try rig()
      #expect(output.isStillImageStabilizationSupported && !output.isStillImageStabilizationScene)
      output.photoSettingsForSceneMonitoring = settings(.balanced)
      #expect(output.isStillImageStabilizationScene && !output.isFlashScene)
      output.photoSettingsForSceneMonitoring = settings(.speed)
      #expect(!output.isStillImageStabilizationScene)
      let plain = settings(.quality)
      plain.isAutoStillImageStabilizationEnabled = false
      output.photoSettingsForSceneMonitoring = plain
      #expect(!output.isStillImageStabilizationScene)

      output.photoSettingsForSceneMonitoring = settings(.balanced)
      let values = Locked<[Bool?]>([])
      let observation = output.observe(\.isStillImageStabilizationScene, options: .new) { _, change in
        values.withLock { $0.append(change.newValue) }
      }
      // A camera starts as if there were much light.
      rig.session.stopRunning()
      rig.session.startRunning()
      rig.advance(frames: 40)
      rig.clock.settle()
      #expect(values.withLock { $0 } == [false, true])
      observation.invalidate()
      output.maxPhotoQualityPrioritization = .speed
      #expect(!output.isStillImageStabilizationSupported)
    }

    @Test func `the resolved settings say before the exposure whether frames will be joined`() throws {
      let rig = try rig()
      #expect(!(try take(rig, settings(.speed))).resolvedSettings.isStillImageStabilizationEnabled)
      #expect(try take(rig, settings(.balanced)).resolvedSettings.isStillImageStabilizationEnabled)
      let plain = settings(.quality)
      plain.isAutoStillImageStabilizationEnabled = false
      #expect(!(try take(rig, plain)).resolvedSettings.isStillImageStabilizationEnabled)
    }

    @Test func `frames of motion JPEG are fused as they are decoded`() throws {
      let rig = try rig(encodings: [.motionJPEG])
      #expect(frames(try take(rig, settings(.balanced))) == [3, 3])
    }

    @Test(arguments: 0...4)
    func `a session that stops amid a burst ends its photo once`(frames: Int) throws {
      let rig = try rig()
      output.capturePhoto(with: settings(.quality), delegate: delegate)
      rig.advance(frames: frames)
      rig.session.stopRunning()
      try #require(delegate.wait(for: 1))
      rig.advance(frames: 12)
      let photo = try #require(delegate.photos.withLock { $0.count == 1 ? $0[0] : nil })
      #expect(delegate.finishedCount.withLock { $0 } == 1)
      // Without a frame there is an error, else a photo of those that there are.
      #expect((photo.pixelBuffer == nil) == (delegate.errors.withLock { $0.count } == 1))
    }

    @Test(arguments: [true, false])
    func
      `a burst is finished later to the bytes of one that is finished at once, or at once where it has no room`(
        hasRoom: Bool
      ) throws
    {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "obscura-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      // One frame fits, and eight do not.
      let store = DeferredPhotoStore(
        folder: folder.path, byteLimit: hasRoom ? DeferredPhotoStore.usualByteLimit : 400_000)
      func take(isDeferring: Bool) throws -> (delegate: ProxyDelegate, file: Data?) {
        let (rig, delegate) = (try rig(), ProxyDelegate())
        output.deferredPhotos.withLock { $0 = store }
        output.isAutoDeferredPhotoDeliveryEnabled = isDeferring
        output.capturePhoto(
          with: settings(.quality, [AVVideoCodecKey: AVVideoCodecType.jpeg]), delegate: delegate)
        rig.advance(frames: 12)
        try #require(delegate.wait(for: 1))
        rig.session.removeOutput(output)
        return (delegate, delegate.photos.withLock { $0.first?.fileDataRepresentation() })
      }
      let (delegate, file) = try take(isDeferring: true)
      let waiting = store.entries()
      #expect(
        delegate.proxies.withLock { $0.count } == (hasRoom ? 1 : 0) && waiting.count == (hasRoom ? 1 : 0))
      let finished = try waiting.first.map { try store.finish($0.identifier).file } ?? file
      #expect(try finished == take(isDeferring: false).file)
      #expect(finished != nil)
    }

    @Test func `a camera that is pulled out amid a burst leaves the photo of the frames that there are`()
      throws
    {
      let rig = try rig()
      output.capturePhoto(with: settings(.quality), delegate: delegate)
      rig.advance(frames: 4)
      rig.provider.device("simulated.test")?.unplug()
      rig.advance(frames: 2)
      try #require(delegate.wait(for: 1))
      let photo = try #require(delegate.photos.withLock { $0.last })
      let counts = try #require(frames(photo))
      #expect(counts[0] < 8 && counts[0] > 1)
      #expect(photo.pixelBuffer != nil && delegate.errors.withLock { $0 }.isEmpty)
    }
  }
}
