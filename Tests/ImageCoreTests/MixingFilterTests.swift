import Foundation
import GraphicsCore
import ImageCore
import Testing

/// One pixel of `front` on one of `back` through a filter.
private func mixed(_ name: String, _ front: CIColor, _ back: CIColor) throws -> Pixel {
  let rect = CGRect(x: 0, y: 0, width: 1, height: 1)
  let filter = try #require(CIFilter(name: name))
  filter.setValue(CIImage(color: front).cropped(to: rect), forKey: kCIInputImageKey)
  filter.setValue(CIImage(color: back).cropped(to: rect), forKey: kCIInputBackgroundImageKey)
  return try Grid(rendering: try #require(filter.outputImage), from: rect)[0, 0]
}

/// The result of blending a background and a front colour, levels of light (ISO 32000-1, 11.3.5.2).
private let formulas: [String: @Sendable (Double, Double) -> Double] = [
  "CIMultiplyBlendMode": { b, s in b * s },
  "CIScreenBlendMode": { b, s in b + s - b * s },
  "CIOverlayBlendMode": { b, s in b <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s) },
  "CIHardLightBlendMode": { b, s in s <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s) },
  "CIDarkenBlendMode": { b, s in min(b, s) },
  "CILightenBlendMode": { b, s in max(b, s) },
  "CIDifferenceBlendMode": { b, s in abs(b - s) },
  "CIExclusionBlendMode": { b, s in b + s - 2 * b * s },
  "CIColorDodgeBlendMode": { b, s in min(1, b / (1 - s)) },
  "CIColorBurnBlendMode": { b, s in 1 - min(1, (1 - b) / s) },
  "CISoftLightBlendMode": { b, s in
    if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
    let curve = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
    return b + (2 * s - 1) * (curve - b)
  },
  "CIMultiplyCompositing": { b, s in b * s },
  "CIAdditionCompositing": { b, s in min(1, b + s) },
  "CIMaximumCompositing": { b, s in max(b, s) },
  "CIMinimumCompositing": { b, s in min(b, s) },
  "CISourceOverCompositing": { _, s in s },
]

@Suite("CIFilter: mixing, shapes and patterns")
struct MixingFilterTests {
  @Test(arguments: formulas.keys.sorted())
  func `a blend follows its formula in light`(name: String) throws {
    let formula = try #require(formulas[name])
    for (back, front) in [(60, 200), (200, 60), (230, 220), (30, 40)] {
      func color(_ gray: Int) -> CIColor {
        CIColor(red: CGFloat(gray) / 255, green: CGFloat(gray) / 255, blue: CGFloat(gray) / 255)
      }
      let wanted = level(formula(light(back), light(front)))
      let out = try mixed(name, color(front), color(back))
      #expect(out.isClose(to: Pixel(red: wanted, green: wanted, blue: wanted)), "\(front) on \(back)")
    }
  }

  @Test func `what is clear lets the background through`() throws {
    for name in CIFilter.filterNames(inCategory: kCICategoryCompositeOperation)
    where name.hasSuffix("BlendMode") {
      #expect(try mixed(name, .clear, .green) == Pixel(red: 0, green: 255, blue: 0), "\(name)")
      #expect(try mixed(name, .red, .clear) == Pixel(red: 255, green: 0, blue: 0), "\(name)")
    }
    #expect(try mixed("CISourceInCompositing", .red, .clear).alpha == 0)
    #expect(try mixed("CISourceOutCompositing", .red, .clear) == Pixel(red: 255, green: 0, blue: 0))
    #expect(try mixed("CISourceAtopCompositing", .red, .green) == Pixel(red: 255, green: 0, blue: 0))
  }

