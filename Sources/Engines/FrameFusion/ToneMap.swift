internal import CFusion

/// How the tones of one merged picture are mapped.
///
/// The local one is a guided filter (He, Sun & Tang 2013, *Guided image filtering*, IEEE TPAMI 35(6), equations 5, 6 and 8; at a quarter of
/// the size, He & Sun 2015, *Fast guided filter*, algorithm 2): the guide is luma, its input the lift of each part by itself. Around
/// a pixel the lift becomes a line over luma: flat where brightness hardly varies, so that details are lifted with what is around
/// them, and from the one side's lift to the other's where an edge is, so that none has a halo.
struct ToneMap: Sendable {
  private let tone: fusion_tone
  /// Slopes, then offsets; `nil` for one curve.
  private let lines: Slots<Int16>?

  /// Brightness that varies by this deviation, in 8-bit levels, is half detail, half edge.
  private static let detail = 10.0
  /// The unit of lifts in the C loops.
  private static let unit = 4096.0

  /// The map of a picture; `nil` where nothing changes.
  init?(
    _ mapping: ToneMapping, of merged: fusion_plane, _ range: LumaRange, noise: NoiseCurve,
    weights: Slots<Float>?, _ work: RowWork
  ) {
    guard mapping != .none else { return nil }
    let survey = ToneSurvey(merged, work)
    let curve = ShadowLift(for: survey.findings(range, noise: noise, weights: weights))
    // Less does not change a level.
    guard curve.lift > 0.01 else { return nil }
    lines = mapping == .local ? Self.lines(survey, curve, range) : nil
    tone = fusion_tone(
      luma: merged, slopes: nil, offsets: nil, black: Int16(64 * range.black), span: Int16(64 * range.span),
      unit: Int16((8192 * 32768 / Double(64 * range.span)).rounded()),
      most: Int16((Self.unit * curve.lift).rounded()))
  }

  /// Runs `body` with what the C loops read.
  func withTone(_ body: (UnsafePointer<fusion_tone>) -> Void) {
    var tone = tone
    if let lines {
      tone.slopes = UnsafePointer(lines.base)
      tone.offsets = UnsafePointer(lines.base + lines.count / 2)
    }
    withUnsafePointer(to: tone, body)
  }

  /// The lines of all tiles: in the C loops' units the slopes, then the offsets.
  private static func lines(_ survey: ToneSurvey, _ curve: ShadowLift, _ range: LumaRange) -> Slots<Int16> {
    let lifts = (0..<256).map { Int64((unit * curve.lift(at: range.share($0))).rounded()) }
    let count = survey.columns * survey.rows
    var sums = [SIMD4<Int64>](repeating: .zero, count: count)
    for tile in 0..<count {
      var sum = SIMD4<Int64>.zero
      for index in 0..<ToneSurvey.side {
        let level = Int64(survey.levels.base[ToneSurvey.side * tile + index])
        let lift = lifts[Int(level)]
        sum &+= SIMD4(level, level &* level, lift, level &* lift)
      }
      sums[tile] = sum
    }
    let window = BoxSums(columns: survey.columns, rows: survey.rows)
    sums = window.sums(sums)
    // Equations 5 and 6, in 1/4096 of a lift and 2⁻²⁰ of that for each level.
    let slope = Double(1 << 20)
    var fitted = sums.indices.map { tile -> SIMD4<Int64> in
      let size = Double(ToneSurvey.side * window.count(tile))
      let (mean, lift) = (Double(sums[tile].x) / size, Double(sums[tile].z) / size)
      let variance = Double(sums[tile].y) / size - mean * mean
      let covariance = Double(sums[tile].w) / size - mean * lift
      let a = covariance / (variance + detail * detail)
      return SIMD4(Int64((a * slope).rounded()), Int64((lift - a * mean) * slope), 0, 0)
    }
    // Equation 8: a pixel has the mean of all lines of the windows around it.
    fitted = window.sums(fitted)
    let lines = Slots<Int16>(count: 2 * count)
    for (tile, line) in fitted.enumerated() {
      let size = slope * Double(window.count(tile))
      let (a, b) = (Double(line.x) / size, Double(line.y) / size)
      (lines.base + tile).initialize(to: limited(a * 512))
      (lines.base + count + tile).initialize(to: limited(b + a * Double(range.black)))
    }
    return lines
  }

  private static func limited(_ value: Double) -> Int16 {
    Int16(max(-32767, min(32767, value.rounded())))
  }
}
