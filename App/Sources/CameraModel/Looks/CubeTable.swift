import Foundation

/// The reason why a file is no look.
package enum LookProblem: Error, Sendable, Hashable {
  /// The file cannot be read or copied, in the system's words.
  case file(reason: String)
  /// There is no table in it.
  case noTable
  /// A line that should be a colour is none.
  case line(Int)
  /// There are more or fewer colours than the file says.
  case count(found: Int, expected: Int)
}

/// A colour lookup table (LUT), as `.cube` files hold it.
///
/// Source: Adobe, *Cube LUT Specification* 1.0; DaVinci Resolve's input ranges.
struct CubeTable: Sendable {
  /// Entries along each side of the cube, or of each curve.
  private var size = 0
  /// Whether it is three curves instead of a cube.
  private var isFlat = false
  private var low = SIMD3<Float>.zero
  private var high = SIMD3<Float>.one
  /// Red varies fastest.
  private var colors: [SIMD3<Float>] = []

  /// Larger tables are refused.
  private static let cubeSizes = 2...129
  private static let curveSizes = 2...65_536

  init(_ file: Data) throws(LookProblem) {
    let lines = [UInt8](file).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      let words = line.split { $0 <= UInt8(ascii: " ") }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      let numbers = words.compactMap(Self.number)
      if numbers.count == words.count {
        guard numbers.count == 3, size > 0, colors.count < Self.limit(size, isFlat) else {
          throw .line(number + 1)
        }
        colors.append(SIMD3(numbers[0], numbers[1], numbers[2]))
      } else if !read(String(decoding: first, as: UTF8.self), numbers) {
        throw .line(number + 1)
      }
    }
    guard size > 0 else { throw .noTable }
    let expected = Self.limit(size, isFlat)
    guard colors.count == expected else { throw .count(found: colors.count, expected: expected) }
  }

  private static func limit(_ size: Int, _ isFlat: Bool) -> Int { isFlat ? size : size * size * size }

  /// A decimal number; `nil` for other words.
  ///
  /// It reads bytes because making strings took most of the time for a large table.
  private static func number(_ word: ArraySlice<UInt8>) -> Float? {
    var rest = word
    func sign() -> Double {
      guard let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return 1 }
      rest.removeFirst()
      return first == UInt8(ascii: "-") ? -1 : 1
    }
    func digits() -> (value: Double, count: Int) {
      var (value, count) = (0.0, 0)
      while let digit = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
        value = 10 * value + Double(digit - UInt8(ascii: "0"))
        count += 1
        rest.removeFirst()
      }
      return (value, count)
    }
    let negative = sign()
    let whole = digits()
    var (value, count) = whole
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let part = digits()
      value += part.value / pow(10, Double(part.count))
      count += part.count
    }
    guard count > 0 else { return nil }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest.removeFirst()
      let direction = sign()
      let exponent = digits()
      guard exponent.count > 0 else { return nil }
      value *= pow(10, direction * exponent.value)
    }
    let result = Float(negative * value)
    return rest.isEmpty && result.isFinite ? result : nil
  }

  /// Reads a line that begins with a keyword; unknown ones are ignored.
  private mutating func read(_ word: String, _ numbers: [Float]) -> Bool {
    switch word {
    case "LUT_3D_SIZE", "LUT_1D_SIZE":
      let sizes = word == "LUT_1D_SIZE" ? Self.curveSizes : Self.cubeSizes
      guard size == 0, numbers.count == 1, let side = Int(exactly: numbers[0]), sizes.contains(side) else {
        return false
      }
      (size, isFlat) = (side, word == "LUT_1D_SIZE")
    case "DOMAIN_MIN", "DOMAIN_MAX":
      guard numbers.count == 3 else { return false }
      let bound = SIMD3(numbers[0], numbers[1], numbers[2])
      if word == "DOMAIN_MIN" { low = bound } else { high = bound }
    case "LUT_3D_INPUT_RANGE", "LUT_1D_INPUT_RANGE":
      guard numbers.count == 2 else { return false }
      (low, high) = (SIMD3(repeating: numbers[0]), SIMD3(repeating: numbers[1]))
    default:
      // A line that begins with a digit or sign is a malformed colour.
      return word.first.map { $0.isLetter || $0 == "\u{FEFF}" } ?? false
    }
    return true
  }

  /// The table as Core Image takes it: entries along each side, and RGBA in 32-bit floats, red varying fastest.
  var cube: (side: Int, data: Data) {
    let side = isFlat ? 64 : min(size, 128)
    var pixels = [SIMD4<Float>]()
    pixels.reserveCapacity(side * side * side)
    for blue in 0..<side {
      for green in 0..<side {
        for red in 0..<side {
          let place = SIMD3(Float(red), Float(green), Float(blue)) / Float(side - 1)
          pixels.append(SIMD4(color(at: place), 1))
        }
      }
    }
    return (side, pixels.withUnsafeBytes { Data($0) })
  }

  /// The table's colour for a colour in 0…1, interpolated linearly.
  func color(at color: SIMD3<Float>) -> SIMD3<Float> {
    let width = pointwiseMax(high - low, SIMD3(repeating: .leastNormalMagnitude))
    let place = ((color - low) / width).clamped(lowerBound: .zero, upperBound: .one) * Float(size - 1)
    let first = place.rounded(.down).clamped(lowerBound: .zero, upperBound: SIMD3(repeating: Float(size - 2)))
    let share = place - first
    let (x, y, z) = (Int(first.x), Int(first.y), Int(first.z))
    if isFlat {
      return SIMD3(
        colors[x].x + (colors[x + 1].x - colors[x].x) * share.x,
        colors[y].y + (colors[y + 1].y - colors[y].y) * share.y,
        colors[z].z + (colors[z + 1].z - colors[z].z) * share.z)
    }
    func entry(_ x: Int, _ y: Int, _ z: Int) -> SIMD3<Float> { colors[(z * size + y) * size + x] }
    func row(_ y: Int, _ z: Int) -> SIMD3<Float> {
      let start = entry(x, y, z)
      return start + (entry(x + 1, y, z) - start) * share.x
    }
    func plane(_ z: Int) -> SIMD3<Float> {
      let start = row(y, z)
      return start + (row(y + 1, z) - start) * share.y
    }
    let start = plane(z)
    return start + (plane(z + 1) - start) * share.z
  }
}
