import CPixels
import Foundation
import PixelTransforms
import SeededNumbers
import Testing

@Suite("Rows of pixels")
struct PixelRowsTests {
  private typealias Pixels = [SIMD4<Float>]

  /// Numbers of pictures, and a few that no picture has.
  private func pixels(_ count: Int, seed: UInt64, isOpaque: Bool = false) -> Pixels {
    var random = SeededGenerator(seed: seed)
    let strange: [Float] = [.nan, .infinity, -.infinity, -3.9, 4, 1e20, -0.0]
    return (0..<count).map { _ in
      var pixel = SIMD4<Float>((0..<4).map { _ in Float.random(in: -0.2...1.3, using: &random) })
      if Int.random(in: 0..<9, using: &random) == 0 {
        pixel[Int.random(in: 0..<3, using: &random)] = strange.randomElement(using: &random) ?? 0
      }
      pixel.w = isOpaque ? 1 : pixel.w
      return pixel
    }
  }

  private func changed(_ pixels: Pixels, _ body: (PixelRows.Row, Int) -> Void) -> Pixels {
    var result = pixels
    result.withUnsafeMutableBufferPointer { if let base = $0.baseAddress { body(base, $0.count) } }
    return result
  }

  /// The table of a curve.
  private func curve(_ value: (Float) -> Float) -> [SIMD2<Float>] {
    PixelRows.curveTable(
      above: PixelRows.curvePlaces.map(value), below: PixelRows.curvePlaces.map { value(-$0) })
  }

