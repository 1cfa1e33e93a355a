import CoreVideo
import FoundationExtras
import SeededNumbers

/// A dark room with a bright window, as a camera with noise sees it: two thirds are shadows, the rest is nearly white.
struct GreatRange {
  var width = 480
  var height = 192
  var format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  /// The noise's deviation in 8-bit levels.
  var noise = 3.0

  static let formats: [OSType] = [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
    kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8_yuvs,
    kCVPixelFormatType_422YpCbCr8, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange,
  ]

  var burst: TestBurst { TestBurst(width: width, height: height, format: format) }

  /// Whether black is 16 and white 235.
  private var isVideoRange: Bool {
    ![
      kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr10BiPlanarFullRange,
    ].contains(format)
  }

  /// The window's first column.
  var window: Int { width * 2 / 3 }

  /// An 8-bit level of the full range in the format's range.
  func coded(_ level: Double) -> Double { isVideoRange ? 16 + level * 219 / 255 : level }

  /// An 8-bit level of the format in the full range.
  func level(_ coded: Double) -> Double { isVideoRange ? (coded - 16) * 255 / 219 : coded }

  /// A chroma sample's distance from grey in the full range.
  func color(_ coded: Double) -> Double { (coded - 128) * (isVideoRange ? 255.0 / 224 : 1) }

  /// Frames of a camera that stands still.
  func frames(_ count: Int, seed: UInt64) -> [CVPixelBuffer] {
    (0..<count).map { index in
      var generator = SeededGenerator(usual: seed &+ UInt64(index) &* 1000)
      func noisy(_ value: Double) -> Double {
        var sum = -2.0
        for _ in 0..<4 { sum += Double(generator.next() >> 11) / 9_007_199_254_740_992 }
        return value + sum * 1.7320508 * noise
      }
      return burst.filled { x, y in
        // A room of tiles in two shades.
        let isShade = (x / 24 + y / 24) % 2 == 0
        let luma = x >= window ? 252.0 : isShade ? 22 : 30
        let red: Double = x >= window ? 0 : 10
        let scale = isVideoRange ? 224.0 / 255 : 1
        return (coded(noisy(luma)), { 128 }, { 128 + red * scale })
      }
    }
  }
}

/// What a picture of ``GreatRange`` shows, in levels of the full range.
struct ToneReading {
  /// Means of the room and of the window.
  var shadow = 0.0
  var highlight = 0.0
  /// The same of red's difference.
  var shadowRed = 0.0
  var highlightRed = 0.0
  /// The deviation from the mean within one shade.
  var shadowDeviation = 0.0

  init(_ scene: GreatRange, _ picture: CVPixelBuffer) {
    let burst = scene.burst
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    func mean(_ plane: Int, _ x: Range<Int>) -> Double {
      var (sum, count) = (0.0, 0.0)
      for y in 24..<scene.height - 24 {
        for x in x where plane == 0 || x % 2 == 1 {
          let row = plane == 0 || burst.sharesChromaRows == false ? y : y / 2
          sum += burst.sample(picture, plane: plane, x, row)
          count += 1
        }
      }
      return sum / count
    }
    shadow = scene.level(mean(0, 24..<scene.window - 24))
    highlight = scene.level(mean(0, scene.window + 24..<scene.width - 24))
    shadowRed = scene.color(mean(1, 24..<scene.window - 24))
    highlightRed = scene.color(mean(1, scene.window + 24..<scene.width - 24))
    var (sum, square, count) = (0.0, 0.0, 0.0)
    for y in 52..<68 {
      for x in 52..<68 {
        let value = scene.level(burst.sample(picture, plane: 0, x, y))
        (sum, square, count) = (sum + value, square + value * value, count + 1)
      }
    }
    shadowDeviation = (square / count - (sum / count) * (sum / count)).squareRoot()
  }

  /// The luma of one row.
  static func row(_ burst: TestBurst, _ picture: CVPixelBuffer, _ y: Int) -> [Double] {
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    return (0..<burst.width).map { burst.sample(picture, plane: 0, $0, y) }
  }
}
