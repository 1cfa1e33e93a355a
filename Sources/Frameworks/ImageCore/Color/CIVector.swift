public import Foundation
public import GraphicsCore

/// A short list of numbers: a point, a rectangle, a weight for each channel.
///
/// Immutable; thread-safe.
public final class CIVector: NSObject, Sendable {
  private let values: [CGFloat]

  init(_ values: [CGFloat]) {
    self.values = values
    super.init()
  }

  /// `count` numbers that lie at `values`, copied.
  public convenience init(values: UnsafePointer<CGFloat>, count: Int) {
    self.init((0..<max(0, count)).map { values[$0] })
  }

  /// One number.
  public convenience init(x: CGFloat) {
    self.init([x])
  }

  /// Two numbers.
  public convenience init(x: CGFloat, y: CGFloat) {
    self.init([x, y])
  }

  /// Three numbers.
  public convenience init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.init([x, y, z])
  }

  /// Four numbers.
  public convenience init(x: CGFloat, y: CGFloat, z: CGFloat, w: CGFloat) {
    self.init([x, y, z, w])
  }

  /// The point's x and y.
  public convenience init(cgPoint p: CGPoint) {
    self.init([p.x, p.y])
  }

  /// The rectangle's x, y, width and height.
  public convenience init(cgRect r: CGRect) {
    self.init([r.origin.x, r.origin.y, r.size.width, r.size.height])
  }

  /// The transform's a, b, c, d, tx and ty.
  public convenience init(cgAffineTransform t: CGAffineTransform) {
    self.init([t.a, t.b, t.c, t.d, t.tx, t.ty])
  }

  /// Numbers from text such as `[1 0.5 0]`.
  public convenience init(string representation: String) {
    let inner = representation.trimmingCharacters(in: CharacterSet(charactersIn: "[] \t\n"))
    self.init(inner.split(whereSeparator: \.isWhitespace).map { CGFloat(Double($0) ?? 0) })
  }

  /// How many numbers.
  public var count: Int { values.count }

  /// The number at `index`; 0 beyond the end.
  public func value(at index: Int) -> CGFloat {
    values.indices.contains(index) ? values[index] : 0
  }

  /// The first number.
  public var x: CGFloat { value(at: 0) }
  /// The second number.
  public var y: CGFloat { value(at: 1) }
  /// The third number.
  public var z: CGFloat { value(at: 2) }
  /// The fourth number.
  public var w: CGFloat { value(at: 3) }

  /// The first two numbers as a point.
  public var cgPointValue: CGPoint { CGPoint(x: x, y: y) }
  /// The first four numbers as a rectangle.
  public var cgRectValue: CGRect { CGRect(x: x, y: y, width: z, height: w) }
  /// The first six numbers as a transform.
  public var cgAffineTransformValue: CGAffineTransform {
    CGAffineTransform(a: x, b: y, c: z, d: w, tx: value(at: 4), ty: value(at: 5))
  }

  /// The vector as text that ``init(string:)`` reads.
  public var stringRepresentation: String {
    "[" + values.map { String(format: "%g", Double($0)) }.joined(separator: " ") + "]"
  }

  /// The numbers, for logs.
  public override var description: String { stringRepresentation }

  /// Whether `object` is a vector of the same numbers.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? CIVector)?.values == values
  }

  /// Follows ``isEqual(_:)``.
  public override var hash: Int { values.hashValue }
}