  @Test func `a mask chooses between image and background, and time between two images`() throws {
    let rect = CGRect(x: 0, y: 0, width: 4, height: 1)
    let mask = CIFilter.blendWithMask()
    mask.inputImage = CIImage.red.cropped(to: rect)
    mask.backgroundImage = CIImage.blue.cropped(to: rect)
    mask.maskImage = CIImage.white.cropped(to: CGRect(x: 2, y: 0, width: 2, height: 1))
    let chosen = try Grid(rendering: try #require(mask.outputImage), from: rect)
    #expect(
      chosen[0, 0] == Pixel(red: 0, green: 0, blue: 255) && chosen[3, 0] == Pixel(red: 255, green: 0, blue: 0)
    )
    let dissolve = CIFilter.dissolveTransition()
    dissolve.inputImage = CIImage.black.cropped(to: rect)
    dissolve.targetImage = CIImage.white.cropped(to: rect)
    for (time, wanted) in [(Float(0), 0), (0.5, level(0.5)), (1, 255), (7, 255)] {
      dissolve.time = time
      #expect(try Grid(rendering: try #require(dissolve.outputImage), from: rect)[1, 0].green == wanted)
    }
  }

  @Test func `a blur spreads light by Gauss's curve, and the extent grows by three radii`() throws {
    let dot = CIImage.white.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1)).composited(over: .black)
    let blur = CIFilter.gaussianBlur()
    blur.inputImage = dot
    blur.radius = 1
    let row = try Grid(
      rendering: try #require(blur.outputImage), from: CGRect(x: 0, y: 0, width: 3, height: 1))
    let sum = 1 + 2 * (exp(-0.5) + exp(-2) + exp(-4.5))
    for x in 0..<3 { #expect(abs(row[x, 0].red - level(exp(-Double(x * x) / 2) / sum / sum)) <= 1) }
    let cut = CIImage.white.cropped(to: CGRect(x: 0, y: 0, width: 20, height: 10))
    #expect(cut.applyingGaussianBlur(sigma: 5).extent == CGRect(x: -15, y: -15, width: 50, height: 40))
    let even = cut.clampedToExtent().applyingGaussianBlur(sigma: 5).cropped(to: cut.extent)
    #expect(try Grid(rendering: even)[0, 0] == Pixel(red: 255, green: 255, blue: 255), "clamped edges stay")
    let box = cut.applyingFilter("CIBoxBlur", parameters: [kCIInputRadiusKey: 2])
    #expect(box.extent == CGRect(x: -2, y: -2, width: 24, height: 14))
    #expect(try Grid(rendering: box, from: CGRect(x: -1, y: 5, width: 1, height: 1))[0, 0].alpha == 102)
  }

  @Test func `tiles of a filter join without a seam`() throws {
    let grid = Grid.asymmetric(600, 140)
    let image = try grid.image.clampedToExtent().applyingGaussianBlur(sigma: 3)
    let whole = try Grid(rendering: image, from: CGRect(x: 0, y: 0, width: 600, height: 140))
    let part = try Grid(rendering: image, from: CGRect(x: 250, y: 60, width: 20, height: 10))
    #expect(part == Grid(width: 20, height: 10) { x, y in whole[x + 250, y + 70] })
  }

  @Test func `shapes move, scale, tile and straighten`() throws {
    let grid = Grid.asymmetric(8, 6)
    let image = try grid.image
    let moved = image.applyingFilter(
      "CIAffineTransform", parameters: [kCIInputTransformKey: CGAffineTransform(translationX: 5, y: 2)])
    #expect(moved.extent == CGRect(x: 5, y: 2, width: 8, height: 6))
    #expect(try Grid(rendering: moved) == grid)
    let scale = CIFilter.lanczosScaleTransform()
    scale.inputImage = image
    scale.scale = 0.5
    scale.aspectRatio = 2
    #expect(scale.outputImage?.extent == CGRect(x: 0, y: 0, width: 8, height: 3))
    let tiled = image.applyingFilter("CIAffineTile")
    let next = try Grid(rendering: tiled, from: CGRect(x: 16, y: -6, width: 8, height: 6))
    #expect(next.isClose(to: grid))
    let cut = image.applyingFilter("CICrop", parameters: ["inputRectangle": CIVector(x: 1, y: 2, z: 3, w: 4)])
    #expect(cut.extent == CGRect(x: 1, y: 2, width: 3, height: 4))
    let level = CIFilter.straighten()
    level.inputImage = CIImage.green.cropped(to: image.extent)
    level.angle = 0.2
    let straight = try #require(level.outputImage)
    #expect(
      straight.extent == image.extent)
    #expect(try Grid(rendering: straight)[0, 0] == Pixel(red: 0, green: 255, blue: 0))
  }

  @Test func `perspective is corrected to an upright rectangle`() throws {
    // A square whose corners are known, seen askew: its halves come out left and right.
    let filter = CIFilter.perspectiveCorrection()
    let left = CIImage.red.cropped(to: CGRect(x: 0, y: 0, width: 50, height: 100))
    filter.inputImage = left.composited(
      over: CIImage.blue.cropped(to: CGRect(x: 0, y: 0, width: 100, height: 100)))
    (filter.topLeft, filter.topRight) = (CGPoint(x: 10, y: 90), CGPoint(x: 90, y: 90))
    (filter.bottomLeft, filter.bottomRight) = (CGPoint(x: 10, y: 30), CGPoint(x: 90, y: 30))
    let flat = try #require(filter.outputImage)
    #expect(flat.extent == CGRect(x: 0, y: 0, width: 80, height: 60))
    let seen = try Grid(rendering: flat)
    #expect(
      seen[38, 5] == Pixel(red: 255, green: 0, blue: 0) && seen[42, 55] == Pixel(red: 0, green: 0, blue: 255))
  }

  @Test func `bends leave the rim and what lies beyond it`() throws {
    let grid = Grid.asymmetric(40, 40)
    for filter in ["CITwirlDistortion", "CIBumpDistortion", "CIPinchDistortion"] {
      let image = try grid.image
      let bent = try Grid(
        rendering: image.applyingFilter(
          filter, parameters: [kCIInputCenterKey: CIVector(x: 20, y: 20), kCIInputRadiusKey: 10]))
      #expect(bent[1, 1].isClose(to: grid[1, 1]) && bent[38, 20].isClose(to: grid[38, 20]), "\(filter)")
      #expect(!bent.isClose(to: grid, by: 20), "\(filter)")
    }
    let mirror = CIFilter.kaleidoscope()
    mirror.inputImage = try grid.image.clampedToExtent()
    mirror.center = CGPoint(x: 20, y: 20)
    mirror.count = 4
    let round = try Grid(
      rendering: try #require(mirror.outputImage), from: CGRect(x: 0, y: 0, width: 40, height: 40))
    #expect(round[25, 12].isClose(to: round[14, 12], by: 2), "left is right in a mirror")
    #expect(round[25, 12].isClose(to: round[25, 27], by: 2), "up is down in a mirror")
  }

  @Test func `cells of a pixellated picture have the mean of their light`() throws {
    let image = CIImage.white.cropped(to: CGRect(x: 0, y: 0, width: 2, height: 4))
      .composited(over: CIImage.black.cropped(to: CGRect(x: 0, y: 0, width: 8, height: 4)))
    let cells = CIFilter.pixellate()
    cells.inputImage = image
    cells.center = .zero
    cells.scale = 4
    let out = try Grid(rendering: try #require(cells.outputImage))
    #expect(out.width == 8 && out.height == 4)
    #expect((0..<4).allSatisfy { abs(out[$0, 1].red - level(0.5)) <= 1 } && out[5, 2].red == 0)
    let mean = CIFilter.areaAverage()
    mean.inputImage = image
    mean.extent = CGRect(x: 0, y: 0, width: 8, height: 4)
    let one = try Grid(rendering: try #require(mean.outputImage))
    #expect(
      one.width == 1 && one.height == 1
        && one[0, 0].isClose(to: Pixel(red: level(0.25), green: level(0.25), blue: level(0.25))))
  }

  @Test func `patterns and gradients have their colours at their places`() throws {
    let rect = CGRect(x: 0, y: 0, width: 20, height: 20)
    let board = CIFilter.checkerboardGenerator()
    (board.center, board.width, board.color0, board.color1) = (.zero, 10, .red, .blue)
    let squares = try Grid(rendering: try #require(board.outputImage), from: rect)
    #expect(
      squares[5, 15] == Pixel(red: 255, green: 0, blue: 0)
        && squares[15, 15] == Pixel(red: 0, green: 0, blue: 255))
    #expect(squares[15, 5] == Pixel(red: 255, green: 0, blue: 0))
    let stripes = CIFilter.stripesGenerator()
    (stripes.center, stripes.width) = (.zero, 10)
    let lines = try Grid(rendering: try #require(stripes.outputImage), from: rect)
    #expect(lines[5, 3].red == 255 && lines[15, 3].red == 0)
    let way = CIFilter.linearGradient()
    (way.point0, way.point1) = (CGPoint(x: 0.5, y: 0), CGPoint(x: 10.5, y: 0))
    (way.color0, way.color1) = (.white, .black)
    let shades = try Grid(rendering: try #require(way.outputImage), from: rect)
    #expect(shades[0, 9].red == 255 && abs(shades[5, 9].red - level(0.5)) <= 1 && shades[15, 9].red == 0)
    let round = CIFilter.radialGradient()
    (round.center, round.radius0, round.radius1) = (CGPoint(x: 10.5, y: 10.5), 2, 6)
    let disc = try Grid(rendering: try #require(round.outputImage), from: rect)
    #expect(disc[10, 9].red == 255 && abs(disc[14, 9].red - level(0.5)) <= 1 && disc[19, 9].red == 0)
    let noise = CIFilter.randomGenerator()
    let (first, again) = (
      try Grid(rendering: try #require(noise.outputImage), from: rect),
      try Grid(rendering: try #require(noise.outputImage), from: rect)
    )
    #expect(first == again && Set(first.pixels.map(\.description)).count > 300)
    let plain = try #require(
      CIFilter(name: "CIConstantColorGenerator", parameters: [kCIInputColorKey: CIColor.green])?.outputImage)
    #expect(try Grid(rendering: plain, from: rect)[3, 3] == Pixel(red: 0, green: 255, blue: 0))
  }

  @Test func `edges, bloom, sharpening and vignettes change what they are for`() throws {
    let step = CIImage.white.cropped(to: CGRect(x: 20, y: 0, width: 20, height: 40))
      .composited(over: CIImage.gray.cropped(to: CGRect(x: 0, y: 0, width: 40, height: 40)))
    func seen(_ name: String, _ parameters: [String: Any] = [:]) throws -> Grid {
      try Grid(
        rendering: step.applyingFilter(name, parameters: parameters),
        from: CGRect(x: 0, y: 0, width: 40, height: 40))
    }
    let plain = try Grid(rendering: step)
    let edges = try seen("CIEdges")
    #expect(edges[5, 20].red == 0 && edges[35, 20].red == 0 && edges[19, 20].red > 100)
    let bloom = try seen("CIBloom", [kCIInputRadiusKey: 2])
    #expect(
      bloom[18, 20].red > bloom[8, 20].red && bloom[8, 20].red > plain[8, 20].red && bloom[30, 20].red == 255)
    let sharp = try seen("CIUnsharpMask")
    #expect(sharp[18, 20].red < plain[18, 20].red && abs(sharp[5, 20].red - plain[5, 20].red) <= 1)
    let vignette = try seen("CIVignette", [kCIInputIntensityKey: 1])
    #expect(vignette[0, 0].red < plain[0, 0].red - 20 && abs(vignette[19, 20].red - plain[19, 20].red) <= 2)
    #expect(try seen("CIVignette", [kCIInputIntensityKey: 0]).isClose(to: plain))
    let effect = try seen(
      "CIVignetteEffect", [kCIInputCenterKey: CIVector(x: 20, y: 20), kCIInputRadiusKey: 10])
    #expect(effect[0, 20].red < 10 && effect[20, 20] == plain[20, 20])
    let alpha = try seen("CIMaskToAlpha")
    #expect(alpha[30, 20].alpha == 255 && abs(alpha[5, 20].alpha - Int((light(128) * 255).rounded())) <= 1)
  }
}
