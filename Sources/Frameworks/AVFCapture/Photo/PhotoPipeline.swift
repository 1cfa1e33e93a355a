package import AVFCore
package import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import Linux

/// The way of a photo, from the press to the last callback.
///
/// `press → choose a frame → develop → encode → deliver`: this file reads in that order. Each stage is a type of its own.
/// A few photos are under way at once, more wait, and beyond that a press is refused: memory stays bounded. A bracket is one
/// press with several exposures: its pictures are developed when the last of them has been exposed.
///
/// Thread-safe. No client is called on the caller's thread.
package final class PhotoPipeline: Sendable {
  /// One photo on its way.
  package struct Job: Sendable {
    package var capture: PhotoCaptureRequest
    package var processing: PhotoProcessingRequest
    package var delivery: PhotoDelivery
    package var sourceDeviceType: AVCaptureDevice.DeviceType?
    /// The types of the cameras under a virtual one, by unique identifier.
    package var constituentTypes: [String: AVCaptureDevice.DeviceType]
    /// The client's own settings of a bracket, one for each exposure; empty for other photos.
    package var bracket: [AVCaptureBracketedStillImageSettings]
    /// Whether the device can expose one picture apart from the stream's frames.
    package var canExposeApart: Bool
    /// Asks the running stream for one still; calls back once, from any thread.
    package var expose: Exposure
    /// What the client is told when the device answers with an error.
    package var explain: @Sendable (CaptureDeviceError) -> AVError

    package init(
      capture: PhotoCaptureRequest, processing: PhotoProcessingRequest, delivery: PhotoDelivery,
      sourceDeviceType: AVCaptureDevice.DeviceType?,
      constituentTypes: [String: AVCaptureDevice.DeviceType] = [:],
      bracket: [AVCaptureBracketedStillImageSettings] = [],
      canExposeApart: Bool = false,
      expose: @escaping Exposure,
      explain: @escaping @Sendable (CaptureDeviceError) -> AVError = { AVError(photoFailure: $0) }
    ) {
      self.capture = capture
      self.processing = processing
      self.delivery = delivery
      self.sourceDeviceType = sourceDeviceType
      self.constituentTypes = constituentTypes
      self.bracket = bracket
      self.canExposeApart = canExposeApart
      self.expose = expose
      self.explain = explain
    }
  }

  /// Asks a device for a still; the completion may come at once or later, on any thread.
  package typealias Exposure =
    @Sendable (StillRequest, @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void) -> Void

  /// How many full-size frames photos may hold at once; more only wait for each other's encoders.
  ///
  /// A bracket with more exposures goes alone.
  package static let underWayLimit = 3
  /// How many more may wait; beyond, a press fails with `maximumStillImageCaptureRequestsExceeded`.
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
    /// By the exposures' order.
    var results: [Exposed?]

    var frames: Int { results.count { $0?.isFrame == true } }
  }

  private struct State {
    var waiting: [Job] = []
    /// By `uniqueID`.
    var exposing: [Int64: Exposing] = [:]
    /// Frames that are being developed.
    var processing = 0

    func hasRoom(for job: Job) -> Bool {
      let held = processing + exposing.values.reduce(0) { $0 + $1.results.count }
      return held == 0 || held + job.capture.exposures.count <= PhotoPipeline.underWayLimit
    }

    /// Answers what the device is to be asked for.
    mutating func admit(_ job: Job) -> [StillRequest] {
      // Two presses are two moments: the second does not share the exposure that the first still waits for.
      let isApart = !exposing.isEmpty && job.canExposeApart
      exposing[job.capture.uniqueID] = Exposing(
        job: job, results: Array(repeating: nil, count: job.capture.exposures.count))
      return job.capture.stills.map { still in
        var still = still
        if isApart { still.exposure = still.exposure ?? .manual(durationNanoseconds: nil, iso: nil) }
        return still
      }
    }
  }

  private let state = Locked(State())
  private let currentDeveloper = Locked(PhotoDeveloper())
  let encoder = PhotoEncoder()
  /// Serial, so that photos finish in the order of their presses; the encoders use every core anyway.
  let processingQueue = DispatchQueue(label: "obscura.photo-processing", qos: .userInitiated)

  package init() {}

  /// Who develops; its pools of memory serve all photos.
  var developer: PhotoDeveloper { currentDeveloper.withLock { $0 } }

  /// Gives the memory back that was kept for the next photos.
  func forget() {
    currentDeveloper.withLock { $0 = PhotoDeveloper() }
  }

  // MARK: Press

  /// Takes a photo, as soon as there is room for it.
  package func press(_ job: Job) {
    enum Turn {
      case now([StillRequest])
      case later, never
    }
    let turn = state.withLock { state -> Turn in
      if state.waiting.isEmpty && state.hasRoom(for: job) {
        return .now(state.admit(job))
      }
      guard state.waiting.count < Self.waitingLimit else { return .never }
      state.waiting.append(job)
      return .later
    }
    switch turn {
    case .now(let stills): expose(job, stills)
    case .later: break
    case .never: fail(job, with: AVError(.maximumStillImageCaptureRequestsExceeded))
    }
  }

  /// Ends every photo that has no frame yet, for the stream they wait for is over; those with a frame are finished.
  ///
  /// Of a bracket the pictures that were exposed are finished, and the others get the error.
  package func abandon(with error: AVError) {
    let (exposing, waiting) = state.withLock { state in
      let exposing = state.exposing.values.sorted { $0.job.capture.uniqueID < $1.job.capture.uniqueID }
      defer {
        state.waiting = []
        state.exposing = [:]
        state.processing += exposing.reduce(0) { $0 + $1.frames }
      }
      return (exposing, state.waiting)
    }
    for photo in exposing {
      if photo.frames == 0 {
        fail(photo.job, with: error)
      } else {
        develop(photo.job, photo.results.map { $0 ?? .abandoned(error) })
      }
    }
    for job in waiting { fail(job, with: error) }
  }

  private func admitNext() {
    while true {
      let next = state.withLock { state -> (Job, [StillRequest])? in
        guard let job = state.waiting.first, state.hasRoom(for: job) else { return nil }
        state.waiting.removeFirst()
        return (job, state.admit(job))
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
    var token: (any AnyObject & Sendable)?
    let results = state.withLock { state -> [Exposed]? in
      // Gone when it was abandoned meanwhile: its end has been told.
      guard var photo = state.exposing[id] else { return nil }
      switch result {
      case .success(var frame):
        // The last frame's token stays until the end; a manual clock that waited for an earlier one would never bring it.
        token = frame.inFlight
        if photo.results.count > 1 { frame.inFlight = nil }
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
      state.processing += photo.frames
      return known
    }
    guard let results else { return }
    // Before the hop: a manual clock waits for the frame's token.
    if results.contains(where: \.isFrame) { job.delivery.endExposure(inFlight: token) }
    develop(job, results)
  }

  // MARK: Develop, encode, deliver

  /// Finishes each picture in its order; each is let go of before the next is begun.
  private func develop(_ job: Job, _ results: [Exposed]) {
    for (index, result) in results.enumerated() {
      processingQueue.async { [self] in
        switch result {
        case .frame(let frame):
          finish(job, index, with: frame)
          state.withLock { $0.processing -= 1 }
        case .refused(let error):
          fail(job, index, with: job.explain(error))
        case .abandoned(let error):
          fail(job, index, with: error)
        }
        admitNext()
      }
    }
  }

  private func finish(_ job: Job, _ index: Int, with frame: CapturedFrame) {
    do {
      var processing = job.processing
      processing.exposure = job.capture.exposures[index]
      let result = try Self.process(frame, processing, developer, encoder)
      job.delivery.finish(photo(of: job, index, result))
    } catch {
      fail(job, index, with: error, frame: frame)
    }
  }

  /// The stages that need neither device nor delegate, one after the other.
  package static func process(
    _ frame: CapturedFrame, _ request: PhotoProcessingRequest, _ developer: PhotoDeveloper,
    _ encoder: PhotoEncoder
  ) throws -> PhotoResult {
    let negative = try developer.develop(frame, for: request)
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
