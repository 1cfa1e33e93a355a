internal import CaptureDevice
internal import Foundation

/// The optics of a camera: its lenses, lamp and colours, which turn the state of the controls into the way a frame is painted.
///
/// Pure functions: a frame's pixels follow from the conditions that are reported for it, and from nothing else.
struct CameraOptics: Sendable {
  /// One lens with its sensor; a virtual camera has several.
  struct Lens: Sendable {
    /// The identifier of the camera that it belongs to; `nil` for the device's own.
    var uniqueID: String?
    var facts: LensFacts?
    /// The device's zoom factor at which the lens's whole view fills the frame.
    var zoom: Double
    /// Photosites in a row of its sensor.
    var photosites: Int
    /// The bending of straight lines, see ``LensFacts/bending``.
    var bending: Double { facts?.bending ?? 0 }
    var aperture: Double { facts?.aperture ?? 2 }
  }

  /// Widest first; never empty.
  let lenses: [Lens]
  let ambientLux: Double
  /// The gains that make the scene's light neutral, within the device's range.
  let neutralGains: WhiteBalanceGains
  /// The gains that would make it neutral if any could be had.
  let exactGains: WhiteBalanceGains
  private let hasWhiteBalance: Bool
  private let gainsRange: ClosedRange<Float>?
  /// The lamp's colours where the scene's light is balanced, as ``FrameView/lampTint``.
  private let lampTint: SIMD3<Double>
  /// Lux of the flash in a metre's distance: a lamp's, or a screen's.
  private let ownFlashLux: Double
  /// Between the nearest and the farthest thing: what is nearer is painted brighter, what is farther darker, and eight
  /// bits lose the least both ways.
  private let litDepth: Double

  /// Lux of the lamp at level 1 in a metre's distance.
  static let torchLux = 150.0
  /// Lux of the flash in a metre's distance.
  static let flashLux = 900.0
  /// Lux of a phone's screen in a metre's distance while it is the flash of a front camera: a hundred square centimetres of it, three
  /// times as bright as it otherwise is, at 2500 candela a square metre.
  static let screenLux = 25.0
  /// The chromaticity of lamp and flash: the white of daylight (CIE D65), whatever light the scene has.
  static let lampLight = (x: 0.3127, y: 0.3290)
  /// Light in which an automatic flash fires: what wants more than ISO 800 at 1/30 s.
  static let darkLux = 30.0

  init(model: SimulatedDeviceModel, scene: Scene) {
    let facts = model.facts
    var lenses = facts.constituents.compactMap { id -> Lens? in
      guard let own = scene.devices.first(where: { $0.facts.uniqueID == id }) else { return nil }
      return Lens(
        uniqueID: id, facts: own.facts.lens, zoom: own.magnification / max(model.magnification, 0.01),
        photosites: own.photosites)
    }
    if lenses.isEmpty {
      lenses = [
        Lens(
          uniqueID: nil, facts: facts.lens, zoom: 1, photosites: model.photosites)
      ]
    }
    self.lenses = lenses
    ambientLux = scene.lux
    let light = LampColor.chromaticity(kelvin: scene.lightTemperature)
    exactGains =
      scene.lightTemperature == Scene.neutralTemperature
      ? Self.gains(facts.sensorColors, x: Self.lampLight.x, y: Self.lampLight.y)
      : Self.gains(facts.sensorColors, x: light.x, y: light.y)
    let lampGains = Self.gains(facts.sensorColors, x: Self.lampLight.x, y: Self.lampLight.y)
    // A screen is lit in the colour of the light around it.
    let isScreen = facts.position == .front && facts.capabilities.torchModes.isEmpty
    ownFlashLux = isScreen ? Self.screenLux : Self.flashLux
    lampTint = isScreen ? .one : exactGains.tint(over: lampGains)
    neutralGains = exactGains.clamped(to: facts.capabilities.whiteBalanceGains)
    gainsRange = facts.capabilities.whiteBalanceGains
    hasWhiteBalance = !facts.capabilities.whiteBalanceModes.isEmpty
    let seen = scene.layers.filter { $0.position == nil || $0.position == facts.position }
    let nearest = seen.map(\.nearestDepth).reduce(scene.background.depth, min)
    litDepth = (nearest * scene.background.depth).squareRoot()
  }

  private static func gains(_ colors: SensorColors?, x: Double, y: Double) -> WhiteBalanceGains {
    colors?.gains(x: x, y: y) ?? WhiteBalanceGains()
  }

  func lens(_ uniqueID: String?) -> Lens {
    lenses.first { $0.uniqueID == uniqueID } ?? lenses[0]
  }

