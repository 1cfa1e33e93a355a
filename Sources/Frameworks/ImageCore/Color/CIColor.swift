public import DrawingCore
public import Foundation
public import GraphicsCore

/// A colour for images: red, green, blue and alpha in a colour space, not premultiplied.
///
/// Immutable; thread-safe.
public final class CIColor: NSObject, Sendable {
  /// Red, from 0 to 1; beyond that for colours outside the space.
  public let red: CGFloat
  /// Green, from 0 to 1.
  public let green: CGFloat
  /// Blue, from 0 to 1.
  public let blue: CGFloat
  /// Opacity, from 0 to 1.
  public let alpha: CGFloat
  /// What the numbers mean.
  public let colorSpace: CGColorSpace

  private init(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat, _ alpha: CGFloat, _ space: CGColorSpace) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
    colorSpace = space
    super.init()
  }

  /// Black and clear.
  public convenience override init() {
    self.init(0, 0, 0, 0, .standardRGB)
  }

  /// A colour of sRGB.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(red, green, blue, alpha, .standardRGB)
  }

  /// An opaque colour of sRGB.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat) {
    self.init(red, green, blue, 1, .standardRGB)
  }

  /// A colour of `colorSpace`; `nil` when that is no RGB space.
  public convenience init?(
    red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat, colorSpace: CGColorSpace
  ) {
    guard colorSpace.model == .rgb else { return nil }
    self.init(red, green, blue, alpha, colorSpace)
  }

  /// An opaque colour of `colorSpace`; `nil` when that is no RGB space.
  public convenience init?(red: CGFloat, green: CGFloat, blue: CGFloat, colorSpace: CGColorSpace) {
    self.init(red: red, green: green, blue: blue, alpha: 1, colorSpace: colorSpace)
  }

  /// The same colour; gray becomes equal red, green and blue of sRGB.
  public convenience init(cgColor: CGColor) {
    let parts = cgColor.components ?? []
    if parts.count == 4, let space = cgColor.colorSpace, space.model == .rgb {
      self.init(parts[0], parts[1], parts[2], parts[3], space)
    } else {
      let gray = parts.first ?? 0
      self.init(gray, gray, gray, cgColor.alpha, .standardRGB)
    }
  }

  /// The same colour as `color`, as ``init(cgColor:)`` reads it.
  ///
  /// Apple: `CIColor.init(color:)`.
  public convenience init(color: UIColor) {
    self.init(cgColor: color.cgColor)
  }

  /// A colour of sRGB from text such as `1 0.5 0 1`: red, green, blue and, unless it is 1, alpha.
  ///
  /// Numbers that are missing count as 0.
  public convenience init(string representation: String) {
    let numbers = representation.split(whereSeparator: \.isWhitespace).map { Double($0) ?? 0 }
    func number(_ index: Int, _ fallback: Double) -> CGFloat {
      CGFloat(index < numbers.count ? numbers[index] : fallback)
    }
    self.init(number(0, 0), number(1, 0), number(2, 0), number(3, 1), .standardRGB)
  }

  /// Always 4: red, green, blue, alpha.
  public var numberOfComponents: Int { 4 }

  /// The colour as text that ``init(string:)`` reads, its space left out.
  public var stringRepresentation: String {
    [red, green, blue, alpha].map { String(format: "%g", Double($0)) }.joined(separator: " ")
  }

  /// The numbers, for logs.
  public override var description: String { "(\(stringRepresentation))" }

  /// Whether `object` is the same colour in the same space.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CIColor else { return false }
    return red == other.red && green == other.green && blue == other.blue && alpha == other.alpha
      && colorSpace == other.colorSpace
  }

  /// Follows ``isEqual(_:)``.
  public override var hash: Int {
    var hasher = Hasher()
    for part in [red, green, blue, alpha] { hasher.combine(part) }
    return hasher.finalize()
  }
}

extension CIColor {
  /// Opaque black.
  public static let black = CIColor(red: 0, green: 0, blue: 0)
  /// Opaque white.
  public static let white = CIColor(red: 1, green: 1, blue: 1)
  /// Opaque gray, half of every component.
  public static let gray = CIColor(red: 0.5, green: 0.5, blue: 0.5)
  /// Opaque red.
  public static let red = CIColor(red: 1, green: 0, blue: 0)
  /// Opaque green.
  public static let green = CIColor(red: 0, green: 1, blue: 0)
  /// Opaque blue.
  public static let blue = CIColor(red: 0, green: 0, blue: 1)
  /// Opaque cyan.
  public static let cyan = CIColor(red: 0, green: 1, blue: 1)
  /// Opaque magenta.
  public static let magenta = CIColor(red: 1, green: 0, blue: 1)
  /// Opaque yellow.
  public static let yellow = CIColor(red: 1, green: 1, blue: 0)
  /// Nothing.
  public static let clear = CIColor(red: 0, green: 0, blue: 0, alpha: 0)
}

extension CGColorSpace {
  /// Where images are mixed: light itself, in sRGB's primaries, with room outside them.
  static let standardWorking =
    CGColorSpace(name: CGColorSpace.extendedLinearSRGB) ?? CGColorSpaceCreateDeviceRGB()
}
