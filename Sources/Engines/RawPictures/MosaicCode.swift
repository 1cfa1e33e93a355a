internal import CoreVideo

/// The code in which colours are found: the root of balanced light.
///
/// Where the picture is found by means of neighbours, a root makes steps of what eyes see as equal, and noise alike in shadow and light.
/// Measured on photographs, it gains three decibels against linear light.
struct MosaicCode {
  /// What is added to light before its root: noise about black stays noise about black, and the root is not steep there.
  static let offset: Float = 1.0 / 256

  /// A table for each of the upper left four pixels.
  let tables: [[Float]]
  /// The greatest number of a table; greater ones mean the same.
  let limit: UInt16

  init(_ facts: RawFacts, _ pattern: MosaicPattern) {
    let white = min(max(facts.whiteLevel, 1), 65535)
    limit = UInt16(white)
    let least = max(min(facts.gains.x, facts.gains.y, facts.gains.z), 1e-6)
    let gains = facts.gains / least
    tables = (0..<4).map { place in
      let black = facts.blackLevels.count == 4 ? facts.blackLevels[place] : facts.blackLevels.first ?? 0
      let factor = gains[pattern.colors[place]] / max(Double(white) - black, 1)
      return (0...white).map { number in
        let light = Float((Double(number) - black) * factor) + Self.offset
        return light > 0 ? light.squareRoot() : 0
      }
    }
  }
}
