/// Random numbers of one particle, which follow from a reaction's seed and the particle's number (SplitMix64).
///
/// A particle needs no past: its numbers are the same for every frame.
struct ParticleNumbers {
  private var state: UInt64

  init(seed: UInt64, particle: Int) {
    state = seed &+ UInt64(truncatingIfNeeded: particle) &* 0xD1B5_4A32_D192_ED03
    _ = bits()
  }

  private mutating func bits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// The next number between two limits.
  mutating func next(_ low: Float = 0, _ high: Float = 1) -> Float {
    low + (high - low) * Float(bits() >> 40) / Float(1 << 24)
  }

  /// The next whole number from 0 on.
  mutating func next(below count: Int) -> Int { Int(bits() >> 33) % count }
}
