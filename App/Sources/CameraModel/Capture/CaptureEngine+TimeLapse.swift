import AVFoundation
import VideoToolbox

extension CaptureEngine {
  /// Begins a time-lapse; on the queue.
  func startTimeLapse(_ keeper: PhotoKeeper) {
    guard timeLapse == nil, let connection = frameOutput.connection(with: .video), connection.isActive else {
      send(.movieFailed(""))
      return send(.recording(.idle))
    }
    do {
      let url = try keeper.folder.freeName(prefix: "VID", suffix: "mov", date: time.date)
      let made = TimeLapse(
        url,
        TimeLapse.Plan(
          step: settings.pace.seconds, videoSettings: try timeLapseSettings(),
          rotationAngle: preview.plannedGeometry.rotationAngle), engine: self, keeper: keeper)
      timeLapse = made
      frameOutput.setSampleBufferDelegate(made, queue: made.queue)
    } catch {
      send(.movieFailed(error.localizedDescription))
      send(.recording(.idle))
    }
  }

  private func timeLapseSettings() throws -> [String: Any] {
    let format: [String: Any] = [
      kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    ]
    frameOutput.videoSettings = format
    guard var settings = frameOutput.recommendedVideoSettingsForAssetWriter(writingTo: .mov) else {
      throw AVError(.unknown)
    }
    var compression = settings[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]
    // No picture waits in the encoder for those after it.
    compression[kVTCompressionPropertyKey_MaxFrameDelayCount] = 0
    settings[AVVideoCompressionPropertiesKey] = compression
    // Another camera's pictures are brought to the size of the first one's.
    if let width = settings[AVVideoWidthKey], let height = settings[AVVideoHeightKey] {
      frameOutput.videoSettings = format.merging(
        [kCVPixelBufferWidthKey as String: width, kCVPixelBufferHeightKey as String: height]) { $1 }
    }
    return settings
  }
}
