internal import CaptureDevice
internal import PhotoProcessing

/// What comes beside a developed picture; on the encoding queue.
extension PhotoPipeline {
  /// Adds depth, and with it the matte of the people.
  func add(
    _ depth: (data: AVDepthData, isEmbedded: Bool), to result: inout PhotoResult,
    of negative: PhotoDeveloper.Negative, _ request: PhotoProcessingRequest, _ job: PhotoJob
  ) {
    result.add(depth.data, isEmbedded: depth.isEmbedded)
    guard let asked = job.matte, let matte = mattes.matte(of: negative.picture, request.orientation) else {
      return
    }
    result.add(matte, isEmbedded: asked.isEmbedded)
  }

  /// Adds the mattes of parts of the people that the job asks for.
  func add(
    _ people: (any FramePeople)?, to result: inout PhotoResult, of negative: PhotoDeveloper.Negative,
    _ request: PhotoProcessingRequest, _ job: PhotoJob
  ) {
    guard let asked = job.partMattes, let people else { return }
    let found = asked.types.compactMap { type in
      partMattes.matte(type, of: people, negative, request, job.capture.size, by: processor, heads)
    }
    result.add(found, isEmbedded: asked.isEmbedded)
  }
}
