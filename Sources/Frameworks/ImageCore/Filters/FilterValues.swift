internal import Foundation
internal import GraphicsCore

/// What a filter's inputs are when its output is asked for.
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
  func text(_ key: String) -> String { value(key) as? String ?? "" }
}

/// What a filter is: its name, what it takes, and how its output comes about.
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

  /// A filter that changes each colour of one image by itself.
  static func colors(
    _ name: String, _ category: String, _ inputs: [FilterInput] = [],
    _ change: @escaping @Sendable (FilterValues) -> @Sendable (SIMD4<Float>) -> SIMD4<Float>
  ) -> FilterDefinition {
    FilterDefinition(name, category, [.image] + inputs) { values in
      guard let image = values.image() else { return nil }
      return image.changed(
        .work(ColorWork(source: image.recipe, change: change(values)), extent: image.extent))
    }
  }

  /// The name that a person reads: words instead of Apple's prefix and capitals.
  var displayName: String {
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
      styleFilters,
      codeFilters,
    ]
    return Dictionary(lists.joined().map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }()
}
