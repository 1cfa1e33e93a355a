internal import AVFCore
internal import CaptureDevice
internal import Linux
internal import PhotoProcessing

/// A frame as it came, with what was known of it then.
struct ExposedFrame {
  var frame: CapturedFrame
  var facts: PhotoFrameFacts
  /// The claim to the depth map of its moment, if the photo wants depth and the frame is one that it may show.
  var depth: DepthClaim?
}

/// A photo whose turn has come, and what its exposures gave so far.
struct ExposedPhoto {
  var job: PhotoJob
  var times: PhotoStageTimes
  /// By the exposures' order; `nil` is not known yet.
  var results: [Result<ExposedFrame, any Error>?]
  /// Whether the receiver knows that the exposures are over.
  var isReleased = false
  /// Held until the photo has ended, for a manual clock waits for it.
  var inFlight: (any AnyObject & Sendable)?

  var lacksResults: Bool { results.contains { $0 == nil } }

  var frames: Int { results.count { if case .success = $0 { true } else { false } } }

  /// How many of ``PhotosUnderWay/frameLimit`` places its frames take.
  var places: Int { job.capture.isBurst ? min(job.capture.places, frames) : frames }
}

/// The photos of a pipeline with what they hold: a value that the pipeline's lock guards.
///
/// Nothing is let go of here: what goes is returned.
struct PhotosInPipeline {
  private(set) var underWay = PhotosUnderWay()
  var pace = PhotoTimeEstimator()
  /// By `uniqueID`.
  private var waiting: [Int64: PhotoJob] = [:]
  /// By `uniqueID`.
  private var exposing: [Int64: ExposedPhoto] = [:]

  // MARK: Admit

  /// The turn of a press: now, later, or never.
  enum Turn {
    /// The device is to be asked for these.
    case now([StillRequest])
    case later, never
  }

  mutating func admit(_ job: PhotoJob) -> Turn {
    guard underWay.waitingCount < PhotoPipeline.waitingLimit else { return .never }
    if underWay.join(job.id, kind(of: job)) { return .now(begin(job)) }
    waiting[job.id] = job
    return .later
  }

  /// The photo that has waited longest, if there is room for it, and what the device is to be asked for.
  mutating func beginNext() -> (PhotoJob, [StillRequest])? {
    guard let id = underWay.beginNext(), let job = waiting.removeValue(forKey: id) else { return nil }
    return (job, begin(job))
  }

  private func kind(of job: PhotoJob) -> PhotosUnderWay.Kind {
    let (capture, request) = (job.capture, job.processing)
    // Of a photo that is finished later only the proxy is made now.
    let prioritization = job.store == nil ? request.prioritization : .speed
    let cost = pace.slowestStage(
      PhotoTimeEstimator.Kind(
        request.encoding, prioritization, isFused: capture.isFused && job.store == nil), capture.size)
    return PhotosUnderWay.Kind(
      frames: capture.places, overlaps: capture.overlaps,
      isSlowToExpose: capture.isSlowToExpose,
      isSlowToProcess: prioritization == .quality || (cost ?? 0) >= 5e8)
  }

  private mutating func begin(_ job: PhotoJob) -> [StillRequest] {
    // Two presses are two moments: the second does not share the exposure that the first still waits for.
    let isApart = job.capture.canExposeApart && exposing.values.contains(where: \.lacksResults)
    var times = PhotoStageTimes(pressed: job.capture.pressed)
    times.chosen = PhotoStageTimes.now
    var stills = job.capture.stills
    exposing[job.id] = ExposedPhoto(
      job: job, times: times, results: Array(repeating: nil, count: stills.count))
    // Two cameras' pictures are a moment of their own anyway.
    guard isApart, !job.capture.isOfTwoCameras else { return stills }
    // Frames of a burst that are not its moment may serve two.
    for index in stills.indices.prefix(job.capture.isBurst ? 1 : stills.count) {
      stills[index].exposure = stills[index].exposure ?? .manual(durationNanoseconds: nil, iso: nil)
    }
    return stills
  }

  // MARK: Expose

