import Foundation
import GraphicsCore
import ImageCore
import Testing

@Suite("CIImage: automatic adjustment")
struct AutoAdjustmentTests {
  /// A scene of sky, wall and ground between two levels, its colours more or less strong.
  private static func scene(from low: Double, to high: Double, colors: Double = 1) -> Grid {
    Grid(width: 96, height: 64) { x, y in
      let tone = 0.5 + 0.5 * sin(Double(x) / 7 + Double(y) / 19) * cos(Double(y) / 11)
      let tint = y < 24 ? SIMD3(-0.3, -0.1, 0.3) : x < 48 ? SIMD3(0.3, 0, -0.25) : SIMD3(-0.1, 0.2, -0.2)
      let color = SIMD3(repeating: low + (high - low) * tone) * (1 + tint * colors)
      return Pixel(
        red: Int(min(255, color.x)), green: Int(min(255, color.y)), blue: Int(min(255, color.z)))
    }
  }

  /// The image through all filters, each with the output of the one before.
  private func improved(_ image: CIImage, _ filters: [CIFilter]) throws -> Grid {
    var image = image
    for filter in filters {
      filter.setValue(image, forKey: kCIInputImageKey)
      image = try #require(filter.outputImage)
    }
    return try Grid(rendering: image)
  }

  private func brightness(_ pixel: Pixel) -> Double {
    0.2126 * Double(pixel.red) + 0.7152 * Double(pixel.green) + 0.0722 * Double(pixel.blue)
  }

  private func mean(_ grid: Grid) -> Double {
    grid.pixels.map(brightness).reduce(0, +) / Double(grid.pixels.count)
  }

  private func contrast(_ grid: Grid) -> Double {
    let middle = mean(grid)
    let squares = grid.pixels.map { (brightness($0) - middle) * (brightness($0) - middle) }
    return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
  }

  private func colors(_ grid: Grid) -> Double {
    grid.pixels.map { Double(max($0.red, $0.green, $0.blue) - min($0.red, $0.green, $0.blue)) }.reduce(0, +)
      / Double(grid.pixels.count)
  }

  @Test func `a picture that is dark and flat becomes brighter, richer and more colourful`() throws {
    let dull = Self.scene(from: 25, to: 85, colors: 0.3)
    let filters = try dull.image.autoAdjustmentFilters()
    #expect(filters.map(\.name) == ["CIVibrance", "CIToneCurve", "CIHighlightShadowAdjust"])
    #expect(filters.allSatisfy { $0.value(forKey: kCIInputImageKey) == nil }, "each waits for its image")
    let better = try improved(dull.image, filters)
    #expect(abs(mean(better) - 115) < 30 && mean(dull) < 60, "\(mean(dull)) to \(mean(better))")
    #expect(contrast(better) > 1.8 * contrast(dull), "\(contrast(dull)) to \(contrast(better))")
    #expect(colors(better) > 1.5 * colors(dull), "\(colors(dull)) to \(colors(better))")
    let whites = better.pixels.count { $0.red == 255 && $0.green == 255 && $0.blue == 255 }
    #expect(whites < better.pixels.count / 50, "little is burnt out")
  }

  @Test func `a picture that is too bright becomes darker`() throws {
    let pale = Self.scene(from: 170, to: 250, colors: 0.1)
    let better = try improved(pale.image, pale.image.autoAdjustmentFilters())
    #expect(mean(better) < mean(pale) - 20 && contrast(better) > 1.3 * contrast(pale))
  }

  @Test func `a good picture hardly changes`() throws {
    let good = Self.scene(from: 0, to: 235)
    let same = try improved(good.image, good.image.autoAdjustmentFilters())
    let change = zip(good.pixels, same.pixels).map { abs(brightness($0) - brightness($1)) }.reduce(0, +)
    #expect(change / Double(good.pixels.count) < 12)
    #expect(CIImage.red.autoAdjustmentFilters().isEmpty && CIImage.empty().autoAdjustmentFilters().isEmpty)
  }

  @Test func `options leave filters out`() throws {
    let image = try Self.scene(from: 25, to: 85).image
    #expect(image.autoAdjustmentFilters(options: [.enhance: false]).isEmpty)
    let names = image.autoAdjustmentFilters(options: [.redEye: false, .level: true]).map(\.name)
    #expect(!names.isEmpty && names == image.autoAdjustmentFilters().map(\.name))
    #expect(image.autoAdjustmentFilters(options: [.crop: true, .enhance: NSNumber(value: false)]).isEmpty)
  }

  @Test func `what the image is about shall be bright enough, and is what a cut keeps`() throws {
    let code = try #require(CIFilter(name: "CIQRCodeGenerator"))
    code.setValue(Data("obscura".utf8), forKey: "inputMessage")
    let drawn = try #require(code.outputImage).samplingNearest()
      .transformed(by: CGAffineTransform(scaleX: 4, y: 4)).transformed(
        by: CGAffineTransform(translationX: 30, y: 20))
    let shaded = drawn.applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: -3.5])
    let image = shaded.composited(over: CIImage(color: CIColor(red: 0.8, green: 0.8, blue: 0.7)))
      .cropped(to: CGRect(x: 0, y: 0, width: 200, height: 130))
    let detector = try #require(CIDetector(ofType: CIDetectorTypeQRCode, context: nil, options: nil))
    let found = detector.features(in: drawn.composited(over: .white).cropped(to: image.extent))
    let place = try #require(found.first).bounds
    func shown(_ options: [CIImageAutoAdjustmentOption: Any]) throws -> Double {
      var result = image
      for filter in image.autoAdjustmentFilters(options: options) {
        filter.setValue(result, forKey: kCIInputImageKey)
        result = try #require(filter.outputImage)
      }
      return mean(try Grid(rendering: result, from: place.integral))
    }
    #expect(try shown([.features: found]) > shown([:]) + 5)
    let cut = try #require(
      image.autoAdjustmentFilters(options: [.features: found, .crop: true, .enhance: false]).first)
    cut.setValue(image, forKey: kCIInputImageKey)
    let rest = try #require(cut.outputImage).extent
    #expect(cut.name == "CICrop" && rest.contains(place) && rest.width < 200)
  }
}
