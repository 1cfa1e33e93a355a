import AVFoundation
import Dispatch
import VideoToolbox

/// A film of pictures at intervals, shown at thirty a second, from the press to its file.
///
/// It lives through switches of the camera, a camera that is pulled out and comes back, and pauses: the next picture follows the
/// last. The file is fragmented while it is written, so that a crash leaves all but the last pictures.
final class TimeLapse: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, @unchecked Sendable {
  // Safe because what changes is guarded, or used on `queue` alone.

  /// What the screen shows of it.
  struct Progress: Sendable {
    var pictures = 0
    var isPaused = false
  }

  /// Pictures a second of the film.
  static let rate: Int32 = 30

  let queue = DispatchQueue(label: "camera.time-lapse", qos: .userInitiated)
  private let url: URL
  private let pace: FilmPace
  private let engine: CaptureEngine
  private let keeper: PhotoKeeper
  private let date = Date()
  private let progress = Guarded(Progress())
  private let videoSettings: [String: Any]
  private let transform: CGAffineTransform

  private var writer: AVAssetWriter?
  private var adaptor: AVAssetWriterInputPixelBufferAdaptor?
  private var due: CMTime?
  private var isOver = false

  /// - Parameters:
  ///   - videoSettings: As a writer's input takes them.
  ///   - rotationAngle: By how many degrees, clockwise, the camera's pictures stand upright.
  init(
    _ url: URL, _ pace: FilmPace, videoSettings: [String: Any], rotationAngle: Int, engine: CaptureEngine,
    keeper: PhotoKeeper
  ) {
    self.url = url
    self.pace = pace
    self.videoSettings = videoSettings
    self.engine = engine
    self.keeper = keeper
    transform = CGAffineTransform(rotationAngle: CGFloat(rotationAngle) * .pi / 180)
  }

  /// Seconds of the film that there are.
  var seconds: Double { Double(progress.change { $0.pictures }) / Double(Self.rate) }

  /// Bytes of the file that there are.
  var bytes: Int64 {
    let facts = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (facts?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Takes no pictures, or goes on.
  func setPaused(_ isPaused: Bool) {
    progress.change { $0.isPaused = isPaused }
    engine.send(.recording(isPaused ? .paused : .recording))
  }

  // MARK: Pictures

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    let time = sampleBuffer.presentationTimeStamp
    guard !isOver, !progress.change({ $0.isPaused }), due.map({ time >= $0 }) ?? true,
      let pixels = sampleBuffer.imageBuffer
    else { return }
    guard keeper.folder.freeBytes.map({ $0 > CaptureEngine.spareBytes }) ?? true else {
      return finish(because: AVError(.diskFull))
    }
    do {
      let adaptor = try self.adaptor ?? begin()
      // The next frame is soon enough.
      guard adaptor.assetWriterInput.isReadyForMoreMediaData else { return }
      let index = progress.change { $0.pictures }
      guard
        adaptor.append(pixels, withPresentationTime: CMTime(value: CMTimeValue(index), timescale: Self.rate))
      else { throw writer?.error ?? AVError(.unknown) }
      progress.change { $0.pictures += 1 }
    } catch {
      return finish(because: error)
    }
    // Times are kept to the clock and not to the last picture, unless some were missed.
    let step = CMTime(seconds: pace.seconds, preferredTimescale: 1_000)
    let next = (due ?? time) + step
    due = next > time ? next : time + step
  }

  private func begin() throws -> AVAssetWriterInputPixelBufferAdaptor {
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    // Minutes may lie between two pictures: each is in the file when the next one comes.
    writer.movieFragmentInterval = CMTime(value: 1, timescale: Self.rate)
    let kind = AVMutableMetadataItem()
    kind.keySpace = .quickTimeMetadata
    // As phones mark their time-lapses.
    kind.key = "com.apple.photos.captureMode" as NSString
    kind.value = "Time-lapse" as NSString
    writer.metadata = [kind]
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: videoSettings)
    input.expectsMediaDataInRealTime = true
    input.transform = transform
    guard writer.canAdd(input) else { throw AVError(.unknown) }
    writer.add(input)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
    guard writer.startWriting() else { throw writer.error ?? AVError(.unknown) }
    writer.startSession(atSourceTime: .zero)
    (self.writer, self.adaptor) = (writer, adaptor)
    engine.send(.recording(.recording))
    return adaptor
  }

  // MARK: The end

  /// Ends the film; it is reported when it is whole.
  func stop() { queue.async { self.finish(because: nil) } }

  /// Ends the film, and returns when its file is whole.
  func stopNow() {
    let done = DispatchSemaphore(value: 0)
    queue.async { self.finish(because: nil) { done.signal() } }
    _ = done.wait(timeout: .now() + 10)
  }

  private func finish(because error: (any Error)?, then: @escaping @Sendable () -> Void = {}) {
    guard !isOver else { return then() }
    isOver = true
    guard let writer, let adaptor else {
      report(failure: error?.localizedDescription ?? "")
      return then()
    }
    let pictures = progress.change { $0.pictures }
    if writer.status == .writing {
      adaptor.assetWriterInput.markAsFinished()
      writer.endSession(atSourceTime: CMTime(value: CMTimeValue(pictures), timescale: Self.rate))
    }
    writer.finishWriting { [self] in
      defer { then() }
      // What was written until a failure can be played, too.
      guard pictures > 0, writer.status == .completed || AVURLAsset(url: url).isPlayable else {
        return report(failure: (error ?? writer.error)?.localizedDescription ?? "")
      }
      report(reason: (error ?? writer.error)?.localizedDescription)
    }
  }

  private func report(failure reason: String) {
    let engine = engine
    engine.send(.movieFailed(reason))
    end()
  }

  private func report(reason: String?) {
    let (engine, keeper, url, date) = (engine, keeper, url, date)
    engine.fileQueue.async {
      engine.storeMovie(url, keeper, date)
      if let reason { engine.send(.movieEnded(reason)) }
      self.end()
    }
  }

  private func end() {
    let engine = engine
    // A press that follows the report finds no film under way.
    engine.queue.async {
      engine.lapse = nil
      engine.send(.recording(.idle))
    }
  }
}

extension CaptureEngine {
  /// Begins a time-lapse; on the queue.
  func startTimeLapse(_ keeper: PhotoKeeper) {
    guard lapse == nil, let connection = frameOutput.connection(with: .video), connection.isActive else {
      send(.movieFailed(""))
      return send(.recording(.idle))
    }
    do {
      let url = try keeper.folder.freeName(prefix: "VID", suffix: "mov", date: Date())
      // Another camera's pictures are brought to the size of the first one's.
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
      if let width = settings[AVVideoWidthKey], let height = settings[AVVideoHeightKey] {
        frameOutput.videoSettings = format.merging(
          [kCVPixelBufferWidthKey as String: width, kCVPixelBufferHeightKey as String: height]) { $1 }
      }
      let lapse = TimeLapse(
        url, self.settings.pace, videoSettings: settings,
        rotationAngle: preview.plannedGeometry.rotationAngle, engine: self, keeper: keeper)
      self.lapse = lapse
      frameOutput.setSampleBufferDelegate(lapse, queue: lapse.queue)
    } catch {
      send(.movieFailed(error.localizedDescription))
      send(.recording(.idle))
    }
  }
}
