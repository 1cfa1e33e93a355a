import AVFoundation
import CaptureDevice
import CaptureStage
import CodeReading
import CoreVideo
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Tests of a code's reported place against its place in the very picture that is shown or delivered.
  @Suite("Converted metadata")
  struct TransformedMetadataTests {
    struct Case: Sendable, CustomTestStringConvertible {
      let gravity: AVLayerVideoGravity
      let rotation: Int
      let isMirrored: Bool

      var testDescription: String { "\(gravity.rawValue), \(rotation)°\(isMirrored ? ", mirrored" : "")" }
    }

    static let cases: [Case] = [AVLayerVideoGravity.resizeAspect, .resizeAspectFill, .resize].flatMap {
      gravity in
      [0, 90, 180, 270].flatMap { rotation in
        [false, true].map { Case(gravity: gravity, rotation: rotation, isMirrored: $0) }
      }
    }

    /// A code near the middle, so that no gravity cuts it off, and not in it, so that no turn hides.
    private func stage() throws -> CodeStage {
      let stage = try CodeStage([
        CodeStage.code("where", at: CGPoint(x: 0.46, y: 0.55), width: 0.2, angle: 8)
      ])
      stage.output.metadataObjectTypes = [.qr]
      return stage
    }

    /// The code's corners in a picture, in Apple's order; of a picture that shows it mirrored, clockwise.
    private func corners(in picture: CVPixelBuffer) throws -> [CGPoint] {
      let code = try #require(
        try CodeReader(kinds: [.qr]).codes(in: picture, effort: .thorough).first { $0.text == "where" })
      return [0, 3, 2, 1].map { code.corners[$0] }
    }

    @Test(arguments: cases)
    func `in a layer a code is where the layer shows it`(_ aCase: Case) throws {
      let stage = try stage()
      let layer = AVCaptureVideoPreviewLayer(session: stage.rig.session)
      layer.videoGravity = aCase.gravity
      layer.bounds = CGRect(x: 0, y: 0, width: 400, height: 440)
      let connection = try #require(layer.connection)
      connection.automaticallyAdjustsVideoMirroring = false
      connection.videoRotationAngle = CGFloat(aCase.rotation)
      connection.isVideoMirrored = aCase.isMirrored
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let code = try #require(stage.listener.last.first)
      let moved = try #require(
        layer.transformedMetadataObject(for: code) as? AVMetadataMachineReadableCodeObject)
      #expect(moved.stringValue == "where")
      #expect(moved.type == .qr && moved.time == code.time)
      let shown = try corners(in: #require(try layer.makePicture()))
      for (corner, place) in zip(moved.corners, shown) {
        #expect(isNear(corner, place, 2), "reported \(corner), shown \(place)")
      }
      for corner in moved.corners { #expect(moved.bounds.insetBy(dx: -0.01, dy: -0.01).contains(corner)) }
      #expect(isNear(layer.layerRectConverted(fromMetadataOutputRect: code.bounds), moved.bounds, 0.001))
      // Converting what was converted starts where it was found.
      let again = try #require(layer.transformedMetadataObject(for: moved))
      #expect(isNear(again.bounds, moved.bounds, 0.001))
    }

    @Test(arguments: [0, 90, 180, 270], [false, true])
    func `in a data output's buffer a code is where the buffer has it`(rotation: Int, isMirrored: Bool) throws
    {
      let stage = try stage()
      let data = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      data.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
      stage.rig.session.addOutput(data)
      let connection = try #require(data.connection(with: .video))
      connection.videoRotationAngle = CGFloat(rotation)
      connection.isVideoMirrored = isMirrored
      let isTurned = rotation % 180 != 0
      data.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
        kCVPixelBufferWidthKey as String: isTurned ? 270 : 360,
        kCVPixelBufferHeightKey as String: isTurned ? 360 : 270,
      ]
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let code = try #require(stage.listener.last.first)
      let moved = try #require(
        data.transformedMetadataObject(for: code, connection: connection)
          as? AVMetadataMachineReadableCodeObject)
      let buffer = try #require(recorder.samples.withLock { $0.last?.buffer.imageBuffer })
      for (corner, place) in zip(moved.corners, try corners(in: buffer)) {
        #expect(isNear(corner, place, 2), "reported \(corner), delivered \(place)")
      }
      #expect(isNear(data.outputRectConverted(fromMetadataOutputRect: code.bounds), moved.bounds, 0.001))
    }

    @Test func `what another camera saw has no place here`() throws {
      let stage = try stage()
      let layer = AVCaptureVideoPreviewLayer(session: stage.rig.session)
      let data = AVCaptureVideoDataOutput()
      stage.rig.session.addOutput(data)
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      let code = try #require(stage.listener.last.first)
      #expect(layer.transformedMetadataObject(for: code) != nil)
      let connection = try #require(data.connection(with: .video))
      #expect(data.transformedMetadataObject(for: code, connection: connection) != nil)
      let metadata = try #require(stage.output.connection(with: .metadataObject))
      #expect(data.transformedMetadataObject(for: code, connection: metadata) == nil, "not its connection")
      stage.rig.session.beginConfiguration()
      stage.rig.session.removeInput(stage.rig.input)
      stage.rig.session.addInput(try AVCaptureDeviceInput(device: stage.rig.device))
      stage.rig.session.commitConfiguration()
      #expect(layer.transformedMetadataObject(for: code) == nil, "it is another input")
    }

    @Test func `a region from the layer finds what is seen in that part of the layer`() throws {
      let stage = try CodeStage([
        CodeStage.code("upper", at: CGPoint(x: 0.25, y: 0.5)),
        CodeStage.code("lower", at: CGPoint(x: 0.75, y: 0.5)),
      ])
      stage.output.metadataObjectTypes = [.qr]
      let layer = AVCaptureVideoPreviewLayer(session: stage.rig.session)
      layer.bounds = CGRect(x: 0, y: 0, width: 360, height: 480)
      // The sensor lies on its side: its left is the upper end of the upright picture.
      stage.output.rectOfInterest = layer.metadataOutputRectConverted(
        fromLayerRect: CGRect(x: 0, y: 0, width: 360, height: 240))
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)
      #expect(stage.listener.texts.last == ["upper"])
    }
  }
}
