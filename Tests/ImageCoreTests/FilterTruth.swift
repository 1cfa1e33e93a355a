import Foundation
import GraphicsCore
import ImageCore
import ImageIO
import Testing

/// A filter with its inputs, as Benchmarks/Filters/every.py computes it too.
struct FilterCase: CustomStringConvertible {
  let number: Int
  let filter: String
  /// Numbers, lists of them, names of pictures, or a kind with its value.
  private let inputs: Inputs

  private struct Inputs: @unchecked Sendable {  // Safe because what JSON holds does not change.
    let values: [String: Any]
  }

  var description: String { "\(number) \(filter)" }

  init(number: Int, filter: String, inputs: [String: Any]) {
    self.number = number
    self.filter = filter
    self.inputs = Inputs(values: inputs)
  }

  /// What the filter makes of pictures by their names.
  func output(_ pictures: [String: CIImage]) throws -> CIImage {
    let filter = try #require(CIFilter(name: filter))
    for (key, value) in inputs.values { filter.setValue(try accepted(value, pictures), forKey: key) }
    return try #require(filter.outputImage)
  }

  private func accepted(_ value: Any, _ pictures: [String: CIImage]) throws -> Any {
    if let name = value as? String { return try #require(pictures[name]) }
    if let numbers = value as? [Double] {
      return CIVector(values: numbers.map { CGFloat($0) }, count: numbers.count)
    }
    guard let kind = value as? [String: Any] else { return value }
    if let data = kind["data"] as? String { return try #require(Data(base64Encoded: data)) }
    if kind["space"] != nil { return try #require(CGColorSpace(name: CGColorSpace.sRGB)) }
    let numbers = try #require((kind["color"] ?? kind["transform"]) as? [Double])
    if kind["color"] != nil {
      return CIColor(red: numbers[0], green: numbers[1], blue: numbers[2], alpha: numbers[3])
    }
    return CGAffineTransform(
      a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
  }
}

/// The folder Truth: cases, the pictures that they start from, and what comes of each.
struct FilterTruth {
  static let cell = (width: 48, height: 36)
  private static let columns = 8

  let cases: [FilterCase]
  let pictures: [String: Grid]
  let results: [Grid]

  init() throws {
    let file = try Data(contentsOf: try Self.place("cases.json"))
    let whole = try #require(JSONSerialization.jsonObject(with: file) as? [String: Any])
    let found = try #require(whole["cases"] as? [[String: Any]])
    cases = try found.enumerated().map { number, item in
      FilterCase(
        number: number, filter: try #require(item["filter"] as? String),
        inputs: try #require(item["inputs"] as? [String: Any]))
    }
    let names = try #require(whole["pictures"] as? [String])
    pictures = Dictionary(
      uniqueKeysWithValues: zip(names, try Self.cells("inputs", names.count)))
    results = try Self.cells("results", cases.count)
  }

  /// Cells of two sheets, one with premultiplied colours and one with alpha.
  private static func cells(_ name: String, _ count: Int) throws -> [Grid] {
    func sheet(_ name: String) throws -> Grid {
      let source = try #require(CGImageSourceCreateWithURL(try place("\(name).png") as CFURL, nil))
      return Grid(try #require(CGImageSourceCreateImageAtIndex(source, 0, nil)))
    }
    let (colors, alpha) = (try sheet(name), try sheet("\(name)-alpha"))
    return (0..<count).map { index in
      let (left, top) = (index % columns * cell.width, index / columns * cell.height)
      return Grid(width: cell.width, height: cell.height) { x, y in
        var pixel = colors[left + x, top + y]
        pixel.alpha = alpha[left + x, top + y].red
        return pixel
      }
    }
  }

  private static func place(_ name: String) throws -> URL {
    let (base, type) = ((name as NSString).deletingPathExtension, (name as NSString).pathExtension)
    return try #require(Bundle.module.url(forResource: base, withExtension: type, subdirectory: "Truth"))
  }
}
