import AVFoundation
import Dispatch
import VideoToolbox

/// A film that is written picture by picture, from the press to its file: a time-lapse, or a film with a filter.
///
/// It lives through switches of the camera and pauses: the next picture follows the last. A time-lapse also waits for a camera
/// that is pulled out; a film as it happens ends then. The file is fragmented while it is written, so that a crash leaves
/// all but its last part.
final class FrameFilm: NSObject, @unchecked Sendable {
  // Safe because what changes is guarded, or used on `queue` alone.

  /// How the film is made.
  struct Plan {
    var pace: FilmPace
    var filter: PhotoFilter
    /// As a writer's input takes them.
    var videoSettings: [String: Any]
    /// `nil` for a film without sound.
    var audioSettings: [String: Any]?
    /// By how many degrees, clockwise, the camera's pictures stand upright.
    var rotationAngle: Int
  }

  /// Where pictures and sounds come in, in their order.
  let queue = DispatchQueue(label: "camera.film", qos: .userInitiated)
  private let url: URL
  private let plan: Plan
  private let engine: CaptureEngine
  private let keeper: PhotoKeeper
  private let date = Date()
  private let times: Guarded<FilmTimes>
  private let look: FilmLook

  private var writer: AVAssetWriter?
  private var pictures: AVAssetWriterInputPixelBufferAdaptor?
  private var sounds: AVAssetWriterInput?
  private var waitingSounds: [CMSampleBuffer] = []
  /// Some five seconds.
  private static let mostWaitingSounds = 256
  private var isOver = false

  init(_ url: URL, _ plan: Plan, engine: CaptureEngine, keeper: PhotoKeeper) {
    self.url = url
    self.plan = plan
    self.engine = engine
    self.keeper = keeper
    times = Guarded(FilmTimes(plan.pace))
    look = FilmLook(plan.filter)
  }

  /// Seconds of the film that there are.
  var seconds: Double { times.change { $0.end.seconds } }

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

  /// The camera gives no pictures for now: a time-lapse waits for them.
  func noteLoss(_ error: any Error) {
    guard plan.pace == .live else { return }
    queue.async { self.finish(because: error) }
  }

  // MARK: Pictures and sounds

  private func take(picture: CMSampleBuffer) throws {
    let time = picture.presentationTimeStamp
    guard let place = times.change({ $0.place(ofPictureAt: time) }), let pixels = picture.imageBuffer else {
      return
    }
    guard keeper.folder.freeBytes.map({ $0 > CaptureEngine.spareBytes }) ?? true else {
      throw AVError(.diskFull)
    }
    let pictures = try self.pictures ?? begin()
    try appendSounds()
    // The next frame is soon enough.
    guard pictures.assetWriterInput.isReadyForMoreMediaData else { return }
    guard let changed = look.change(pixels, of: pictures.pixelBufferPool),
      pictures.append(changed, withPresentationTime: place)
    else { throw writer?.error ?? AVError(.unknown) }
    times.change { $0.takePicture(at: time) }
  }

  private func take(sound: CMSampleBuffer) throws {
    guard sounds != nil, waitingSounds.count < Self.mostWaitingSounds,
      let place = times.change({
        $0.takeSound(at: sound.presentationTimeStamp, duration: sound.duration)
      })
    else { return }
    let timing = CMSampleTimingInfo(
      duration: CMTime(
        value: sound.duration.value / Int64(max(1, sound.numSamples)), timescale: sound.duration.timescale),
      presentationTimeStamp: place, decodeTimeStamp: .invalid)
    waitingSounds.append(try CMSampleBuffer(copying: sound, withNewTiming: [timing]))
    try appendSounds()
  }

  /// A missing picture is not seen, a missing sound is heard: sounds wait for a slow encoder.
  private func appendSounds() throws {
    while let sounds, sounds.isReadyForMoreMediaData, let next = waitingSounds.first {
      waitingSounds.removeFirst()
      guard sounds.append(next) else { throw writer?.error ?? AVError(.unknown) }
    }
  }

