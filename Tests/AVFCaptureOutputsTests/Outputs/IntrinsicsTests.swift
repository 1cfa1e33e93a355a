import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Camera intrinsics")
  struct IntrinsicsTests {
    private static let size = FrameSize(width: 160, height: 120)

    /// A camera before three white marks, with a data output that delivers its matrix.
    private final class Stage {
      let clock = SimulatedClock()
      let session = AVCaptureSession()
      let output = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      let device: AVCaptureDevice
      let connection: AVCaptureConnection
      private let lens: LensFacts
      private let size: FrameSize

      init(_ models: [SimulatedDeviceModel], size: FrameSize = IntrinsicsTests.size) throws {
        var scene = try Marks.scene(for: size)
        scene.isStill = false
        scene.devices = models
        SimulatedDevices.install(scene: scene, clock: clock)
        device = try #require(AVCaptureDevice(uniqueID: models[0].facts.uniqueID))
        lens = try #require(models[0].facts.lens)
        self.size = size
        session.sessionPreset = size.width == 640 ? .vga640x480 : .high
        session.addInput(try AVCaptureDeviceInput(device: device))
        session.addOutput(output)
        output.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
        connection = try #require(output.connection(with: .video))
        connection.isCameraIntrinsicMatrixDeliveryEnabled = true
      }

      deinit {
        session.stopRunning()
        SimulatedDevices.uninstall()
      }

      func pass(frames: Int = 4) {
        recorder.samples.withLock { $0 = [] }
        for _ in 0..<frames { clock.advance(by: .nanoseconds(33_333_334)) }
      }

      var last: CMSampleBuffer? { recorder.samples.withLock { $0.last?.buffer } }

      /// The matrix of the newest frame, read as camera programs do.
      var matrix: matrix_float3x3? {
        guard let last,
          let data = CMGetAttachment(
            last, key: kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix, attachmentModeOut: nil) as? Data
        else { return nil }
        return data.withUnsafeBytes { $0.load(as: matrix_float3x3.self) }
      }

      /// The rays from the scene's marks into a camera that is turned and mirrored as the connection is.
      var rays: [simd_float3] {
        let edge = tan(lens.fieldOfView * .pi / 360)
        return Marks.rects(in: size).map { rect in
          var x = (2 * rect.midX / Double(size.width) - 1) * edge
          var y = (2 * rect.midY - Double(size.height)) / Double(size.width) * edge
          for _ in 0..<Int(connection.videoRotationAngle) / 90 { (x, y) = (-y, x) }
          return simd_float3(Float(connection.isVideoMirrored ? -x : x), Float(y), 1)
        }
      }

      /// The distance of each mark from the place where the matrix puts its ray, in pixels.
      func errors() throws -> [Double] {
        let matrix = try #require(matrix)
        let found = Marks.find(in: try #require(last?.imageBuffer)).map(\.middle)
        try #require(found.count == 3)
        return rays.map { ray in
          let place = matrix * ray
          return found.map { hypot($0.x - Double(place.x / place.z), $0.y - Double(place.y / place.z)) }
            .min() ?? .infinity
        }
      }

      func configure(_ body: (AVCaptureDevice) -> Void) throws {
        try device.lockForConfiguration()
        body(device)
        device.unlockForConfiguration()
      }
    }

    /// So many parts of the camera's width and height.
    @Test(arguments: [1, 0.75, 0.5])
    func `a scene point lies where the matrix puts its ray, turned, mirrored, scaled and zoomed`(
      scale: Double
    ) throws {
      let stage = try Stage([.camera(sizes: [Self.size])])
      stage.session.startRunning()
      for zoom in [1, 1.4] {
        try stage.configure { $0.videoZoomFactor = zoom }
        for angle in [0, 90, 180, 270] {
          for isMirrored in [false, true] {
            stage.connection.videoRotationAngle = CGFloat(angle)
            stage.connection.isVideoMirrored = isMirrored
            let (width, height) = (Double(Self.size.width) * scale, Double(Self.size.height) * scale)
            let isTurned = angle % 180 != 0
            stage.output.videoSettings = [
              kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA,
              kCVPixelBufferWidthKey as String: isTurned ? height : width,
              kCVPixelBufferHeightKey as String: isTurned ? width : height,
            ]
            stage.pass()
            for error in try stage.errors() {
              #expect(error < 0.5, "\(zoom)× at \(angle)°, mirrored: \(isMirrored)")
            }
          }
        }
      }
    }

    @Test func `a virtual camera's frames carry the matrix of the lens that took them`() throws {
      let triple = try #require(
        SimulatedDeviceModel.builtIn.first { $0.facts.uniqueID == "simulated.back.triple" })
      let others = SimulatedDeviceModel.builtIn.filter { $0.facts.uniqueID != triple.facts.uniqueID }
      let stage = try Stage([triple] + others, size: FrameSize(width: 640, height: 480))
      stage.output.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
      ]
      stage.session.startRunning()
      var focal: [Float] = []
      for zoom in [1, 1.5, 3, 4.2] {
        try stage.configure { $0.videoZoomFactor = zoom }
        stage.pass(frames: 8)
        for error in try stage.errors() { #expect(error < 0.5, "at \(zoom)×") }
        focal.append(try #require(stage.matrix).columns.0.x)
      }
      #expect(stage.device.activePrimaryConstituent?.deviceType == .builtInTelephotoCamera)
      #expect(focal == focal.sorted() && Set(focal).count == 4)
    }

    @Test
    func `a lens that bends lines has the focal length of the picture's middle until that is corrected`()
      throws
    {
      var model = SimulatedDeviceModel.camera(sizes: [Self.size])
      model.facts.lens?.bending = 0.05
      model.facts.capabilities.hasDistortionCorrection = true
      let stage = try Stage([model])
      stage.output.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
      ]
      stage.session.startRunning()
      var focal: [Float] = []
      for isCorrected in [true, false] {
        try stage.configure { $0.isGeometricDistortionCorrectionEnabled = isCorrected }
        stage.pass()
        // The marks lie within a fifth of the half width from the middle, where bending moves little.
        for error in try stage.errors() { #expect(error < 0.5, "corrected: \(isCorrected)") }
        focal.append(try #require(stage.matrix).columns.0.x)
      }
      #expect(focal[1] > focal[0] * 1.07)
    }

    @Test func `there is no matrix unless it was asked for`() throws {
      let stage = try Stage([.camera(sizes: [Self.size])])
      #expect(stage.connection.isCameraIntrinsicMatrixDeliveryEnabled)
      stage.connection.isCameraIntrinsicMatrixDeliveryEnabled = false
      stage.session.startRunning()
      stage.pass()
      #expect(stage.last != nil && stage.matrix == nil)
      stage.connection.isCameraIntrinsicMatrixDeliveryEnabled = true
      stage.pass()
      #expect(stage.matrix?.columns.2 == simd_float3(80, 60, 1))
    }

    @Test func `frames that are stabilized carry none, though asked for`() throws {
      let stage = try Stage([.camera(sizes: [Self.size])])
      let connection = stage.connection
      let reported = Locked<[Bool]>([])
      let observation = connection.observe(\.isCameraIntrinsicMatrixDeliveryEnabled, options: .new) {
        _, change in
        reported.withLock { $0.append(change.newValue ?? true) }
      }
      let preview = AVCaptureVideoPreviewLayer(session: stage.session)
      let other = try #require(preview.connection)
      stage.session.startRunning()
      other.preferredVideoStabilizationMode = .standard
      stage.pass()
      #expect(connection.isCameraIntrinsicMatrixDeliveryEnabled)
      #expect(stage.last != nil && stage.matrix == nil)
      other.preferredVideoStabilizationMode = .off
      stage.pass()
      #expect(stage.matrix != nil)
      connection.preferredVideoStabilizationMode = .standard
      #expect(!connection.isCameraIntrinsicMatrixDeliverySupported)
      #expect(!connection.isCameraIntrinsicMatrixDeliveryEnabled)
      #expect(reported.withLock { $0 } == [false])
      let rules = ProgrammingMistake.collect { connection.isCameraIntrinsicMatrixDeliveryEnabled = true }
      #expect(rules.count == 1 && !connection.isCameraIntrinsicMatrixDeliveryEnabled)
      connection.isCameraIntrinsicMatrixDeliveryEnabled = false
      connection.preferredVideoStabilizationMode = .off
      #expect(connection.isCameraIntrinsicMatrixDeliverySupported)
      observation.invalidate()
    }

    @Test func `only data outputs deliver it, and only of cameras whose lens is known`() throws {
      let stage = try Stage([.camera(sizes: [Self.size])])
      let photo = AVCapturePhotoOutput()
      stage.session.addOutput(photo)
      let preview = AVCaptureVideoPreviewLayer(session: stage.session)
      #expect(stage.connection.isCameraIntrinsicMatrixDeliverySupported)
      #expect(photo.connection(with: .video)?.isCameraIntrinsicMatrixDeliverySupported == false)
      #expect(preview.connection?.isCameraIntrinsicMatrixDeliverySupported == false)

      let rig = try CaptureRig(.webcam)
      let output = AVCaptureVideoDataOutput()
      rig.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      #expect(!connection.isCameraIntrinsicMatrixDeliverySupported)
      let rules = ProgrammingMistake.collect { connection.isCameraIntrinsicMatrixDeliveryEnabled = true }
      #expect(rules.count == 1 && !connection.isCameraIntrinsicMatrixDeliveryEnabled)
    }

    // MARK: Field of view

    @Test(arguments: [false, true])
    func `a format's field of view ends where its pictures do, bent or corrected`(isCorrected: Bool) throws {
      let model = try #require(
        SimulatedDeviceModel.builtIn.first { $0.facts.uniqueID == "simulated.back.ultrawide" })
      let lens = try #require(model.facts.lens)
      for (share, isSeen) in [(0.97, true), (1.03, false)] {
        let clock = SimulatedClock()
        var scene = Scene(
          isStamped: false, isNoisy: false, background: SceneBackground(.color(red: 0, green: 0, blue: 0)),
          devices: [model])
        SimulatedDevices.install(scene: scene, clock: clock)
        defer { SimulatedDevices.uninstall() }
        let format = try #require(
          AVCaptureDevice(uniqueID: model.facts.uniqueID)?.formats.first {
            $0.formatDescription.dimensions.width == 640
          })
        #expect(format.geometricDistortionCorrectedVideoFieldOfView == Float(lens.fieldOfView))
        #expect(format.videoFieldOfView < format.geometricDistortionCorrectedVideoFieldOfView - 2)
        let field = Double(
          isCorrected ? format.geometricDistortionCorrectedVideoFieldOfView : format.videoFieldOfView)
        // The frame's own fractions are those of straight lines.
        let slope = tan(field * share * .pi / 360) / tan(lens.fieldOfView * .pi / 360)
        scene.layers = [
          SceneLayer(
            .color(red: 1, green: 1, blue: 1), center: CGPoint(x: 0.5 + slope / 2, y: 0.5), width: 0.006)
        ]
        SimulatedDevices.install(scene: scene, clock: clock)
        let device = try #require(AVCaptureDevice(uniqueID: model.facts.uniqueID))
        let session = AVCaptureSession()
        session.sessionPreset = .vga640x480
        session.addInput(try AVCaptureDeviceInput(device: device))
        let output = AVCaptureVideoDataOutput(), recorder = RecordingVideoDelegate()
        output.videoSettings = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
        output.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
        session.addOutput(output)
        try device.lockForConfiguration()
        device.isGeometricDistortionCorrectionEnabled = isCorrected
        device.unlockForConfiguration()
        session.startRunning()
        for _ in 0..<4 { clock.advance(by: .nanoseconds(33_333_334)) }
        session.stopRunning()
        let picture = try #require(recorder.samples.withLock { $0.last?.buffer.imageBuffer })
        let light = Gray(picture)
        let brightest = (400..<640).map { light.light(at: (Double($0) / 640, 0.5)) }.max() ?? 0
        #expect((brightest > 60) == isSeen, "\(brightest) at \(share) of the field")
      }
    }
  }
}
