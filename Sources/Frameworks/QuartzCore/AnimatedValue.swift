internal import DrawingCore
internal import Foundation
internal import FoundationExtras
internal import GraphicsCore

/// A value of a layer's property that can be mixed with another one of the same kind.
enum AnimatedValue {
  case number(Double)
  case point(CGPoint)
  case size(CGSize)
  case rect(CGRect)
  case color(CGColor)
  case transform(CATransform3D)
  case path(CGPath)

  /// What a client gave; `nil` for what cannot be animated.
  init?(_ value: Any) {
    switch value {
    case let value as CGPoint: self = .point(value)
    case let value as CGSize: self = .size(value)
    case let value as CGRect: self = .rect(value)
    case let value as CATransform3D: self = .transform(value)
    case let value as CGColor: self = .color(value)
    case let value as CGPath: self = .path(value)
    case let value as CGFloat: self = .number(Double(value))
    default:
      guard let number = LooseNumber.double(value) else { return nil }
      self = .number(number)
    }
  }

  /// The value some share of the way to another; the other one where the kinds differ.
  func mixed(with other: AnimatedValue, _ share: Double) -> AnimatedValue {
    func mix(_ from: CGFloat, _ to: CGFloat) -> CGFloat { from + (to - from) * share }
    switch (self, other) {
    case (.number(let from), .number(let to)): return .number(from + (to - from) * share)
    case (.point(let from), .point(let to)):
      return .point(CGPoint(x: mix(from.x, to.x), y: mix(from.y, to.y)))
    case (.size(let from), .size(let to)):
      return .size(CGSize(width: mix(from.width, to.width), height: mix(from.height, to.height)))
    case (.rect(let from), .rect(let to)):
      return .rect(
        CGRect(
          x: mix(from.minX, to.minX), y: mix(from.minY, to.minY), width: mix(from.width, to.width),
          height: mix(from.height, to.height)))
    case (.color(let from), .color(let to)):
      guard let from = from.rgba, let to = to.rgba else { return other }
      let parts = zip(from, to).map { mix($0, $1) }
      return .color(CGColor(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3]))
    case (.transform(let from), .transform(let to)):
      guard CATransform3DIsAffine(from), CATransform3DIsAffine(to) else {
        let rows = zip(from.rows, to.rows).map { zip($0, $1).map { mix($0, $1) } }
        return .transform(CATransform3D(rows: rows))
      }
      return .transform(TransformParts(from).mixed(with: TransformParts(to), share).transform)
    case (.path(let from), .path(let to)): return .path(from.mixed(with: to, share))
    default: return other
    }
  }

  /// The sum with another value; of transforms what both do one after the other, of colours the other.
  func adding(_ other: AnimatedValue, times factor: Double = 1) -> AnimatedValue {
    switch (self, other) {
    case (.number(let one), .number(let two)): return .number(one + two * factor)
    case (.point(let one), .point(let two)):
      return .point(CGPoint(x: one.x + two.x * factor, y: one.y + two.y * factor))
    case (.size(let one), .size(let two)):
      return .size(
        CGSize(width: one.width + two.width * factor, height: one.height + two.height * factor))
    case (.rect(let one), .rect(let two)):
      return .rect(
        CGRect(
          x: one.minX + two.minX * factor, y: one.minY + two.minY * factor,
          width: one.width + two.width * factor, height: one.height + two.height * factor))
    case (.transform(let one), .transform(let two)):
      return .transform(CATransform3DConcat(factor < 0 ? CATransform3DInvert(two) : two, one))
    default: return factor < 0 ? self : other
    }
  }
}

extension CGColor {
  /// Red, green, blue and alpha as they stand; `nil` for a colour of another model.
  fileprivate var rgba: [CGFloat]? {
    let parts = components ?? []
    switch parts.count {
    case 2: return [parts[0], parts[0], parts[0], parts[1]]
    case 4: return parts
    default: return nil
    }
  }
}

/// A transform of the plane as scales, a slant, a turn and a shift, each of which can be changed by itself.
struct TransformParts {
  var scaleX: CGFloat
  var scaleY: CGFloat
  var slant: CGFloat
  /// Radians.
  var turn: CGFloat
  var shift: CGPoint

  init(_ transform: CATransform3D) {
    scaleX = hypot(transform.m11, transform.m12)
    turn = atan2(transform.m12, transform.m11)
    let (cosine, sine) = (cos(turn), sin(turn))
    scaleY = transform.m22 * cosine - transform.m21 * sine
    slant = transform.m21 * cosine + transform.m22 * sine
    shift = CGPoint(x: transform.m41, y: transform.m42)
  }

  var transform: CATransform3D {
    let (cosine, sine) = (cos(turn), sin(turn))
    return CATransform3DMakeAffineTransform(
      CGAffineTransform(
        a: scaleX * cosine, b: scaleX * sine, c: slant * cosine - scaleY * sine,
        d: slant * sine + scaleY * cosine, tx: shift.x, ty: shift.y))
  }

  /// The parts some share of the way to others; turns go the shorter way.
  func mixed(with other: TransformParts, _ share: Double) -> TransformParts {
    func mix(_ from: CGFloat, _ to: CGFloat) -> CGFloat { from + (to - from) * share }
    var mixed = self
    mixed.scaleX = mix(scaleX, other.scaleX)
    mixed.scaleY = mix(scaleY, other.scaleY)
    mixed.slant = mix(slant, other.slant)
    mixed.turn = turn + (other.turn - turn).remainder(dividingBy: 2 * .pi) * share
    mixed.shift = CGPoint(x: mix(shift.x, other.shift.x), y: mix(shift.y, other.shift.y))
    return mixed
  }
}
