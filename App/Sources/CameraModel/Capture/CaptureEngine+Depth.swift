import AVFoundation

/// What the depth screen looks at; used from the depth queue and from the main one.
struct DepthSight: Sendable {
  var place = CGPoint(x: 0.5, y: 0.5)
  var nods = NodDetector()
  var handler: (@Sendable (Thumbnail) -> Void)?
}

extension CaptureEngine: AVCaptureDepthDataOutputDelegate {
  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    let geometry = preview.unitGeometry ?? preview.plannedGeometry
    guard let picture = DepthPicture(depthData, isMirrored: geometry.isMirrored) else { return }
    let (reading, handler) = depthSight.change { sight in
      (
        DepthReading(
          metres: picture.distance(at: sight.place).map(Double.init),
          nearest: picture.nearest.map(Double.init), farthest: picture.farthest.map(Double.init),
          isNod: sight.nods.take(picture.middle, at: timestamp.seconds)), sight.handler
      )
    }
    handler?(picture.picture)
    tell(.depth(reading))
  }
}
