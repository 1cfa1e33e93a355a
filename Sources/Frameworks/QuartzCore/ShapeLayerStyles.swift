/// The rule that says what a shape layer fills.
///
/// Apple: `CAShapeLayerFillRule`.
public struct CAShapeLayerFillRule: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The rule of Apple's name `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// What the path goes round, in total.
  public static let nonZero = CAShapeLayerFillRule(rawValue: "non-zero")
  /// What lies inside an odd number of turns.
  public static let evenOdd = CAShapeLayerFillRule(rawValue: "even-odd")
}

/// The ends of a shape layer's lines.
///
/// Apple: `CAShapeLayerLineCap`.
public struct CAShapeLayerLineCap: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The end of Apple's name `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Cut off at the end point.
  public static let butt = CAShapeLayerLineCap(rawValue: "butt")
  /// A half circle around the end point.
  public static let round = CAShapeLayerLineCap(rawValue: "round")
  /// Cut off half of a line's width behind the end point.
  public static let square = CAShapeLayerLineCap(rawValue: "square")
}

/// The corners of a shape layer's lines.
///
/// Apple: `CAShapeLayerLineJoin`.
public struct CAShapeLayerLineJoin: RawRepresentable, Hashable, Sendable {
  /// Apple's name of the constant.
  public let rawValue: String

  /// The corner of Apple's name `rawValue`.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A point, cut off where the miter limit says so.
  public static let miter = CAShapeLayerLineJoin(rawValue: "miter")
  /// A circle around the corner.
  public static let round = CAShapeLayerLineJoin(rawValue: "round")
  /// Cut off straight.
  public static let bevel = CAShapeLayerLineJoin(rawValue: "bevel")
}
