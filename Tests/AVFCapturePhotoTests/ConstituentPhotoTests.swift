import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import ImageIO
import Linux
import SimulatedDevices
import Testing
import Waiting

extension DeviceSuites {
  @Suite("Photos of the cameras under a virtual one")
  struct ConstituentPhotos {
    /// The phone's triple camera, or another of its virtual ones, before the built-in still life, on a manual clock.
    private final class Phone {
      let clock = SimulatedClock()
      let session = AVCaptureSession()
      let output = AVCapturePhotoOutput()
      let photographer = RecordingPhotoDelegate()
      let device: AVCaptureDevice
      /// When the latest photo was pressed, in seconds.
      private(set) var pressed = 0.0
      private let counter = FrameCounter()

      init(_ type: AVCaptureDevice.DeviceType = .builtInTripleCamera, lux: Double = 500) throws {
        var scene = Scene.builtIn
        scene.lux = lux
        scene.isStamped = false
        scene.isNoisy = false
        SimulatedDevices.install(scene: scene, clock: clock, access: .granted)
        device = try #require(AVCaptureDevice.default(type, for: .video, position: .back))
        session.sessionPreset = .vga640x480
        session.addInput(try AVCaptureDeviceInput(device: device))
        let frames = AVCaptureVideoDataOutput()
        counter.watch(frames)
        session.addOutput(frames)
        session.addOutput(output)
      }

      deinit {
        session.stopRunning()
        CaptureDeviceProviders.install(nil)
      }

      func pass(frames: Int) {
        for _ in 0..<frames { clock.advance(by: .nanoseconds(33_333_334)) }
      }

      func camera(_ type: AVCaptureDevice.DeviceType) throws -> AVCaptureDevice {
        try #require(device.constituentDevices.first { $0.deviceType == type })
      }

      func settings(_ types: [AVCaptureDevice.DeviceType]) throws -> AVCapturePhotoSettings {
        let settings = AVCapturePhotoSettings(format: [
          kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
        ])
        settings.virtualDeviceConstituentPhotoDeliveryEnabledDevices = try types.map(camera)
        return settings
      }

      /// The photos of the given cameras, taken at a zoom factor.
      func photos(
        of types: [AVCaptureDevice.DeviceType], zoom: CGFloat = 1, flash: AVCaptureDevice.FlashMode = .off
      ) throws -> [AVCapturePhoto] {
        output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
        session.startRunning()
        try device.lockForConfiguration()
        device.videoZoomFactor = zoom
        device.unlockForConfiguration()
        pass(frames: 30)
        photographer.photos.withLock { $0 = [] }
        let finished = photographer.finishedCount.withLock { $0 }
        let settings = try settings(types)
        settings.flashMode = flash
        pressed = Double(clock.now.nanoseconds) / 1_000_000_000
        output.capturePhoto(with: settings, delegate: photographer)
        pass(frames: 4)
        #expect(photographer.wait(for: finished + 1))
        return photographer.photos.withLock { $0 }
      }

      func mistake(_ settings: AVCapturePhotoSettings) -> String {
        let mistakes = ProgrammingMistake.collect {
          output.capturePhoto(with: settings, delegate: photographer)
        }
        #expect(mistakes.count == 1)
        return mistakes.first?.rule ?? ""
      }
    }

