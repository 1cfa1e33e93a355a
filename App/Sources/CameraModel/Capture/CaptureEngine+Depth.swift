import AVFoundation

/// The depth screen's measured place, nod detector and picture handler, shared by the depth queue and the main queue.
struct DepthSight: Sendable {
  var place = CGPoint(x: 0.5, y: 0.5)
  var nods = NodDetector()
  var handler: (@Sendable (Thumbnail) -> Void)?
}

extension CaptureEngine: AVCaptureDepthDataOutputDelegate {
  /// Lets depth maps lie as the preview does; on the engine's queue.
  func turnDepth() {
    guard mode == .depth, let connection = depthOutput.connections.first else { return }
    let geometry = preview.plannedGeometry
    let angle = CGFloat(geometry.rotationAngle)
    if connection.isVideoRotationAngleSupported(angle) { connection.videoRotationAngle = angle }
    if connection.isVideoMirroringSupported {
      connection.automaticallyAdjustsVideoMirroring = false
      connection.isVideoMirrored = geometry.isMirrored
    }
  }

  func depthDataOutput(
    _ output: AVCaptureDepthDataOutput, didOutput depthData: AVDepthData, timestamp: CMTime,
    connection: AVCaptureConnection
  ) {
    guard let picture = DepthPicture(depthData) else { return }
    let (reading, handler) = depthSight.change { sight in
      (
        DepthReading(
          metres: picture.distance(at: sight.place).map(Double.init),
          nearest: picture.nearest.map(Double.init), farthest: picture.farthest.map(Double.init),
          isNod: sight.nods.take(picture.middle, at: timestamp.seconds)), sight.handler
      )
    }
    handler?(picture.picture)
    send(.depth(reading))
  }
}