  /// The state of the controls of the camera `uniqueID` while those of the device have `state`.
  ///
  /// It exposes as long, with the ISO, within `range`, that makes up for its aperture, and focuses as far.
  func state(_ state: ControlState, of uniqueID: String, iso range: ClosedRange<Float>?) -> ControlState {
    let (present, other) = (lens(state.constituent), lens(uniqueID))
    var own = state
    own.constituent = uniqueID
    if let iso = state.exposure.iso {
      let equal = iso * Float((other.aperture / present.aperture) * (other.aperture / present.aperture))
      own.exposure.iso = range.map { min(max(equal, $0.lowerBound), $0.upperBound) } ?? equal
    }
    if let near = present.facts?.minimumFocusDistance, let ownNear = other.facts?.minimumFocusDistance {
      own.lensPosition = min(max(1 - (1 - state.lensPosition) * Float(ownNear) / Float(near), 0), 1)
    }
    return own
  }

  // MARK: Light

  /// Lux of lamp and flash in a metre's distance.
  func lampLux(_ state: ControlState) -> Double {
    Double(state.torchLevel) * Self.torchLux + (state.isFlashed ? ownFlashLux : 0)
  }

  /// The light on a thing at `depth` metres: the scene's, and the lamp's, which falls off with the square.
  func light(depth: Double, lampLux: Double) -> Double {
    let distance = max(depth, 0.1)
    return ambientLux + lampLux / (distance * distance)
  }

  // MARK: Frames

  /// The moment of a frame with these conditions: its view, gain and balance.
  func moment(_ state: ControlState, seconds: Double, sequence: UInt32) -> FrameMoment {
    let lens = lens(state.constituent)
    let lamp = lampLux(state)
    let light = lamp > 0 ? light(depth: litDepth, lampLux: lamp) : ambientLux
    var view = FrameView()
    view.lensZoom = lens.zoom
    view.crop = max(state.zoom / lens.zoom, 1)
    view.photosites = lens.photosites
    view.lampShare = lamp > 0 ? lamp / ambientLux : 0
    view.lampTint = lamp > 0 ? lampTint : .one
    view.litDepth = litDepth
    view.bending = state.isDistortionCorrected ? 0 : lens.bending
    if let facts = lens.facts, let nearest = facts.minimumFocusDistance {
      view.focusDioptres = 1000 / Double(nearest) * Double(1 - state.lensPosition)
      // Thin lens: a circle of aperture × focal length × difference of dioptres on a sensor of
      // 2 × focal length × tan(half the field of view).
      view.blur =
        facts.focalLength / 1000 / facts.aperture / (2 * tan(facts.fieldOfView * .pi / 360)) * view.crop
    }
    var gain = ExposureControl.gain(of: state.exposure, lux: light, aperture: lens.aperture)
    if state.isLowLightBoosted { gain *= exp2(ExposureControl.boostStops) }
    return FrameMoment(
      seconds: seconds, sequence: sequence, gain: gain, iso: state.exposure.iso ?? 100, isFlash: false,
      view: view, balance: balance(state.whiteBalanceGains), isHDR: state.isHDR,
      isGloballyToneMapped: state.isGloballyToneMapped)
  }

  /// The factors of red, green and blue of a neutral thing, in linear light; all 1 when white is white.
  private func balance(_ gains: WhiteBalanceGains) -> SIMD3<Float> {
    guard hasWhiteBalance, gains != exactGains else { return .one }
    return SIMD3(gains.red / exactGains.red, gains.green / exactGains.green, gains.blue / exactGains.blue)
  }
}

extension CameraOptics {
  /// The gains, within the device's range, that make a mean linear colour of the scene grey.
  func greyGains(mean: SIMD3<Double>) -> WhiteBalanceGains {
    let exact = SIMD3(Double(exactGains.red), Double(exactGains.green), Double(exactGains.blue))
    var gains = exact / SIMD3(max(mean.x, 1e-4), max(mean.y, 1e-4), max(mean.z, 1e-4))
    gains /= gains.min()
    return WhiteBalanceGains(red: Float(gains.x), green: Float(gains.y), blue: Float(gains.z))
      .clamped(to: gainsRange)
  }
}

extension WhiteBalanceGains {
  /// The colours, balanced by these gains, of a light that `other` gains make neutral; its green is 1.
  fileprivate func tint(over other: WhiteBalanceGains) -> SIMD3<Double> {
    let own = SIMD3(Double(red), Double(green), Double(blue)) / Double(green)
    return own / (SIMD3(Double(other.red), Double(other.green), Double(other.blue)) / Double(other.green))
  }

  func clamped(to range: ClosedRange<Float>?) -> WhiteBalanceGains {
    guard let range else { return self }
    func clamp(_ gain: Float) -> Float { min(max(gain, range.lowerBound), range.upperBound) }
    return WhiteBalanceGains(red: clamp(red), green: clamp(green), blue: clamp(blue))
  }
}
