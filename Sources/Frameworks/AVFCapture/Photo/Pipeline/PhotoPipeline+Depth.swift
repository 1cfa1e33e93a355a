internal import CaptureDevice

extension PhotoPipeline {
  /// Claims the depth of a past frame at the press: its picture may take so long to come that the map is gone by then.
  func claim(_ past: PastFrame?, of job: PhotoJob) -> DepthClaim? {
    guard job.depth != nil, let past else { return nil }
    return job.exposer.claimDepth(at: past.timestamp)
  }

  /// Claims the depth of the frame that a picture shows: the first of its exposures.
  ///
  /// - Parameter early: What was claimed at the press; that of another moment is of no use.
  func claim(_ frame: CapturedFrame, of job: PhotoJob, at index: Int, _ early: DepthClaim?) -> DepthClaim? {
    guard job.depth != nil else { return nil }
    var first = 0
    let isFirst = job.capture.pictures.contains { picture in
      defer { first += picture.exposures.count }
      return first == index
    }
    guard isFirst else { return nil }
    if let early, early.moment == frame.timestamp { return early }
    return job.exposer.claimDepth(at: frame.timestamp)
  }
}
