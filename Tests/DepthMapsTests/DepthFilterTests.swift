import DepthMaps
import SeededNumbers
import Testing

@Suite struct `Filtering depth` {
  private func row(_ values: [Float], _ quantity: DepthMap.Quantity = .depth) -> DepthMap {
    DepthMap(width: values.count, height: 1, quantity: quantity, values: values)
  }

  private func filtered(_ map: DepthMap, by filter: inout DepthFilter) -> [Float] {
    var map = map
    filter.apply(to: &map)
    return map.values
  }

  @Test func `leaves no hole where anything is known`() {
    var filter = DepthFilter()
    var map = DepthMap(
      width: 3, height: 4, quantity: .depth,
      values: [.nan, .nan, .nan, .nan, 2, .nan, .nan, .nan, .nan, 3, .nan, 3])
    filter.apply(to: &map)
    #expect(map.values == [2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3])
  }

  @Test func `leaves a map as unknown as it is when nothing is known`() {
    var filter = DepthFilter()
    #expect(filtered(row([.nan, .nan]), by: &filter).map(\.isNaN) == [true, true])
    #expect(filtered(DepthMap(), by: &filter).isEmpty)
  }

  @Test func `fills a shadow with what lies behind, in depth and in disparity`() {
    var filter = DepthFilter()
    #expect(filtered(row([0.5, .nan, .nan, 2]), by: &filter) == [0.5, 2, 2, 2])
    #expect(filtered(row([2, .nan, .nan, 0.5], .disparity), by: &filter) == [2, 0.5, 0.5, 0.5])
  }

  @Test func `fills a hole in a surface evenly`() {
    var filter = DepthFilter()
    let values = filtered(row([1, .nan, .nan, 1.06]), by: &filter)
    #expect(abs(values[1] - 1.02) < 1e-5)
    #expect(abs(values[2] - 1.04) < 1e-5)
  }

  @Test func `halves the noise of what stands still`() {
    var filter = DepthFilter()
    var numbers = SeededGenerator(seed: 1)
    var before: Float = 0
    var after: Float = 0
    for round in 0..<60 {
      let noisy = (0..<64).map { _ in 2 + 0.02 * Float.random(in: -0.5...0.5, using: &numbers) }
      let smooth = filtered(row(noisy), by: &filter)
      guard round >= 10 else { continue }
      before += noisy.reduce(0) { $0 + ($1 - 2) * ($1 - 2) }
      after += smooth.reduce(0) { $0 + ($1 - 2) * ($1 - 2) }
    }
    // An average in which the new counts a share s leaves s / (2 - s) of the variance: a quarter.
    #expect(after < 0.3 * before)
    #expect(after > 0.2 * before)
  }

  @Test func `shows what moves at once`() {
    var filter = DepthFilter()
    _ = filtered(row([2, 2]), by: &filter)
    #expect(filtered(row([2, 1]), by: &filter) == [2, 1])
  }

  @Test func `remembers a place for five maps after it was last seen`() {
    var filter = DepthFilter()
    _ = filtered(row([1, 3]), by: &filter)
    for _ in 0..<5 { #expect(filtered(row([.nan, 3]), by: &filter) == [1, 3]) }
    #expect(filtered(row([.nan, 3]), by: &filter) == [3, 3])
  }

  @Test func `begins anew with maps of another size`() {
    var filter = DepthFilter()
    _ = filtered(row([1, 1]), by: &filter)
    #expect(filtered(row([.nan, 2, 2]), by: &filter) == [2, 2, 2])
  }
}
