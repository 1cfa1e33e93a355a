internal import CoreMedia
internal import Foundation
internal import GraphicsCore

/// A value that can change steadily to another one.
protocol Rampable: Sendable {
  /// The value between two, from 0 for the first to 1 for the second.
  static func between(_ first: Self, _ second: Self, _ share: Double) -> Self
}

extension Float: Rampable {
  static func between(_ first: Float, _ second: Float, _ share: Double) -> Float {
    first + (second - first) * Float(share)
  }
}

extension CGAffineTransform: Rampable {
  static func between(_ first: Self, _ second: Self, _ share: Double) -> Self {
    func mix(_ path: KeyPath<Self, CGFloat>) -> CGFloat {
      first[keyPath: path] + (second[keyPath: path] - first[keyPath: path]) * CGFloat(share)
    }
    return CGAffineTransform(
      a: mix(\.a), b: mix(\.b), c: mix(\.c), d: mix(\.d), tx: mix(\.tx), ty: mix(\.ty))
  }
}

extension CGRect: Rampable {
  static func between(_ first: CGRect, _ second: CGRect, _ share: Double) -> CGRect {
    func mix(_ a: CGFloat, _ b: CGFloat) -> CGFloat { a + (b - a) * CGFloat(share) }
    return CGRect(
      x: mix(first.minX, second.minX), y: mix(first.minY, second.minY),
      width: mix(first.width, second.width), height: mix(first.height, second.height))
  }
}

/// Values at times: each holds until the next one, and ramps change theirs steadily.
struct RampList<Value: Rampable>: Sendable {
  struct Ramp: Sendable {
    let start: Value
    let end: Value
    let range: CMTimeRange
  }

  /// In the order of time.
  private(set) var ramps: [Ramp] = []

  /// Sets a value from a time on.
  mutating func set(_ value: Value, at time: CMTime) {
    add(Ramp(start: value, end: value, range: CMTimeRange(start: time, duration: .zero)))
  }

  /// Adds a ramp; a later one of the same start replaces it.
  mutating func add(_ ramp: Ramp) {
    ramps.removeAll { $0.range.start == ramp.range.start }
    ramps.append(ramp)
    ramps.sort { $0.range.start < $1.range.start }
  }

  /// The ramp that counts at a time: the one around it, or the last one before it; the first one before all; `nil` without any.
  func ramp(at time: CMTime) -> Ramp? {
    ramps.last { $0.range.start <= time } ?? ramps.first
  }

  /// The value at a time; `nil` before the first and without any.
  func value(at time: CMTime) -> Value? {
    guard let ramp = ramps.last(where: { $0.range.start <= time }) else { return nil }
    let length = ramp.range.duration.seconds
    guard length > 0, time < ramp.range.end else { return ramp.end }
    return Value.between(ramp.start, ramp.end, (time - ramp.range.start).seconds / length)
  }
}
