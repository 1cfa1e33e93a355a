internal import Foundation
internal import GraphicsCore

/// The common interface of the filters that functions of their own make.
///
/// `import CoreImage` brings them along; Apple's `import CoreImage.CIFilterBuiltins` stays for Apple's systems.
///
/// Apple: `CIFilterProtocol`.
public protocol CIFilterProtocol: AnyObject {
  /// The image that the filter makes of its inputs.
  var outputImage: CIImage? { get }
}

extension CIFilter {
  private func image(_ key: String) -> CIImage? { value(forKey: key) as? CIImage }
  private func float(_ key: String) -> Float { (value(forKey: key) as? NSNumber)?.floatValue ?? 0 }
  private func whole(_ key: String) -> Int { (value(forKey: key) as? NSNumber)?.intValue ?? 0 }
  private func color(_ key: String) -> CIColor { value(forKey: key) as? CIColor ?? .black }
  private func vector(_ key: String) -> CIVector { value(forKey: key) as? CIVector ?? CIVector(x: 0) }
  private func point(_ key: String) -> CGPoint { vector(key).cgPointValue }
  private func rect(_ key: String) -> CGRect { vector(key).cgRectValue }
  private func data(_ key: String) -> Data { value(forKey: key) as? Data ?? Data() }
  private func text(_ key: String) -> String { value(forKey: key) as? String ?? "" }
  private func flag(_ key: String) -> Bool { (value(forKey: key) as? NSNumber)?.boolValue ?? false }
  private func transform(_ key: String) -> CGAffineTransform {
    value(forKey: key) as? CGAffineTransform ?? .identity
  }
}

