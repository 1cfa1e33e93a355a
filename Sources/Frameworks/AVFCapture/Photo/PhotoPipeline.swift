package import AVFCore
package import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import Linux

/// The way of a photo, from the press to the last callback.
///
/// `press → choose a frame → develop → encode → deliver`: this file reads in that order. Each stage is a type of its own.
/// A few photos are under way at once, more wait, and beyond that a press is refused: memory stays bounded.
///
/// Thread-safe. No client is called on the caller's thread.
package final class PhotoPipeline: Sendable {
  /// One photo on its way.
  package struct Job: Sendable {
    package var capture: PhotoCaptureRequest
    package var processing: PhotoProcessingRequest
    package var delivery: PhotoDelivery
    package var sourceDeviceType: AVCaptureDevice.DeviceType?
    /// Asks the running stream for one still; calls back once, from any thread.
    package var expose: Exposure
    /// What the client is told when the device answers with an error.
    package var explain: @Sendable (CaptureDeviceError) -> AVError

    package init(
      capture: PhotoCaptureRequest, processing: PhotoProcessingRequest, delivery: PhotoDelivery,
      sourceDeviceType: AVCaptureDevice.DeviceType?, expose: @escaping Exposure,
      explain: @escaping @Sendable (CaptureDeviceError) -> AVError = { AVError(photoFailure: $0) }
    ) {
      self.capture = capture
      self.processing = processing
      self.delivery = delivery
      self.sourceDeviceType = sourceDeviceType
      self.expose = expose
      self.explain = explain
    }
  }

  /// Asks a device for a still; the completion may come at once or later, on any thread.
  package typealias Exposure =
    @Sendable (StillRequest, @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void) -> Void

  /// How many photos may hold a full-size frame at once; more only wait for each other's encoders.
  package static let underWayLimit = 3
  /// How many more may wait; beyond, a press fails with `maximumStillImageCaptureRequestsExceeded`.
  package static let waitingLimit = 32

  private struct State {
    var waiting: [Job] = []
    /// Those that were pressed and have no frame yet, by `uniqueID`.
    var exposing: [Int64: Job] = [:]
    var processing = 0

    var hasRoom: Bool { exposing.count + processing < PhotoPipeline.underWayLimit }
  }

  private let state = Locked(State())
  private let developer = PhotoDeveloper()
  private let encoder = PhotoEncoder()
  /// Serial, so that photos finish in the order of their presses; the encoders use every core anyway.
  private let processingQueue = DispatchQueue(label: "obscura.photo-processing", qos: .userInitiated)

  package init() {}

  // MARK: Press

  /// Takes a photo, as soon as there is room for it.
  package func press(_ job: Job) {
    enum Turn {
      case now, later, never
    }
    let turn = state.withLock { state -> Turn in
      if state.waiting.isEmpty && state.hasRoom {
        state.exposing[job.capture.uniqueID] = job
        return .now
      }
      guard state.waiting.count < Self.waitingLimit else { return .never }
      state.waiting.append(job)
      return .later
    }
    switch turn {
    case .now: expose(job)
    case .later: break
    case .never: fail(job, with: AVError(.maximumStillImageCaptureRequestsExceeded))
    }
  }

  /// Ends every photo that has no frame yet, for the stream they wait for is over; those with a frame are finished.
  package func abandon(with error: AVError) {
    let jobs = state.withLock { state in
      defer {
        state.waiting = []
        state.exposing = [:]
      }
      return state.exposing.values.sorted { $0.capture.uniqueID < $1.capture.uniqueID } + state.waiting
    }
    for job in jobs { fail(job, with: error) }
  }

  private func admitNext() {
    let job = state.withLock { state -> Job? in
      guard state.hasRoom, !state.waiting.isEmpty else { return nil }
      let job = state.waiting.removeFirst()
      state.exposing[job.capture.uniqueID] = job
      return job
    }
    if let job { expose(job) }
  }

  // MARK: Choose a frame

  private func expose(_ job: Job) {
    job.delivery.begin()
    job.delivery.beginExposure()
    job.expose(StillRequest(size: job.capture.size)) { [self] result in
      let isWanted = state.withLock { state in
        guard state.exposing.removeValue(forKey: job.capture.uniqueID) != nil else { return false }
        if case .success = result { state.processing += 1 }
        return true
      }
      // Abandoned meanwhile: its end has been told.
      guard isWanted else { return }
      // Before the hop: a manual clock waits for the frame's token.
      if case .success(let frame) = result { job.delivery.endExposure(inFlight: frame.inFlight) }
      processingQueue.async { [self] in
        switch result {
        case .success(let frame):
          finish(job, with: frame)
          state.withLock { $0.processing -= 1 }
        case .failure(let error):
          fail(job, with: job.explain(error))
        }
        admitNext()
      }
    }
  }

  // MARK: Develop, encode, deliver

  private func finish(_ job: Job, with frame: CapturedFrame) {
    do {
      let result = try Self.process(frame, job.processing, developer, encoder)
      job.delivery.finish(photo(of: job, result))
    } catch {
      fail(job, with: error, frame: frame)
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
    switch request.encoding {
    case .pixels:
      result.pixelBuffer = negative.picture
    case .jpeg, .heic:
      result.file = try encoder.encode(negative, metadata: metadata, for: request)
      result.thumbnailSize = negative.thumbnailSize
    }
    return result
  }

  private func fail(_ job: Job, with error: any Error, frame: CapturedFrame? = nil) {
    var result = PhotoResult()
    if let frame {
      result.timestamp = CMTime(frame.timestamp)
      result.metadata = PhotoMetadataBuilder.metadata(
        for: frame, size: job.capture.size, isWideColor: false, request: job.processing)
    }
    job.delivery.finish(photo(of: job, result), error: AVError(photoFailure: error))
  }

  private func photo(of job: Job, _ result: PhotoResult) -> AVCapturePhoto {
    AVCapturePhoto(
      result, resolvedSettings: job.delivery.resolved, sourceDeviceType: job.sourceDeviceType)
  }
}
