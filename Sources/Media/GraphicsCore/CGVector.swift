public import Foundation
public import FoundationExtras

/// A direction with a length in the plane.
public struct CGVector: Sendable, Hashable, Codable {
  /// The part along x.
  public var dx: CGFloat
  /// The part along y.
  public var dy: CGFloat

  /// The vector of no length.
  public static let zero = CGVector(dx: 0, dy: 0)

  /// The vector of no length.
  public init() {
    self.init(dx: 0, dy: 0)
  }

  /// A vector of these parts.
  public init(dx: CGFloat, dy: CGFloat) {
    self.dx = dx
    self.dy = dy
  }
}

extension CGRect {
  /// The rectangle as `X`, `Y`, `Width` and `Height`, the form Apple stores in property lists.
  public var dictionaryRepresentation: CFDictionary {
    BoxedNumbers.boxed([
      "X": Double(origin.x), "Y": Double(origin.y), "Width": Double(width), "Height": Double(height),
    ])
  }

  /// The rectangle that ``dictionaryRepresentation`` describes; `nil` when a part is missing or no number.
  public init?(dictionaryRepresentation dict: CFDictionary) {
    guard let x = LooseNumber.double(dict["X"]), let y = LooseNumber.double(dict["Y"]),
      let width = LooseNumber.double(dict["Width"]), let height = LooseNumber.double(dict["Height"])
    else { return nil }
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension CGPoint {
  /// The point as `X` and `Y`.
  public var dictionaryRepresentation: CFDictionary { BoxedNumbers.boxed(["X": Double(x), "Y": Double(y)]) }

  /// The point that ``dictionaryRepresentation`` describes; `nil` when a part is missing or no number.
  public init?(dictionaryRepresentation dict: CFDictionary) {
    guard let x = LooseNumber.double(dict["X"]), let y = LooseNumber.double(dict["Y"]) else { return nil }
    self.init(x: x, y: y)
  }
}

extension CGSize {
  /// The size as `Width` and `Height`.
  public var dictionaryRepresentation: CFDictionary {
    BoxedNumbers.boxed(["Width": Double(width), "Height": Double(height)])
  }

  /// The size that ``dictionaryRepresentation`` describes; `nil` when a part is missing or no number.
  public init?(dictionaryRepresentation dict: CFDictionary) {
    guard let width = LooseNumber.double(dict["Width"]), let height = LooseNumber.double(dict["Height"])
    else { return nil }
    self.init(width: width, height: height)
  }
}
