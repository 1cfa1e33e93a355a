package import AVFCore
package import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import Linux

/// The way of a photo, from the press to the last callback.
///
/// `press → choose a frame → develop → encode → deliver`: this file reads in that order. Each stage is a type of its own.
/// ``PhotosUnderWay`` says who may begin: photos that overlap are captured, developed and encoded side by side, one in each
/// stage, and others go one after the other. More wait, and beyond that a press is refused: memory stays bounded. Photos end
/// in the order of their presses. A bracket is one press with several exposures: its pictures are developed when the last of
/// them has been exposed.
///
/// Thread-safe. No client is called on the caller's thread.
package final class PhotoPipeline: Sendable {
  /// Stages that take a processor's time.
  package enum Stage: Sendable {
    case developing, encoding
  }

  /// Called when a stage begins to work on a picture, on the stage's queue; what it takes is part of the stage.
  package typealias Load = @Sendable (Stage, PhotoProcessingRequest) -> Void

  /// How many photos may wait for their turn; beyond, a press fails with `maximumStillImageCaptureRequestsExceeded`.
  package static let waitingLimit = 32

  /// What became of one exposure.
  private enum Exposed {
    case frame(CapturedFrame)
    case refused(CaptureDeviceError)
    case abandoned(AVError)

    var isFrame: Bool {
      if case .frame = self { true } else { false }
    }
  }

  /// A photo that was pressed and lacks a frame yet.
  private struct Exposing {
    var job: Job
    var times: PhotoStageTimes
    /// By the exposures' order.
    var results: [Exposed?]

    var frames: Int { results.count { $0?.isFrame == true } }
  }

  /// A photo whose exposures are over.
  private struct ExposedPhoto {
    var job: Job
    var times: PhotoStageTimes
    var results: [Exposed]
  }

  private struct State {
    var underWay = PhotosUnderWay()
    /// By `uniqueID`.
    var waiting: [Int64: Job] = [:]
    /// By `uniqueID`.
    var exposing: [Int64: Exposing] = [:]
    /// Photos with their frames that earlier ones lack yet, by `uniqueID`: they end in the order of their presses.
    var exposed: [Int64: ExposedPhoto] = [:]
    var pace = PhotoPace()

    func kind(of job: Job) -> PhotosUnderWay.Kind {
      let request = job.processing
      let cost = pace.slowestStage(PhotoPace.Kind(request.encoding, request.prioritization), job.capture.size)
      return PhotosUnderWay.Kind(
        frames: job.capture.exposures.count, overlaps: job.overlaps, isSlowToExpose: job.isSlowToExpose,
        isSlowToProcess: request.prioritization == .quality || (cost ?? 0) >= 5e8)
    }

    /// Whether an earlier photo than `id` lacks frames yet.
    func isBehind(_ id: Int64) -> Bool {
      underWay.photos.prefix { $0.id != id }.contains { exposing[$0.id] != nil || waiting[$0.id] != nil }
    }

    /// Takes out what can be developed now, in order.
    mutating func takeExposed() -> [ExposedPhoto] {
      var photos: [ExposedPhoto] = []
      for photo in underWay.photos {
        if exposing[photo.id] != nil || waiting[photo.id] != nil { break }
        if let photo = exposed.removeValue(forKey: photo.id) { photos.append(photo) }
      }
      return photos
    }

    /// Answers what the device is to be asked for.
    mutating func begin(_ job: Job) -> [StillRequest] {
      // Two presses are two moments: the second does not share the exposure that the first still waits for.
      let isApart = !exposing.isEmpty && job.canExposeApart
      var times = PhotoStageTimes(pressed: job.pressed)
      times.chosen = .now
      exposing[job.capture.uniqueID] = Exposing(
        job: job, times: times, results: Array(repeating: nil, count: job.capture.exposures.count))
      return job.capture.stills.map { still in
        var still = still
        if isApart { still.exposure = still.exposure ?? .manual(durationNanoseconds: nil, iso: nil) }
        return still
      }
    }
  }

  private let state = Locked(State())
  private let currentDeveloper = Locked(PhotoDeveloper())
  private let load: Load?
  private let changed = Hook<Void>()
  let encoder = PhotoEncoder()
  /// Serial, so that photos finish in the order of their presses; the stages use every core anyway.
  let developingQueue = DispatchQueue(label: "obscura.photo-developing", qos: .userInitiated)
  private let encodingQueue = DispatchQueue(label: "obscura.photo-encoding", qos: .userInitiated)

  /// A way without photos; `load` is work that each picture costs beside its own.
  package init(load: Load? = nil) {
    self.load = load
  }

  /// Who develops; its pools of memory serve all photos.
  var developer: PhotoDeveloper { currentDeveloper.withLock { $0 } }

  /// Gives the memory back that was kept for the next photos.
  func forget() {
    let old = currentDeveloper.withLock { developer in
      defer { developer = PhotoDeveloper() }
      return developer
    }
    withExtendedLifetime(old) {}
  }

  // MARK: What is under way

  /// Where the photos are now.
  package var underWay: PhotosUnderWay { state.withLock { $0.underWay } }

  /// Calls `handler` after each change of ``underWay``, on any thread, under no lock.
  package func onChange(_ handler: @escaping @Sendable () -> Void) {
    changed.set(handler)
  }

  /// Decides at a press how well the photo can be processed; see ``PhotoPace/prioritization(for:_:_:isBehind:at:)``.
  func prioritization(
    for asked: PhotoPace.Prioritization, _ encoding: PhotoEncoding, _ size: FrameSize,
    at now: MonotonicInstant
  ) -> PhotoPace.Prioritization {
    state.withLock { state in
      state.pace.prioritization(for: asked, encoding, size, isBehind: !state.underWay.isEmpty, at: now)
    }
  }

  /// How long a photo's processing may take, in seconds: the shortest and the longest that is expected.
  func processingSeconds(_ request: PhotoProcessingRequest, _ capture: PhotoCaptureRequest) -> (
    shortest: Double, longest: Double
  ) {
    state.withLock { state in
      state.pace.processingSeconds(
        PhotoPace.Kind(request.encoding, request.prioritization), capture.size,
        ahead: state.underWay.photos.reduce(capture.exposures.count - 1) { $0 + $1.kind.frames })
    }
  }

  // MARK: Press

  /// Takes a photo, as soon as there is room for it.
  package func press(_ job: Job) {
    enum Turn {
      case now([StillRequest])
      case later, never
    }
    let turn = state.withLock { state -> Turn in
      guard state.underWay.waitingCount < Self.waitingLimit else { return .never }
      if state.underWay.join(job.capture.uniqueID, state.kind(of: job)) { return .now(state.begin(job)) }
      state.waiting[job.capture.uniqueID] = job
      return .later
    }
    switch turn {
    case .now(let stills): expose(job, stills)
    case .later: break
    case .never: return fail(job, with: AVError(.maximumStillImageCaptureRequestsExceeded))
    }
    changed.call()
  }

  /// Ends every photo that has no frame yet, for the stream they wait for is over; those with a frame are finished.
  ///
  /// Of a bracket the pictures that were exposed are finished, and the others get the error.
  package func abandon(with error: AVError) {
    // Kept until the lock is left: the queues may have finished them by then, and let their delegates and frames go.
    let ended = state.withLock { state -> [ExposedPhoto] in
      for (id, photo) in state.exposing {
        let results = photo.results.map { $0 ?? .abandoned(error) }
        state.exposed[id] = ExposedPhoto(job: photo.job, times: photo.times, results: results)
        state.underWay.exposed(id, frames: photo.frames)
      }
      for (id, job) in state.waiting {
        state.exposed[id] = ExposedPhoto(
          job: job, times: PhotoStageTimes(pressed: job.pressed),
          results: job.capture.exposures.map { _ in .abandoned(error) })
        state.underWay.exposed(id, frames: 0)
      }
      state.exposing = [:]
      state.waiting = [:]
      return developExposed(&state)
    }
    withExtendedLifetime(ended) {}
    changed.call()
  }

  private func beginNext() {
    while true {
      let next = state.withLock { state -> (Job, [StillRequest])? in
        guard let id = state.underWay.beginNext(), let job = state.waiting.removeValue(forKey: id) else {
          return nil
        }
        return (job, state.begin(job))
      }
      guard let (job, stills) = next else { return }
      expose(job, stills)
    }
  }

  // MARK: Choose a frame

  private func expose(_ job: Job, _ stills: [StillRequest]) {
    job.delivery.begin()
    job.delivery.beginExposure()
    for (index, still) in stills.enumerated() {
      job.expose(still) { [self] result in note(result, of: job, at: index) }
    }
  }

  /// Takes the device's answer to one exposure; on the device's thread, so it must only enqueue.
  private func note(_ result: Result<CapturedFrame, CaptureDeviceError>, of job: Job, at index: Int) {
    let id = job.capture.uniqueID
    // Kept until the lock is left: the queues may have finished them by then, and let their delegates and frames go.
    let exposed = state.withLock { state -> [ExposedPhoto]? in
      // Gone when it was abandoned meanwhile: its end has been told.
      guard var photo = state.exposing[id] else { return nil }
      var token: (any AnyObject & Sendable)?
      switch result {
      case .success(var frame):
        // The last frame's token stays until the end. A manual clock that waited for an earlier frame of the photo, or for one
        // that an earlier photo holds up, would never bring what they wait for.
        let isLast = photo.results.count { $0 == nil } == 1 && !state.isBehind(id)
        if isLast { token = frame.inFlight }
        if !isLast || photo.results.count > 1 { frame.inFlight = nil }
        photo.results[index] = .frame(frame)
      case .failure(let error):
        photo.results[index] = .refused(error)
      }
      let known = photo.results.compactMap(\.self)
      guard known.count == photo.results.count else {
        state.exposing[id] = photo
        return nil
      }
      state.exposing[id] = nil
      state.underWay.exposed(id, frames: photo.frames)
      photo.times.captured = .now
      // Before the hop: a manual clock waits for the frame's token.
      if photo.frames > 0 { job.delivery.endExposure(inFlight: token) }
      state.exposed[id] = ExposedPhoto(job: job, times: photo.times, results: known)
      return developExposed(&state) + [ExposedPhoto(job: job, times: photo.times, results: known)]
    }
    if exposed != nil { changed.call() }
  }

  // MARK: Develop, encode, deliver

  /// Hands the photos over that can be developed now; under the lock, so that two devices' threads cannot swap two photos.
  private func developExposed(_ state: inout State) -> [ExposedPhoto] {
    let photos = state.takeExposed()
    for photo in photos { develop(photo) }
    return photos
  }

  /// Finishes each picture in its order, whatever became of it; each is let go of before the next is begun.
  private func develop(_ photo: ExposedPhoto) {
    let job = photo.job
    for (index, result) in photo.results.enumerated() {
      developingQueue.async { [self] in
        let developed = develop(result, job, index, photo.times)
        encodingQueue.async { [self] in
          encode(developed, job, index)
          // Before the frame's token goes: the next photo is asked for before a manual clock moves on.
          withExtendedLifetime(result) { end(job, index, isFrame: result.isFrame) }
        }
      }
    }
  }

  /// A picture between the two stages, or why there is none.
  private enum Developed {
    case picture(PhotoDeveloper.Negative, CapturedFrame, PhotoProcessingRequest, PhotoStageTimes)
    case failed(any Error, CapturedFrame?)
  }

  private func develop(_ result: Exposed, _ job: Job, _ index: Int, _ times: PhotoStageTimes) -> Developed {
    switch result {
    case .refused(let error): return .failed(job.explain(error), nil)
    case .abandoned(let error): return .failed(error, nil)
    case .frame(let frame):
      var (request, times) = (job.processing, times)
      request.exposure = job.capture.exposures[index]
      times.developing = .now
      load?(.developing, request)
      do {
        let negative = try developer.develop(frame, for: request)
        times.processed = .now
        return .picture(negative, frame, request, times)
      } catch {
        return .failed(error, frame)
      }
    }
  }

  private func encode(_ developed: Developed, _ job: Job, _ index: Int) {
    switch developed {
    case .failed(let error, let frame): fail(job, index, with: error, frame: frame)
    case .picture(let negative, let frame, let request, var times):
      times.encoding = .now
      load?(.encoding, request)
      do {
        var result = try Self.result(of: frame, negative, request, encoder)
        times.encoded = .now
        state.withLock { state in
          state.pace.note(PhotoPace.Kind(request.encoding, request.prioritization), job.capture.size, times)
        }
        result.stages = times
        job.delivery.finish(photo(of: job, index, result))
      } catch {
        fail(job, index, with: error, frame: frame)
      }
    }
  }

  /// Gives a picture's memory back, and its photo's place after the last.
  private func end(_ job: Job, _ index: Int, isFrame: Bool) {
    let id = job.capture.uniqueID
    state.withLock { state in
      if isFrame { state.underWay.gaveBack(id) }
      if index == job.capture.exposures.count - 1 { state.underWay.leave(id) }
    }
    beginNext()
    changed.call()
  }

  /// The stages that need neither device nor delegate, one after the other.
  package static func process(
    _ frame: CapturedFrame, _ request: PhotoProcessingRequest, _ developer: PhotoDeveloper,
    _ encoder: PhotoEncoder
  ) throws -> PhotoResult {
    try result(of: frame, developer.develop(frame, for: request), request, encoder)
  }

  private static func result(
    of frame: CapturedFrame, _ negative: PhotoDeveloper.Negative, _ request: PhotoProcessingRequest,
    _ encoder: PhotoEncoder
  ) throws -> PhotoResult {
    let metadata = PhotoMetadataBuilder.metadata(
      for: frame, size: negative.size, isWideColor: negative.isWideColor, request: request)
    var result = PhotoResult(
      timestamp: CMTime(frame.timestamp), metadata: metadata, preview: negative.preview)
    result.controls = frame.conditions.state
    switch request.encoding {
    case .pixels:
      result.pixelBuffer = negative.picture
    case .jpeg, .heic:
      result.file = try encoder.encode(negative, metadata: metadata, for: request)
      result.thumbnailSize = negative.thumbnailSize
    }
    return result
  }

  /// Tells the error for every picture of the photo.
  private func fail(_ job: Job, with error: AVError) {
    for index in job.capture.exposures.indices { fail(job, index, with: error) }
  }

  private func fail(_ job: Job, _ index: Int, with error: any Error, frame: CapturedFrame? = nil) {
    var result = PhotoResult()
    if let frame {
      result.timestamp = CMTime(frame.timestamp)
      result.metadata = PhotoMetadataBuilder.metadata(
        for: frame, size: job.capture.size, isWideColor: false, request: job.processing)
    }
    job.delivery.finish(photo(of: job, index, result), error: AVError(photoFailure: error))
  }

  private func photo(of job: Job, _ index: Int, _ result: PhotoResult) -> AVCapturePhoto {
    let constituent = result.controls?.constituent
    return AVCapturePhoto(
      result, resolvedSettings: job.delivery.resolved,
      sourceDeviceType: constituent.flatMap { job.constituentTypes[$0] } ?? job.sourceDeviceType,
      photoCount: index + 1, bracketSettings: job.bracket.isEmpty ? nil : job.bracket[index])
  }
}
