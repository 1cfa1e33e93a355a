public import CoreVideo
public import Foundation
internal import FoundationExtras
internal import GraphicsCore
public import ImageIO
internal import RawPictures
internal import StillCodecs

/// Develops a raw picture: a DNG file, or a sensor's numbers.
///
/// Colours are found, white balance and the camera's matrix applied, light bent by a curve; every step can be set. The output is laid upright, in
/// linear light that may exceed white, and its pixels are made when they are first rendered. Not thread-safe; its output is an image like any
/// other.
///
/// - Note: Unlike Core Image, files of single makers (CR3, NEF, ARW and so on) are not read, only DNG; and a file that is no raw picture gives
///   `nil`, for which programs ask, where Apple's filter opens some. Apple publishes no curve: ours is a moderate contrast about middle grey,
///   and one of three stops of noise reduction that Apple has, the colours', is here.
///
/// Source: [CIRAWFilter](https://developer.apple.com/documentation/coreimage/cirawfilter).
open class CIRAWFilter: CIFilter {
  private let source: RawSource
  /// The output for the present values; made anew when one changes.
  private var output: CIImage?
  private var light: LightColor

  private init(_ source: RawSource) {
    self.source = source
    light = source.facts.light(of: source.mosaic)
    baseline = Float(source.baselineExposure)
    laid = CGImagePropertyOrientation(rawValue: UInt32(source.facts.orientation)) ?? .up
    super.init()
    name = "CIRAWFilter"
  }

  /// A filter for the DNG file at `url`, which is read at once; `nil` where that is none.
  ///
  /// Apple: `CIRAWFilter.init(imageURL:)`.
  public convenience init?(imageURL url: URL) {
    guard let data = InputFile.contents(of: url), let source = RawSource(data) else { return nil }
    self.init(source)
  }

  /// A filter for a DNG file's bytes; `nil` for others.
  ///
  /// - Parameter identifierHint: The type of the data, which is not needed to recognise it.
  ///
  /// Apple: `CIRAWFilter.init(imageData:identifierHint:)`.
  public convenience init?(imageData data: Data, identifierHint: String?) {
    guard let source = RawSource(data) else { return nil }
    self.init(source)
  }

  /// A filter for a sensor's numbers, such as `AVCapturePhoto.pixelBuffer` of a raw photo; `nil` for other pixel formats.
  ///
  /// The buffer is not copied: do not write to it while the filter or its output is used.
  ///
  /// - Parameter properties: What the numbers mean, such as `AVCapturePhoto.metadata`: `kCGImagePropertyDNGDictionary` and the orientation.
  ///
  /// Apple: `CIRAWFilter.init(cvPixelBuffer:properties:)`.
  public convenience init?(cvPixelBuffer buffer: CVPixelBuffer, properties: [AnyHashable: Any]) {
    guard let source = RawSource(buffer, properties) else { return nil }
    self.init(source)
  }

