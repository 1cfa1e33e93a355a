import DepthMaps
import SeededNumbers
import Testing

@Suite("CodedDepthMap: a map as picture files store it")
struct CodedDepthMapTests {
  private func random(_ range: ClosedRange<Float>, _ quantity: DepthMap.Quantity = .disparity) -> DepthMap {
    var dice = SeededGenerator(seed: 3)
    return DepthMap(
      width: 64, height: 48, quantity: quantity,
      values: (0..<64 * 48).map { _ in Float.random(in: range, using: &dice) })
  }

  @Test(arguments: [DepthMap.Quantity.depth, .disparity], [Float(0.3)...5, 0.001...0.002, 40...65000])
  func `a number comes back at most half a step off, the ends as they were`(
    quantity: DepthMap.Quantity, range: ClosedRange<Float>
  ) throws {
    let map = random(range, quantity)
    let coded = try #require(CodedDepthMap(map))
    let back = coded.map
    #expect(back.quantity == quantity && back.width == 64 && back.height == 48)
    let step = (coded.greatest - coded.least) / 255
    let errors = zip(map.values, back.values).map { abs($0.0 - $0.1) }
    #expect(errors.allSatisfy { $0 <= step * 0.501 })
    #expect(coded.least == map.values.min() && coded.greatest == map.values.max())
    // Once coded, it is coded the same again.
    #expect(CodedDepthMap(back) == coded)
  }

  @Test func `holes are filled as the filter fills them`() throws {
    let map = DepthMap(
      width: 4, height: 2, quantity: .depth, values: [1, .nan, .nan, 2, .nan, .nan, .nan, .nan])
    let coded = try #require(CodedDepthMap(map))
    // Beside a near thing lies what is behind it; a row of nothing is the one above.
    #expect(coded.map.values == [1, 2, 2, 2, 1, 2, 2, 2])
  }

  @Test func `a few numbers far from all others do not make the steps wide`() throws {
    var values = random(1...2).values
    values[7] = 900
    let map = DepthMap(width: 64, height: 48, quantity: .disparity, values: values)
    let coded = try #require(CodedDepthMap(map))
    #expect(coded.greatest < 2.1)
    #expect(coded.map.values[7] == coded.greatest)
    #expect(abs(coded.map.values[8] - values[8]) < 0.003)
  }

  @Test func `a map of one distance keeps it, and one of nothing has no codes`() {
    let flat = DepthMap(width: 3, height: 1, quantity: .depth, values: [1.5, 1.5, 1.5])
    #expect(CodedDepthMap(flat)?.map.values == [1.5, 1.5, 1.5])
    let nothing = DepthMap(width: 2, height: 1, quantity: .depth, values: [.nan, 0])
    #expect(CodedDepthMap(nothing) == nil)
    #expect(CodedDepthMap(DepthMap()) == nil)
  }
}
