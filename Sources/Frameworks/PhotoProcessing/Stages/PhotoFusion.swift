internal import CameraFrames
package import CaptureDevice
package import CoreVideo
internal import FrameFusion

/// Fuse: makes one picture with less noise of a photo's frames.
package struct PhotoFusion: Sendable {
  private let fuser = FrameFuser()
  private let detailer = DetailFuser()

  package init() {}

  /// Merges a photo's frames into one; its moment is that of the first.
  ///
  /// The last may be another camera's under the virtual one: its detail comes into the middle of what the others gave.
  /// A proxy, a photo of one frame in good light, and frames whose pixel format cannot be fused are left as they are. Blocks for some
  /// 8 ms for each megapixel of each frame on one core.
  ///
  /// - Parameter picture: Decodes a frame, with its stream's effect.
  /// - Returns: The merged frame, whose picture is a buffer of its own, and the number of frames in it; `nil` where the first frame is
  ///   used as it is.
  /// - Throws: What `picture` throws, and `FusionError`.
  package func fuse(
    _ frames: [CapturedFrame], for request: PhotoProcessingRequest,
    decode picture: (CapturedFrame) throws -> CVPixelBuffer
  ) throws -> (frame: CapturedFrame, mergedCount: Int)? {
    guard request.proxyIdentifier == nil else { return nil }
    let own = frames.filter { $0.conditions.state.constituent == frames[0].conditions.state.constituent }
    let merged = try merge(own, for: request, decode: picture)
    // Most photos are of one camera.
    guard own.count < frames.count,
      let sharp = detailed(merged?.frame ?? frames[0], of: frames, for: request, decode: picture)
    else { return merged }
    return (sharp, (merged?.mergedCount ?? 1) + 1)
  }

  /// A frame with the detail of another camera's; `nil` where it has none to give.
  ///
  /// No photo is lost for want of it.
  private func detailed(
    _ frame: CapturedFrame, of frames: [CapturedFrame], for request: PhotoProcessingRequest,
    decode picture: (CapturedFrame) throws -> CVPixelBuffer
  ) -> CapturedFrame? {
    guard let camera = DetailCamera(request.camera.lenses, frames[0].conditions.state),
      let other = frames.first(where: { $0.conditions.state.constituent == camera.uniqueID }),
      let sharp = try? detailer.fuse(picture(frame), detail: picture(other), share: camera.share)
    else { return nil }
    var frame = frame
    frame.picture = .pixels(sharp)
    return frame
  }

  /// Merges frames of one camera.
  private func merge(
    _ frames: [CapturedFrame], for request: PhotoProcessingRequest,
    decode picture: (CapturedFrame) throws -> CVPixelBuffer
  ) throws -> (frame: CapturedFrame, mergedCount: Int)? {
    guard frames.count > 1 || BurstPlan.isDim(request.frame?.controls) else { return nil }
    let first = try picture(frames[0])
    guard FrameFuser.canFuse(CVPixelBufferGetPixelFormatType(first)) else { return nil }
    // A frame that cannot be decoded, or is of another size, is one less.
    let others = frames.dropFirst().compactMap { try? picture($0) }.filter { $0.hasShape(of: first) }
    let options = FusionOptions(
      // The photo is of the moment of its press.
      referenceCandidates: [0], development: Self.development(of: frames.count, for: request))
    let fused = try fuser.fuse([first] + others, options: options)
    var frame = frames[0]
    frame.picture = .pixels(fused.picture)
    return (frame, fused.mergedCount)
  }

  /// The steps after merging.
  ///
  /// The controls at the exposure, which a stored photo keeps, say whether one tone curve serves all of it.
  private static func development(of count: Int, for request: PhotoProcessingRequest) -> Development {
    var development = request.prioritization == .speed ? Development.light : .standard
    let isGlobal = request.frame?.controls.isGloballyToneMapped == true
    // The noise of one frame allows no lift.
    development.tone = count == 1 ? .none : isGlobal ? .global : .local
    return development
  }
}

extension CVPixelBuffer {
  fileprivate func hasShape(of other: CVPixelBuffer) -> Bool {
    CVPixelBufferGetWidth(self) == CVPixelBufferGetWidth(other)
      && CVPixelBufferGetHeight(self) == CVPixelBufferGetHeight(other)
      && CVPixelBufferGetPixelFormatType(self) == CVPixelBufferGetPixelFormatType(other)
  }
}
