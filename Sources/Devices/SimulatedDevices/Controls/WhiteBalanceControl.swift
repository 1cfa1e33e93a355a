internal import CaptureDevice
internal import Foundation

/// The white balance of a simulated camera: halves its error each exposed frame until the light is neutral.
struct WhiteBalanceControl: Sendable {
  private(set) var mode: WhiteBalanceMode
  private(set) var gains: WhiteBalanceGains
  private(set) var isAdjusting = false

  /// - Parameter start: The gains before the first measurement.
  init(start: WhiteBalanceGains, modes: Set<WhiteBalanceMode>) {
    gains = start
    mode = modes.contains(.continuousAuto) ? .continuousAuto : .locked
  }

  mutating func setMode(_ mode: WhiteBalanceMode) {
    self.mode = mode
    isAdjusting = mode == .auto
  }

  mutating func setGains(_ gains: WhiteBalanceGains) {
    mode = .locked
    isAdjusting = false
    self.gains = gains
  }

  /// Moves on by one frame whose light `neutral` would make neutral.
  mutating func step(neutral: WhiteBalanceGains) {
    guard mode != .locked else { return }
    let error =
      abs(log2(neutral.red / gains.red)) + abs(log2(neutral.green / gains.green))
      + abs(log2(neutral.blue / gains.blue))
    if error < 0.02 {
      gains = neutral
      isAdjusting = false
      if mode == .auto { mode = .locked }
    } else {
      gains.red = (gains.red * neutral.red).squareRoot()
      gains.green = (gains.green * neutral.green).squareRoot()
      gains.blue = (gains.blue * neutral.blue).squareRoot()
      isAdjusting = true
    }
  }
}

/// The colour of light by its temperature.
enum LampColor {
  /// The chromaticity of daylight from 4000 K on, of a glowing body below.
  ///
  /// Sources: CIE 15, equations for the D illuminants; Kim et al., US patent 7024034, cubic fit of the Planckian locus.
  static func chromaticity(kelvin: Double) -> (x: Double, y: Double) {
    let t = min(max(kelvin, 1667), 25_000)
    let n = 1000 / t
    if t < 4000 {
      let x = -0.266_123_9 * n * n * n - 0.234_358_9 * n * n + 0.877_695_6 * n + 0.179_910
      let y =
        t < 2222
        ? -1.106_381_4 * x * x * x - 1.348_110_20 * x * x + 2.185_558_32 * x - 0.202_196_83
        : -0.954_947_6 * x * x * x - 1.374_185_93 * x * x + 2.091_370_15 * x - 0.167_488_67
      return (x, y)
    }
    let x =
      t <= 7000
      ? -4.607 * n * n * n + 2.967_8 * n * n + 0.099_11 * n + 0.244_063
      : -2.006_4 * n * n * n + 1.901_8 * n * n + 0.247_48 * n + 0.237_040
    return (x, -3 * x * x + 2.87 * x - 0.275)
  }
}
