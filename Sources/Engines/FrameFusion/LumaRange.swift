/// The luma of black and of white.
struct LumaRange: Hashable, Sendable {
  /// In 8-bit levels.
  let black: Int
  /// From black to white, in 8-bit levels.
  let span: Int

  /// The range of a layout's samples.
  init(_ layout: FusionLayout) {
    (black, span) = layout.isFullRange ? (0, 255) : (16, 219)
  }

  /// Where an 8-bit level lies between black (0) and white (1).
  func share(_ level: Int) -> Double {
    max(0, min(1, Double(level - black) / Double(span)))
  }
}
