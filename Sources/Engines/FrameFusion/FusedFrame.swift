package import CoreVideo

/// The result of a fusion.
///
/// The fuser does not write to its picture any more.
package struct FusedFrame: Sendable {
  /// The picture, in the format, size and with the propagated attachments of the reference; a buffer of its own.
  package var picture: CVPixelBuffer
  /// The index of the frame whose moment the picture shows.
  package var reference: Int
  /// How many frames were merged, the reference included.
  ///
  /// The others show another scene, or were exposed otherwise.
  package var mergedCount: Int
  /// The noise of one frame, as it was given or estimated.
  package var noise: NoiseCurve
  /// How many frames were merged in each part of the picture; `nil` unless ``FusionOptions/wantsWeights``.
  package var weights: FusionWeights?
}

/// The sum of the frames' weights in each part of a fused picture.
package struct FusionWeights: Sendable, Hashable {
  /// The side of the part that a value stands for, in pixels.
  package static let partSize = 16
  /// Parts from left to right; the last may reach outside.
  package var columns: Int
  /// Parts from top to bottom.
  package var rows: Int
  /// Row by row, from 1 (the reference alone) to the number of frames.
  package var values: [Float]
}
