import AVFoundation
import Dispatch

/// A time-lapse, which is written picture by picture, from the press to its file.
///
/// It lives through switches of the camera and pauses, and waits for a camera that is pulled out: the next picture follows the last.
/// The file is fragmented while it is written, so that a crash leaves all but its last picture.
final class TimeLapse: NSObject, @unchecked Sendable {
  // Safe because what changes is guarded, or used on `queue` alone.

  /// The settings of the video.
  struct Plan {
    /// Seconds from one picture to the next.
    var step: Double
    /// As a writer's input takes them.
    var videoSettings: [String: Any]
    /// By how many degrees, clockwise, the camera's pictures stand upright.
    var rotationAngle: Int
  }

  /// The queue on which pictures arrive, in their order.
  let queue = DispatchQueue(label: "camera.time-lapse", qos: .userInitiated)
  private let url: URL
  private let plan: Plan
  private let engine: CaptureEngine
  private let keeper: PhotoKeeper
  private let date: Date
  private let times: Guarded<TimeLapseTimes>

  private var writer: AVAssetWriter?
  private var pictures: AVAssetWriterInputPixelBufferAdaptor?
  private var isOver = false

  init(_ url: URL, _ plan: Plan, engine: CaptureEngine, keeper: PhotoKeeper) {
    self.url = url
    self.plan = plan
    self.engine = engine
    date = engine.time.date
    self.keeper = keeper
    times = Guarded(TimeLapseTimes(step: plan.step))
  }

  /// Seconds of the video so far.
  var seconds: Double { times.change { $0.end.seconds } }

  /// The pictures that the camera did not have in time.
  var missed: Int { times.change { $0.missed } }

  /// Bytes of the file that there are.
  var bytes: Int64 {
    let facts = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (facts?[.size] as? NSNumber)?.int64Value ?? 0
  }

  /// Takes nothing, or goes on.
  func setPaused(_ isPaused: Bool) {
    times.change { $0.isPaused = isPaused }
    engine.send(.recording(isPaused ? .paused : .recording))
  }

  // MARK: Pictures

  private func take(_ picture: CMSampleBuffer) throws {
    let time = picture.presentationTimeStamp + CMTime(value: engine.asleep(), timescale: 1_000_000_000)
    guard let place = times.change({ $0.place(ofPictureAt: time) }), let pixels = picture.imageBuffer else {
      return
    }
    guard keeper.folder.freeBytes.map({ $0 > CaptureEngine.spareBytes }) ?? true else {
      throw AVError(.diskFull)
    }
    let pictures = try self.pictures ?? begin()
    // The next frame is soon enough.
    guard pictures.assetWriterInput.isReadyForMoreMediaData else { return }
    guard pictures.append(pixels, withPresentationTime: place) else {
      throw writer?.error ?? AVError(.unknown)
    }
    times.change { $0.takePicture(at: time) }
  }

  private func begin() throws -> AVAssetWriterInputPixelBufferAdaptor {
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    // Minutes may lie between two pictures: each is in the file when the next one comes.
    writer.movieFragmentInterval = CMTime(value: 1, timescale: TimeLapseTimes.rate)
    let kind = AVMutableMetadataItem()
    kind.keySpace = .quickTimeMetadata
    // As phones mark their time-lapses.
    kind.key = "com.apple.photos.captureMode" as NSString
    kind.value = "Time-lapse" as NSString
    writer.metadata = [kind]
    let video = AVAssetWriterInput(mediaType: .video, outputSettings: plan.videoSettings)
    video.transform = CGAffineTransform(rotationAngle: CGFloat(plan.rotationAngle) * .pi / 180)
    video.expectsMediaDataInRealTime = true
    guard writer.canAdd(video) else { throw AVError(.unknown) }
    writer.add(video)
    let pictures = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
    guard writer.startWriting() else { throw writer.error ?? AVError(.unknown) }
    writer.startSession(atSourceTime: .zero)
    (self.writer, self.pictures) = (writer, pictures)
    engine.send(.recording(.recording))
    return pictures
  }

  // MARK: The end

  /// Ends the video; it is reported when it is whole.
  func stop() { queue.async { self.finish(because: nil) } }

  /// Ends the video, and returns when its file is whole.
  func stopNow() {
    let done = DispatchSemaphore(value: 0)
    queue.async { self.finish(because: nil) { done.signal() } }
    _ = done.wait(timeout: .now() + 10)
  }

  private func finish(because error: (any Error)?, then: @escaping @Sendable () -> Void = {}) {
    guard !isOver else { return then() }
    isOver = true
    guard let writer, let pictures else {
      report(failure: error?.localizedDescription ?? "")
      return then()
    }
    let (isEmpty, end) = times.change { ($0.isEmpty, $0.end) }
    if writer.status == .writing {
      pictures.assetWriterInput.markAsFinished()
      writer.endSession(atSourceTime: end)
    }
    writer.finishWriting { [self] in
      defer { then() }
      // What was written until a failure can be played, too.
      guard !isEmpty, writer.status == .completed || AVURLAsset(url: url).isPlayable else {
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
      if self.missed > 0 { engine.send(.picturesMissed(self.missed)) }
      if let reason { engine.send(.movieEnded(reason)) }
      self.end()
    }
  }

  private func end() {
    let engine = engine
    // A press that follows the report finds no time-lapse under way.
    engine.queue.async {
      engine.timeLapse = nil
      engine.send(.recording(.idle))
    }
  }
}

extension TimeLapse: AVCaptureVideoDataOutputSampleBufferDelegate {
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard !isOver else { return }
    do {
      try take(sampleBuffer)
    } catch {
      finish(because: error)
    }
  }
}
