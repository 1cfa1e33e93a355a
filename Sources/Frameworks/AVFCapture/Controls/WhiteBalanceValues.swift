internal import CaptureDevice

extension AVCaptureDevice {
  /// The mode of white balance: locked or automatic.
  ///
  /// Apple: `AVCaptureDevice.WhiteBalanceMode`.
  public enum WhiteBalanceMode: Int, Sendable {
    /// Stays as it is.
    case locked = 0
    /// Adjusts once, then locks.
    case autoWhiteBalance = 1
    /// Adjusts whenever the light changes.
    case continuousAutoWhiteBalance = 2
  }

  /// The gains of white balance, by which the three colours of the device's sensor are multiplied.
  ///
  /// They mean different lights to different devices; see ``AVCaptureDevice/chromaticityValues(for:)``.
  ///
  /// Apple: `AVCaptureDevice.WhiteBalanceGains`.
  public struct WhiteBalanceGains: Sendable {
    /// Red, from 1 on.
    public var redGain: Float
    /// Green, from 1 on.
    public var greenGain: Float
    /// Blue, from 1 on.
    public var blueGain: Float

    /// Three times 0, which no device takes.
    public init() {
      self.init(redGain: 0, greenGain: 0, blueGain: 0)
    }

    /// Three gains.
    public init(redGain: Float, greenGain: Float, blueGain: Float) {
      self.redGain = redGain
      self.greenGain = greenGain
      self.blueGain = blueGain
    }
  }

  /// The colour of a light as CIE 1931 chromaticity.
  ///
  /// Apple: `AVCaptureDevice.WhiteBalanceChromaticityValues`.
  public struct WhiteBalanceChromaticityValues: Sendable {
    /// From 0 to 1.
    public var x: Float
    /// From 0 to 1.
    public var y: Float

    /// Twice 0.
    public init() {
      self.init(x: 0, y: 0)
    }

    /// A chromaticity.
    public init(x: Float, y: Float) {
      self.x = x
      self.y = y
    }
  }

  /// The colour of a light as that of a glowing body, and how much greener than that it is.
  ///
  /// Apple: `AVCaptureDevice.WhiteBalanceTemperatureAndTintValues`.
  public struct WhiteBalanceTemperatureAndTintValues: Sendable {
    /// The correlated colour temperature in kelvin.
    public var temperature: Float
    /// -150 to 150: above 0 for a light greener than a glowing body, whose picture is made more magenta.
    public var tint: Float

    /// Twice 0.
    public init() {
      self.init(temperature: 0, tint: 0)
    }

    /// A temperature and a tint.
    public init(temperature: Float, tint: Float) {
      self.temperature = temperature
      self.tint = tint
    }
  }
}

extension AVCaptureDevice.WhiteBalanceMode {
  init(_ mode: WhiteBalanceMode) {
    self =
      switch mode {
      case .locked: .locked
      case .auto: .autoWhiteBalance
      case .continuousAuto: .continuousAutoWhiteBalance
      }
  }

  var driverMode: WhiteBalanceMode {
    switch self {
    case .locked: .locked
    case .autoWhiteBalance: .auto
    case .continuousAutoWhiteBalance: .continuousAuto
    }
  }
}

extension AVCaptureDevice.WhiteBalanceGains {
  init(_ gains: WhiteBalanceGains) {
    self.init(redGain: gains.red, greenGain: gains.green, blueGain: gains.blue)
  }

  /// The same balance with the least gain at 1; `nil` where a gain is no number above 0.
  var normalized: Self? {
    let least = min(redGain, greenGain, blueGain)
    guard least > 0, least.isFinite else { return nil }
    return Self(redGain: redGain / least, greenGain: greenGain / least, blueGain: blueGain / least)
  }

  /// Whether they stand for those that the device has.
  var isCurrent: Bool {
    let most = Float.greatestFiniteMagnitude
    return redGain == most && greenGain == most && blueGain == most
  }
}

extension SensorColors {
  /// A sensor that sees with the primaries of sRGB, to which the light of D65 is neutral.
  ///
  /// Source: IEC 61966-2-1, the inverse of equation 7.
  static let sRGB = SensorColors(
    red: SIMD3(3.240_625_5, -1.537_208_0, -0.498_628_6), green: SIMD3(-0.968_930_7, 1.875_756_1, 0.041_517_5),
    blue: SIMD3(0.055_710_1, -0.204_021_1, 1.056_995_9))
}
