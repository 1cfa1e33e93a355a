internal import Foundation
internal import FoundationExtras
internal import GraphicsCore

/// An input of a filter.
struct FilterInput: Sendable {
  enum Kind: Sendable {
    case image
    /// With the value that it has unless set, its limits, and those of a slider for it.
    case number(Double, limits: ClosedRange<Double>, slider: ClosedRange<Double>)
    case vector([Double])
    case color(Double, Double, Double, Double)
    case transform
    case data
    case text(String)
    case colorSpace
    case attributedText
  }

  let key: String
  let kind: Kind
  /// The value that leaves a picture as it is, of numbers.
  var identity: Double?

  static let image = FilterInput(key: "inputImage", kind: .image)
  static let background = FilterInput(key: "inputBackgroundImage", kind: .image)
  static let mask = FilterInput(key: "inputMaskImage", kind: .image)
  static let target = FilterInput(key: "inputTargetImage", kind: .image)
  static let message = FilterInput(key: "inputMessage", kind: .data)

  static func number(
    _ name: String, _ standard: Double, _ slider: ClosedRange<Double>, limits: ClosedRange<Double>? = nil,
    identity: Double? = nil
  ) -> FilterInput {
    FilterInput(
      key: name, kind: .number(standard, limits: limits ?? -.infinity ... .infinity, slider: slider),
      identity: identity)
  }

  static func vector(_ name: String, _ numbers: Double...) -> FilterInput {
    FilterInput(key: name, kind: .vector(numbers))
  }

  static func color(_ name: String, _ red: Double, _ green: Double, _ blue: Double) -> FilterInput {
    FilterInput(key: name, kind: .color(red, green, blue, 1))
  }

  /// The value of the input unless set.
  var standard: Any? {
    switch kind {
    case .image, .data, .colorSpace, .attributedText: nil
    case .number(let number, _, _): NSNumber(value: number)
    case .vector(let numbers): CIVector(numbers.map { CGFloat($0) })
    case .color(let red, let green, let blue, let alpha):
      CIColor(red: red, green: green, blue: blue, alpha: alpha)
    case .transform: CGAffineTransform.identity
    case .text(let text): text
    }
  }

  /// The name of the class that the value has on Apple's systems.
  var className: String {
    switch kind {
    case .image: "CIImage"
    case .number: "NSNumber"
    case .vector: "CIVector"
    case .color: "CIColor"
    case .transform: "NSValue"
    case .data: "NSData"
    case .text: "NSString"
    case .colorSpace: "CGColorSpace"
    case .attributedText: "NSAttributedString"
    }
  }

  /// `value` as the input keeps it; `nil` when it is of another kind.
  func accepted(_ value: Any) -> Any? {
    switch kind {
    case .image: return value as? CIImage
    case .number:
      let number = LooseNumber.double(value) ?? (value as? Bool).map { $0 ? 1 : 0 }
      return number.map { NSNumber(value: $0) }
    case .vector:
      if let point = value as? CGPoint { return CIVector(cgPoint: point) }
      if let rect = value as? CGRect { return CIVector(cgRect: rect) }
      return value as? CIVector
    case .color: return value as? CIColor
    case .transform:
      if let vector = value as? CIVector { return vector.cgAffineTransformValue }
      return value as? CGAffineTransform
    case .data: return value as? Data ?? (value as? NSData).map { $0.copied }
    case .colorSpace: return value as? CGColorSpace
    case .attributedText: return (value as? NSAttributedString)?.copy()
    case .text: return value as? String ?? (value as? NSString).map { String(describing: $0) }
    }
  }
}