  /// Whether the photo still waits for exposures; `false` once it was abandoned.
  func isExposing(_ id: Int64) -> Bool { exposing[id]?.lacksResults == true }

  /// Lets a photo of one picture be made of its first `count` exposures alone.
  mutating func shorten(_ id: Int64, to count: Int) {
    guard var photo = exposing[id], photo.results.count > count else { return }
    photo.results.removeLast(photo.results.count - count)
    photo.job.capture.pictures[0].exposures = Array(photo.job.capture.pictures[0].exposures.prefix(count))
    exposing[id] = photo
  }

  /// Notes the answer to one exposure.
  ///
  /// - Returns: With the photo's last answer, how many frames it has, and the token of the last; ``release(_:)`` comes next.
  mutating func note(
    _ result: Result<ExposedFrame, CaptureDeviceError>, of id: Int64, at index: Int
  ) -> (frames: Int, inFlight: (any AnyObject & Sendable)?)? {
    // Gone, or known, when it was abandoned meanwhile: its end is under way.
    guard var photo = exposing[id], photo.results[index] == nil else { return nil }
    photo.results[index] = result.map { exposed in
      var exposed = exposed
      // The last frame's token stays until the end. A manual clock that waited for an earlier frame of the photo, or for one
      // that an earlier photo holds up, would never bring what they wait for.
      let isLast = photo.results.count { $0 == nil } == 1 && !isBehind(id)
      if isLast { photo.inFlight = exposed.frame.inFlight }
      exposed.frame.inFlight = nil
      return exposed
    }.mapError { $0 }
    if !photo.lacksResults {
      underWay.exposed(id, frames: photo.places)
      photo.times.captured = PhotoStageTimes.now
    }
    exposing[id] = photo
    return photo.lacksResults ? nil : (photo.frames, photo.inFlight)
  }

  /// Whether an earlier photo than `id` lacks frames yet.
  private func isBehind(_ id: Int64) -> Bool {
    underWay.photos.prefix { $0.id != id }.contains {
      waiting[$0.id] != nil || exposing[$0.id]?.lacksResults == true
    }
  }

  /// Lets a photo with all its answers go on to developing.
  mutating func release(_ id: Int64) {
    exposing[id]?.isReleased = true
  }

  /// Gives every exposure that is not answered yet the `error` for an answer.
  mutating func abandon(with error: AVError) {
    for (id, job) in waiting {
      exposing[id] = ExposedPhoto(
        job: job, times: PhotoStageTimes(pressed: job.capture.pressed),
        results: job.capture.stills.map { _ in nil })
    }
    waiting = [:]
    for (id, photo) in exposing where photo.lacksResults {
      exposing[id]?.results = photo.results.map { $0 ?? .failure(error) }
      exposing[id]?.isReleased = true
      underWay.exposed(id, frames: exposing[id]?.places ?? 0)
    }
  }

  // MARK: Choose, develop, encode, deliver

  /// Takes out the next photo that can be developed: photos end in the order of their presses.
  mutating func takeExposed() -> ExposedPhoto? {
    for photo in underWay.photos {
      if waiting[photo.id] != nil { return nil }
      guard let exposed = exposing[photo.id] else { continue }
      return exposed.isReleased ? exposing.removeValue(forKey: photo.id) : nil
    }
    return nil
  }

  /// Notes that a picture is one frame now, and holds no others.
  mutating func merged(_ id: Int64) {
    underWay.merged(id)
  }

  /// Notes that a photo's frames wait for the disk, and makes room for the next where memory holds both.
  mutating func store(_ id: Int64, _ capture: PhotoCaptureRequest, availableBytes: Int?) {
    let isAffordable = BurstPlan.canOverlap(
      frames: capture.stills.count, size: capture.size, waiting: underWay.storingCount,
      availableBytes: availableBytes)
    if capture.ownsFrames, isAffordable { underWay.storing(id) }
  }

  /// Notes that a picture has ended, and its photo with the last.
  mutating func end(_ id: Int64, isLast: Bool) {
    underWay.gaveBack(id)
    if isLast { underWay.leave(id) }
  }
}
