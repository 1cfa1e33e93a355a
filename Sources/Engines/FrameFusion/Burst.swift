internal import CFusion
internal import CoreVideo
internal import FoundationExtras

/// The locked frames of one fusion, and the order of its steps.
struct Burst {
  private let buffers: [CVPixelBuffer]
  private let frames: [FusionFrame]
  private let layout: FusionLayout
  private let candidates: [Int]

  /// Checks and locks the frames; ``unlock()`` ends that.
  ///
  /// - Throws: ``FusionError``.
  init(_ buffers: [CVPixelBuffer], _ options: FusionOptions) throws {
    guard let first = buffers.first else { throw FusionError.noFrames }
    let format = CVPixelBufferGetPixelFormatType(first)
    guard let layout = FusionLayout(format) else { throw FusionError.formatUnsupported(format) }
    candidates = (options.referenceCandidates ?? Array(buffers.indices)).filter(buffers.indices.contains)
    guard !candidates.isEmpty else { throw FusionError.noFrames }
    for (index, buffer) in buffers.enumerated() {
      guard CVPixelBufferGetPixelFormatType(buffer) == format,
        CVPixelBufferGetWidth(buffer) == CVPixelBufferGetWidth(first),
        CVPixelBufferGetHeight(buffer) == CVPixelBufferGetHeight(first)
      else { throw FusionError.framesDiffer(index: index) }
    }
    var frames: [FusionFrame] = []
    for (index, buffer) in buffers.enumerated() {
      let isLocked = CVPixelBufferLockBaseAddress(buffer, .readOnly) == kCVReturnSuccess
      guard isLocked, let frame = FusionFrame(buffer, layout: layout), frame.luma.width > 0 else {
        for locked in buffers[..<(index + (isLocked ? 1 : 0))] {
          CVPixelBufferUnlockBaseAddress(locked, .readOnly)
        }
        throw FusionError.bufferUnavailable(index: index)
      }
      frames.append(frame)
    }
    (self.buffers, self.frames, self.layout) = (buffers, frames, layout)
  }

  func unlock() {
    for buffer in buffers { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
  }

  /// Takes packed samples apart.
  func unpack(_ work: RowWork) {
    guard let packing = layout.packing else { return }
    for (frame, buffer) in zip(frames, buffers) {
      work.forEachStrip(rows: Int(frame.luma.height), height: 128) {
        frame.unpack(buffer, packing, rows: $0)
      }
    }
  }

  /// All steps in their order: choose, align, learn the noise, merge, develop.
  func fuse(_ options: FusionOptions, _ work: RowWork) throws -> FusedFrame {
    let exposures = options.exposures.flatMap { $0.count >= frames.count ? $0 : nil }
    let alignment = Alignment(
      frames, candidates: candidates, exposures: exposures, noise: options.noise, work)
    let reference = frames[alignment.reference]

    let picture = try makeTarget(like: buffers[alignment.reference])
    guard CVPixelBufferLockBaseAddress(picture, []) == kCVReturnSuccess else {
      throw FusionError.noMemory(kCVReturnError)
    }
    defer { CVPixelBufferUnlockBaseAddress(picture, []) }
    guard let target = FusionFrame(picture, layout: layout) else {
      throw FusionError.noMemory(kCVReturnError)
    }
    let isDeveloped = options.development != .none
    // One frame is developed from where it lies.
    let isMerged = !alignment.sources.isEmpty || !isDeveloped || options.wantsWeights
    let merged = !isDeveloped ? target : isMerged ? FusionFrame(like: target) : reference
    let (columns, rows) = (alignment.field.grid.columns - 1, alignment.field.grid.rows - 1)
    let weights = isMerged ? Slots<Float>(count: columns * rows) : nil
    if isMerged {
      let merge = RegionMerge(reference: reference, target: merged, alignment, weights: weights)
      work.forEach(merge.rows) { merge.merge(row: $0) }
    }
    if isDeveloped {
      develop(merged, to: target, options.development, noise: alignment.noise, weights: weights, work)
    }
    if let packing = layout.packing {
      work.forEachStrip(rows: Int(target.luma.height), height: 128) {
        target.pack(picture, packing, rows: $0)
      }
    }
    let map = (options.wantsWeights ? weights : nil).map {
      FusionWeights(columns: columns, rows: rows, values: $0.array)
    }
    return FusedFrame(
      picture: picture, reference: alignment.reference, mergedCount: 1 + alignment.sources.count,
      noise: alignment.noise, weights: map)
  }

  /// The steps after merging: tones are judged by the merged picture, in which every part has the noise that is known of it; then each
  /// part is denoised, sharpened, its tones are mapped, and only then it is rounded, so that a lift makes no steps.
  private func develop(
    _ merged: FusionFrame, to target: FusionFrame, _ development: Development, noise: NoiseCurve,
    weights: Slots<Float>?, _ work: RowWork
  ) {
    let tones = ToneMap(
      development.tone, of: merged.luma, LumaRange(layout), noise: noise, weights: weights, work)
    Developing(development, from: merged, to: target, noise: noise, weights: weights, work).run(tones, work)
  }

  private func makeTarget(like source: CVPixelBuffer) throws -> CVPixelBuffer {
    var target: CVPixelBuffer?
    let result = CVPixelBufferCreate(
      nil, CVPixelBufferGetWidth(source), CVPixelBufferGetHeight(source),
      CVPixelBufferGetPixelFormatType(source), nil, &target)
    guard let target else { throw FusionError.noMemory(result) }
    CVBufferPropagateAttachments(source, target)
    return target
  }
}
