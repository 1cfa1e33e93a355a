internal import Foundation
internal import GraphicsCore

/// How bright and how colourful an image is, and the filters that it needs.
struct ImageTones {
  /// How many of a thousand samples have each of 256 levels of brightness, in numbers of a screen.
  private let shares: [Double]
  /// How colourful what is neither black nor white is on average, 0 to 1.
  private let colorfulness: Double

  /// - Parameter features: Where the image's samples count four times.
  /// - Returns: `nil` for an image without end or without pixels.
  init?(_ image: CIImage, features: [CGRect]) {
    let extent = image.extent
    guard !extent.isInfiniteExtent, !extent.isNull, extent.width >= 1, extent.height >= 1 else { return nil }
    // As many samples as tell tones apart, each the mean of what it covers.
    let scale = min(1, 192 / max(extent.width, extent.height))
    let small = CGAffineTransform(translationX: -extent.minX, y: -extent.minY)
      .concatenating(CGAffineTransform(scaleX: scale, y: scale))
    let width = max(1, Int((extent.width * scale).rounded(.down)))
    let height = max(1, Int((extent.height * scale).rounded(.down)))
    var pixels = [UInt8](repeating: 0, count: 4 * width * height)
    pixels.withUnsafeMutableBytes { memory in
      guard let base = memory.baseAddress else { return }
      CIContext().render(
        image.transformed(by: small), toBitmap: base, rowBytes: 4 * width,
        bounds: CGRect(x: 0, y: 0, width: width, height: height), format: .RGBA8, colorSpace: .standardRGB)
    }
    let places = features.map { $0.applying(small) }
    var counts = [Double](repeating: 0, count: 256)
    var (colors, colored) = (0.0, 0.0)
    for y in 0..<height {
      for x in 0..<width {
        let at = 4 * (y * width + x)
        guard pixels[at + 3] > 127 else { continue }
        // Rows come from the top, places from the bottom.
        let place = CGPoint(x: Double(x) + 0.5, y: Double(height - y) - 0.5)
        let weight = places.contains { $0.contains(place) } ? 4.0 : 1
        let color = SIMD3(Double(pixels[at]), Double(pixels[at + 1]), Double(pixels[at + 2]))
        let brightness = (color * SIMD3(0.2126, 0.7152, 0.0722)).sum()
        counts[Int(brightness.rounded())] += weight
        if brightness > 25, brightness < 240 {
          colors += weight * (color.max() - color.min()) / max(1, color.max())
          colored += weight
        }
      }
    }
    let sum = counts.reduce(0, +)
    guard sum > 0 else { return nil }
    shares = counts.map { $0 / sum }
    colorfulness = colored > 0 ? colors / colored : 0
  }

  /// The brightness, 0 to 1, that `share` of the samples stay below.
  private func brightness(below share: Double) -> Double {
    var sum = 0.0
    for (level, part) in shares.enumerated() {
      sum += part
      if sum >= share { return Double(level) / 255 }
    }
    return 1
  }

  /// The filters, in the order in which they are applied.
  var improvements: [CIFilter] {
    let curve = AutomaticCurve(
      black: brightness(below: 0.005), middle: brightness(below: 0.5), white: brightness(below: 0.995))
    return [vibrance, curve.filter, light(after: curve)].compactMap(\.self)
  }

  private var vibrance: CIFilter? {
    // A picture without colours has none to bring out.
    guard colorfulness > 0.03, colorfulness < 0.35 else { return nil }
    let filter = CIFilter(.named("CIVibrance"))
    filter.setValue((0.35 - colorfulness).hundredth, forKey: kCIInputAmountKey)
    return filter
  }

  /// What the curve leaves dark is lifted, what it leaves glaring is dampened, as far as there is much of it.
  private func light(after curve: AutomaticCurve) -> CIFilter? {
    var (dark, bright) = (0.0, 0.0)
    for (level, share) in shares.enumerated() {
      let shown = curve.value(at: Double(level) / 255)
      if shown < 0.2 { dark += share }
      if shown > 0.92 { bright += share }
    }
    let shadows = (max(0, dark - 0.1) * 0.8).hundredth
    let highlights = (1 - min(0.4, max(0, bright - 0.15))).hundredth
    guard shadows > 0 || highlights < 1 else { return nil }
    let filter = CIFilter(.named("CIHighlightShadowAdjust"))
    filter.setValue(min(0.6, shadows), forKey: "inputShadowAmount")
    filter.setValue(highlights, forKey: "inputHighlightAmount")
    filter.setValue(5, forKey: kCIInputRadiusKey)
    return filter
  }
}

/// The tone curve that spreads an image's tones over the range.
private struct AutomaticCurve {
  private let black: Double
  private let white: Double
  private let power: Double

  /// - Parameters: The brightness of what is nearly darkest, of the middle and of what is nearly brightest, 0 to 1.
  init(black: Double, middle: Double, white: Double) {
    // Night stays night and fog stays fog: neither end moves by more than this.
    self.black = min(black, 0.25)
    self.white = max(white, 0.4, self.black + 0.3)
    let place = min(0.98, max(0.02, (middle - self.black) / (self.white - self.black)))
    // Two thirds of the way to a middle gray.
    power = min(1.5, max(0.5, 1 + (log(0.45) / log(place) - 1) * 2 / 3))
  }

  func value(at brightness: Double) -> Double {
    pow(min(1, max(0, (brightness - black) / (white - black))), power)
  }

  /// `nil` where the curve is nearly the straight one.
  var filter: CIFilter? {
    guard black > 0.01 || white < 0.99 || abs(power - 1) > 0.03 else { return nil }
    let filter = CIFilter(.named("CIToneCurve"))
    for index in 0..<5 {
      let brightness = black + (white - black) * Double(index) / 4
      // The filter's points are roots of light.
      func root(_ shown: Double) -> Double { Double(ScreenCurve.light(Float(shown))).squareRoot() }
      filter.setValue(
        CIVector(x: root(brightness), y: root(value(at: brightness))), forKey: "inputPoint\(index)")
    }
    return filter
  }
}

extension Double {
  /// The nearest hundredth.
  fileprivate var hundredth: Double { (self * 100).rounded() / 100 }
}
