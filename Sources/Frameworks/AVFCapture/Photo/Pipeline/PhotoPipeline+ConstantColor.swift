internal import CaptureDevice
internal import Linux

extension PhotoPipeline {
  /// Gets a frame with flash, and then one of the same exposure without.
  func exposeWithFlash(_ job: PhotoJob, _ stills: [StillRequest]) {
    job.exposer.expose(stills[0], of: nil) { [self] result in
      // Before the answer is taken, as for a burst.
      if case .success(let frame) = result, state.withLock({ $0.isExposing(job.id) }) {
        let still = stills[1].ambient(after: frame.conditions.state.exposure)
        job.exposer.expose(still, of: nil) { [self] in note($0, of: job, at: 1) }
      }
      note(result, of: job, at: 0)
      if case .failure = result { note(result, of: job, at: 1) }
    }
  }
}
