internal import Foundation
internal import GraphicsCore
internal import Linux

/// The way from stored numbers into the working space, and from there into the output's.
///
/// The working space is light itself (extended linear sRGB) unless a context names another or none. Numbers go through
/// tables: 256 entries in, 65 536 out, which is a twentieth of a level of sRGB at its steepest.
struct WorkingColor: Sendable {
  /// `nil` leaves all numbers as they are.
  let space: CGColorSpace?

  /// The conversion of a picture's numbers to working numbers.
  struct Entry: Sendable {
    /// Light for each of 256 levels.
    let table: [Float]
    /// The curve, for numbers that are no bytes.
    let curve: TransferFunction?
    let matrix: FloatMatrix?
    /// The form in which light is stored in a working space that is not linear.
    let stored: TransferFunction?
  }

  /// The way in from `source`; kept, because every tile asks for it.
  func entry(from source: CGColorSpace?) -> Entry {
    let key = SpacePair(from: source, to: space)
    if let known = WorkingColor.entries.withLock({ $0[key] }) { return known }
    let entry = makeEntry(from: source)
    WorkingColor.entries.withLock { entries in
      // Spaces read from files have no end; a few are in use at a time.
      if entries.count > 32 { entries.removeAll() }
      entries[key] = entry
    }
    return entry
  }

  private func makeEntry(from source: CGColorSpace?) -> Entry {
    guard let space, let source, source != space else {
      return Entry(table: WorkingColor.levels, curve: nil, matrix: nil, stored: nil)
    }
    let conversion = ColorConversion(from: source, to: space)
    if conversion.isIdentity {
      return Entry(table: WorkingColor.levels, curve: nil, matrix: nil, stored: nil)
    }
    return Entry(
      table: (0..<256).map { Float(source.transfer.linear(Double($0) / 255)) }, curve: source.transfer,
      matrix: FloatMatrix(conversion.matrix), stored: space.transfer == .linear ? nil : space.transfer)
  }

  /// The conversion of working numbers to those of an output.
  struct Exit: Sendable {
    /// Light in a working space that is not linear.
    let linear: TransferFunction?
    let matrix: FloatMatrix?
    let curve: TransferFunction?
    let isGray: Bool
    let luminance: SIMD3<Float>
    /// The byte for each 1/65535 of light.
    let table: [UInt8]
  }

  func exit(to target: CGColorSpace?) -> Exit {
    guard let space, let target else {
      return Exit(
        linear: nil, matrix: nil, curve: nil, isGray: target?.model == .monochrome,
        luminance: WorkingColor.luminance(of: .standardWorking), table: WorkingColor.bytes(nil))
    }
    let conversion = ColorConversion(from: space, to: target)
    let isSame = conversion.isIdentity
    return Exit(
      linear: isSame || space.transfer == .linear ? nil : space.transfer,
      matrix: isSame ? nil : FloatMatrix(conversion.matrix), curve: isSame ? nil : target.transfer,
      isGray: target.model == .monochrome, luminance: WorkingColor.luminance(of: target),
      table: WorkingColor.bytes(isSame ? nil : target.transfer))
  }

  private static let levels: [Float] = (0..<256).map { Float($0) / 255 }
  private struct SpacePair: Hashable, Sendable {
    var from: CGColorSpace?
    var to: CGColorSpace?
  }

  private static let entries = Locked<[SpacePair: Entry]>([:])
  private static let tables = Locked<[TransferFunction: [UInt8]]>([:])

  private static func luminance(of space: CGColorSpace) -> SIMD3<Float> {
    SIMD3<Float>(space.toXYZ.second)
  }

  private static func bytes(_ curve: TransferFunction?) -> [UInt8] {
    let key = curve ?? .linear
    if let known = tables.withLock({ $0[key] }) { return known }
    func byte(_ light: Int) -> UInt8 {
      UInt8((min(1, max(0, key.stored(Double(light) / 65535))) * 255).rounded())
    }
    var table = [UInt8](repeating: 0, count: 65536)
    // Curves rise, so that what lies between two equal bytes is the same: a program's first image waits for this.
    var parts = [(first: 0, low: byte(0), last: 65535, high: byte(65535))]
    while let part = parts.popLast() {
      if part.low == part.high {
        for light in part.first...part.last { table[light] = part.low }
      } else if part.last - part.first == 1 {
        (table[part.first], table[part.last]) = (part.low, part.high)
      } else {
        let middle = (part.first + part.last) / 2
        let value = byte(middle)
        parts.append((part.first, part.low, middle, value))
        parts.append((middle, value, part.last, part.high))
      }
    }
    let made = table
    tables.withLock { $0[key] = made }
    return made
  }
}

/// A 3×3 matrix that acts on the colours of a pixel and leaves alpha.
struct FloatMatrix: Sendable {
  let red: SIMD4<Float>
  let green: SIMD4<Float>
  let blue: SIMD4<Float>

  /// `nil` when `matrix` changes nothing.
  init?(_ matrix: ColorMatrix) {
    if matrix == .identity { return nil }
    let columns = matrix.transposed
    red = SIMD4(SIMD3<Float>(columns.first), 0)
    green = SIMD4(SIMD3<Float>(columns.second), 0)
    blue = SIMD4(SIMD3<Float>(columns.third), 0)
  }

  /// The same for rows of pixels, with alpha and an offset of nothing.
  var columns: (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    (red, green, blue, SIMD4(0, 0, 0, 1), .zero)
  }

  @inline(__always)
  func applied(to pixel: SIMD4<Float>) -> SIMD4<Float> {
    var result = red * pixel.x + green * pixel.y + blue * pixel.z
    result.w = pixel.w
    return result
  }
}

extension WorkingColor.Entry {
  /// One pixel whose colours are not premultiplied, from numbers that need no be bytes.
  func working(_ straight: SIMD4<Float>) -> SIMD4<Float> {
    var pixel = straight
    if let curve {
      for index in 0..<3 { pixel[index] = Float(curve.linear(Double(pixel[index]))) }
    }
    return mixed(pixel)
  }

  /// Does the rest after the table: the matrix, and the curve of a working space that has one.
  @inline(__always)
  func mixed(_ light: SIMD4<Float>) -> SIMD4<Float> {
    var pixel = light
    if let matrix { pixel = matrix.applied(to: pixel) }
    if let stored {
      for index in 0..<3 { pixel[index] = Float(stored.stored(Double(pixel[index]))) }
    }
    return pixel
  }
}

extension WorkingColor.Exit {
  /// Working numbers, not premultiplied, as light of the output's primaries.
  @inline(__always)
  func light(_ working: SIMD4<Float>) -> SIMD4<Float> {
    var pixel = working
    if let linear {
      for index in 0..<3 { pixel[index] = Float(linear.linear(Double(pixel[index]))) }
    }
    if let matrix { pixel = matrix.applied(to: pixel) }
    return pixel
  }

  /// Working numbers, not premultiplied, as the output's numbers.
  func stored(_ working: SIMD4<Float>) -> SIMD4<Float> {
    var pixel = light(working)
    if isGray {
      let gray = pixel.x * luminance.x + pixel.y * luminance.y + pixel.z * luminance.z
      pixel = SIMD4(gray, gray, gray, pixel.w)
    }
    if let curve {
      for index in 0..<3 { pixel[index] = Float(curve.stored(Double(pixel[index]))) }
    }
    return pixel
  }
}