// The inputs under the names that Swift has for them.
extension CIFilter {
  var aVector: CIVector {
    get { vector("inputAVector") }
    set { setValue(newValue, forKey: "inputAVector") }
  }
  var amount: Float {
    get { float("inputAmount") }
    set { setValue(newValue, forKey: "inputAmount") }
  }
  var angle: Float {
    get { float("inputAngle") }
    set { setValue(newValue, forKey: "inputAngle") }
  }
  var aspectRatio: Float {
    get { float("inputAspectRatio") }
    set { setValue(newValue, forKey: "inputAspectRatio") }
  }
  var bVector: CIVector {
    get { vector("inputBVector") }
    set { setValue(newValue, forKey: "inputBVector") }
  }
  var backgroundImage: CIImage? {
    get { image("inputBackgroundImage") }
    set { setValue(newValue, forKey: "inputBackgroundImage") }
  }
  var barcodeHeight: Float {
    get { float("inputBarcodeHeight") }
    set { setValue(newValue, forKey: "inputBarcodeHeight") }
  }
  var biasVector: CIVector {
    get { vector("inputBiasVector") }
    set { setValue(newValue, forKey: "inputBiasVector") }
  }
  var bottomLeft: CGPoint {
    get { point("inputBottomLeft") }
    set { setValue(newValue, forKey: "inputBottomLeft") }
  }
  var bottomRight: CGPoint {
    get { point("inputBottomRight") }
    set { setValue(newValue, forKey: "inputBottomRight") }
  }
  var brightness: Float {
    get { float("inputBrightness") }
    set { setValue(newValue, forKey: "inputBrightness") }
  }
  var center: CGPoint {
    get { point("inputCenter") }
    set { setValue(newValue, forKey: "inputCenter") }
  }
  var color: CIColor {
    get { color("inputColor") }
    set { setValue(newValue, forKey: "inputColor") }
  }
  var color0: CIColor {
    get { color("inputColor0") }
    set { setValue(newValue, forKey: "inputColor0") }
  }
  var color1: CIColor {
    get { color("inputColor1") }
    set { setValue(newValue, forKey: "inputColor1") }
  }
  var colorSpace: CGColorSpace? {
    get { value(forKey: "inputColorSpace") as? CGColorSpace }
    set { setValue(newValue, forKey: "inputColorSpace") }
  }
  var contrast: Float {
    get { float("inputContrast") }
    set { setValue(newValue, forKey: "inputContrast") }
  }
  var count: Int {
    get { whole("inputCount") }
    set { setValue(newValue, forKey: "inputCount") }
  }
  var cubeData: Data {
    get { data("inputCubeData") }
    set { setValue(newValue, forKey: "inputCubeData") }
  }
  var cubeDimension: Float {
    get { float("inputCubeDimension") }
    set { setValue(newValue, forKey: "inputCubeDimension") }
  }
  var ev: Float {
    get { float("inputEV") }
    set { setValue(newValue, forKey: "inputEV") }
  }
  var extent: CGRect {
    get { rect("inputExtent") }
    set { setValue(newValue, forKey: "inputExtent") }
  }
  var extrapolate: Bool {
    get { flag("inputExtrapolate") }
    set { setValue(newValue, forKey: "inputExtrapolate") }
  }
  var falloff: Float {
    get { float("inputFalloff") }
    set { setValue(newValue, forKey: "inputFalloff") }
  }
  var fontName: String {
    get { text("inputFontName") }
    set { setValue(newValue, forKey: "inputFontName") }
  }
  var fontSize: Float {
    get { float("inputFontSize") }
    set { setValue(newValue, forKey: "inputFontSize") }
  }
  var gVector: CIVector {
    get { vector("inputGVector") }
    set { setValue(newValue, forKey: "inputGVector") }
  }
  var highlightAmount: Float {
    get { float("inputHighlightAmount") }
    set { setValue(newValue, forKey: "inputHighlightAmount") }
  }
  var inputImage: CIImage? {
    get { image("inputImage") }
    set { setValue(newValue, forKey: "inputImage") }
  }
  var intensity: Float {
    get { float("inputIntensity") }
    set { setValue(newValue, forKey: "inputIntensity") }
  }
  var levels: Float {
    get { float("inputLevels") }
    set { setValue(newValue, forKey: "inputLevels") }
  }
  var maskImage: CIImage? {
    get { image("inputMaskImage") }
    set { setValue(newValue, forKey: "inputMaskImage") }
  }
  var maxComponents: CIVector {
    get { vector("inputMaxComponents") }
    set { setValue(newValue, forKey: "inputMaxComponents") }
  }
  var message: Data {
    get { data("inputMessage") }
    set { setValue(newValue, forKey: "inputMessage") }
  }
  var minComponents: CIVector {
    get { vector("inputMinComponents") }
    set { setValue(newValue, forKey: "inputMinComponents") }
  }
  var neutral: CIVector {
    get { vector("inputNeutral") }
    set { setValue(newValue, forKey: "inputNeutral") }
  }
  var padding: Float {
    get { float("inputPadding") }
    set { setValue(newValue, forKey: "inputPadding") }
  }
  var parameterB: Float {
    get { float("inputB") }
    set { setValue(newValue, forKey: "inputB") }
  }
  var parameterC: Float {
    get { float("inputC") }
    set { setValue(newValue, forKey: "inputC") }
  }
  var point0: CGPoint {
    get { point("inputPoint0") }
    set { setValue(newValue, forKey: "inputPoint0") }
  }
  var point1: CGPoint {
    get { point("inputPoint1") }
    set { setValue(newValue, forKey: "inputPoint1") }
  }
  var point2: CGPoint {
    get { point("inputPoint2") }
    set { setValue(newValue, forKey: "inputPoint2") }
  }
  var point3: CGPoint {
    get { point("inputPoint3") }
    set { setValue(newValue, forKey: "inputPoint3") }
  }
  var point4: CGPoint {
    get { point("inputPoint4") }
    set { setValue(newValue, forKey: "inputPoint4") }
  }
  var power: Float {
    get { float("inputPower") }
    set { setValue(newValue, forKey: "inputPower") }
  }
  var quietSpace: Float {
    get { float("inputQuietSpace") }
    set { setValue(newValue, forKey: "inputQuietSpace") }
  }
  var rVector: CIVector {
    get { vector("inputRVector") }
    set { setValue(newValue, forKey: "inputRVector") }
  }
  var radius: Float {
    get { float("inputRadius") }
    set { setValue(newValue, forKey: "inputRadius") }
  }
  var radius0: Float {
    get { float("inputRadius0") }
    set { setValue(newValue, forKey: "inputRadius0") }
  }
  var radius1: Float {
    get { float("inputRadius1") }
    set { setValue(newValue, forKey: "inputRadius1") }
  }
  var saturation: Float {
    get { float("inputSaturation") }
    set { setValue(newValue, forKey: "inputSaturation") }
  }
  var scale: Float {
    get { float("inputScale") }
    set { setValue(newValue, forKey: "inputScale") }
  }
  var shadowAmount: Float {
    get { float("inputShadowAmount") }
    set { setValue(newValue, forKey: "inputShadowAmount") }
  }
  var sharpness: Float {
    get { float("inputSharpness") }
    set { setValue(newValue, forKey: "inputSharpness") }
  }
  var targetImage: CIImage? {
    get { image("inputTargetImage") }
    set { setValue(newValue, forKey: "inputTargetImage") }
  }
  var targetNeutral: CIVector {
    get { vector("inputTargetNeutral") }
    set { setValue(newValue, forKey: "inputTargetNeutral") }
  }
  var textureImage: CIImage? {
    get { image("inputTexture") }
    set { setValue(newValue, forKey: "inputTexture") }
  }
  var time: Float {
    get { float("inputTime") }
    set { setValue(newValue, forKey: "inputTime") }
  }
  var topLeft: CGPoint {
    get { point("inputTopLeft") }
    set { setValue(newValue, forKey: "inputTopLeft") }
  }
  var topRight: CGPoint {
    get { point("inputTopRight") }
    set { setValue(newValue, forKey: "inputTopRight") }
  }
  var transform: CGAffineTransform {
    get { transform("inputTransform") }
    set { setValue(newValue, forKey: "inputTransform") }
  }
  var width: Float {
    get { float("inputWidth") }
    set { setValue(newValue, forKey: "inputWidth") }
  }
}
