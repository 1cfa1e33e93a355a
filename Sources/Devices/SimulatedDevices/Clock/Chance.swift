/// A number drawn by lot, but always the same one for the same question.
///
/// SplitMix64 over the seed, the question's words and numbers; the same in every process.
struct Chance {
  let bits: UInt64

  /// Draws for `what` number `index` of `whose`.
  init(_ seed: UInt64, _ what: String, _ index: UInt64, whose: String = "") {
    bits = Self.bits(start: Self.start(seed, what, whose: whose), index)
  }

  /// The start of the draws for `what` of `whose`, for many draws.
  static func start(_ seed: UInt64, _ what: String, whose: String = "") -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in what.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    for byte in whose.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return mix(seed ^ hash)
  }

  /// The draw number `index` from ``start(_:_:whose:)`` on.
  static func bits(start: UInt64, _ index: UInt64) -> UInt64 {
    mix(start &+ index &* 0x9E37_79B9_7F4A_7C15)
  }

  /// 0 up to, not including, 1.
  var fraction: Double { Double(bits >> 11) * 0x1p-53 }

  static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
