/// The ends of lines.
///
/// Apple: `CGLineCap`.
public enum CGLineCap: Int32, Sendable {
  /// Cut off at the end point.
  case butt = 0
  /// A half circle around the end point.
  case round = 1
  /// Cut off half of a line's width behind the end point.
  case square = 2
}

/// The corners of lines.
///
/// Apple: `CGLineJoin`.
public enum CGLineJoin: Int32, Sendable {
  /// A point, cut off where the miter limit says so.
  case miter = 0
  /// A circle around the corner.
  case round = 1
  /// Cut off straight.
  case bevel = 2
}

/// The rule that says what is inside a path whose parts overlap.
///
/// Apple: `CGPathFillRule`.
public enum CGPathFillRule: Int, Sendable {
  /// Where the path goes round a point, in total.
  case winding = 0
  /// Where a ray from a point crosses the path an odd number of times.
  case evenOdd = 1
}

/// The ways to paint a path.
///
/// Apple: `CGPathDrawingMode`.
public enum CGPathDrawingMode: Int32, Sendable {
  /// The inside, by the winding rule.
  case fill = 0
  /// The inside, by the even-odd rule.
  case eoFill = 1
  /// The line.
  case stroke = 2
  /// The inside, by the winding rule, then the line.
  case fillStroke = 3
  /// The inside, by the even-odd rule, then the line.
  case eoFillStroke = 4
}
