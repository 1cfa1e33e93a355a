import AVFoundation
import CaptureDevice
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PeopleFinding
import Portraits
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Faces in metadata")
  struct FaceTests {
    static let hasModels = ModelFolder.current.obstacle(to: .faces) == nil
    static let size = FrameSize(width: 480, height: 360)

    /// The astronaut before a camera, her photograph `width` of the frame's width wide.
    private func stage(
      at center: CGPoint = CGPoint(x: 0.5, y: 0.5), width: Double = 0.6, angle: Double = 0,
      velocity: CGPoint = .zero, to end: Double? = nil, and others: [SceneLayer] = []
    ) throws -> CodeStage {
      let photograph = SceneLayer(
        .picture(try ScenePicture(Portrait.astronaut.picture())), center: center, width: width, angle: angle,
        velocity: velocity, to: end)
      return try CodeStage([photograph] + others, size: Self.size)
    }

    /// The place of her face in a frame, as a part of it: the photograph is a square of 512 pixels.
    private func place(at center: CGPoint = CGPoint(x: 0.5, y: 0.5), width: Double = 0.6) -> CGRect {
      let face = Portrait.astronaut.face
      let shape = Double(Self.size.width) / Double(Self.size.height)
      return CGRect(
        x: center.x + (face.minX / 512 - 0.5) * width, y: center.y + (face.minY / 512 - 0.5) * width * shape,
        width: face.width / 512 * width, height: face.height / 512 * width * shape)
    }

    @Test func `faces are offered where there are models of them, and only there`() throws {
      let stage = try CodeStage([])
      #expect(stage.output.availableMetadataObjectTypes.contains(.face) == Self.hasModels)
      #expect(AVMetadataObject.ObjectType.face.rawValue == "face")
      let mistakes = ProgrammingMistake.collect { stage.output.metadataObjectTypes = [.face] }
      #expect(mistakes.isEmpty == Self.hasModels)
      #expect(stage.output.metadataObjectTypes == (Self.hasModels ? [.face] : []))
    }

    @Test(
      .enabled(if: FaceTests.hasModels, "there are no models here; run scripts/setup --models"),
      arguments: ["simulated.back.wide", "simulated.back.ultrawide", "simulated.back.telephoto"],
      [AVCaptureSession.Preset.vga640x480, .hd1280x720, .hd1920x1080])
    func `there is no face in the built-in still life`(camera: String, preset: AVCaptureSession.Preset) throws
    {
      let clock = SimulatedClock()
      SimulatedDevices.install(scene: .builtIn, clock: clock)
      defer { SimulatedDevices.uninstall() }
      let device = try #require(AVCaptureDevice(uniqueID: camera))
      let session = AVCaptureSession()
      session.sessionPreset = preset
      session.addInput(try AVCaptureDeviceInput(device: device))
      let output = AVCaptureMetadataOutput()
      let listener = CodeListener()
      output.setMetadataObjectsDelegate(listener, queue: listener.queue)
      session.addOutput(output)
      output.metadataObjectTypes = [.face]
      try device.lockForConfiguration()
      device.activeVideoMaxFrameDuration = CMTime(value: 1, timescale: 1)
      device.activeVideoMinFrameDuration = CMTime(value: 1, timescale: 1)
      device.unlockForConfiguration()
      session.startRunning()
      for _ in 0..<24 { clock.advance(by: .milliseconds(1000)) }
      session.stopRunning()
      #expect(output.statistics.delivered > 0)
      #expect(listener.calls.withLock { $0 }.allSatisfy { $0.isEmpty })
    }

    @Test(.enabled(if: FaceTests.hasModels, "there are no models here; run scripts/setup --models"))
    func `a face is reported at its place and time, with its angles`() throws {
      let stage = try stage()
      stage.output.metadataObjectTypes = [.face]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 2)
      let face = try #require(stage.listener.calls.withLock { $0.last?.first } as? AVMetadataFaceObject)
      #expect(face.type == .face && face.faceID == 1)
      #expect(face.bounds.overlap(with: place()) >= 0.6, "\(face.bounds) for \(place())")
      #expect(face.time.isValid && !face.duration.isValid)
      #expect(face.hasRollAngle && (face.rollAngle < 12 || face.rollAngle > 348))
      #expect(face.hasYawAngle && (face.yawAngle < 30 || face.yawAngle > 330))
    }

    @Test(
      .enabled(if: FaceTests.hasModels, "there are no models here; run scripts/setup --models"),
      arguments: [0, 90, 180, 270])
    func `in a layer a face is where the layer shows it, and as it stands there`(rotation: Int) throws {
      let stage = try stage()
      stage.output.metadataObjectTypes = [.face]
      let layer = AVCaptureVideoPreviewLayer(session: stage.rig.session)
      layer.bounds = CGRect(x: 0, y: 0, width: 400, height: 440)
      let connection = try #require(layer.connection)
      connection.automaticallyAdjustsVideoMirroring = false
      connection.videoRotationAngle = CGFloat(rotation)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 2)
      let face = try #require(stage.listener.calls.withLock { $0.last?.first } as? AVMetadataFaceObject)
      let moved = try #require(layer.transformedMetadataObject(for: face) as? AVMetadataFaceObject)
      #expect(moved.faceID == face.faceID && moved.time == face.time)
      #expect(isNear(layer.layerRectConverted(fromMetadataOutputRect: face.bounds), moved.bounds, 0.001))
      #expect(abs(turned(moved.rollAngle - face.rollAngle - CGFloat(rotation))) < 0.01)
      #expect(abs(turned(moved.yawAngle - face.yawAngle)) < 0.01)
      connection.isVideoMirrored = true
      stage.rig.advance(frames: 1)
      let mirrored = try #require(layer.transformedMetadataObject(for: face) as? AVMetadataFaceObject)
      #expect(abs(turned(mirrored.yawAngle + face.yawAngle)) < 0.01)
      // Mirroring after the turn changes the side of the tilt.
      #expect(abs(turned(mirrored.rollAngle + moved.rollAngle)) < 0.01)
    }

    /// The same angle between -180 and 180.
    private func turned(_ degrees: CGFloat) -> CGFloat {
      let rest = degrees.truncatingRemainder(dividingBy: 360)
      return rest > 180 ? rest - 360 : rest < -180 ? rest + 360 : rest
    }

    @Test(.enabled(if: FaceTests.hasModels, "there are no models here; run scripts/setup --models"))
    func `the number stays while the face moves across the scene, and codes are reported beside it`() throws {
      let code = try CodeStage.code("beside", at: CGPoint(x: 0.85, y: 0.15), width: 0.12)
      let stage = try stage(at: CGPoint(x: 0.3, y: 0.55), velocity: CGPoint(x: 0.4, y: 0), and: [code])
      stage.output.metadataObjectTypes = [.face, .qr]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 30)
      let calls = stage.listener.calls.withLock { $0 }
      let faces = calls.map { $0.compactMap { $0 as? AVMetadataFaceObject } }
      #expect(faces.count >= 29 && faces.allSatisfy { $0.count == 1 }, "\(faces.map(\.count))")
      #expect(Set(faces.flatMap { $0.map(\.faceID) }) == [1])
      let way = try #require(faces.last?.first).bounds.midX - (try #require(faces.first?.first).bounds.midX)
      #expect(abs(way - 0.4) < 0.05, "it moved \(way) in a second")
      #expect(stage.listener.texts.allSatisfy { $0 == ["beside"] })
      let statistics = stage.output.statistics
      #expect(statistics.captured == statistics.delivered)
    }

    @Test(.enabled(if: FaceTests.hasModels, "there are no models here; run scripts/setup --models"))
    func `a face outside the rectangle of interest is not reported, and who leaves is taken back once`()
      throws
    {
      let stage = try stage(at: CGPoint(x: 0.25, y: 0.5), width: 0.45, to: 0.5)
      stage.output.metadataObjectTypes = [.face]
      stage.output.rectOfInterest = CGRect(x: 0.5, y: 0, width: 0.5, height: 1)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 3)
      #expect(stage.listener.calls.withLock { $0.isEmpty })
      stage.output.rectOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 1)
      stage.rig.advance(frames: 20)
      let counts = stage.listener.calls.withLock { $0.map(\.count) }
      #expect(counts.contains(1) && counts.last == 0 && counts.count { $0 == 0 } == 1, "\(counts)")
    }

    @Test(.enabled(if: FaceTests.hasModels, "there are no models here; run scripts/setup --models"))
    func `people are reported beside faces, the upper body and the full body apart`() throws {
      let stage = try stage(width: 0.7)
      let types = stage.output.availableMetadataObjectTypes
      try #require(types.contains(.humanBody) && types.contains(.humanFullBody))
      stage.output.metadataObjectTypes = [.face, .humanBody, .humanFullBody]
      let layer = AVCaptureVideoPreviewLayer(session: stage.rig.session)
      layer.bounds = CGRect(x: 0, y: 0, width: 400, height: 440)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 3)
      let reported = stage.listener.calls.withLock { $0.last ?? [] }
      let body = try #require(reported.compactMap { $0 as? AVMetadataHumanBodyObject }.first)
      let face = try #require(reported.compactMap { $0 as? AVMetadataFaceObject }.first)
      #expect(body.type == .humanBody && body.bodyID == 1 && body.time == face.time)
      #expect(body.bounds.insetBy(dx: -0.03, dy: -0.03).contains(face.bounds))
      #expect(body.bounds.width > 2 * face.bounds.width)
      // The photograph ends above the knees.
      #expect(!reported.contains { $0 is AVMetadataHumanFullBodyObject })
      let moved = try #require(layer.transformedMetadataObject(for: body) as? AVMetadataHumanBodyObject)
      #expect(moved.bodyID == body.bodyID)
      #expect(isNear(layer.layerRectConverted(fromMetadataOutputRect: body.bounds), moved.bounds, 0.001))
    }
  }
}
