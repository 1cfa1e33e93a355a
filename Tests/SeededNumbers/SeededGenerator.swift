internal import Foundation

/// Numbers that follow from a seed (SplitMix64): the same in every run and on every machine.
package struct SeededGenerator: RandomNumberGenerator {
  /// The seed that it began with, for the message of a test that fails.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Begins with the number in `OBSCURA_SEED`, or with `usual` where there is none.
  package init(usual: UInt64) {
    self.init(seed: ProcessInfo.processInfo.environment["OBSCURA_SEED"].flatMap { UInt64($0) } ?? usual)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Fills memory with what `shape` makes of even bytes.
  package mutating func fill(_ bytes: UnsafeMutableRawBufferPointer, shape: (UInt8) -> UInt8) {
    var rest: UInt64 = 0
    for index in bytes.indices {
      // One number is enough for eight bytes.
      rest = index % 8 == 0 ? next() : rest >> 8
      bytes[index] = shape(UInt8(truncatingIfNeeded: rest))
    }
  }

  /// The bytes after one to four random edits: a byte replaced, a byte removed, or a copy of one inserted.
  package mutating func changed(_ whole: [UInt8]) -> [UInt8] {
    var bytes = whole
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      let place = Int.random(in: bytes.indices, using: &self)
      switch Int.random(in: 0...2, using: &self) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 1: bytes.remove(at: place)
      default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &self)], at: place)
      }
    }
    return bytes
  }
}
