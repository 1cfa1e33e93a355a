import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import PixelTransforms
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Coordinates")
  struct CoordinateTests {
    /// A picture's shape, and the layer's that shows it.
    struct Shapes: Sendable {
      let picture: FrameSize
      let layer: CGRect
    }

    private static let shapes = [
      Shapes(
        picture: FrameSize(width: 240, height: 180), layer: CGRect(x: 0, y: 0, width: 150, height: 267)),
      Shapes(
        picture: FrameSize(width: 256, height: 144), layer: CGRect(x: 0, y: 0, width: 213, height: 160)),
      Shapes(
        picture: FrameSize(width: 200, height: 200), layer: CGRect(x: 12, y: -7, width: 181, height: 199)),
      Shapes(
        picture: FrameSize(width: 216, height: 144), layer: CGRect(x: 0, y: 0, width: 301, height: 307)),
      Shapes(
        picture: FrameSize(width: 252, height: 112), layer: CGRect(x: 3, y: 4, width: 120, height: 140)),
    ]

    private static let gravities: [AVLayerVideoGravity] = [.resizeAspect, .resizeAspectFill, .resize]

    /// A running session that films marks, with a preview.
    private func stage(_ size: FrameSize) throws -> (CaptureRig, AVCaptureVideoPreviewLayer) {
      let rig = try CaptureRig(.camera(sizes: [size]), scene: Marks.scene(for: size))
      let layer = AVCaptureVideoPreviewLayer(session: rig.session)
      rig.session.startRunning()
      return (rig, layer)
    }

    @Test(arguments: shapes)
    func `a point drawn in a picture is found where the layer converts it to, and back`(_ shapes: Shapes)
      throws
    {
      let (rig, layer) = try stage(shapes.picture)
      layer.bounds = shapes.layer
      let connection = try #require(layer.connection)
      connection.automaticallyAdjustsVideoMirroring = false
      var checked = 0
      for angle in [0, 90, 180, 270] {
        for isMirrored in [false, true] {
          connection.videoRotationAngle = CGFloat(angle)
          connection.isVideoMirrored = isMirrored
          rig.advance(frames: 2)
          for gravity in Self.gravities {
            layer.videoGravity = gravity
            let picture = try #require(try layer.makePicture())
            #expect(CVPixelBufferGetWidth(picture) == Int(layer.bounds.width))
            let found = Marks.find(in: picture)
            #expect(found.count == 3, "\(gravity.rawValue) \(angle) \(isMirrored)")
            for rect in Marks.rects(in: shapes.picture) {
              try check(rect, of: shapes.picture, among: found, in: layer)
              checked += 1
            }
          }
        }
      }
      #expect(checked == 72)
    }

    /// Compares one mark with what was found: point and rectangle, there and back.
    private func check(
      _ rect: CGRect, of size: FrameSize, among found: [Marks.Found], in layer: AVCaptureVideoPreviewLayer
    ) throws {
      let width = Double(size.width), height = Double(size.height)
      let unit = CGRect(
        x: rect.minX / width, y: rect.minY / height, width: rect.width / width, height: rect.height / height)
      let point = layer.layerPointConverted(
        fromCaptureDevicePoint: CGPoint(x: unit.midX, y: unit.midY))
      // The picture's pixels begin at the bounds' origin.
      let drawn = CGPoint(x: point.x - layer.bounds.minX, y: point.y - layer.bounds.minY)
      let mark = try #require(
        found.min {
          hypot($0.middle.x - drawn.x, $0.middle.y - drawn.y)
            < hypot($1.middle.x - drawn.x, $1.middle.y - drawn.y)
        })
      #expect(abs(mark.middle.x - drawn.x) <= 0.5 && abs(mark.middle.y - drawn.y) <= 0.5)

      let area = layer.layerRectConverted(fromMetadataOutputRect: unit)
        .offsetBy(dx: -layer.bounds.minX, dy: -layer.bounds.minY)
      for (is_, should) in [
        (mark.rect.minX, area.minX), (mark.rect.maxX, area.maxX), (mark.rect.minY, area.minY),
        (mark.rect.maxY, area.maxY),
      ] {
        #expect(abs(is_ - should) <= 0.5)
      }

      // Back, in the picture's own pixels: half a layer's pixel is so many of those.
      let shown = CGPoint(x: mark.middle.x + layer.bounds.minX, y: mark.middle.y + layer.bounds.minY)
      let back = layer.captureDevicePointConverted(fromLayerPoint: shown)
      let tolerance = layer.metadataOutputRectConverted(
        fromLayerRect: CGRect(x: shown.x, y: shown.y, width: 0.5, height: 0.5))
      #expect(abs(back.x - unit.midX) <= tolerance.width && abs(back.y - unit.midY) <= tolerance.height)
      let rectBack = layer.metadataOutputRectConverted(
        fromLayerRect: mark.rect.offsetBy(dx: layer.bounds.minX, dy: layer.bounds.minY))
      #expect(abs(rectBack.minX - unit.minX) <= tolerance.width)
      #expect(abs(rectBack.maxY - unit.maxY) <= tolerance.height)
    }

    @Test(arguments: shapes)
    func `a rectangle of the sensor is found where a data output converts it to, and back`(_ shapes: Shapes)
      throws
    {
      let (rig, layer) = try stage(shapes.picture)
      layer.session = nil
      let output = AVCaptureVideoDataOutput()
      let recorder = RecordingVideoDelegate()
      output.setSampleBufferDelegate(recorder, queue: DispatchQueue(label: "frames"))
      rig.session.addOutput(output)
      let connection = try #require(output.connection(with: .video))
      let width = Double(shapes.picture.width), height = Double(shapes.picture.height)
      for angle in [0, 90, 180, 270] {
        for isMirrored in [false, true] {
          for isSmall in [false, true] {
            connection.videoRotationAngle = CGFloat(angle)
            connection.isVideoMirrored = isMirrored
            var settings: [String: Any] = [
              kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
            ]
            if isSmall {
              let isTurned = angle % 180 != 0
              settings[kCVPixelBufferWidthKey as String] = Int(isTurned ? height : width) / 2
              settings[kCVPixelBufferHeightKey as String] = Int(isTurned ? width : height) / 2
            }
            output.videoSettings = settings
            rig.advance(frames: 2)
            let sample = recorder.samples.withLock { samples in
              defer { samples = [] }
              return samples.last
            }
            let found = Marks.find(in: try #require(sample?.buffer.imageBuffer))
            for rect in Marks.rects(in: shapes.picture) {
              let unit = CGRect(
                x: rect.minX / width, y: rect.minY / height, width: rect.width / width,
                height: rect.height / height)
              let area = output.outputRectConverted(fromMetadataOutputRect: unit)
              #expect(
                found.contains {
                  abs($0.middle.x - area.midX) <= 0.5 && abs($0.middle.y - area.midY) <= 0.5
                }, "\(angle) \(isMirrored) \(isSmall)")
              let back = output.metadataOutputRectConverted(fromOutputRect: area)
              #expect(abs(back.minX - unit.minX) < 1e-9 && abs(back.maxY - unit.maxY) < 1e-9)
            }
          }
        }
      }
    }

    @Test func `photos are neither turned nor mirrored, and count their own pixels`() throws {
      let rig = try CaptureRig(
        .camera(sizes: [SessionStage.small], stillSizes: [FrameSize(width: 320, height: 240)]))
      let output = AVCapturePhotoOutput()
      rig.session.addOutput(output)
      output.connection(with: .video)?.isVideoMirrored = true
      #expect(
        output.outputRectConverted(fromMetadataOutputRect: CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
          == CGRect(x: 80, y: 120, width: 160, height: 60))
      #expect(
        output.metadataOutputRectConverted(fromOutputRect: CGRect(x: 80, y: 120, width: 160, height: 60))
          == CGRect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    }

    @Test func `a session that does not run converts by the active format`() throws {
      let stage = SessionStage()
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      layer.frame = CGRect(x: 0, y: 0, width: 100, height: 200)
      #expect(
        layer.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 50, y: 50)) == CGPoint(x: 0.5, y: 0.25),
        "without a connection the picture fills the layer")
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera()))
      // 96×72, turned upright: 72×96 in 100×200 is 100×133.3, so 33.3 points lie above it.
      let corner = layer.layerPointConverted(fromCaptureDevicePoint: CGPoint(x: 0, y: 1))
      #expect(abs(corner.x) < 1e-9 && abs(corner.y - 100.0 / 3) < 1e-9)
      layer.bounds.size = .zero
      #expect(layer.captureDevicePointConverted(fromLayerPoint: CGPoint(x: 5, y: 5)) == .zero)
    }

    @Test func `an outline's corners keep their order`() throws {
      let stage = SessionStage()
      try stage.session.addInput(AVCaptureDeviceInput(device: stage.camera()))
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      layer.videoGravity = .resize
      layer.bounds = CGRect(x: 0, y: 0, width: 100, height: 100)
      let outline = layer.layerOutline(
        bounds: CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4),
        corners: [CGPoint(x: 0.1, y: 0.2), CGPoint(x: 0.4, y: 0.2)])
      #expect(abs(outline.bounds.minX - 40) < 1e-9 && abs(outline.bounds.width - 40) < 1e-9)
      #expect(abs(outline.bounds.minY - 10) < 1e-9 && abs(outline.bounds.height - 30) < 1e-9)
      #expect(abs(outline.corners[0].x - 80) < 1e-9 && abs(outline.corners[0].y - 10) < 1e-9)
      #expect(abs(outline.corners[1].x - 80) < 1e-9 && abs(outline.corners[1].y - 40) < 1e-9)
    }
  }
}