  /// All that the loops make of a row.
  private func everything(_ count: Int) -> [UInt32] {
    var all: [Pixels] = []
    let row = pixels(count, seed: 1)
    let matrix = pixels(5, seed: 2)
    var other = pixels(count, seed: 6)
    all.append(
      changed(row) {
        PixelRows.multiply($0, $1, by: (matrix[0], matrix[1], matrix[2], matrix[3], matrix[4]))
      })
    let table = curve { $0 * $0 - $0 / 3 }
    all.append(changed(row) { PixelRows.move($0, $1, towards: &other, by: 0.3) })
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      all.append(
        changed(row) { row, count in
          var done = 0
          while done < count {
            done += PixelRows.lookUp(row + done, count - done, in: (table, table, table)) + 1
          }
        })
    }
    table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      all.append(
        changed(row.map { SIMD4($0.x, $0.x, $0.x, $0.w) }) { row, count in
          var done = 0
          while done < count { done += PixelRows.lookUp(ofGray: row + done, count - done, in: table) + 1 }
        })
    }
    let cube = pixels(125, seed: 3)
    for extrapolates in [false, true] {
      all.append(
        changed(row) {
          PixelRows.lookUp($0, $1, inCube: cube, dimension: 5, extrapolates: extrapolates)
        })
    }
    let whole = pixels(8 * count + 60, seed: 4, isOpaque: true)
    var result = Pixels(repeating: .zero, count: 2 * count)
    let weights: [Float] = [0.2, 0.15, 0.1, 0.09, 0.06]
    whole.withUnsafeBufferPointer { whole in
      guard let base = whole.baseAddress else { return }
      let row = PixelRows.Row(mutating: base)
      PixelRows.halve((row, row + 1, row + 2, row + 3), into: &result, count: count)
      all.append(result)
      PixelRows.halve(row, into: &result, count: count)
      all.append(result)
      PixelRows.double(row, row + count, into: &result, count: count)
      all.append(result)
      PixelRows.double(row + 1, into: &result, count: count)
      all.append(result)
      weights.withUnsafeBufferPointer {
        PixelRows.mean(of: row + 4 * 5, step: 5, weights: $0, into: &result, count: count)
      }
      all.append(result)
    }
    var bytes = [UInt8](repeating: 0, count: 4 * count)
    let levels = (0...65535).map { UInt8($0 >> 8) }
    let opaque = pixels(count, seed: 5, isOpaque: true)
    _ = changed(opaque) {
      _ = PixelRows.write($0, $1, by: levels, order: SIMD4(2, 1, 0, 3), into: &bytes)
    }
    let table256 = (0..<256).map { Float($0) / 255 }
    all.append(
      changed(result) { row, _ in
        _ = PixelRows.read(bytes, red: 2, ignoresAlpha: false, by: table256, into: row, count)
      })
    // NaN has many bits, of which any may come out.
    return all.joined().flatMap { pixel in (0..<4).map { pixel[$0].isNaN ? 0 : pixel[$0].bitPattern } }
  }

  @Test(arguments: [0, 1, 2, 7, 8, 9, 31, 64])
  func `every processor gives the same bits`(count: Int) {
    let wide = everything(count)
    defer { pixels_use_plain_loops(0) }
    pixels_use_plain_loops(1)
    #expect(everything(count) == wide)
  }

  @Test(arguments: [0, 1, 7, 8, 9, 64])
  func `one look at a gray pixel gives what three give`(count: Int) {
    let table = curve { $0 * $0 - $0 / 3 }
    var random = SeededGenerator(seed: 7)
    let row = (0..<count).map { _ in
      SIMD4(SIMD3(repeating: Float.random(in: -3.9..<4, using: &random)), 0.5)
    }
    var done: [Int] = []
    let (one, three) = table.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return (row, row) }
      return (
        changed(row) { done.append(PixelRows.lookUp(ofGray: $0, $1, in: table)) },
        changed(row) { done.append(PixelRows.lookUp($0, $1, in: (table, table, table))) }
      )
    }
    #expect(done == [count, count])
    #expect(one == three)
  }

  @Test func `curves stop where their tables end, and bytes where pixels let something through`() {
    let table = curve { $0 }
    var row: Pixels = [[0, 0.5, 1, 9], [-3.9, 3.9, 0, 0], [0, 4, 0, 1], [.nan, 0, 0, 1]]
    let done = row.withUnsafeMutableBufferPointer { row in
      table.withUnsafeBufferPointer { table -> Int in
        guard let row = row.baseAddress, let table = table.baseAddress else { return -1 }
        return PixelRows.lookUp(row, 4, in: (table, table, table))
      }
    }
    #expect(done == 2)
    #expect(row[0].w == 9, "alpha takes no part")
    var bytes = [UInt8](repeating: 7, count: 12)
    let levels = (0...65535).map { UInt8($0 >> 8) }
    var two: Pixels = [[1, 0.5, 0, 1], [1, 1, 1, PixelRows.opaque - 0.01], [1, 1, 1, 1]]
    #expect(PixelRows.write(&two, 3, by: levels, order: SIMD4(0, 1, 2, 3), into: &bytes) == 1)
    #expect(bytes == [255, 128, 0, 255] + [UInt8](repeating: 7, count: 8))
    let numbers = (0..<256).map { Float($0) }
    #expect(
      PixelRows.read([1, 2, 3, 255, 4, 5, 6, 254], red: 0, ignoresAlpha: false, by: numbers, into: &two, 2)
        == 1)
    #expect(two[0] == [1, 2, 3, 1])
    #expect(
      PixelRows.read([1, 2, 3, 255, 4, 5, 6, 254], red: 2, ignoresAlpha: true, by: numbers, into: &two, 2)
        == 2)
    #expect(two[1] == [6, 5, 4, 1])
  }

  @Test func `a curve's lines follow it closely, as much closer as numbers are smaller, on both sides of 0`()
  {
    let tables = [curve { $0 * abs($0) }, curve { cbrtf($0) }, curve { exp2f($0) }]
    let numbers = (0..<4000).map { Float($0) / 1000 } + (0..<400).map { exp2f(-Float($0) / 20) }
    for sign: Float in [1, -1] {
      let row = numbers.map { SIMD4(sign * $0, sign * $0, sign * $0, -7) }
      let seen = changed(row) { row, count in
        let done = tables[0].withUnsafeBufferPointer { squares in
          tables[1].withUnsafeBufferPointer { roots in
            tables[2].withUnsafeBufferPointer { powers -> Int in
              guard let red = squares.baseAddress, let green = roots.baseAddress,
                let blue = powers.baseAddress
              else { return -1 }
              return PixelRows.lookUp(row, count, in: (red, green, blue))
            }
          }
        }
        #expect(done == count)
      }
      for (pixel, number) in zip(seen, row.map(\.x)) {
        let (square, root, power) = (number * abs(number), cbrtf(number), exp2f(number))
        // Below the least place the root is steeper than its line.
        let slack: Float = abs(number) < 1e-6 ? 0.006 : 1e-7
        #expect(abs(pixel.x - square) <= 2e-5 * abs(square) + 1e-12, "\(number)")
        #expect(abs(pixel.y - root) <= 1e-5 * abs(root) + slack, "\(number)")
        #expect(abs(pixel.z - power) <= 2e-5 * max(1, power), "\(number)")
        #expect(pixel.w == -7)
      }
    }
  }

  @Test func `a way from one row to another leaves alpha, and one pixel makes a row translucent`() {
    var other: Pixels = [[1, 1, 1, 0], [0, -1, 5, 0]]
    let seen = changed([[0, 0.5, 1, 1], [1, 1, 1, 0.5]]) {
      PixelRows.move($0, $1, towards: &other, by: 0.25)
    }
    #expect(seen == [[0.25, 0.625, 1, 1], [0.75, 0.5, 2, 0.5]])
    var row = Pixels(repeating: [0, 0, 0, 1], count: 9)
    #expect(PixelRows.areOpaque(&row, 9) && PixelRows.areOpaque(&row, 0))
    row[8].w = PixelRows.opaque - 0.001
    #expect(!PixelRows.areOpaque(&row, 9) && PixelRows.areOpaque(&row, 8))
  }

  @Test(arguments: 60...63)
  func `halving and doubling spread a pixel where it is, by the variance that they say`(place: Int) {
    var whole = Pixels(repeating: .zero, count: 120)
    whole[place] = .one
    var half = Pixels(repeating: .zero, count: 58)
    // Pixel 0 of the half is made of pixels 1 to 4 of the whole: it lies on 2 and 3.
    whole.withUnsafeMutableBufferPointer { row in
      if let base = row.baseAddress { PixelRows.halve(base + 1, into: &half, count: 58) }
    }
    var back = Pixels(repeating: .zero, count: 112)
    // Pixels 0 and 1 of what comes back lie on pixel 1 of the half.
    half.withUnsafeMutableBufferPointer { row in
      if let base = row.baseAddress { PixelRows.double(base + 1, into: &back, count: 56) }
    }
    let spread = back.enumerated().map { (offset: Double($0 + 4 - place), weight: Double($1.x)) }
    #expect(abs(spread.reduce(0) { $0 + $1.weight } - 1) < 1e-6)
    #expect(abs(spread.reduce(0) { $0 + $1.offset * $1.weight }) < 1e-6)
    let variance = spread.reduce(0) { $0 + $1.offset * $1.offset * $1.weight }
    #expect(abs(variance - PixelRows.variance(halvings: 1)) < 1e-6)
  }
}
