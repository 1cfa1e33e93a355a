package import CoreVideo

/// Sums of a mosaic's numbers, for cameras that say nothing of the light.
package enum MosaicStatistics {
  /// The gains with which the mosaic's mean is grey, the least of them 1; 1 for all where there is nothing to see.
  ///
  /// Pixels that are nearly white or nearly black do not count, for there colours are not what they were. At most some hundred thousand
  /// pixels are read.
  package static func greyGains(of mosaic: CVPixelBuffer, _ facts: RawFacts) -> SIMD3<Double> {
    guard let pattern = MosaicPattern(mosaic.format), mosaic.width >= 2, mosaic.height >= 2 else {
      return .one
    }
    let plane = mosaic.planes[0]
    let step = max(mosaic.width * mosaic.height / 400_000, 1)
    var sum = SIMD3<Double>.zero
    var count = 0
    withExtendedLifetime(mosaic) {
      let side = 2 * Int(Double(step).squareRoot().rounded(.up))
      for y in stride(from: 0, to: mosaic.height - 1, by: side) {
        for x in stride(from: 0, to: mosaic.width - 1, by: side) {
          var light = SIMD3<Double>.zero
          var isUsable = true
          for place in 0..<4 {
            let number = plane.baseAddress.advanced(
              by: (y + place / 2) * plane.bytesPerRow + 2 * (x + place % 2)
            )
            .loadUnaligned(as: UInt16.self)
            let black = facts.blackLevels.count == 4 ? facts.blackLevels[place] : facts.blackLevels.first ?? 0
            let share = (Double(number) - black) / max(Double(facts.whiteLevel) - black, 1)
            if share > 0.95 || share < 0.005 { isUsable = false }
            light[pattern.colors[place]] += pattern.colors[place] == 1 ? share / 2 : share
          }
          guard isUsable else { continue }
          sum += light
          count += 1
        }
      }
    }
    guard count > 0, sum.min() > 0 else { return .one }
    let gains = 1 / sum
    return gains / gains.min()
  }
}
