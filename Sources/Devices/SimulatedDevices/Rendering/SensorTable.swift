internal import Foundation

/// The look-up table of a sensor's response: exposure and Poisson-Gaussian noise in linear light, then the output's range.
///
/// The noise of linear light *x* (1 is white) has the variance `shot · x + read`, with `shot = 2·10⁻⁶ · ISO` and
/// `ln read = 2.18 · ln shot + 1.2` (Brooks et al., "Unprocessing Images for Learned Raw Denoising", 2019, section 4.1).
/// A byte of chance picks one of 256 equally likely quantiles, so that a pixel costs one look-up.
struct SensorTable: Sendable {
  /// The parameters of a table.
  struct Key: Hashable, Sendable {
    var gain: Double
    var iso: Float
    var isNoisy: Bool
    var isFullRange: Bool
    /// Whether light up to four times white is kept, by pressing all above half of white together.
    var isHDR = false
    /// Whether one tone curve serves the whole picture, see ``SensorTable/toned(_:)``.
    var isGloballyToneMapped = false

    /// The picture's light of a photosite's light, both linear.
    func shown(_ light: Double) -> Double {
      let pressed = SensorTable.pressed(light, isHDR)
      return isGloballyToneMapped ? SensorTable.toned(pressed) : pressed
    }
  }

  let key: Key
  /// Output luma for chance (low byte) and input luma (high byte).
  let luma: [UInt8]
  /// For each input luma: by how many 256ths colour differences shrink or grow.
  let chromaGain: [Int32]
  /// For each input luma: the noise of colour differences in 256ths of an output level.
  let chromaNoise: [Int32]

  /// The quantiles of the normal distribution in 256ths of its deviation.
  static let quantiles: [Int32] = (0..<256).map {
    Int32((256 * quantile((Double($0) + 0.5) / 256)).rounded())
  }

  /// The coded values of 4096 steps of linear light; finer than a byte can show except in the deepest black.
  private static let codes: [Float] = (0...4096).map { SRGB.coded(Float($0) / 4096) * 255 }

  init(_ key: Key) {
    self.key = key
    let shot = 2e-6 * Double(key.iso)
    let read = exp(2.18 * log(shot) + 1.2)
    let scale: Float = key.isFullRange ? 1 : 219.0 / 255
    let offset: Float = key.isFullRange ? 0 : 16
    let chromaScale: Float = key.isFullRange ? 1 : 224.0 / 255
    var luma = [UInt8](repeating: 0, count: 65_536)
    var gains = [Int32](repeating: 0, count: 256)
    var noises = [Int32](repeating: 0, count: 256)
    for input in 0..<256 {
      let light = Double(SRGB.linear(Float(input) / 255)) * key.gain
      let deviation = key.isNoisy ? (shot * min(light, 1) + read).squareRoot() : 0
      let plain = Self.code(key.shown(light))
      if key.isNoisy {
        for chance in 0..<256 {
          let noisy = light + deviation * Double(Self.quantiles[chance]) / 256
          let value = Self.code(key.shown(noisy))
          luma[input << 8 | chance] = UInt8(value * scale + offset + 0.5)
        }
      } else {
        let byte = UInt8(plain * scale + offset + 0.5)
        for chance in 0..<256 { luma[input << 8 | chance] = byte }
      }
      // Colour follows luma: a clipped highlight turns white, as it does on a sensor.
      let ratio = input == 0 ? Float(pow(key.gain, 1 / 2.2)) : plain / Float(input)
      gains[input] = Int32((min(ratio, 4) * chromaScale * 256).rounded())
      // Four photosites are averaged, and a difference has some 0.8 of the luma's deviation.
      let spread =
        (Self.code(key.shown(light + deviation)) - Self.code(key.shown(max(light - deviation, 0)))) / 2
      noises[input] = Int32((0.4 * spread * chromaScale * 256).rounded())
    }
    self.luma = luma
    chromaGain = gains
    chromaNoise = noises
  }

  /// Light up to four times white as light up to white: unchanged up to a half, from there on a curve without a kink.
  static func pressed(_ light: Double, _ isHDR: Bool) -> Double {
    guard isHDR, light > 0.5 else { return light }
    // A hyperbola with slope 1 at a half that reaches 1 at 4.
    let x = min(light, 4) - 0.5
    return 0.5 + x / (1 + x * (1 / 0.5 - 1 / 3.5))
  }

  /// Light under the one curve of global tone mapping: middle grey stays, and every stop away from it becomes four fifths of
  /// one, so that shadows are lifted and highlights up to one and a half times white are kept.
  ///
  /// Our own figures; an exponent on linear light around the grey that sRGB codes as a half.
  static func toned(_ light: Double) -> Double {
    light > 0 ? middleGrey * pow(light / middleGrey, 0.8) : 0
  }

  private static let middleGrey = Double(SRGB.linear(0.5))

  /// The coded value, 0 to 255, of linear light, which is clipped to 0 to 1.
  private static func code(_ light: Double) -> Float {
    let position = Float(min(max(light, 0), 1)) * 4096
    let index = min(Int(position), 4095)
    let fraction = position - Float(index)
    return codes[index] + (codes[index + 1] - codes[index]) * fraction
  }

  /// The normal distribution's quantile by bisection of its integral: exact, and made once.
  private static func quantile(_ probability: Double) -> Double {
    var low = -8.0
    var high = 8.0
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if 0.5 * erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
