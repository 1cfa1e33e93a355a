internal import Foundation

/// sRGB's curve, for filters whose numbers are those of a screen (IEC 61966-2-1): `TransferFunction.sRGB` in single precision,
/// because each pixel passes it.
enum ScreenCurve {
  static func stored(_ light: Float) -> Float {
    light <= 0.003_130_8 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
  }

  static func light(_ stored: Float) -> Float {
    stored <= 0.040_45 ? stored / 12.92 : powf((stored + 0.055) / 1.055, 2.4)
  }
}
