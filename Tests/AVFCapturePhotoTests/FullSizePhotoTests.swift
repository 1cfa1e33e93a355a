import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import PhotoProcessing
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Photos of all photosites")
  struct FullSizePhotos {
    private static let usual = FrameSize(width: 160, height: 120)
    private static let full = FrameSize(width: 320, height: 240)
    private let output = AVCapturePhotoOutput()
    private let delegate = RecordingPhotoDelegate()

    /// A camera with twice the photosites of its photos in a row.
    private static func camera() -> SimulatedDeviceModel {
      var model = SimulatedDeviceModel.camera(sizes: [usual], stillSizes: [usual], fullStillSizes: [full])
      // Sharp at any distance.
      model.facts.lens?.minimumFocusDistance = nil
      return model
    }

    private func rig(
      _ model: SimulatedDeviceModel = camera(), lux: Double = 250, showing content: SceneContent? = nil,
      faults: [SceneFault] = [], asksForAll: Bool = true
    ) throws -> CaptureRig {
      var scene = Scene(lux: lux, isStamped: false, isNoisy: false)
      if let content { scene.background = SceneBackground(content) }
      let rig = try CaptureRig(model, scene: scene, faults: faults, preset: .photo)
      rig.session.addOutput(output)
      output.maxPhotoQualityPrioritization = .quality
      if asksForAll {
        output.maxPhotoDimensions = try #require(rig.device.activeFormat.supportedMaxPhotoDimensions.last)
      }
      rig.session.startRunning()
      rig.advance(frames: 4)
      return rig
    }

    /// Settings for the largest photo that the output allows.
    private func largest(_ settings: AVCapturePhotoSettings = AVCapturePhotoSettings())
      -> AVCapturePhotoSettings
    {
      settings.maxPhotoDimensions = output.maxPhotoDimensions
      return settings
    }

    private static func pixels() -> AVCapturePhotoSettings {
      AVCapturePhotoSettings(format: [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ])
    }

    private func take(_ settings: AVCapturePhotoSettings, _ rig: CaptureRig) throws -> AVCapturePhoto {
      let count = delegate.finishedCount.withLock { $0 }
      output.capturePhoto(with: settings, delegate: delegate)
      // In the dark several frames are exposed, each for long.
      for _ in 0..<100 where delegate.finishedCount.withLock({ $0 }) == count { rig.advance(frames: 3) }
      #expect(delegate.wait(for: count + 1))
      #expect(delegate.errors.withLock { $0.isEmpty })
      return try #require(delegate.photos.withLock { $0.last })
    }

    private func width(_ settings: AVCapturePhotoSettings, _ rig: CaptureRig) throws -> Int32 {
      try take(settings, rig).resolvedSettings.photoDimensions.width
    }

    // MARK: What a format lists

    @Test
    func `a phone's wide camera lists 12 and 48 megapixels where photos are best, other cameras 12 alone`()
      throws
    {
      SimulatedDevices.install(clock: SimulatedClock())
      defer { SimulatedDevices.uninstall() }
      let wide = try #require(AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back))
      for device in AVCaptureDevice.DiscoverySession(
        deviceTypes: [
          .builtInWideAngleCamera, .builtInUltraWideCamera, .builtInTelephotoCamera, .builtInTripleCamera,
        ],
        mediaType: .video, position: .unspecified
      ).devices {
        for format in device.formats {
          let widths = format.supportedMaxPhotoDimensions.map(\.width)
          #expect(widths.contains(8064) == (device == wide && format.isHighestPhotoQualitySupported))
          #expect(format.highResolutionStillImageDimensions.width == (device.position == .back ? 4032 : 3088))
        }
      }
      let photo = try #require(wide.formats.last)
      #expect(photo.supportedMaxPhotoDimensions.map(\.width) == [4032, 8064])
      #expect(photo.supportedMaxPhotoDimensions.map(\.height) == [3024, 6048])
      // Frames are of the size with photosites added.
      #expect(CMVideoFormatDescriptionGetDimensions(photo.formatDescription).width == 4032)
      #expect(photo.videoZoomFactorUpscaleThreshold == 1)
    }

    // MARK: What is chosen

    @Test func `photos are of added photosites until the output and the settings ask for more`() throws {
      let rig = try rig(asksForAll: false)
      #expect(output.maxPhotoDimensions.width == 160)
      output.maxPhotoDimensions = CMVideoDimensions(width: 320, height: 240)
      #expect(try width(AVCapturePhotoSettings(), rig) == 160)
      #expect(try width(largest(), rig) == 320)
      output.maxPhotoDimensions = CMVideoDimensions(width: 160, height: 120)
      let (tooLarge, refused) = (AVCapturePhotoSettings(), RecordingPhotoDelegate())
      tooLarge.maxPhotoDimensions = CMVideoDimensions(width: 320, height: 240)
      #expect(
        ProgrammingMistake.collect { output.capturePhoto(with: tooLarge, delegate: refused) }.count == 1)
      #expect(try width(largest(), rig) == 160)
    }

    @Test func `the older spelling of the largest size does not name all photosites`() throws {
      let rig = try rig()
      output.isHighResolutionCaptureEnabled = true
      let settings = AVCapturePhotoSettings()
      settings.isHighResolutionPhotoEnabled = true
      #expect(try width(settings, rig) == 160)
    }

    // MARK: What they show

    /// The mean difference of neighbours in a row.
    private func contrast(_ photo: AVCapturePhoto, enlarged: Int = 1) throws -> Double {
      let plane = try #require(photo.pixelBuffer?.planes.first)
      var (sum, count) = (0.0, 0.0)
      for y in stride(from: plane.height / 4, to: plane.height * 3 / 4, by: 7) {
        let row = plane.row(y)
        for x in enlarged..<plane.width * enlarged {
          sum += abs(Double(row[x / enlarged]) - Double(row[(x - 1) / enlarged]))
          count += 1
        }
      }
      return sum / count
    }

    @Test func `a photo of all photosites shows stripes that an enlarged one of added photosites has lost`()
      throws
    {
      // One photosite black, the next white.
      let stripes = try ScenePicture(
        width: 320, height: 240,
        rgba: (0..<320 * 240).flatMap { $0 % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255] as [UInt8] })
      let rig = try rig(showing: .picture(stripes))
      let fine = try contrast(take(largest(Self.pixels()), rig))
      let coarse = try contrast(take(Self.pixels(), rig), enlarged: 2)
      #expect(fine > 100 && coarse < 10, "\(fine) against \(coarse)")
    }

    @Test func `a zoom below 2 shows photosites, and from 2 on photos are of the usual size`() throws {
      let rig = try rig()
      for (zoom, expected) in [(1.0, 320), (1.9, 320), (2, 160), (4, 160)] as [(CGFloat, Int32)] {
        try rig.device.lockForConfiguration()
        rig.device.videoZoomFactor = zoom
        rig.device.unlockForConfiguration()
        rig.advance(frames: 4)
        #expect(try width(largest(), rig) == expected, "\(zoom)")
      }
    }

    @Test func `metadata, file and previews agree on 48 megapixels`() throws {
      let model = try #require(
        SimulatedDeviceModel.builtIn.first { $0.facts.uniqueID == "simulated.back.wide" })
      let rig = try rig(model)
      let settings = largest(AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]))
      settings.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: AVVideoCodecType.jpeg]
      let photo = try take(settings, rig)
      let resolved = photo.resolvedSettings
      #expect(resolved.photoDimensions.width == 8064 && resolved.photoDimensions.height == 6048)
      #expect(resolved.embeddedThumbnailDimensions.width == 160)
      let exif = try #require(photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any])
      #expect(exif[kCGImagePropertyExifPixelXDimension as String] as? Int == 8064)
      #expect(exif[kCGImagePropertyExifPixelYDimension as String] as? Int == 6048)
      let data = try #require(photo.fileDataRepresentation())
      let source = try #require(CGImageSourceCreateWithData(data as CFData, nil))
      let file = try #require(CGImageSourceCopyPropertiesAtIndex(source, 0, nil))
      #expect(file[kCGImagePropertyPixelWidth as String] as? Int == 8064)
      #expect(file[kCGImagePropertyPixelHeight as String] as? Int == 6048)
      let own = try #require(file[kCGImagePropertyExifDictionary as String] as? [String: Any])
      #expect(own[kCGImagePropertyExifPixelXDimension as String] as? Int == 8064)
    }

    // MARK: What they do without

    @Test func `it is of the next exposure, where a usual photo is of a past one`() throws {
      let rig = try rig()
      #expect(output.isZeroShutterLagEnabled)
      let shown = try #require(output.stillSource?.deliveredFrames)
      #expect(try #require(take(AVCapturePhotoSettings(), rig).frameSequenceNumber) < UInt32(shown))
      let next = try #require(output.stillSource?.deliveredFrames)
      #expect(try #require(take(largest(), rig).frameSequenceNumber) >= UInt32(next))
    }

    @Test func `with a raw picture and in a bracket photosites are added`() throws {
      let rig = try rig()
      let format = try #require(output.availableRawPhotoPixelFormatTypes.first)
      let raw = try take(
        largest(
          AVCapturePhotoSettings(
            rawPixelFormatType: format, processedFormat: [AVVideoCodecKey: AVVideoCodecType.jpeg])), rig)
      #expect(raw.resolvedSettings.photoDimensions.width == 160)
      #expect(raw.resolvedSettings.rawPhotoDimensions.width == 160)
      let bracket = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil,
        bracketedSettings: [-1, 1].map {
          AVCaptureAutoExposureBracketedStillImageSettings.autoExposureSettings(exposureTargetBias: $0)
        })
      #expect(try width(largest(bracket), rig) == 160)
    }

    @Test func `in light in which photos are fused it comes only where speed is wanted`() throws {
      let rig = try rig(lux: 5)
      for (quality, expected) in [
        (.speed, 320), (.balanced, 160), (.quality, 160),
      ] as [(AVCapturePhotoOutput.QualityPrioritization, Int32)] {
        let settings = largest()
        settings.photoQualityPrioritization = quality
        let photo = try take(settings, rig)
        #expect(photo.resolvedSettings.photoDimensions.width == expected)
        #expect(photo.resolvedSettings.isStillImageStabilizationEnabled == (quality != .speed))
      }
    }

    @Test(arguments: [AVCaptureDevice.FlashMode.on, .auto], [false, true])
    func `by a flash, which lights one frame, it comes in the dark, too, and not where the flash is too hot`(
      mode: AVCaptureDevice.FlashMode, isHot: Bool
    ) throws {
      let faults = isHot ? [SceneFault(.pressure(level: .critical, seconds: 1000), at: 0)] : []
      let rig = try rig(lux: 5, faults: faults)
      #expect(rig.device.isFlashAvailable == !isHot)
      let settings = largest()
      settings.flashMode = mode
      let resolved = try take(settings, rig).resolvedSettings
      #expect(resolved.isFlashEnabled == !isHot)
      #expect(resolved.photoDimensions.width == (isHot ? 160 : 320))
      #expect(resolved.isStillImageStabilizationEnabled == isHot)
    }

    @Test func `a photo that its connection enlarges from a quarter of the picture is of the usual size`()
      throws
    {
      let rig = try rig()
      let connection = try #require(output.connection(with: .video))
      connection.videoScaleAndCropFactor = 2
      #expect(try width(largest(), rig) == 160)
    }

    @Test func `it is taken alone, where usual photos overlap`() throws {
      let rig = try rig()
      output.isResponsiveCaptureEnabled = output.isResponsiveCaptureSupported
      #expect(output.isResponsiveCaptureEnabled && output.captureReadiness == .ready)
      output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
      #expect(output.captureReadiness == .ready)
      rig.advance(frames: 3)
      #expect(delegate.wait(for: 1) && output.captureReadiness == .ready)
      output.capturePhoto(with: largest(), delegate: delegate)
      #expect(output.captureReadiness != .ready)
      rig.advance(frames: 6)
      #expect(delegate.wait(for: 2) && output.captureReadiness == .ready)
    }

    @Test func `it is never finished later`() throws {
      let rig = try rig()
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "obscura-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = DeferredPhotoStore(folder: folder.path)
      output.deferredPhotos.withLock { $0 = store }
      output.isAutoDeferredPhotoDeliveryEnabled = true
      let proxies = ProxyDelegate()
      for isLargest in [false, true] {
        let settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: AVVideoCodecType.jpeg])
        settings.photoQualityPrioritization = .quality
        output.capturePhoto(with: isLargest ? largest(settings) : settings, delegate: proxies)
        rig.advance(frames: 6)
        #expect(proxies.wait(for: isLargest ? 2 : 1))
        #expect((proxies.promises.last == 0) == isLargest)
      }
      #expect(proxies.proxies.withLock { $0.count } == 1)
      let photos = proxies.photos.withLock { $0 }
      #expect(photos.count == 1 && photos.first?.resolvedSettings.photoDimensions.width == 320)
    }
  }
}
