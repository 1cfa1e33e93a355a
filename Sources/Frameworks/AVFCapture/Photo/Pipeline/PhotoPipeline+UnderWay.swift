package import AVFCore
internal import CaptureDevice
internal import Linux
internal import PhotoProcessing

extension PhotoPipeline {
  /// Where the photos are now.
  package var underWay: PhotosUnderWay { state.withLock { $0.underWay } }

  /// Calls `handler` after each change of ``underWay``, on any thread, under no lock.
  package func onChange(_ handler: @escaping @Sendable () -> Void) {
    changed.set(handler)
  }

  /// Decides at a press how well the photo can be processed; see ``PhotoTimeEstimator/prioritization(for:_:_:isFused:isBehind:at:)``.
  func prioritization(
    for asked: PhotoPrioritization, _ encoding: PhotoEncoding, _ size: FrameSize, isFused: Bool,
    at now: MonotonicInstant
  ) -> PhotoPrioritization {
    state.withLock { state in
      state.pace.prioritization(
        for: asked, encoding, size, isFused: isFused, isBehind: !state.underWay.isEmpty, at: now)
    }
  }

  /// How long a photo's processing may take, in seconds: the shortest and the longest that is expected.
  func processingSeconds(
    _ request: PhotoProcessingRequest, _ capture: PhotoCaptureRequest
  ) -> (shortest: Double, longest: Double) {
    state.withLock { state in
      state.pace.processingSeconds(
        PhotoTimeEstimator.Kind(
          request.encoding, request.prioritization,
          isFused: capture.isFused && request.proxyIdentifier == nil), capture.size,
        ahead: state.underWay.photos.reduce(capture.pictures.count - 1) { $0 + $1.kind.frames })
    }
  }

  /// Ends every photo that has no frame yet, for the stream they wait for is over; those with a frame are finished.
  ///
  /// Of a bracket the pictures that were exposed are finished, and the others get the error.
  package func abandon(with error: AVError) {
    state.withLock { $0.abandon(with: error) }
    processExposed()
    changed.call()
  }

  /// Ends a photo for which there is no room.
  func refuse(_ job: PhotoJob) {
    var nothing = PhotoResult(job.processing, size: job.capture.size, isWideColor: false)
    for index in 0..<job.resultCount {
      nothing.isConstantColorFallback = job.constantColor != nil && index > 0
      job.receiver.finish(index, nothing, error: AVError(.maximumStillImageCaptureRequestsExceeded))
    }
  }
}
