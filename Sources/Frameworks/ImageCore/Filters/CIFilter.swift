public import Foundation
internal import FoundationExtras
internal import GraphicsCore

/// Computes an image of other images and numbers.
///
/// A filter has inputs by name, each with a value of its own unless it is set, and an output that is a recipe of them: a
/// `CIContext` computes its pixels. Not thread-safe; its output is an image like any other. Subclasses override ``outputImage``.
///
/// Colours are computed in linear light (the context's working space), unless a filter's page says otherwise.
///
/// - Note: Unlike Core Image, there are the filters that ``filterNames(inCategory:)`` lists. Where Apple publishes no
///   formula (photo effects, sepia, vibrance, vignettes, bloom, comics, thermal and X-ray pictures, shadows and highlights), the
///   looks are alike and not the same.
///
/// Source: [CIFilter](https://developer.apple.com/documentation/coreimage/cifilter-swift.class).
open class CIFilter: NSObject, NSCopying {
  private let definition: FilterDefinition?
  private var values: [String: Any] = [:]
  private var ownName = ""

  /// A filter for subclasses, without inputs and without output.
  public override init() {
    definition = nil
    super.init()
  }

  /// The filter of that name with its standard values; `nil` where there is none.
  ///
  /// Apple: `CIFilter.init(name:)`.
  public convenience init?(name: String) {
    guard let definition = FilterDefinition.all[name] else { return nil }
    self.init(definition)
  }

  /// The filter of that name, with some of its inputs set; `nil` where there is none.
  ///
  /// Apple: `CIFilter.init(name:parameters:)`.
  public convenience init?(name: String, parameters params: [String: Any]?) {
    self.init(name: name)
    for (key, value) in params ?? [:] { setValue(value, forKey: key) }
  }

  init(_ definition: FilterDefinition) {
    self.definition = definition
    super.init()
    ownName = definition.name
  }

  /// A filter of the same name with the same values; a subclass copies itself.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = definition.map { CIFilter($0) } ?? CIFilter()
    copy.values = values
    copy.ownName = ownName
    return copy
  }

  /// What the filter makes of its inputs; `nil` as long as one that it needs is missing.
  ///
  /// Apple: `CIFilter.outputImage`.
  open var outputImage: CIImage? {
    guard let definition else { return nil }
    return definition.output(FilterValues(definition: definition, values: values))
  }

  /// The filter's name, such as `CISepiaTone`.
  ///
  /// Apple: `CIFilter.name`.
  open var name: String {
    get { ownName }
    set { ownName = newValue }
  }

  /// The names of its inputs, in order.
  ///
  /// Apple: `CIFilter.inputKeys`.
  open var inputKeys: [String] { definition?.inputs.map(\.key) ?? [] }

  /// The names of its outputs.
  ///
  /// Apple: `CIFilter.outputKeys`.
  open var outputKeys: [String] { [kCIOutputImageKey] }

  /// Gives all inputs their standard values, and takes away images.
  ///
  /// Apple: `CIFilter.setDefaults()`.
  open func setDefaults() { values = [:] }

  /// Sets an input; `nil` gives it its standard value.
  ///
  /// Numbers of any kind serve as numbers. A key that the filter has not, and a value of another kind, are mistakes.
  ///
  /// Apple: `NSObject.setValue(_:forKey:)`.
  open func setValue(_ value: Any?, forKey key: String) {
    guard let input = definition?.inputs.first(where: { $0.key == key }) else {
      return ProgrammingMistake.report(
        rule:
          "\(name.isEmpty ? "CIFilter" : name) has no input \(key): set one of its inputKeys, \(inputKeys).")
    }
    guard let value, !(value is NSNull) else {
      values[key] = nil
      return
    }
    guard let accepted = input.accepted(value) else {
      return ProgrammingMistake.report(
        rule: "\(name).\(key) is no \(type(of: value)): set it to a \(input.className).")
    }
    values[key] = accepted
  }

  /// Sets an input, whose key is all of the path.
  ///
  /// Apple: `NSObject.setValue(_:forKeyPath:)`.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    setValue(value, forKey: keyPath)
  }

  /// What an input is, or the output under `kCIOutputImageKey`; `nil` of images that are not set.
  ///
  /// Apple: `NSObject.value(forKey:)`.
  open func value(forKey key: String) -> Any? {
    if key == kCIOutputImageKey { return outputImage }
    guard let input = definition?.inputs.first(where: { $0.key == key }) else {
      ProgrammingMistake.report(
        rule:
          "\(name.isEmpty ? "CIFilter" : name) has no value \(key): ask for one of its inputKeys, \(inputKeys)."
      )
      return nil
    }
    return values[key] ?? input.standard
  }

  /// The filter's names and categories, and for each input a dictionary: its class, standard value and limits.
  ///
  /// Apple: `CIFilter.attributes`.
  open var attributes: [String: Any] {
    guard let definition else { return [:] }
    var result: [String: Any] = [
      kCIAttributeFilterName: definition.name, kCIAttributeFilterDisplayName: definition.displayName,
      kCIAttributeFilterCategories: definition.categories,
    ]
    for input in definition.inputs { result[input.key] = input.attributes }
    return result
  }

  /// The names of the filters of a category, in order; of all with `nil`.
  ///
  /// Apple: `CIFilter.filterNames(inCategory:)`.
  open class func filterNames(inCategory category: String?) -> [String] {
    filterNames(inCategories: category.map { [$0] })
  }

  /// The names of the filters that are in each of the categories, in order; of all with `nil`.
  ///
  /// Apple: `CIFilter.filterNames(inCategories:)`.
  open class func filterNames(inCategories categories: [String]?) -> [String] {
    FilterDefinition.all.values
      .filter { Set($0.categories).isSuperset(of: categories ?? []) }
      .map(\.name).sorted()
  }

  /// A filter's name for people, in English; `nil` where there is none of that name.
  ///
  /// Apple: `CIFilter.localizedName(forFilterName:)`.
  open class func localizedName(forFilterName filterName: String) -> String? {
    FilterDefinition.all[filterName]?.displayName
  }
}

extension FilterDefinition {
  /// The categories that the filter is in.
  fileprivate var categories: [String] {
    [category, kCICategoryBuiltIn, kCICategoryStillImage, kCICategoryVideo]
  }
}

extension FilterInput {
  fileprivate var attributes: [String: Any] {
    var result: [String: Any] = [kCIAttributeClass: className]
    if let standard { result[kCIAttributeDefault] = standard }
    if let identity { result[kCIAttributeIdentity] = NSNumber(value: identity) }
    switch kind {
    case .number(_, let limits, let slider):
      result[kCIAttributeType] = key.hasSuffix("Angle") ? kCIAttributeTypeAngle : kCIAttributeTypeScalar
      result[kCIAttributeSliderMin] = NSNumber(value: slider.lowerBound)
      result[kCIAttributeSliderMax] = NSNumber(value: slider.upperBound)
      if limits.lowerBound.isFinite { result[kCIAttributeMin] = NSNumber(value: limits.lowerBound) }
      if limits.upperBound.isFinite { result[kCIAttributeMax] = NSNumber(value: limits.upperBound) }
    case .image: result[kCIAttributeType] = kCIAttributeTypeImage
    case .color: result[kCIAttributeType] = kCIAttributeTypeColor
    case .vector(let numbers) where numbers.count == 2: result[kCIAttributeType] = kCIAttributeTypePosition
    default: break
    }
    return result
  }
}