    /// The brightness of a picture's middle, which is `share` of its width and height, in 16 × 16 fields.
    private func fields(_ photo: AVCapturePhoto, middle share: Double = 1) throws -> [Double] {
      let pixels = try #require(photo.pixelBuffer)
      CVPixelBufferLockBaseAddress(pixels, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
      let luma = try #require(CVPixelBufferGetBaseAddressOfPlane(pixels, 0))
      let stride = CVPixelBufferGetBytesPerRowOfPlane(pixels, 0)
      let (width, height) = (Double(CVPixelBufferGetWidth(pixels)), Double(CVPixelBufferGetHeight(pixels)))
      func row(_ part: Double, _ side: Double) -> Range<Int> {
        let (from, length) = (side * (1 - share) / 2, side * share / 16)
        return Int(from + length * part)..<Int(from + length * (part + 1))
      }
      return (0..<256).map { index in
        var sum = 0, count = 0
        for y in row(Double(index / 16), height) {
          for x in row(Double(index % 16), width) {
            sum += Int(luma.load(fromByteOffset: y * stride + x, as: UInt8.self))
            count += 1
          }
        }
        return Double(sum) / Double(max(count, 1))
      }
    }

    private func difference(_ left: [Double], _ right: [Double]) -> Double {
      zip(left, right).map { abs($0 - $1) }.reduce(0, +) / Double(left.count)
    }

    @Test func `come with the calibration of each camera where that is asked for`() throws {
      let phone = try Phone()
      #expect(!phone.output.isCameraCalibrationDataDeliverySupported)
      phone.output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
      // Of what the device straightens the lens's own calibration says nothing.
      try phone.device.lockForConfiguration()
      phone.device.isGeometricDistortionCorrectionEnabled = true
      #expect(!phone.output.isCameraCalibrationDataDeliverySupported)
      phone.device.isGeometricDistortionCorrectionEnabled = false
      phone.device.unlockForConfiguration()
      try #require(phone.output.isCameraCalibrationDataDeliverySupported)
      phone.session.startRunning()
      phone.pass(frames: 2)
      let settings = try phone.settings([.builtInWideAngleCamera, .builtInTelephotoCamera])
      settings.isCameraCalibrationDataDeliveryEnabled = true
      phone.output.capturePhoto(with: settings, delegate: phone.photographer)
      phone.pass(frames: 3)
      try #require(phone.photographer.wait(for: 1))
      let photos = phone.photographer.photos.withLock { $0 }
      let cameras = try photos.map { try #require($0.cameraCalibrationData) }
      // Both are as large as the photo; the longer lens has the longer focal length.
      #expect(cameras.allSatisfy { $0.intrinsicMatrixReferenceDimensions == CGSize(width: 640, height: 480) })
      let focal = cameras.map { $0.intrinsicMatrix.columns.0.x }
      #expect(focal.count == 2 && focal[1] > 1.5 * focal[0])
      // Without two cameras it cannot be asked for.
      let alone = try phone.settings([.builtInWideAngleCamera])
      alone.isCameraCalibrationDataDeliveryEnabled = true
      let mistakes = ProgrammingMistake.collect {
        phone.output.capturePhoto(with: alone, delegate: phone.photographer)
      }
      #expect(mistakes.first?.rule.contains("isCameraCalibrationDataDeliveryEnabled") == true)
    }

    @Test
    func `each chosen camera takes a photo of its own at the same time, in the order of the list`() throws {
      let phone = try Phone()
      let types: [AVCaptureDevice.DeviceType] = [
        .builtInTelephotoCamera, .builtInUltraWideCamera, .builtInWideAngleCamera,
      ]
      let photos = try phone.photos(of: types)
      #expect(photos.map(\.sourceDeviceType) == types)
      #expect(photos.map(\.photoCount) == [1, 2, 3] && photos.allSatisfy { $0.sequenceCount == 0 })
      #expect(photos.allSatisfy { $0.resolvedSettings.expectedPhotoCount == 3 })
      #expect(Set(photos.map(\.timestamp.seconds)).count == 1 && photos[0].timestamp.seconds >= phone.pressed)
      #expect(Set(photos.map(\.frameSequenceNumber)).count == 1)
      let lenses = try photos.map { photo in
        let exif = photo.metadata[kCGImagePropertyExifDictionary as String] as? [String: Any]
        return try #require(exif?["FocalLength"] as? Double)
      }
      #expect(lenses == (try types.map { try #require(phone.camera($0).facts.lens?.focalLength) }))
      #expect(phone.device.activePrimaryConstituent?.deviceType == .builtInUltraWideCamera)
      let id = phone.photographer.steps.withLock { $0.last }
      #expect(id == .finished(photos[0].resolvedSettings.uniqueID, failed: false))
    }

    @Test
    func `each shows its own view as bright as the others`() throws {
      let phone = try Phone()
      let photos = try phone.photos(of: [.builtInWideAngleCamera, .builtInTelephotoCamera])
      let (middle, tele) = (try fields(photos[0], middle: 0.5), try fields(photos[1]))
      #expect(difference(middle, tele) < 4, "\(difference(middle, tele))")
      #expect(difference(try fields(photos[0]), tele) > 12)
    }

    @Test
    func `a photo shows no more than the zoom factor does`() throws {
      let phone = try Phone()
      let photos = try phone.photos(of: [.builtInWideAngleCamera, .builtInTelephotoCamera], zoom: 4)
      let (wide, tele) = (try fields(photos[0]), try fields(photos[1]))
      #expect(difference(wide, tele) < 4, "\(difference(wide, tele))")
    }

    @Test
    func `one flash lights the photos of all`() throws {
      let phone = try Phone(lux: 5)
      let types: [AVCaptureDevice.DeviceType] = [.builtInUltraWideCamera, .builtInWideAngleCamera]
      let photos = try phone.photos(of: types, flash: .on)
      #expect(photos.map(\.sourceDeviceType) == types && photos[0].resolvedSettings.isFlashEnabled)
      #expect(Set(photos.map(\.frameSequenceNumber)).count == 1)
    }

    @Test
    func `one camera alone takes one photo`() throws {
      let photos = try Phone().photos(of: [.builtInWideAngleCamera])
      #expect(photos.map(\.sourceDeviceType) == [.builtInWideAngleCamera])
    }

    @Test
    func `every photo of a stopped session is reported with its camera and the error`() throws {
      let phone = try Phone()
      let types: [AVCaptureDevice.DeviceType] = [.builtInTelephotoCamera, .builtInWideAngleCamera]
      phone.output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
      phone.session.startRunning()
      phone.pass(frames: 5)
      phone.output.capturePhoto(with: try phone.settings(types), delegate: phone.photographer)
      phone.session.stopRunning()
      #expect(phone.photographer.wait())
      #expect(phone.photographer.photos.withLock { $0.map(\.sourceDeviceType) } == types)
      let failed = phone.photographer.steps.withLock { steps in
        steps.count { if case .processed(_, failed: true) = $0 { true } else { false } }
      }
      #expect(failed == 2)
    }

    @Test
    func `wishes that the output or the device cannot fulfil are mistakes`() throws {
      let phone = try Phone()
      phone.session.startRunning()
      phone.pass(frames: 2)
      let both: [AVCaptureDevice.DeviceType] = [.builtInTelephotoCamera, .builtInWideAngleCamera]
      #expect(phone.mistake(try phone.settings(both)).contains("DeliveryEnabled"))
      phone.output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
      #expect(phone.mistake(try phone.settings([both[0], both[0]])).contains("twice"))
      let foreign = try phone.settings([])
      foreign.virtualDeviceConstituentPhotoDeliveryEnabledDevices = [phone.device]
      #expect(phone.mistake(foreign).contains("constituentDevices"))
      let bracket = AVCapturePhotoBracketSettings(
        rawPixelFormatType: 0, processedFormat: nil,
        bracketedSettings: [.autoExposureSettings(exposureTargetBias: 1)]
          as [AVCaptureAutoExposureBracketedStillImageSettings])
      bracket.virtualDeviceConstituentPhotoDeliveryEnabledDevices = [try phone.camera(both[0])]
      #expect(phone.mistake(bracket).contains("bracket"))
    }

    @Test
    func `support follows the camera, and delivery is off again with one that stands alone`() throws {
      let phone = try Phone()
      let output = phone.output
      #expect(output.isVirtualDeviceConstituentPhotoDeliverySupported)
      #expect(!output.isVirtualDeviceConstituentPhotoDeliveryEnabled)
      let heard = Monitor<[Bool]>([])
      let observation = output.observe(
        \.isVirtualDeviceConstituentPhotoDeliverySupported, options: .new
      ) { _, change in
        heard.withLock { $0.append(change.newValue ?? true) }
      }
      defer { observation.invalidate() }
      output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
      #expect(output.isVirtualDeviceConstituentPhotoDeliveryEnabled)
      let session = phone.session
      session.beginConfiguration()
      session.removeInput(session.inputs[0])
      session.addInput(try AVCaptureDeviceInput(device: phone.camera(.builtInWideAngleCamera)))
      session.commitConfiguration()
      #expect(!output.isVirtualDeviceConstituentPhotoDeliverySupported)
      #expect(!output.isVirtualDeviceConstituentPhotoDeliveryEnabled)
      #expect(heard.wait(for: [false]))
      let mistakes = ProgrammingMistake.collect {
        output.isVirtualDeviceConstituentPhotoDeliveryEnabled = true
      }
      #expect(mistakes.count == 1 && !output.isVirtualDeviceConstituentPhotoDeliveryEnabled)
    }

    @Test
    func `a dual camera gives both photos by the older names, the wide-angle one first`() throws {
      let phone = try Phone(.builtInDualCamera)
      let output = phone.output
      #expect(output.isDualCameraDualPhotoDeliverySupported && !output.isDualCameraDualPhotoDeliveryEnabled)
      output.isDualCameraDualPhotoDeliveryEnabled = true
      #expect(output.isDualCameraDualPhotoDeliveryEnabled)
      #expect(output.isVirtualDeviceConstituentPhotoDeliveryEnabled)
      phone.session.startRunning()
      phone.pass(frames: 2)
      let plain = try phone.settings([])
      let both = AVCapturePhotoSettings(from: plain)
      #expect(!both.isDualCameraDualPhotoDeliveryEnabled)
      both.isDualCameraDualPhotoDeliveryEnabled = true
      both.isCameraCalibrationDataDeliveryEnabled = true
      let one = AVCapturePhotoSettings(from: both)
      #expect(one.isDualCameraDualPhotoDeliveryEnabled)
      one.isCameraCalibrationDataDeliveryEnabled = false
      one.virtualDeviceConstituentPhotoDeliveryEnabledDevices = [try phone.camera(.builtInTelephotoCamera)]
      for settings in [both, plain, one] { output.capturePhoto(with: settings, delegate: phone.photographer) }
      phone.pass(frames: 6)
      try #require(phone.photographer.wait(for: 3))
      let photos = phone.photographer.photos.withLock { $0 }
      func taken(_ settings: AVCapturePhotoSettings) -> [AVCapturePhoto] {
        photos.filter { $0.resolvedSettings.uniqueID == settings.uniqueID }
      }
      let pair = taken(both)
      #expect(pair.map(\.sourceDeviceType) == [.builtInWideAngleCamera, .builtInTelephotoCamera])
      #expect(pair.allSatisfy { $0.resolvedSettings.expectedPhotoCount == 2 })
      #expect(Set(pair.map(\.timestamp.seconds)).count == 1)
      #expect(pair.allSatisfy { $0.cameraCalibrationData != nil })
      #expect(taken(plain).count == 1)
      #expect(taken(one).map(\.sourceDeviceType) == [.builtInTelephotoCamera])
      // What the client's settings hold is left to the client.
      #expect(both.virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty)
    }

    @Test
    func `both photos of a dual camera need the output's consent, and a dual camera`() throws {
      let phone = try Phone(.builtInDualCamera)
      phone.session.startRunning()
      phone.pass(frames: 2)
      let both = try phone.settings([])
      both.isDualCameraDualPhotoDeliveryEnabled = true
      #expect(phone.mistake(both).contains("isDualCameraDualPhotoDeliveryEnabled"))
      phone.output.isDualCameraDualPhotoDeliveryEnabled = true
      phone.output.isDualCameraDualPhotoDeliveryEnabled = false
      #expect(!phone.output.isVirtualDeviceConstituentPhotoDeliveryEnabled)
      phone.output.isDualCameraDualPhotoDeliveryEnabled = true
      let session = phone.session
      session.beginConfiguration()
      session.removeInput(session.inputs[0])
      let triple = try #require(AVCaptureDevice.default(.builtInTripleCamera, for: .video, position: .back))
      session.addInput(try AVCaptureDeviceInput(device: triple))
      session.commitConfiguration()
      let output = phone.output
      #expect(!output.isDualCameraDualPhotoDeliverySupported && !output.isDualCameraDualPhotoDeliveryEnabled)
      let mistakes = ProgrammingMistake.collect { output.isDualCameraDualPhotoDeliveryEnabled = true }
      #expect(mistakes.count == 1 && !output.isDualCameraDualPhotoDeliveryEnabled)
      #expect(mistakes.first?.rule.contains("isDualCameraDualPhotoDeliverySupported") == true)
      #expect(ProgrammingMistake.collect { output.isDualCameraDualPhotoDeliveryEnabled = false }.isEmpty)
    }

    @Test
    func `the choice of cameras goes along with copies of the settings`() throws {
      let phone = try Phone()
      let settings = try phone.settings([.builtInTelephotoCamera])
      let next = AVCapturePhotoSettings(from: settings)
      #expect(
        next.virtualDeviceConstituentPhotoDeliveryEnabledDevices.map(\.deviceType) == [
          .builtInTelephotoCamera
        ])
      #expect(AVCapturePhotoSettings().virtualDeviceConstituentPhotoDeliveryEnabledDevices.isEmpty)
    }
  }
}
