internal import CFusion

/// The frames of a burst that show one scene in one light, and the one among them that the picture will show.
///
/// Decided on thumbnails, before anything is estimated from the burst: a frame that is left out here changes no byte.
struct FrameAgreement {
  /// The index of the frame that the others are aligned with.
  let reference: Int
  /// The frames that agree with it, in order, without it, and how far each is moved in pixels of the thumbnail.
  let others: [(index: Int, dx: Int, dy: Int)]

  /// The difference that two thumbnails of one scene may have: levels, and of their contrast.
  private static let tolerance = (levels: 2.0, ofContrast: 0.5)
  /// The difference that their brightness may have: levels, and of the brightness.
  private static let lightTolerance = (levels: 1.5, ofMean: 0.04)
  /// Another frame becomes the reference when it is sharper by this.
  private static let clearlySharper = 1.05
  /// The part of a side that frames may be moved by.
  private static let reach = 8

  /// - Parameters:
  ///   - candidates: The frames that may be the reference, at least one.
  ///   - exposures: Relative light of each frame, if known.
  init(_ pyramids: [LumaPyramid], candidates: [Int], exposures: [Double]?) {
    if pyramids.count == 1 {
      (reference, others) = (0, [])
      return
    }
    let thumbnails = pyramids.map { Thumbnail($0.levels[$0.levels.count - 1]) }
    let sharpness = pyramids.map(Self.sharpness)
    func agreeing(with reference: Int) -> [(index: Int, dx: Int, dy: Int)] {
      pyramids.indices.compactMap { index in
        if index == reference { return nil }
        if let exposures, exposures[reference] > 0,
          abs(exposures[index] / exposures[reference] - 1) > 0.1
        {
          return nil
        }
        return thumbnails[reference].shift(to: thumbnails[index]).map { (index, $0.dx, $0.dy) }
      }
    }
    let choices = candidates.map { (index: $0, others: agreeing(with: $0)) }
    let most = choices.map(\.others.count).max() ?? 0
    let eligible = choices.filter { $0.others.count == most }
    var best = eligible[0]
    if let sharpest = eligible.max(by: { sharpness[$0.index] < sharpness[$1.index] }),
      sharpness[sharpest.index] > sharpness[best.index] * Self.clearlySharper
    {
      best = sharpest
    }
    reference = best.index
    others = best.others
  }

  /// The mean difference of neighbours at half size, where noise has less of a say.
  private static func sharpness(_ pyramid: LumaPyramid) -> Double {
    let plane = pyramid.levels[min(1, pyramid.levels.count - 1)]
    return meanDifference(plane, plane, 1, 0, rowStep: 4) + meanDifference(plane, plane, 0, 1, rowStep: 4)
  }

  static func meanDifference(_ a: fusion_plane, _ b: fusion_plane, _ dx: Int, _ dy: Int, rowStep: Int = 1)
    -> Double
  {
    var count: Int64 = 0
    let sum = withUnsafePointer(to: a) { a in
      withUnsafePointer(to: b) { fusion_plane_sad(a, $0, Int32(dx), Int32(dy), Int32(rowStep), &count) }
    }
    return count > 0 ? Double(sum) / Double(count) : .infinity
  }

  /// A frame in a few hundred pixels.
  private struct Thumbnail {
    let plane: fusion_plane
    let mean: Double
    /// Mean deviation from the mean.
    let contrast: Double

    init(_ plane: fusion_plane) {
      self.plane = plane
      var sum = 0
      for y in 0..<Int(plane.height) {
        for x in 0..<Int(plane.width) { sum += Int(plane.base[y * plane.stride + x]) }
      }
      let count = Double(plane.width * plane.height)
      let mean = Double(sum) / count
      var deviation = 0.0
      for y in 0..<Int(plane.height) {
        for x in 0..<Int(plane.width) { deviation += abs(Double(plane.base[y * plane.stride + x]) - mean) }
      }
      self.mean = mean
      contrast = deviation / count
    }

    /// How far `other` is moved; `nil` when it is of another scene or light.
    func shift(to other: Thumbnail) -> (dx: Int, dy: Int)? {
      guard abs(mean - other.mean) <= lightTolerance.levels + lightTolerance.ofMean * mean else { return nil }
      let (wide, tall) = (Int(plane.width) / reach, Int(plane.height) / reach)
      var best = (dx: 0, dy: 0, difference: meanDifference(plane, other.plane, 0, 0))
      for dy in -tall...tall {
        for dx in -wide...wide {
          let difference = meanDifference(plane, other.plane, dx, dy)
          if difference < best.difference { best = (dx, dy, difference) }
        }
      }
      guard best.difference <= tolerance.levels + tolerance.ofContrast * contrast else { return nil }
      return (best.dx, best.dy)
    }
  }
}
