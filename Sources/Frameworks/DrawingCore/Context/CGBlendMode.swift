internal import CPangoCairo

/// The ways in which what is painted is mixed with what is there.
///
/// Apple: `CGBlendMode`; the formulas are those of *Compositing and Blending Level 1* (W3C) and of Porter and Duff (1984).
///
/// - Note: Unlike AVFoundation's companion, there is no `plusDarker`: the library underneath has no such operator.
public enum CGBlendMode: Int32, Sendable {
  /// Painted over what is there.
  case normal = 0
  /// The product: at least as dark as either.
  case multiply = 1
  /// The product of what is missing to white: at least as light as either.
  case screen = 2
  /// ``multiply`` or ``screen``, as what is there is dark or light.
  case overlay = 3
  /// The darker of the two, in each component.
  case darken = 4
  /// The lighter of the two, in each component.
  case lighten = 5
  /// Lightens what is there by what is painted.
  case colorDodge = 6
  /// Darkens what is there by what is painted.
  case colorBurn = 7
  /// Darkens or lightens softly, as what is painted is dark or light.
  case softLight = 8
  /// ``multiply`` or ``screen``, as what is painted is dark or light.
  case hardLight = 9
  /// The difference without a sign.
  case difference = 10
  /// As ``difference``, with less contrast.
  case exclusion = 11
  /// The hue of what is painted, saturation and luminosity of what is there.
  case hue = 12
  /// The saturation of what is painted, hue and luminosity of what is there.
  case saturation = 13
  /// Hue and saturation of what is painted, luminosity of what is there.
  case color = 14
  /// The luminosity of what is painted, hue and saturation of what is there.
  case luminosity = 15
  /// Nothing is left.
  case clear = 16
  /// What is painted takes the place of what is there, alpha too.
  case copy = 17
  /// What is painted, where something is there.
  case sourceIn = 18
  /// What is painted, where nothing is there.
  case sourceOut = 19
  /// What is painted over what is there, only where something is there.
  case sourceAtop = 20
  /// What is there, over what is painted.
  case destinationOver = 21
  /// What is there, where something is painted.
  case destinationIn = 22
  /// What is there, where nothing is painted.
  case destinationOut = 23
  /// What is there over what is painted, only where something is painted.
  case destinationAtop = 24
  /// Either, where the other is not.
  case xor = 25
  /// The sum, at most white.
  case plusLighter = 27

  /// Whether each component is mixed without the others.
  var isSeparable: Bool {
    switch self {
    case .hue, .saturation, .color, .luminosity: false
    default: true
    }
  }

  /// Whether the library underneath would change what lies outside of the shape, too.
  var reachesOutside: Bool {
    switch self {
    case .sourceIn, .sourceOut, .destinationIn, .destinationAtop: true
    default: false
    }
  }

  var cairoOperator: cairo_operator_t {
    switch self {
    case .normal: CAIRO_OPERATOR_OVER
    case .multiply: CAIRO_OPERATOR_MULTIPLY
    case .screen: CAIRO_OPERATOR_SCREEN
    case .overlay: CAIRO_OPERATOR_OVERLAY
    case .darken: CAIRO_OPERATOR_DARKEN
    case .lighten: CAIRO_OPERATOR_LIGHTEN
    case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
    case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
    case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
    case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
    case .difference: CAIRO_OPERATOR_DIFFERENCE
    case .exclusion: CAIRO_OPERATOR_EXCLUSION
    case .hue: CAIRO_OPERATOR_HSL_HUE
    case .saturation: CAIRO_OPERATOR_HSL_SATURATION
    case .color: CAIRO_OPERATOR_HSL_COLOR
    case .luminosity: CAIRO_OPERATOR_HSL_LUMINOSITY
    case .clear: CAIRO_OPERATOR_CLEAR
    case .copy: CAIRO_OPERATOR_SOURCE
    case .sourceIn: CAIRO_OPERATOR_IN
    case .sourceOut: CAIRO_OPERATOR_OUT
    case .sourceAtop: CAIRO_OPERATOR_ATOP
    case .destinationOver: CAIRO_OPERATOR_DEST_OVER
    case .destinationIn: CAIRO_OPERATOR_DEST_IN
    case .destinationOut: CAIRO_OPERATOR_DEST_OUT
    case .destinationAtop: CAIRO_OPERATOR_DEST_ATOP
    case .xor: CAIRO_OPERATOR_XOR
    case .plusLighter: CAIRO_OPERATOR_ADD
    }
  }
}
