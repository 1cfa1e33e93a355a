public import Foundation

/// A 3×3 matrix that maps the plane to itself with lines kept straight and parallel.
///
/// A point is a row vector multiplied from the left, so a transform reads `x′ = a·x + c·y + tx`,
/// `y′ = b·x + d·y + ty`. The third column is always (0, 0, 1) and is not stored.
public struct CGAffineTransform: Sendable, Hashable, Codable {
  /// How much of the old x goes into the new x.
  public var a: CGFloat
  /// How much of the old x goes into the new y.
  public var b: CGFloat
  /// How much of the old y goes into the new x.
  public var c: CGFloat
  /// How much of the old y goes into the new y.
  public var d: CGFloat
  /// The move along x, applied last.
  public var tx: CGFloat
  /// The move along y, applied last.
  public var ty: CGFloat

  /// The transform that leaves every point where it is.
  public static let identity = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)

  /// The transform whose six entries are all zero, which maps everything to the origin.
  public init() {
    self.init(a: 0, b: 0, c: 0, d: 0, tx: 0, ty: 0)
  }

  /// A transform with these entries.
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
    self.tx = tx
    self.ty = ty
  }

  /// A transform with these entries, in the order of the matrix.
  public init(_ a: CGFloat, _ b: CGFloat, _ c: CGFloat, _ d: CGFloat, _ tx: CGFloat, _ ty: CGFloat) {
    self.init(a: a, b: b, c: c, d: d, tx: tx, ty: ty)
  }

  /// A move by `tx` and `ty`.
  public init(translationX tx: CGFloat, y ty: CGFloat) {
    self.init(a: 1, b: 0, c: 0, d: 1, tx: tx, ty: ty)
  }

  /// A change of size by `sx` along x and `sy` along y, around the origin.
  public init(scaleX sx: CGFloat, y sy: CGFloat) {
    self.init(a: sx, b: 0, c: 0, d: sy, tx: 0, ty: 0)
  }

  /// A turn around the origin from the x axis towards the y axis.
  ///
  /// - Parameter angle: In radians. Where y points up that is anticlockwise, where it points down clockwise.
  public init(rotationAngle angle: CGFloat) {
    let (sine, cosine) = (sin(angle), cos(angle))
    self.init(a: cosine, b: sine, c: -sine, d: cosine, tx: 0, ty: 0)
  }

  /// Whether this is exactly ``identity``.
  public var isIdentity: Bool { self == .identity }

  /// This transform with a move done before it.
  public func translatedBy(x tx: CGFloat, y ty: CGFloat) -> CGAffineTransform {
    CGAffineTransform(translationX: tx, y: ty).concatenating(self)
  }

  /// This transform with a change of size done before it.
  public func scaledBy(x sx: CGFloat, y sy: CGFloat) -> CGAffineTransform {
    CGAffineTransform(scaleX: sx, y: sy).concatenating(self)
  }

  /// This transform with a turn by `angle` radians done before it.
  public func rotated(by angle: CGFloat) -> CGAffineTransform {
    CGAffineTransform(rotationAngle: angle).concatenating(self)
  }

  /// The transform that takes every point back, or this one unchanged when it has no inverse.
  public func inverted() -> CGAffineTransform {
    let determinant = a * d - b * c
    guard determinant != 0, determinant.isFinite else { return self }
    return CGAffineTransform(
      a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
      tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
  }

  /// The transform that does this one first and `t2` afterwards.
  public func concatenating(_ t2: CGAffineTransform) -> CGAffineTransform {
    CGAffineTransform(
      a: a * t2.a + b * t2.c, b: a * t2.b + b * t2.d,
      c: c * t2.a + d * t2.c, d: c * t2.b + d * t2.d,
      tx: tx * t2.a + ty * t2.c + t2.tx, ty: tx * t2.b + ty * t2.d + t2.ty)
  }
}

/// The moves, turns and stretches that a transform is made of.
///
/// Composed in the order scale, shear, rotation, translation.
public struct CGAffineTransformComponents: Sendable, Hashable {
  /// The change of size along each axis; a negative height is a reflection.
  public var scale: CGSize
  /// The shear along x, as a factor of y.
  public var horizontalShear: CGFloat
  /// The turn in radians.
  public var rotation: CGFloat
  /// The move, applied last.
  public var translation: CGVector

  /// The components of the identity.
  public init() {
    self.init(scale: CGSize(width: 1, height: 1), horizontalShear: 0, rotation: 0, translation: .zero)
  }

  /// These components.
  public init(scale: CGSize, horizontalShear: CGFloat, rotation: CGFloat, translation: CGVector) {
    self.scale = scale
    self.horizontalShear = horizontalShear
    self.rotation = rotation
    self.translation = translation
  }
}

extension CGAffineTransform {
  /// The transform that scales, shears, turns and moves, in this order.
  public init(_ components: CGAffineTransformComponents) {
    let shear = CGAffineTransform(a: 1, b: 0, c: components.horizontalShear, d: 1, tx: 0, ty: 0)
    self =
      CGAffineTransform(scaleX: components.scale.width, y: components.scale.height)
      .concatenating(shear)
      .concatenating(CGAffineTransform(rotationAngle: components.rotation))
    tx = components.translation.dx
    ty = components.translation.dy
  }

  /// Takes the transform apart; a reflection becomes a negative height.
  ///
  /// Exact up to rounding for every transform with an inverse; for one without, the shear is 0 where it is undefined.
  public func decomposed() -> CGAffineTransformComponents {
    let width = (a * a + b * b).squareRoot()
    let rotation = width > 0 ? atan2(b, a) : atan2(-c, d)
    let (sine, cosine) = (sin(rotation), cos(rotation))
    // The rows of scale × shear: turning back leaves (width, 0) and (shear·height, height).
    let sheared = c * cosine + d * sine
    let height = d * cosine - c * sine
    return CGAffineTransformComponents(
      scale: CGSize(width: width, height: height), horizontalShear: height != 0 ? sheared / height : 0,
      rotation: rotation, translation: CGVector(dx: tx, dy: ty))
  }
}

extension CGPoint {
  /// Where `t` takes this point.
  public func applying(_ t: CGAffineTransform) -> CGPoint {
    CGPoint(x: t.a * x + t.c * y + t.tx, y: t.b * x + t.d * y + t.ty)
  }
}

extension CGSize {
  /// What `t` makes of this size taken as a vector: its move is ignored, and a part may come out negative.
  public func applying(_ t: CGAffineTransform) -> CGSize {
    CGSize(width: t.a * width + t.c * height, height: t.b * width + t.d * height)
  }
}

extension CGRect {
  /// The smallest upright rectangle around the four corners that `t` makes of this one's.
  ///
  /// The null and the infinite rectangle stay what they are.
  public func applying(_ t: CGAffineTransform) -> CGRect {
    if isNull || isInfinite { return self }
    let corners = [
      CGPoint(x: minX, y: minY), CGPoint(x: maxX, y: minY), CGPoint(x: minX, y: maxY),
      CGPoint(x: maxX, y: maxY),
    ].map { $0.applying(t) }
    var (left, right) = (corners[0].x, corners[0].x)
    var (low, high) = (corners[0].y, corners[0].y)
    for corner in corners.dropFirst() {
      left = min(left, corner.x)
      right = max(right, corner.x)
      low = min(low, corner.y)
      high = max(high, corner.y)
    }
    return CGRect(x: left, y: low, width: right - left, height: high - low)
  }
}
