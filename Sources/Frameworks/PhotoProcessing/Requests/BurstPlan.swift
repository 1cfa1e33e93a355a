package import CaptureDevice
internal import Linux

/// The number of frames that a photo is fused of, by its quality and its ISO.
///
/// Apple documents that `.quality` may take longer, and not what it does. Fusing *n* frames divides the noise by up to √*n*, so that the
/// ISO decides whether it is worth the time. The numbers, and ISO 400 as the bound, are our choice.
package enum BurstPlan {
  /// From this ISO on a photo is denoised, and fused of several frames where its quality asks for more than speed.
  package static let dimISO: Float = 400
  /// The most frames of one photo.
  package static let most = 8

  /// Whether the ISO is ``dimISO`` or more; `false` for a camera that does not report its ISO, as most webcams.
  package static func isDim(_ controls: ControlState?) -> Bool {
    (controls?.exposure.iso ?? 0) >= dimISO
  }

  /// The number of frames to take for a photo of `size`.
  ///
  /// With a camera that does not report its ISO only a photo of `.quality` has several, in any light.
  ///
  /// - Parameters:
  ///   - controls: The controls at the press.
  ///   - bound: The most frames that the camera can lend to one photo.
  ///   - availableBytes: The machine's available memory, of which a burst takes a quarter at most; `nil` when it is not known.
  package static func frames(
    for prioritization: PhotoPrioritization, _ controls: ControlState, size: FrameSize, bound: Int = most,
    availableBytes: @autoclosure () -> Int? = SystemMemory.availableBytes
  ) -> Int {
    let wanted =
      switch prioritization {
      case .quality where controls.exposure.iso == nil || isDim(controls): most
      case .balanced where isDim(controls): 3
      default: 1
      }
    guard wanted > 1 else { return 1 }
    // Once more for the picture that is made.
    let affordable = availableBytes().map { $0 / 4 / bytes(of: size) - 1 } ?? wanted
    return max(1, min(wanted, bound, affordable))
  }

  /// Whether photos of so many frames may be under way side by side, one in each stage.
  ///
  /// They may where a quarter of the machine's available memory holds three of them, and `waiting` ones.
  package static func canOverlap(
    frames: Int, size: FrameSize, waiting: Int = 0,
    availableBytes: @autoclosure () -> Int? = SystemMemory.availableBytes
  ) -> Bool {
    guard let available = availableBytes() else { return false }
    return (3 + waiting) * (frames + 1) * bytes(of: size) <= available / 4
  }

  /// The bytes of a picture as Y′CbCr 4:2:0 of 8 bits.
  private static func bytes(of size: FrameSize) -> Int { max(size.width * size.height * 3 / 2, 1) }
}
