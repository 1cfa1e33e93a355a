internal import CFusion
internal import Linux

/// The result of aligning a burst: reference, noise, and motion.
///
/// The pyramids that it was computed from are freed.
struct Alignment: Sendable {
  /// A frame that is merged into the reference, and the camera's motion in it.
  struct Source: Sendable {
    var luma: fusion_plane
    var chroma: fusion_plane
    var model: MotionModel
  }

  /// The index of the frame that the others are aligned with.
  let reference: Int
  let noise: NoiseCurve
  /// The frames that are merged into the reference; the burst owns their memory.
  let sources: [Source]
  let field: MotionField

  /// Chooses the reference among `candidates`, leaves out what does not belong to it, and finds the motion of the rest.
  init(
    _ frames: [FusionFrame], candidates: [Int], exposures: [Double]?, noise given: NoiseCurve?,
    _ work: RowWork
  ) {
    let pyramids = frames.map { LumaPyramid($0.luma) }
    // A single frame is not aligned, so that its pyramid stays empty.
    if frames.count > 1 {
      for (pyramid, frame) in zip(pyramids, frames) { pyramid.fill(from: frame.luma, with: work) }
    }
    let agreement = FrameAgreement(pyramids, candidates: candidates, exposures: exposures)
    let tiles = TileMotion(
      reference: frames[agreement.reference], pyramid: pyramids[agreement.reference])
    let found = Locked<[BurstFrame]>([])
    work.forEach(agreement.others.count) { place in
      let (index, dx, dy) = agreement.others[place]
      let coarse = CoarseMotion(
        reference: pyramids[agreement.reference], frame: pyramids[index], start: (dx, dy))
      let frame = BurstFrame(index: index, planes: frames[index], pyramid: pyramids[index], coarse: coarse)
      found.withLock { $0.append(frame) }
    }
    let others = found.withLock { $0 }.sorted { $0.index < $1.index }
    let survey = MotionSurvey(tiles, others, given: given, work)
    reference = agreement.reference
    noise = survey.noise
    sources = survey.frames.map {
      Source(luma: $0.frame.planes.luma, chroma: $0.frame.planes.chroma, model: $0.model)
    }
    field = MotionField(tiles, survey, work)
  }
}
