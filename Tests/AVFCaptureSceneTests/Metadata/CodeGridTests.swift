import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Nine turned codes at 1080p, by their place in the scene: what is reported of which region, and where a layer then has it.
  @Suite("A grid of codes")
  struct CodeGridTests {
    private static let frame = CGSize(width: 1920, height: 1080)
    private static let bounds = CGRect(x: 0, y: 0, width: 1500, height: 1200)

    /// One of the codes, 9 % of the frame wide.
    private struct Placed {
      let text: String
      let center: CGPoint
      let angle: Double

      init(_ index: Int) {
        text = "code \(index)"
        center = CGPoint(
          x: (Double(index % 3) + 0.5) / 3 + 0.01 * Double(index % 2),
          y: (Double(index / 3) + 0.5) / 3 - 0.01 * Double(index % 2))
        angle = Double(index) * 41
      }

      /// The first is the code's own top left, the others follow counterclockwise; of the frame, 0 to 1.
      var corners: [CGPoint] {
        let half = 0.09 * frame.width / 2
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        return [(-half, -half), (-half, half), (half, half), (half, -half)].map { x, y in
          CGPoint(
            x: center.x + (x * cosine - y * sine) / frame.width,
            y: center.y + (x * sine + y * cosine) / frame.height)
        }
      }
    }

    private static let codes = (0..<9).map(Placed.init)

    /// The place on a layer of a place of the frame, by the words' meaning: turned clockwise, mirrored, and fitted.
    private func place(
      _ point: CGPoint, rotation: Int, isMirrored: Bool, gravity: AVLayerVideoGravity
    ) -> CGPoint {
      var (x, y) = (point.x, point.y)
      for _ in 0..<(rotation / 90) { (x, y) = (1 - y, x) }
      if isMirrored { x = 1 - x }
      let (wide, high) = (Self.frame.width, Self.frame.height)
      let shown = rotation % 180 == 0 ? CGSize(width: wide, height: high) : CGSize(width: high, height: wide)
      let (onX, onY) = (Self.bounds.width / shown.width, Self.bounds.height / shown.height)
      let (scaleX, scaleY): (Double, Double) =
        switch gravity {
        case .resizeAspect: (min(onX, onY), min(onX, onY))
        case .resizeAspectFill: (max(onX, onY), max(onX, onY))
        default: (onX, onY)
        }
      return CGPoint(
        x: Self.bounds.midX + (x - 0.5) * shown.width * scaleX,
        y: Self.bounds.midY + (y - 0.5) * shown.height * scaleY)
    }

    @Test(arguments: [
      (CGRect(x: 0, y: 0, width: 1, height: 1), 9), (CGRect(x: 0.34, y: 0, width: 0.66, height: 1), 6),
      (CGRect(x: 0.3, y: 0.28, width: 0.4, height: 0.42), 1),
      (CGRect(x: 0, y: 0, width: 0.69, height: 0.5), 4),
    ])
    func `what touches the region is reported, within two pixels wherever a layer shows it`(
      region: CGRect, count: Int
    ) throws {
      let layers = try Self.codes.map {
        try CodeStage.code($0.text, at: $0.center, width: 0.09, angle: $0.angle)
      }
      let stage = try CodeStage(layers, size: FrameSize(width: 1920, height: 1080))
      stage.output.metadataObjectTypes = [.qr]
      stage.output.rectOfInterest = region
      let layer = AVCaptureVideoPreviewLayer(session: stage.rig.session)
      layer.bounds = Self.bounds
      let connection = try #require(layer.connection)
      connection.automaticallyAdjustsVideoMirroring = false
      stage.rig.session.startRunning()
      stage.rig.advance(frames: 1)

      let touching = Self.codes.filter { code in
        let (x, y) = (code.corners.map(\.x).sorted(), code.corners.map(\.y).sorted())
        return region.intersects(CGRect(x: x[0], y: y[0], width: x[3] - x[0], height: y[3] - y[0]))
      }
      #expect(touching.count == count)
      #expect(stage.listener.texts.last == touching.map(\.text).sorted())
      for code in stage.listener.last {
        let placed = try #require(touching.first { $0.text == code.stringValue })
        for gravity in [AVLayerVideoGravity.resizeAspect, .resizeAspectFill, .resize] {
          layer.videoGravity = gravity
          for rotation in [0, 90, 180, 270] {
            connection.videoRotationAngle = CGFloat(rotation)
            for isMirrored in [false, true] {
              connection.isVideoMirrored = isMirrored
              let moved = try #require(
                layer.transformedMetadataObject(for: code) as? AVMetadataMachineReadableCodeObject)
              for (corner, scene) in zip(moved.corners, placed.corners) {
                let shown = place(scene, rotation: rotation, isMirrored: isMirrored, gravity: gravity)
                #expect(
                  hypot(corner.x - shown.x, corner.y - shown.y) <= 2,
                  "\(placed.text), \(gravity.rawValue), \(rotation)°, mirrored \(isMirrored): \(corner), not \(shown)"
                )
              }
            }
          }
        }
      }
    }
  }
}
