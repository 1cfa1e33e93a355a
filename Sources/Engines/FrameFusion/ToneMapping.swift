/// How the shadows of a scene are lifted whose range is greater than what a picture shows.
package enum ToneMapping: String, Sendable, Hashable, CaseIterable {
  /// Each place by what is around it, so that its details keep their contrast.
  case local
  /// All by one curve: what is brighter stays brighter, wherever it is.
  case global
  /// Not at all.
  case none
}