  private func begin() throws -> AVAssetWriterInputPixelBufferAdaptor {
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    if plan.pace == .live {
      writer.movieFragmentInterval = CaptureEngine.fragmentInterval
    } else {
      // Minutes may lie between two pictures: each is in the file when the next one comes.
      writer.movieFragmentInterval = CMTime(value: 1, timescale: FilmTimes.rate)
      let kind = AVMutableMetadataItem()
      kind.keySpace = .quickTimeMetadata
      // As phones mark their time-lapses.
      kind.key = "com.apple.photos.captureMode" as NSString
      kind.value = "Time-lapse" as NSString
      writer.metadata = [kind]
    }
    let video = AVAssetWriterInput(mediaType: .video, outputSettings: plan.videoSettings)
    video.transform = CGAffineTransform(rotationAngle: CGFloat(plan.rotationAngle) * .pi / 180)
    try add(video, to: writer)
    let pictures = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
    if let settings = plan.audioSettings {
      let audio = AVAssetWriterInput(mediaType: .audio, outputSettings: settings)
      try add(audio, to: writer)
      sounds = audio
    }
    guard writer.startWriting() else { throw writer.error ?? AVError(.unknown) }
    writer.startSession(atSourceTime: .zero)
    (self.writer, self.pictures) = (writer, pictures)
    engine.send(.recording(.recording))
    return pictures
  }

  private func add(_ input: AVAssetWriterInput, to writer: AVAssetWriter) throws {
    input.expectsMediaDataInRealTime = true
    guard writer.canAdd(input) else { throw AVError(.unknown) }
    writer.add(input)
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
    guard let writer, let pictures else {
      report(failure: error?.localizedDescription ?? "")
      return then()
    }
    let (isEmpty, end) = times.change { ($0.isEmpty, $0.end) }
    if writer.status == .writing {
      try? appendSounds()
      pictures.assetWriterInput.markAsFinished()
      sounds?.markAsFinished()
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
      if let reason { engine.send(.movieEnded(reason)) }
      self.end()
    }
  }

  private func end() {
    let engine = engine
    // A press that follows the report finds no film under way.
    engine.queue.async {
      engine.film = nil
      engine.send(.recording(.idle))
    }
  }
}

extension FrameFilm: AVCaptureVideoDataOutputSampleBufferDelegate,
  AVCaptureAudioDataOutputSampleBufferDelegate
{
  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard !isOver else { return }
    do {
      try output is AVCaptureAudioDataOutput ? take(sound: sampleBuffer) : take(picture: sampleBuffer)
    } catch {
      finish(because: error)
    }
  }
}

extension CaptureEngine {
  /// How much of a film a crash may cost.
  static let fragmentInterval = CMTime(value: 2, timescale: 1)

  /// Begins a film that is written picture by picture; on the queue.
  func startFrameFilm(_ keeper: PhotoKeeper) {
    guard film == nil, let connection = frameOutput.connection(with: .video), connection.isActive else {
      send(.movieFailed(""))
      return send(.recording(.idle))
    }
    do {
      let url = try keeper.folder.freeName(prefix: "VID", suffix: "mov", date: Date())
      let isLive = settings.pace == .live
      let film = FrameFilm(
        url,
        FrameFilm.Plan(
          pace: settings.pace, filter: settings.filter, videoSettings: try filmSettings(isLive: isLive),
          audioSettings: isLive ? soundOutput.recommendedAudioSettingsForAssetWriter(writingTo: .mov) : nil,
          rotationAngle: preview.plannedGeometry.rotationAngle), engine: self, keeper: keeper)
      self.film = film
      frameOutput.setSampleBufferDelegate(film, queue: film.queue)
      soundOutput.setSampleBufferDelegate(film, queue: film.queue)
    } catch {
      send(.movieFailed(error.localizedDescription))
      send(.recording(.idle))
    }
  }

  private func filmSettings(isLive: Bool) throws -> [String: Any] {
    let format: [String: Any] = [kCVPixelBufferPixelFormatTypeKey as String: FilmLook.pixelFormat]
    frameOutput.videoSettings = format
    guard var settings = frameOutput.recommendedVideoSettingsForAssetWriter(writingTo: .mov) else {
      throw AVError(.unknown)
    }
    if !isLive {
      var compression = settings[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]
      // No picture waits in the encoder for those after it.
      compression[kVTCompressionPropertyKey_MaxFrameDelayCount] = 0
      settings[AVVideoCompressionPropertiesKey] = compression
    }
    // Another camera's pictures are brought to the size of the first one's.
    if let width = settings[AVVideoWidthKey], let height = settings[AVVideoHeightKey] {
      frameOutput.videoSettings = format.merging(
        [kCVPixelBufferWidthKey as String: width, kCVPixelBufferHeightKey as String: height]) { $1 }
    }
    return settings
  }
}
