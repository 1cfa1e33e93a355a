/// The variance of a camera's noise by brightness, in squares of 8-bit levels.
///
/// The affine curve of photon and read noise (Foi et al. 2008, *Practical Poissonian-Gaussian noise modeling*; Brooks et al.
/// 2019, *Unprocessing images*, equation 2) holds for linear light. A frame has been through a tone curve and a camera's own
/// filters, so that this is a table of what there is.
package struct NoiseCurve: Sendable, Hashable {
  /// Of luma at 8-bit levels 0 to 255.
  package var luma: [Float]
  /// Of each chroma sample, by the luma around it.
  package var chroma: [Float]

  /// What rounding to 8 bits adds, twelfths of a level squared; no curve is below a part of it.
  static let least: Float = 0.02

  /// The same noise everywhere.
  package init(luma: Float, chroma: Float) {
    self.luma = Array(repeating: max(luma, Self.least), count: 256)
    self.chroma = Array(repeating: max(chroma, Self.least), count: 256)
  }

  /// The curve that most parts of a burst agree to.
  ///
  /// Each sample is the mean square of a difference of two frames where only noise should differ, for one frame. A low
  /// quantile is taken in each range of brightness: what moved and what interpolation blurred only adds.
  init(samples: [NoiseSample]) {
    luma = Self.curve(samples.map { ($0.level, $0.luma) }, Self.ofMany)
    chroma = Self.curve(samples.map { ($0.level, $0.chroma) }, Self.ofMany)
  }

  /// The curve of one frame, from tiles whose fine texture counts as noise, too: only the smoothest are believed.
  init(ofOne samples: [NoiseSample]) {
    luma = Self.curve(samples.map { ($0.level, $0.luma) }, Self.ofOne)
    chroma = Self.curve(samples.map { ($0.level, $0.chroma) }, Self.ofOne)
  }

  private static let bins = 32
  /// The part of samples below the value that is taken, and that value over the mean where there is noise alone.
  private typealias Quantile = (rank: Double, value: Float)
  /// Chi-squared of 256 degrees.
  private static let ofMany: Quantile = (0.35, 0.966)
  /// Of 196 differences that share samples.
  private static let ofOne: Quantile = (0.1, 0.8)
  private static let enough = 12

  private static func curve(_ samples: [(level: Int, value: Float)], _ quantile: Quantile) -> [Float] {
    guard !samples.isEmpty else { return Array(repeating: 1, count: 256) }
    var binned = [[Float]](repeating: [], count: bins)
    for sample in samples { binned[min(bins - 1, max(0, sample.level) * bins / 256)].append(sample.value) }
    let values = (0..<bins).map { bin -> Float in
      // A range with few samples borrows its neighbours'.
      var found = binned[bin]
      var reach = 1
      while found.count < enough, reach < bins {
        if bin - reach >= 0 { found += binned[bin - reach] }
        if bin + reach < bins { found += binned[bin + reach] }
        reach += 1
      }
      found.sort()
      return found[Int(Double(found.count - 1) * quantile.rank)] / quantile.value
    }
    let smooth = (0..<bins).map { bin -> Float in
      let beside: Float = values[max(0, bin - 1)] + values[min(bins - 1, bin + 1)]
      return (beside + 2 * values[bin]) / 4
    }
    return (0..<256).map { level -> Float in
      let bin = (Float(level) + 0.5) * Float(bins) / 256 - 0.5
      let place = max(0, min(Float(bins - 1), bin))
      let low = min(bins - 2, Int(place))
      let share = place - Float(low)
      return max(least, smooth[low] * (1 - share) + smooth[low + 1] * share)
    }
  }
}

/// How two frames differ in one part, as the variance of one of them.
struct NoiseSample {
  var level: Int
  var luma: Float
  var chroma: Float
}
