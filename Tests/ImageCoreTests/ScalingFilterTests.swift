import Foundation
import GraphicsCore
import ImageCore
import Testing

/// Scales light as the textbooks say, one pixel at a time.
private struct TextbookScaling: Sendable {
  let reach: Double
  let curve: @Sendable (Double) -> Double

  static let lanczos = TextbookScaling(reach: 3) { x in
    func sinc(_ x: Double) -> Double { x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x) }
    return abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0
  }

  /// Keys's curve with a = -c, to which b adds a blur.
  static func cubic(_ b: Double, _ c: Double) -> TextbookScaling {
    TextbookScaling(reach: 2) { x in
      let x = abs(x)
      let keys =
        x < 1
        ? (2 - c) * x * x * x + (c - 3) * x * x + 1
        : x < 2 ? -c * (x * x * x - 5 * x * x + 8 * x - 4) : 0
      let spline =
        x < 1 ? (-9 * x * x * x + 12 * x * x - 2) / 6 : x < 2 ? (-x * x * x + 6 * x * x - 12 * x + 8) / 6 : 0
      return keys + b * spline
    }
  }

  func scaled(_ line: [Double], _ scale: Double, count: Int) -> [Double] {
    let width = max(1, 1 / scale)
    return (0..<count).map { output in
      let center = (Double(output) + 0.5) / scale
      var (sum, shares) = (0.0, 0.0)
      for sample in Int(center - reach * width - 2)...Int(center + reach * width + 2) {
        let share = curve((Double(sample) + 0.5 - center) / width)
        sum += share * line[min(max(sample, 0), line.count - 1)]
        shares += share
      }
      return sum / shares
    }
  }

  func scaled(_ grid: Grid, _ x: Double, _ y: Double, _ width: Int, _ height: Int) -> Grid {
    func channel(_ value: (Pixel) -> Int) -> [[Int]] {
      let rows = (0..<grid.height).map { row in
        scaled((0..<grid.width).map { light(value(grid[$0, row])) }, x, count: width)
      }
      return (0..<width).map { column in
        scaled(rows.map { $0[column] }, y, count: height).map { level($0) }
      }
    }
    let (red, green, blue) = (channel(\.red), channel(\.green), channel(\.blue))
    return Grid(width: width, height: height) { x, y in
      Pixel(red: red[x][y], green: green[x][y], blue: blue[x][y])
    }
  }
}

@Suite("CIFilter: scaling")
struct ScalingFilterTests {
  private let grid = Grid.asymmetric(24, 20)

  @Test(arguments: [(0.5, 1), (2, 1), (1.5, 2), (0.25, 1), (0.75, 2)] as [(Double, Double)])
  func `a Lanczos scale is the sum of three lobes to each side`(scale: Double, aspect: Double) throws {
    let seen = try Grid(
      rendering: grid.image.applyingFilter(
        "CILanczosScaleTransform",
        parameters: [kCIInputScaleKey: scale, kCIInputAspectRatioKey: aspect]))
    let wanted = TextbookScaling.lanczos.scaled(grid, scale * aspect, scale, seen.width, seen.height)
    #expect(seen.width == Int(24 * scale * aspect) && seen.height == Int(20 * scale))
    #expect(seen.isClose(to: wanted, by: 2))
  }

  @Test(
    arguments: [(0.5, 0, 0.75), (2, 0, 0.75), (1.5, 1, 0), (0.75, 1.0 / 3, 1.0 / 3)]
      as [(Double, Double, Double)])
  func `a bicubic scale follows the curve that its two numbers choose`(
    scale: Double, b: Double, c: Double
  ) throws {
    let filter = CIFilter.bicubicScaleTransform()
    #expect(filter.parameterB == 0 && filter.parameterC == 0.75 && filter.aspectRatio == 1)
    filter.inputImage = try grid.image
    filter.scale = Float(scale)
    filter.parameterB = Float(b)
    filter.parameterC = Float(c)
    let seen = try Grid(rendering: try #require(filter.outputImage))
    let wanted = TextbookScaling.cubic(b, c).scaled(grid, scale, scale, seen.width, seen.height)
    #expect(seen.isClose(to: wanted, by: 2))
    let named = try #require(CIFilter(name: "CIBicubicScaleTransform"))
    #expect(named.inputKeys == ["inputImage", "inputScale", "inputAspectRatio", "inputB", "inputC"])
    #expect(named.value(forKey: "inputC") as? Double == 0.75)
  }

  @Test func `scaling down and up again blurs, and flat colours stay as they are`() throws {
    let image = try grid.image
    let half = image.applyingFilter("CILanczosScaleTransform", parameters: [kCIInputScaleKey: 0.5])
    let again = half.applyingFilter("CILanczosScaleTransform", parameters: [kCIInputScaleKey: 2])
    #expect(again.extent == image.extent)
    #expect(try !Grid(rendering: again).isClose(to: grid, by: 20))
    let flat = Grid(width: 300, height: 7) { _, _ in Pixel(red: 200, green: 20, blue: 90) }
    for name in ["CILanczosScaleTransform", "CIBicubicScaleTransform"] {
      let small = try Grid(
        rendering: flat.image.applyingFilter(name, parameters: [kCIInputScaleKey: 0.37]),
        from: CGRect(x: 0, y: 0, width: 111, height: 2))
      #expect(small.pixels.allSatisfy { $0.isClose(to: Pixel(red: 200, green: 20, blue: 90)) })
    }
  }

  @Test func `tiles of a scaled picture fit together`() throws {
    let large = Grid.asymmetric(700, 90)
    let image = try large.image.applyingFilter(
      "CILanczosScaleTransform", parameters: [kCIInputScaleKey: 0.8])
    let whole = try Grid(rendering: image)
    let part = try Grid(rendering: image, from: CGRect(x: 250, y: 60, width: 20, height: 10))
    #expect(part == Grid(width: 20, height: 10) { x, y in whole[x + 250, y + whole.height - 70] })
  }
}
