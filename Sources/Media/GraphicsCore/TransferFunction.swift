internal import Foundation

/// The curve between the numbers stored for a colour and the light they stand for.
///
/// Stored and linear values run from 0 (no light) to 1 (the white of the space). Outside of it the curves go on,
/// mirrored at 0, which is what the extended colour spaces are made of.
package enum TransferFunction: Sendable, Hashable {
  /// `(a·x + b)^gamma + e` from `d` upwards, `c·x + f` below: the parametric curve of ICC.1:2010, 10.16, type 4.
  case parametric(gamma: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)
  /// Light at evenly spaced stored values, 65535 being 1; at least two entries, rising.
  case table([UInt16])

  /// Stored values that are proportional to light.
  package static let linear = TransferFunction.gamma(1)

  /// The curve of IEC 61966-2-1, which sRGB and Display P3 share.
  package static let sRGB = TransferFunction.parametric(
    gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045, e: 0, f: 0)

  /// The inverse of the camera curve of ITU-R BT.709, which BT.2020 shares.
  package static let rec709 = TransferFunction.parametric(
    gamma: 1 / 0.45, a: 1 / 1.099, b: 0.099 / 1.099, c: 1 / 4.5, d: 0.081, e: 0, f: 0)

  /// The plain power curve with this exponent.
  package static func gamma(_ exponent: Double) -> TransferFunction {
    .parametric(gamma: exponent, a: 1, b: 0, c: 0, d: 0, e: 0, f: 0)
  }

  /// The light that the stored value `value` stands for.
  package func linear(_ value: Double) -> Double {
    if value < 0 { return -linear(-value) }
    switch self {
    case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
      if value < d { return c * value + f }
      return gamma == 1 ? a * value + b + e : pow(max(a * value + b, 0), gamma) + e
    case .table(let entries):
      let position = min(value, 1) * Double(entries.count - 1)
      let index = min(Int(position), entries.count - 2)
      let (low, high) = (Double(entries[index]), Double(entries[index + 1]))
      return (low + (high - low) * (position - Double(index))) / 65535
    }
  }

  /// The stored value that stands for `light`; the inverse of ``linear(_:)``.
  package func stored(_ light: Double) -> Double {
    if light < 0 { return -stored(-light) }
    switch self {
    case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
      if light < c * d + f, c != 0 { return (light - f) / c }
      if gamma == 1 { return (light - e - b) / a }
      return (pow(max(light - e, 0), 1 / gamma) - b) / a
    case .table(let entries):
      let wanted = min(light, 1) * 65535
      var (low, high) = (0, entries.count - 1)
      while high - low > 1 {
        let middle = (low + high) / 2
        if Double(entries[middle]) <= wanted { low = middle } else { high = middle }
      }
      let (below, above) = (Double(entries[low]), Double(entries[high]))
      let part = above > below ? min(max((wanted - below) / (above - below), 0), 1) : 0
      return (Double(low) + part) / Double(entries.count - 1)
    }
  }
}
