public import Foundation
public import FoundationExtras
public import GraphicsCore

/// Options that let a gradient paint before its beginning and behind its end.
///
/// Apple: `CGGradientDrawingOptions`.
public struct CGGradientDrawingOptions: OptionSet, Sendable {
  /// The bits, as Apple numbers them.
  public let rawValue: UInt32

  /// The options with these bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The first colour goes on before the beginning.
  public static let drawsBeforeStartLocation = CGGradientDrawingOptions(rawValue: 1)
  /// The last colour goes on behind the end.
  public static let drawsAfterEndLocation = CGGradientDrawingOptions(rawValue: 2)
}

/// Colours at places between 0 and 1, with smooth changes between them; immutable and thread-safe.
///
/// Apple: `CGGradient`.
public final class CGGradient: Sendable {
  /// A colour and its place.
  struct Stop: Sendable {
    let location: CGFloat
    let color: CGColor
  }

  let stops: [Stop]

  /// A gradient of colours.
  ///
  /// - Parameters:
  ///   - space: Colours are taken as they are; a context converts each to its own space.
  ///   - colors: `CGColor`s, at least one.
  ///   - locations: As many places in 0…1; `nil` for even distances.
  /// - Returns: `nil` without colours, or for what is no colour.
  public init?(colorsSpace space: CGColorSpace?, colors: CFArray, locations: UnsafePointer<CGFloat>?) {
    let found = colors.compactMap { $0 as? CGColor }
    guard !found.isEmpty, found.count == colors.count else { return nil }
    stops = Self.stops(found, locations)
  }

  /// A gradient of numbers.
  ///
  /// - Parameters:
  ///   - space: What the components mean.
  ///   - components: For each colour its components, then alpha.
  ///   - locations: `count` places in 0…1; `nil` for even distances.
  ///   - count: How many colours there are, at least one.
  public init?(
    colorSpace space: CGColorSpace, colorComponents components: UnsafePointer<CGFloat>,
    locations: UnsafePointer<CGFloat>?, count: Int
  ) {
    guard count > 0 else { return nil }
    let step = space.numberOfComponents + 1
    let found = (0..<count).compactMap { CGColor(colorSpace: space, components: components + $0 * step) }
    stops = Self.stops(found, locations)
  }

  private static func stops(_ colors: [CGColor], _ locations: UnsafePointer<CGFloat>?) -> [Stop] {
    colors.enumerated().map { index, color in
      let even = colors.count > 1 ? CGFloat(index) / CGFloat(colors.count - 1) : 0
      return Stop(location: locations?[index] ?? even, color: color)
    }
  }
}
