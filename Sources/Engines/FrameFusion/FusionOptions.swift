/// The choices of one fusion.
package struct FusionOptions: Sendable, Hashable {
  /// The frames that may be the reference, whose moment the picture shows, by index; `nil` is all of them.
  ///
  /// It is the first of them, unless another is 5 % sharper, or more frames show the same scene as another.
  package var referenceCandidates: [Int]?
  /// The sensor's noise; `nil` has it estimated from the burst.
  package var noise: NoiseCurve?
  /// Each frame's exposure (time × gain, in any unit), in the frames' order; `nil` compares the pictures' brightness alone.
  ///
  /// A frame whose exposure differs from the reference's by more than 10 % is left out.
  package var exposures: [Double]?
  /// The steps after merging.
  package var development: Development
  /// Whether the result has ``FusedFrame/weights``.
  package var wantsWeights: Bool

  /// Choices; without arguments: all frames may be the reference, the noise is estimated, the picture is developed.
  package init(
    referenceCandidates: [Int]? = nil, noise: NoiseCurve? = nil, exposures: [Double]? = nil,
    development: Development = .standard, wantsWeights: Bool = false
  ) {
    self.referenceCandidates = referenceCandidates
    self.noise = noise
    self.exposures = exposures
    self.development = development
    self.wantsWeights = wantsWeights
  }
}

/// The steps after merging: denoising, sharpening and tone mapping; each can be off.
package struct Development: Sendable, Hashable {
  /// The strength of spatial denoising of luma: 0 is off, 1 removes all noise that the noise curve predicts.
  package var denoising: Double
  /// The strength of spatial denoising of chroma, likewise.
  package var chromaDenoising: Double
  /// The strength of sharpening along edges: 0 is off.
  package var sharpening: Double
  /// How shadows are lifted where the scene's range is greater than the picture's.
  package var tone: ToneMapping

  /// A development of these strengths, from 0 to 1.
  package init(
    denoising: Double, chromaDenoising: Double, sharpening: Double, tone: ToneMapping = .none
  ) {
    self.denoising = denoising
    self.chromaDenoising = chromaDenoising
    self.sharpening = sharpening
    self.tone = tone
  }

  /// Nothing: the merged picture as it is.
  package static let none = Development(denoising: 0, chromaDenoising: 0, sharpening: 0)
  /// Light denoising alone, for a photo of one frame that must be ready soon.
  package static let light = Development(denoising: 0.5, chromaDenoising: 0.7, sharpening: 0)
  /// Denoising of what merging left, chroma more than luma, little sharpening, and local tone mapping.
  package static let standard = Development(
    denoising: 0.6, chromaDenoising: 1, sharpening: 0.1, tone: .local)
}
