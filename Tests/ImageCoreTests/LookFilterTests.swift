import Foundation
import GraphicsCore
import ImageCore
import Testing

/// A row of grays from black to white.
private let ramp = Grid(width: 256, height: 1) { x, _ in Pixel(red: x, green: x, blue: x) }

@Suite("CIFilter: light and looks")
struct LookFilterTests {
  private func seen(_ filter: any CIFilterProtocol, from rect: CGRect? = nil) throws -> Grid {
    try Grid(rendering: try #require(filter.outputImage), from: rect)
  }

  @Test func `shadows are lifted and highlights dampened, and neither touches the other`() throws {
    let filter = CIFilter.highlightShadowAdjust()
    #expect(filter.radius == 0 && filter.shadowAmount == 0 && filter.highlightAmount == 1)
    filter.inputImage = try ramp.image
    #expect(try seen(filter) == ramp, "unless set, nothing changes")
    filter.shadowAmount = 1
    let lifted = try seen(filter)
    #expect(lifted[40, 0].red > 60 && lifted[0, 0].red == 0 && lifted[200, 0] == ramp[200, 0])
    filter.shadowAmount = -1
    #expect(try seen(filter)[40, 0].red < 30)
    filter.shadowAmount = 0
    filter.highlightAmount = 0.3
    let dampened = try seen(filter)
    #expect(dampened[240, 0].red < 215 && dampened[60, 0] == ramp[60, 0])
    filter.shadowAmount = 1
    let both = try seen(filter)
    for x in 1..<256 { #expect(both[x, 0].red >= both[x - 1, 0].red, "what is brighter stays so: \(x)") }
  }

  @Test func `a radius lifts what is dark as a whole, and keeps its detail`() throws {
    // Stripes on the left, dark; a bright half on the right.
    let grid = Grid(width: 96, height: 48) { x, _ in
      let gray = x < 48 ? (x % 2 == 0 ? 30 : 60) : 230
      return Pixel(red: gray, green: gray, blue: gray)
    }
    let filter = CIFilter.highlightShadowAdjust()
    filter.inputImage = try grid.image
    filter.shadowAmount = 1
    func contrast(_ grid: Grid) -> Double { light(grid[21, 24].red) / light(grid[20, 24].red) }
    let plain = try seen(filter)
    filter.radius = 6
    let local = try seen(filter)
    #expect(local[20, 24].red > 45 && plain[20, 24].red > 45)
    #expect(contrast(plain) < 0.85 * contrast(grid))
    #expect(contrast(local) > 0.9 * contrast(grid))
    for x in 48..<96 { #expect(abs(local[x, 24].red - 230) <= 2, "no halo at \(x)") }
    let part = try Grid(
      rendering: try #require(filter.outputImage), from: CGRect(x: 40, y: 10, width: 16, height: 8))
    #expect(part == Grid(width: 16, height: 8) { x, y in local[x + 40, y + 30] }, "tiles agree")
  }

  @Test func `heat is blue where it is dark, then red, then yellow`() throws {
    let filter = CIFilter.thermal()
    filter.inputImage = try ramp.image
    let out = try seen(filter)
    let (cold, warm, hot) = (out[50, 0], out[160, 0], out[250, 0])
    #expect(cold.blue > 100 && cold.red < 60 && cold.green < 40)
    #expect(warm.red > 200 && warm.green < 120 && warm.blue < 120)
    #expect(hot.red > 240 && hot.green > 220 && hot.blue < hot.green)
    func brightness(_ pixel: Pixel) -> Double {
      0.2126 * light(pixel.red) + 0.7152 * light(pixel.green) + 0.0722 * light(pixel.blue)
    }
    for x in 1..<256 { #expect(brightness(out[x, 0]) > brightness(out[x - 1, 0]) - 0.002) }
    // Two colours of one brightness are equally warm.
    let equals = Grid(width: 2, height: 1) { x, _ in
      x == 0
        ? Pixel(red: level(0.3 / 0.2126 * 0.5), green: 0, blue: 0)
        : Pixel(red: level(0.15), green: level(0.15), blue: level(0.15))
    }
    let pair = try Grid(rendering: equals.image.applyingFilter("CIThermal"))
    #expect(pair[0, 0].isClose(to: pair[1, 0], by: 4))
  }

  @Test func `an X-ray is a bluish negative, and what is clear stays clear`() throws {
    let filter = CIFilter.xRay()
    filter.inputImage = try ramp.image
    let out = try seen(filter)
    for x in 1..<256 { #expect(out[x, 0].green <= out[x - 1, 0].green) }
    #expect(out[0, 0].green > 230 && out[255, 0].green < 20)
    for x in stride(from: 0, to: 256, by: 16) {
      #expect(out[x, 0].blue >= out[x, 0].green && out[x, 0].green >= out[x, 0].red)
    }
    let clear = Grid(width: 2, height: 1) { _, _ in Pixel(red: 0, green: 0, blue: 0, alpha: 0) }
    #expect(try Grid(rendering: clear.image.applyingFilter("CIXRay")) == clear)
    #expect(CIFilter.localizedName(forFilterName: "CIXRay") == "X-Ray")
  }

  @Test func `a comic has black outlines, and colours of few levels with dots between them`() throws {
    let grid = Grid(width: 96, height: 64) { x, _ in
      x < 48 ? Pixel(red: 255, green: 255, blue: 255) : Pixel(red: 128, green: 128, blue: 128)
    }
    let filter = CIFilter.comicEffect()
    filter.inputImage = try grid.image
    let out = try seen(filter)
    #expect(try #require(filter.outputImage).extent == CGRect(x: 0, y: 0, width: 96, height: 64))
    #expect(out[48, 30].red < 40, "the edge is drawn")
    #expect(out[10, 30] == Pixel(red: 255, green: 255, blue: 255), "paper stays white")
    let filled = (8..<56).flatMap { y in (60..<90).map { out[$0, y] } }
    let reds = Set(filled.map(\.red))
    #expect(reds.contains(170) && reds.contains(85), "dots of one level on another")
    let mean = filled.map(\.red).reduce(0, +) / filled.count
    #expect(abs(mean - 128) < 20, "from afar the colour is about what it was: \(mean)")
    let part = try Grid(
      rendering: try #require(filter.outputImage), from: CGRect(x: 40, y: 10, width: 16, height: 8))
    #expect(part == Grid(width: 16, height: 8) { x, y in out[x + 40, y + 46] }, "tiles agree")
  }

  @Test func `glass bends by its slope: an even slope moves the picture, and flat glass does not`() throws {
    let grid = Grid.asymmetric(40, 24)
    let filter = CIFilter.glassDistortion()
    #expect(filter.scale == 200 && filter.center == CGPoint(x: 150, y: 150))
    filter.inputImage = try grid.image
    #expect(filter.outputImage == nil, "there is no glass yet")
    filter.textureImage = .gray
    #expect(try seen(filter) == grid)
    // Height grows by 1/64 from column to column: at a scale of 192, three pixels.
    let slope = CIFilter(name: "CILinearGradient")
    slope?.setValue(CIVector(x: -12, y: 0), forKey: "inputPoint0")
    slope?.setValue(CIVector(x: 52, y: 0), forKey: "inputPoint1")
    slope?.setValue(CIColor.black, forKey: "inputColor0")
    slope?.setValue(CIColor.white, forKey: "inputColor1")
    filter.textureImage = slope?.outputImage
    filter.scale = 192
    let bent = try seen(filter)
    for y in 0..<24 { for x in 0..<36 { #expect(bent[x, y].isClose(to: grid[x + 3, y])) } }
    // A bump of its own repeats, and its middle lies at the centre.
    filter.textureImage = CIImage.white.cropped(to: CGRect(x: 4, y: 4, width: 2, height: 2))
      .composited(over: CIImage.black.cropped(to: CGRect(x: 0, y: 0, width: 10, height: 10)))
    filter.center = CGPoint(x: 20, y: 12)
    let bumpy = try seen(filter)
    #expect(bumpy != grid && bumpy[15, 6] == grid[15, 6], "flat between the bumps")
    #expect(bumpy[18, 11] != grid[18, 11] && bumpy[28, 11] != grid[28, 11] && bumpy[8, 11] != grid[8, 11])
  }

  @Test func `a histogram counts a part's colours, and its shares add up to the scale`() throws {
    let grid = Grid.asymmetric(40, 30)
    let filter = CIFilter.areaHistogram()
    #expect(filter.scale == 1 && filter.count == 64)
    filter.inputImage = try grid.image
    filter.extent = CGRect(x: 5, y: 3, width: 400, height: 20)
    filter.count = 16
    filter.scale = 2
    let row = try #require(filter.outputImage)
    #expect(row.extent == CGRect(x: 0, y: 0, width: 16, height: 1))
    var values = [Float](repeating: 0, count: 64)
    CIContext().render(
      row, toBitmap: &values, rowBytes: 256, bounds: row.extent, format: .RGBAf, colorSpace: nil)
    var wanted = [[Int]](repeating: [0, 0, 0], count: 16)
    // Rows 3 to 22 from the bottom are rows 7 to 26 from the top.
    for y in 7..<27 {
      for x in 5..<40 {
        for (color, number) in [grid[x, y].red, grid[x, y].green, grid[x, y].blue].enumerated() {
          wanted[min(15, Int(light(number) * 16))][color] += 1
        }
      }
    }
    for step in 0..<16 {
      for color in 0..<3 {
        #expect(abs(Double(values[4 * step + color]) - Double(wanted[step][color]) * 2 / 700) < 1e-5)
      }
    }
    let named = try #require(CIFilter(name: "CIAreaHistogram"))
    let count = try #require(named.attributes["inputCount"] as? [String: Any])
    #expect(count[kCIAttributeMin] as? Double == 1 && count[kCIAttributeMax] as? Double == 2048)
    named.setValue(try grid.image, forKey: kCIInputImageKey)
    named.setValue(5000, forKey: "inputCount")
    #expect(named.outputImage?.extent.width == 2048)
  }
}
