internal import Foundation
internal import GraphicsCore

/// The values of a filter's inputs at the time when its output is asked for.
struct FilterValues {
  let definition: FilterDefinition
  let values: [String: Any]

  private func value(_ key: String) -> Any? {
    values[key] ?? definition.inputs.first { $0.key == key }?.standard
  }

  func image(_ key: String = "inputImage") -> CIImage? { values[key] as? CIImage }

  /// A number, kept within its limits; numbers that are none are what they would be unless set.
  func number(_ key: String) -> Double {
    guard let input = definition.inputs.first(where: { $0.key == key }),
      case .number(let standard, let limits, _) = input.kind
    else { return 0 }
    let number = (value(key) as? NSNumber)?.doubleValue ?? standard
    return number.isFinite ? min(max(number, limits.lowerBound), limits.upperBound) : standard
  }

  func float(_ key: String) -> Float { Float(number(key)) }

  func vector(_ key: String) -> CIVector { value(key) as? CIVector ?? CIVector(x: 0, y: 0) }

  /// The vector's first two numbers.
  func point(_ key: String) -> SIMD2<Double> {
    let vector = vector(key)
    return SIMD2(Double(vector.x), Double(vector.y))
  }

  /// The vector's first four numbers.
  func floats(_ key: String) -> SIMD4<Float> {
    let vector = vector(key)
    return SIMD4(Float(vector.x), Float(vector.y), Float(vector.z), Float(vector.w))
  }

  func color(_ key: String) -> CIColor { value(key) as? CIColor ?? .black }
  func transform(_ key: String) -> CGAffineTransform { value(key) as? CGAffineTransform ?? .identity }
  func data(_ key: String) -> Data? { value(key) as? Data }
  func attributedText(_ key: String) -> NSAttributedString? { value(key) as? NSAttributedString }
  func text(_ key: String) -> String { value(key) as? String ?? "" }
  func colorSpace(_ key: String) -> CGColorSpace? { value(key) as? CGColorSpace }
}

/// The definition of a filter: name, category, inputs, and the function that makes the output.
struct FilterDefinition: Sendable {
  let name: String
  let category: String
  let inputs: [FilterInput]
  /// `nil` where an input that it needs is missing.
  let output: @Sendable (FilterValues) -> CIImage?

  init(
    _ name: String, _ category: String, _ inputs: [FilterInput],
    _ output: @escaping @Sendable (FilterValues) -> CIImage?
  ) {
    self.name = name
    self.category = category
    self.inputs = inputs
    self.output = output
  }

  /// A filter that changes each colour of one image by itself, in these steps.
  static func steps(
    _ name: String, _ category: String, _ inputs: [FilterInput] = [],
    _ steps: @escaping @Sendable (FilterValues) -> [ColorStep]
  ) -> FilterDefinition {
    FilterDefinition(name, category, [.image] + inputs) { values in
      values.image().map { $0.changed($0.recipe.colors(steps(values))) }
    }
  }

  /// The names that are not the words of the filter's own.
  private static let spokenNames = [
    "CIHighlightShadowAdjust": "Highlight and Shadow Adjust", "CIXRay": "X-Ray",
  ]

  /// The name that a person reads: words instead of Apple's prefix and capitals.
  var displayName: String {
    if let name = Self.spokenNames[name] { return name }
    var words = ""
    let characters = Array(name.dropFirst(2))
    for (index, character) in characters.enumerated() {
      let startsWord =
        index > 0 && character.isUppercase
        && (characters[index - 1].isLowercase
          || (index + 1 < characters.count && characters[index + 1].isLowercase))
      if startsWord { words.append(" ") }
      words.append(character)
    }
    return words
  }

  /// The filter of that name, which there is.
  static func named(_ name: String) -> FilterDefinition {
    guard let definition = all[name] else { fatalError("There is no filter \(name).") }
    return definition
  }

  /// Every filter there is, by its name.
  static let all: [String: FilterDefinition] = {
    let lists = [
      colorFilters, effectFilters, blendFilters, geometryFilters, distortionFilters, generatorFilters,
      textFilters,
      styleFilters, cubeFilters, lookFilters, codeFilters,
    ]
    return Dictionary(lists.joined().map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }()
}