  /// A filter of the same picture with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CIRAWFilter(source)
    copy.light = light
    copy.laid = laid
    copy.baseline = baseline
    copy.numbers = numbers
    copy.isDraft = isDraft
    copy.output = output
    return copy
  }

  // MARK: The picture

  /// What the file says of the picture, in ImageIO's dictionaries.
  ///
  /// Apple: `CIRAWFilter.properties`.
  public var properties: [AnyHashable: Any] { fileProperties }

  private var fileProperties: [String: Any] {
    var result = source.exif.properties
    result[kCGImagePropertyDNGDictionary] = source.facts.dngProperties
    result[kCGImagePropertyOrientation] = source.facts.orientation
    let (_, _, width, height) = source.crop
    result[kCGImagePropertyPixelWidth] = width
    result[kCGImagePropertyPixelHeight] = height
    return BoxedNumbers.boxed(result as [String: Any])
  }

  /// The size of the whole picture in pixels, before it is scaled and turned.
  ///
  /// Apple: `CIRAWFilter.nativeSize`.
  public var nativeSize: CGSize { CGSize(width: source.crop.width, height: source.crop.height) }

  /// How the picture is turned; what the file says, unless it is set.
  ///
  /// Apple: `CIRAWFilter.orientation`.
  public var orientation: CGImagePropertyOrientation {
    get { laid }
    set { change { $0.laid = newValue } }
  }

  /// The file's own small picture, laid upright; `nil` where it has none.
  ///
  /// Apple: `CIRAWFilter.previewImage`.
  public var previewImage: CIImage? {
    source.preview.flatMap { CIImage(data: $0) }.map { $0.oriented(laid) }
  }

  // MARK: How it is developed

  /// The values that are numbers.
  private struct Numbers {
    var scale: Float = 1
    var exposure: Float = 0
    var boost: Float = 1
    var range: Float = 0
    var sharpness: Float = 0
    var colorNoise: Float = 0
  }

  private var numbers = Numbers()
  private var isDraft = false
  private var baseline: Float
  private var laid: CGImagePropertyOrientation

  private func change(_ body: (CIRAWFilter) -> Void) {
    body(self)
    output = nil
  }

  /// How large the output is against ``nativeSize``, above 0 and up to 1; 1 at first.
  ///
  /// Apple: `CIRAWFilter.scaleFactor`.
  public var scaleFactor: Float {
    get { numbers.scale }
    set { change { $0.numbers.scale = newValue.isFinite ? min(max(newValue, 0.01), 1) : 1 } }
  }

  /// Whether one pixel for each four of the sensor's is enough: a fraction of the work, and half as sharp.
  ///
  /// `false` at first.
  ///
  /// Apple: `CIRAWFilter.isDraftModeEnabled`.
  public var isDraftModeEnabled: Bool {
    get { isDraft }
    set { change { $0.isDraft = newValue } }
  }

  /// Stops by which the picture is brighter, from -10 to 10; 0 at first.
  ///
  /// Apple: `CIRAWFilter.exposure`.
  public var exposure: Float {
    get { numbers.exposure }
    set { change { $0.numbers.exposure = newValue.isFinite ? min(max(newValue, -10), 10) : 0 } }
  }

  /// Stops by which this camera's pictures are brighter than their numbers say; what the file says, unless it is set.
  ///
  /// Apple: `CIRAWFilter.baselineExposure`.
  public var baselineExposure: Float {
    get { baseline }
    set { change { $0.baseline = newValue.isFinite ? min(max(newValue, -10), 10) : 0 } }
  }

  /// How much of the curve of tones is applied: 0 is light as it was counted, 1, as at first, all of it.
  ///
  /// Apple: `CIRAWFilter.boostAmount`.
  public var boostAmount: Float {
    get { numbers.boost }
    set { change { $0.numbers.boost = newValue.isFinite ? min(max(newValue, 0), 1) : 1 } }
  }

  /// How many stops brighter than white the output may be, from 0, as at first, to 2.
  ///
  /// Apple: `CIRAWFilter.extendedDynamicRangeAmount`.
  public var extendedDynamicRangeAmount: Float {
    get { numbers.range }
    set { change { $0.numbers.range = newValue.isFinite ? min(max(newValue, 0), 2) : 0 } }
  }

  // MARK: White balance

  /// The light that is to look neutral, in kelvin; at first what the camera took for neutral.
  ///
  /// Apple: `CIRAWFilter.neutralTemperature`.
  public var neutralTemperature: Float {
    get { Float(light.temperature) }
    set { change { $0.light = LightColor(temperature: Double(newValue), tint: light.tint) } }
  }

  /// How much greener that light is than a glowing body of its temperature, in 1/3000 of CIE 1960 (u, v); below 0 it is more magenta.
  ///
  /// The same unit as that of `AVCaptureDevice.WhiteBalanceTemperatureAndTintValues`.
  ///
  /// Apple: `CIRAWFilter.neutralTint`.
  public var neutralTint: Float {
    get { Float(light.tint) }
    set { change { $0.light = LightColor(temperature: light.temperature, tint: Double(newValue)) } }
  }

  /// The light that is to look neutral, as CIE 1931 x and y.
  ///
  /// Apple: `CIRAWFilter.neutralChromaticity`.
  public var neutralChromaticity: CGPoint {
    get { CGPoint(x: light.chromaticity.x, y: light.chromaticity.y) }
    set {
      guard newValue.x > 0, newValue.y > 0, newValue.x + newValue.y < 1 else { return }
      change { $0.light = LightColor((Double(newValue.x), Double(newValue.y))) }
    }
  }

  // MARK: Detail

  /// Whether ``sharpnessAmount`` has an effect: it has.
  ///
  /// Apple: `CIRAWFilter.isSharpnessSupported`.
  public var isSharpnessSupported: Bool { true }

  /// How much edges are sharpened, from 0, as at first, to 1.
  ///
  /// Apple: `CIRAWFilter.sharpnessAmount`.
  public var sharpnessAmount: Float {
    get { numbers.sharpness }
    set { change { $0.numbers.sharpness = newValue.isFinite ? min(max(newValue, 0), 1) : 0 } }
  }

  /// Whether ``colorNoiseReductionAmount`` has an effect: it has.
  ///
  /// Apple: `CIRAWFilter.isColorNoiseReductionSupported`.
  public var isColorNoiseReductionSupported: Bool { true }

  /// How much noise of colours is smoothed, while brightness stays as it is; from 0, as at first, to 1.
  ///
  /// Apple: `CIRAWFilter.colorNoiseReductionAmount`.
  public var colorNoiseReductionAmount: Float {
    get { numbers.colorNoise }
    set { change { $0.numbers.colorNoise = newValue.isFinite ? min(max(newValue, 0), 1) : 0 } }
  }

  /// Whether ``luminanceNoiseReductionAmount`` has an effect: it has none.
  ///
  /// Apple: `CIRAWFilter.isLuminanceNoiseReductionSupported`.
  public var isLuminanceNoiseReductionSupported: Bool { false }

  /// How much noise of brightness is smoothed: 0, and setting it has no effect.
  ///
  /// Apple: `CIRAWFilter.luminanceNoiseReductionAmount`.
  public var luminanceNoiseReductionAmount: Float {
    get { 0 }
    set {}
  }

  // MARK: Output

  /// The developed picture.
  ///
  /// Apple: `CIFilter.outputImage`.
  open override var outputImage: CIImage? {
    if let output { return output }
    let gains = source.facts.gains(for: light)
    let matrix = RawFacts.matrix(fromXYZ: source.facts.colors(at: light.temperature)) ?? RawFacts.identity
    var rendering = RawDeveloper.LinearRendering()
    rendering.exposure = Double(numbers.exposure + baseline)
    rendering.most = exp2(numbers.range)
    rendering.curve = RawCurve.lights(boost: Double(numbers.boost))
    var properties = fileProperties
    properties[kCGImagePropertyOrientation as String] = 1
    var image = source.image(
      source.facts.rawFacts(gains: gains, matrix: matrix), rendering, isDraft: isDraft, properties: properties
    )
    image = smoothed(image)
    if numbers.scale < 1 {
      image = image.transformed(
        by: CGAffineTransform(scaleX: CGFloat(numbers.scale), y: CGFloat(numbers.scale)),
        highQualityDownsample: true)
    }
    if numbers.sharpness > 0 {
      image = image.applyingFilter(
        "CIUnsharpMask", parameters: ["inputRadius": 1.2, "inputIntensity": 1.5 * numbers.sharpness]
      ).cropped(to: image.extent)
    }
    image = image.oriented(laid)
    output = image
    return image
  }

  /// The image with the colours of a smoothed one, and its own brightness.
  private func smoothed(_ image: CIImage) -> CIImage {
    guard numbers.colorNoise > 0 else { return image }
    let grey = ["inputRVector", "inputGVector", "inputBVector"].reduce(into: [String: Any]()) {
      $0[$1] = CIVector(x: 0.2126, y: 0.7152, z: 0.0722, w: 0)
    }
    let soft = image.clampedToExtent()
      .applyingFilter("CIGaussianBlur", parameters: ["inputRadius": 6 * numbers.colorNoise])
      .cropped(to: image.extent)
    // What is sharp in brightness comes back: soft - grey of soft + grey of the image.
    let detail = image.applyingFilter("CIColorMatrix", parameters: grey)
    let lack = soft.applyingFilter(
      "CIColorMatrix",
      parameters: grey.mapValues { value in
        (value as? CIVector).map { CIVector(x: -$0.x, y: -$0.y, z: -$0.z, w: 0) } ?? value
      })
    let added = detail.applyingFilter("CIAdditionCompositing", parameters: ["inputBackgroundImage": soft])
    return lack.applyingFilter("CIAdditionCompositing", parameters: ["inputBackgroundImage": added])
      .applyingFilter(
        "CIColorMatrix",
        parameters: [
          "inputAVector": CIVector(x: 0, y: 0, z: 0, w: 0),
          "inputBiasVector": CIVector(x: 0, y: 0, z: 0, w: 1),
        ]
      )
      .cropped(to: image.extent)
  }
}

/// The curve of tones: a moderate contrast about middle grey, drawn over sRGB's code.
enum RawCurve {
  /// The light that comes out for light from 0 to 1 in even steps; empty for no curve.
  static func lights(boost: Double) -> [Float] {
    guard boost > 0 else { return [] }
    return (0...4096).map { step in
      let light = Double(step) / 4096
      let code = RawDeveloper.coded(light)
      // Slopes of 1.25 in the middle and 0.75 at both ends.
      let bent = code - 0.25 * boost * sin(2 * .pi * code) / (2 * .pi)
      return Float(bent <= 0.040_45 ? bent / 12.92 : pow((bent + 0.055) / 1.055, 2.4))
    }
  }
}
