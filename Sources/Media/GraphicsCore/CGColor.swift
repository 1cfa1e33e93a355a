public import Foundation
public import FoundationExtras

/// A colour: the components of a colour space and alpha; immutable and thread-safe.
public final class CGColor: Sendable, Hashable {
  /// The space of the components.
  public let colorSpace: CGColorSpace?
  private let values: [CGFloat]

  /// A colour of `space`.
  ///
  /// - Parameters:
  ///   - space: What the components mean.
  ///   - components: One number for each component of the space, then alpha.
  public init?(colorSpace space: CGColorSpace, components: UnsafePointer<CGFloat>) {
    colorSpace = space
    values = Array(UnsafeBufferPointer(start: components, count: space.numberOfComponents + 1))
  }

  private init(_ space: CGColorSpace?, _ values: [CGFloat]) {
    colorSpace = space
    self.values = values
  }

  /// A colour of sRGB.
  public convenience init(srgbRed red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(CGColorSpace(name: CGColorSpace.sRGB), [red, green, blue, alpha])
  }

  /// A colour of sRGB.
  public convenience init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    self.init(srgbRed: red, green: green, blue: blue, alpha: alpha)
  }

  /// A gray of the power curve 2.2.
  public convenience init(gray: CGFloat, alpha: CGFloat) {
    self.init(CGColorSpace(name: CGColorSpace.genericGrayGamma2_2), [gray, alpha])
  }

  /// A gray of the power curve 2.2.
  public convenience init(genericGrayGamma2_2Gray gray: CGFloat, alpha: CGFloat) {
    self.init(gray: gray, alpha: alpha)
  }

  /// Opaque black.
  public static let black = CGColor(gray: 0, alpha: 1)
  /// Opaque white.
  public static let white = CGColor(gray: 1, alpha: 1)
  /// Nothing: black with alpha 0.
  public static let clear = CGColor(gray: 0, alpha: 0)

  /// The components, alpha last.
  public var components: [CGFloat]? { values }

  /// How many components there are, with alpha.
  public var numberOfComponents: Int { values.count }

  /// How opaque the colour is, 0…1.
  public var alpha: CGFloat { values.last ?? 1 }

  /// The same colour as another object.
  public func copy() -> CGColor? {
    CGColor(colorSpace, values)
  }

  /// The same colour with another alpha.
  public func copy(alpha: CGFloat) -> CGColor? {
    CGColor(colorSpace, values.dropLast() + [alpha])
  }

  /// The colour in another space; values out of its reach are cut off whatever the intent.
  ///
  /// - Parameters:
  ///   - space: The space to go to.
  ///   - intent: Every intent gives the relative colorimetric result: matrix profiles hold no other.
  ///   - options: None are known.
  public func converted(
    to space: CGColorSpace, intent: CGColorRenderingIntent, options: CFDictionary?
  ) -> CGColor? {
    guard let colorSpace else { return nil }
    let isGray = values.count == 2
    let color = SIMD3(
      Double(values[0]), Double(values[isGray ? 0 : 1]), Double(values[isGray ? 0 : 2]))
    let result = ColorConversion(from: colorSpace, to: space).convert(color)
    let numbers = space.numberOfComponents == 1 ? [result.x] : [result.x, result.y, result.z]
    return CGColor(space, numbers.map { CGFloat($0) } + [alpha])
  }

  /// Whether space and numbers are the same.
  public static func == (left: CGColor, right: CGColor) -> Bool {
    left.colorSpace == right.colorSpace && left.values == right.values
  }

  /// Feeds what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(colorSpace)
    hasher.combine(values)
  }
}
