import Foundation
import GraphicsCore
import ImageCore
import SeededNumbers
import Testing

@Suite("CIFilter: chains and wide blurs")
struct JoinedFilterTests {
  /// Filters that change each colour by itself, with what they are set to.
  private let steps: [(String, [String: Any])] = [
    ("CIColorControls", ["inputSaturation": 1.4, "inputContrast": 1.2, "inputBrightness": 0.05]),
    ("CIExposureAdjust", ["inputEV": -0.4]), ("CISepiaTone", ["inputIntensity": 0.5]),
    ("CIHueAdjust", ["inputAngle": 0.7]), ("CIVibrance", ["inputAmount": 0.6]),
    ("CIGammaAdjust", ["inputPower": 0.8]), ("CIPhotoEffectChrome", [:]), ("CIColorInvert", [:]),
    ("CIMaskToAlpha", [:]), ("CIColorPosterize", ["inputLevels": 9]), ("CIFalseColor", [:]),
    ("CITemperatureAndTint", ["inputNeutral": CIVector(x: 4000, y: 0)]),
    (
      "CIColorMatrix",
      [
        "inputAVector": CIVector(x: 0, y: 0, z: 0, w: 0.5),
        "inputBiasVector": CIVector(x: 0.1, y: 0, z: 0, w: 0.2),
      ]
    ),
  ]

  @Test func `a chain gives what its filters give one after the other`() throws {
    var random = SeededGenerator(seed: 20)
    let grid = Grid.asymmetric(40, 30)
    for _ in 0..<24 {
      let chain = (0..<Int.random(in: 2...5, using: &random)).map { _ in
        steps[Int.random(in: 0..<steps.count, using: &random)]
      }
      var joined = try grid.image
      var apart = joined
      for (name, parameters) in chain {
        joined = joined.applyingFilter(name, parameters: parameters)
        apart = apart.applyingFilter(name, parameters: parameters)
        // What is clamped and cut again is the same, and no filter.
        apart = apart.clampedToExtent().cropped(to: apart.extent)
      }
      let names = chain.map(\.0)
      #expect(try Grid(rendering: joined).isClose(to: Grid(rendering: apart)), "\(names)")
    }
  }

  @Test(arguments: [4.0, 7.3, 10, 24])
  func `a wide blur is less than a level from Gauss's curve`(sigma: Double) throws {
    var random = SeededGenerator(seed: UInt64(sigma))
    // Lights on black, a fine grid, and noise: what small pictures show worst.
    let (width, height) = (160, 120)
    let grid = Grid(width: width, height: height) { x, y in
      if x < 50 {
        return (x - 25) * (x - 25) + (y - 60) * (y - 60) < 90
          ? Pixel(red: 255, green: 255, blue: 200) : Pixel(red: 0, green: 0, blue: 0)
      }
      if x < 100 {
        return (x + y) % 4 < 2 ? Pixel(red: 255, green: 0, blue: 0) : Pixel(red: 0, green: 60, blue: 255)
      }
      return Pixel(
        red: Int.random(in: 0...255, using: &random), green: Int.random(in: 0...255, using: &random),
        blue: Int.random(in: 0...255, using: &random))
    }
    let image = try grid.image
    let seen = try Grid(
      rendering: image.clampedToExtent().applyingGaussianBlur(sigma: sigma).cropped(to: image.extent))
    let reach = Int((4 * sigma).rounded(.up))
    var weights = (-reach...reach).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = weights.reduce(0, +)
    weights = weights.map { $0 / sum }
    func blurred(_ component: KeyPath<Pixel, Int>) -> [Double] {
      let values = grid.pixels.map { light($0[keyPath: component]) }
      var across = [Double](repeating: 0, count: values.count)
      var both = across
      for y in 0..<height {
        for x in 0..<width {
          for step in -reach...reach {
            across[y * width + x] +=
              values[y * width + min(max(x + step, 0), width - 1)] * weights[step + reach]
          }
        }
      }
      for y in 0..<height {
        for step in -reach...reach {
          let row = min(max(y + step, 0), height - 1) * width
          for x in 0..<width { both[y * width + x] += across[row + x] * weights[step + reach] }
        }
      }
      return both
    }
    for component in [\Pixel.red, \.green, \.blue] {
      let wanted = blurred(component).map { level($0) }
      let off = zip(seen.pixels, wanted).map { abs($0[keyPath: component] - $1) }
      #expect(off.max() ?? 0 <= 1, "of \(off.count) values \(off.filter { $0 > 1 }.count)")
    }
  }

  @Test(arguments: [5.0, 12, 40])
  func `parts of a wide blur are those of the whole, wherever they are cut`(sigma: Double) throws {
    let image = try Grid.asymmetric(500, 300).image.clampedToExtent().applyingGaussianBlur(sigma: sigma)
      .applyingFilter("CIPhotoEffectNoir").transformed(by: CGAffineTransform(translationX: 3, y: -7))
    let whole = try Grid(rendering: image, from: CGRect(x: -20, y: -10, width: 460, height: 280))
    for rect in [
      CGRect(x: -20, y: -10, width: 1, height: 1), CGRect(x: 101, y: 33, width: 40, height: 31),
      CGRect(x: 7, y: 9, width: 300, height: 200),
    ] {
      let part = try Grid(rendering: image, from: rect)
      let (left, top) = (Int(rect.minX) + 20, 270 - Int(rect.maxY))
      #expect(part == Grid(width: part.width, height: part.height) { x, y in whole[left + x, top + y] })
    }
  }
}
