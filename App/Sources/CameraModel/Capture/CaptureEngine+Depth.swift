import AVFoundation
import DepthMaps

/// The depth screen's measured place, nod detector, newest map and picture handler, shared by the depth queue and the main queue.
struct DepthSight: Sendable {
  var place = CGPoint(x: 0.5, y: 0.5)
  var nods = NodDetector()
  var range = DepthRange()
  var handler: (@Sendable (Thumbnail) -> Void)?
  /// Whether points are drawn instead of the map.
  var showsCloud = false
  var maker = CloudMaker()
  var shot: DepthShot?
  /// Whether maps lie like a mirror.
  var isMirrored = false
  /// The camera's field of view in degrees, for maps of whose lens nothing else is known.
  var fieldOfView: Float = 0
}

extension CaptureEngine: AVCaptureDataOutputSynchronizerDelegate {
  /// Puts the outputs of the depth screen right; on the engine's queue, between begin and commit.
  func arrangeDepth() {
    if mode == .depth {
      pictureOutput.videoSettings = [
        kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA
      ]
      depthPairs = depthPairs ?? AVCaptureDataOutputSynchronizer(dataOutputs: [depthOutput, pictureOutput])
      depthPairs?.setDelegate(self, queue: depthQueue)
      depthOutput.isFilteringEnabled = smoothsDepth
    } else {
      depthPairs?.setDelegate(nil, queue: nil)
      depthSight.change { $0.shot = nil }
    }
  }

  /// Lets depth maps and their pictures lie as the preview does; on the engine's queue.
  func turnDepth() {
    guard mode == .depth else { return }
    let geometry = preview.plannedGeometry
    let angle = CGFloat(geometry.rotationAngle)
    for connection in depthOutput.connections + pictureOutput.connections {
      if connection.isVideoRotationAngleSupported(angle) { connection.videoRotationAngle = angle }
      if connection.isVideoMirroringSupported {
        connection.automaticallyAdjustsVideoMirroring = false
        connection.isVideoMirrored = geometry.isMirrored
      }
    }
    let fieldOfView = input?.device.activeFormat.videoFieldOfView ?? 0
    depthSight.change { sight in
      sight.isMirrored = geometry.isMirrored
      sight.fieldOfView = fieldOfView
    }
  }

  /// Smooths maps over time, or not.
  func setDepthSmoothing(_ on: Bool) {
    queue.async {
      self.smoothsDepth = on
      if self.mode == .depth { self.depthOutput.isFilteringEnabled = on }
    }
  }

  /// Draws points instead of maps, or maps again.
  func showCloud(_ on: Bool, sways: Bool) {
    if on { cloud.begin(sways: sways) }
    depthSight.change { $0.showsCloud = on }
  }

  func dataOutputSynchronizer(
    _ synchronizer: AVCaptureDataOutputSynchronizer,
    didOutput synchronizedDataCollection: AVCaptureSynchronizedDataCollection
  ) {
    guard let depth = synchronizedDataCollection[depthOutput] as? AVCaptureSynchronizedDepthData,
      !depth.depthDataWasDropped
    else { return }
    let frame = synchronizedDataCollection[pictureOutput] as? AVCaptureSynchronizedSampleBufferData
    let picture = frame.flatMap { CMSampleBufferGetImageBuffer($0.sampleBuffer) }
    take(depth.depthData, depth.timestamp, picture)
  }

  private func take(_ data: AVDepthData, _ timestamp: CMTime, _ picture: CVPixelBuffer?) {
    var map = DepthMap()
    guard (try? map.read(data.depthDataMap)) != nil else { return }
    map = map.expressed(as: .depth)
    let (reading, shown, made) = depthSight.change { sight in
      let shown = DepthPicture(map, range: &sight.range)
      var shot = DepthShot(
        map: map, isMirrored: sight.isMirrored,
        lens: DepthLens(
          data.cameraCalibrationData, fieldOfView: sight.fieldOfView, width: map.width, height: map.height))
      var made: PointCloud?
      if sight.showsCloud, let lens = shot.lens, let picture,
        let colors = try? PointCloud.colors(of: picture, width: map.width, height: map.height)
      {
        shot.colors = colors
        made = sight.maker.cloud(map, lens: lens, colors: colors, leavesOutEdges: true)
      }
      sight.shot = shot
      return (
        DepthReading(
          metres: shown.distance(at: sight.place).map(Double.init),
          nearest: shown.nearest.map(Double.init), farthest: shown.farthest.map(Double.init),
          isNod: sight.nods.take(shown.middle, at: timestamp.seconds)),
        (handler: sight.handler, picture: shown.picture), made.map { (cloud: $0, lens: shot.lens) }
      )
    }
    shown.handler?(shown.picture)
    if let made, let lens = made.lens { cloud.take(made.cloud, lens: lens, at: timestamp.seconds) }
    send(.depth(reading))
  }

  /// Writes the newest map, or its points, into a folder of plain files.
  func saveDepth(asCloud: Bool, into folder: PhotoFolder) {
    let shot = depthSight.change { $0.shot }
    fileQueue.async {
      guard let shot, let data = asCloud ? shot.ply : shot.png else {
        return self.send(.depthNotSaved(""))
      }
      do {
        let url = try folder.store(
          data, prefix: "DEPTH", suffix: asCloud ? "ply" : "png", date: self.time.date)
        self.send(.depthSaved(url))
      } catch {
        self.send(.depthNotSaved(error.localizedDescription))
      }
    }
  }
}
