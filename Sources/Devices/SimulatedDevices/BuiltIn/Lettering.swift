/// Letters of five by seven dots, as needle printers had them, with their corners rounded when painted large.
enum Lettering {
  /// Dots from one letter to the next.
  static let advance: Float = 6
  /// Dots from one line to the next.
  static let lineHeight: Float = 11

  /// The columns of each letter from the left, lowest bit at the top; the eighth row is for descenders.
  private static let columns: [Character: [UInt8]] = [
    "'": [0, 8, 7, 3, 0], ",": [0, 0x80, 0x70, 0x30, 0], "-": [8, 8, 8, 8, 8], ".": [0, 0, 0x60, 0x60, 0],
    "/": [0x20, 0x10, 8, 4, 2],
    ":": [0, 0, 0x14, 0, 0], ";": [0, 0x40, 0x34, 0, 0],
    "0": [0x3E, 0x51, 0x49, 0x45, 0x3E], "1": [0, 0x42, 0x7F, 0x40, 0], "2": [0x72, 0x49, 0x49, 0x49, 0x46],
    "3": [0x21, 0x41, 0x49, 0x4D, 0x33], "4": [0x18, 0x14, 0x12, 0x7F, 0x10],
    "5": [0x27, 0x45, 0x45, 0x45, 0x39],
    "6": [0x3C, 0x4A, 0x49, 0x49, 0x31], "7": [0x41, 0x21, 0x11, 9, 7], "8": [0x36, 0x49, 0x49, 0x49, 0x36],
    "9": [0x46, 0x49, 0x49, 0x29, 0x1E],
    "A": [0x7C, 0x12, 0x11, 0x12, 0x7C], "B": [0x7F, 0x49, 0x49, 0x49, 0x36],
    "C": [0x3E, 0x41, 0x41, 0x41, 0x22],
    "D": [0x7F, 0x41, 0x41, 0x41, 0x3E], "E": [0x7F, 0x49, 0x49, 0x49, 0x41], "F": [0x7F, 9, 9, 9, 1],
    "G": [0x3E, 0x41, 0x41, 0x51, 0x73], "H": [0x7F, 8, 8, 8, 0x7F], "I": [0, 0x41, 0x7F, 0x41, 0],
    "L": [0x7F, 0x40, 0x40, 0x40, 0x40], "M": [0x7F, 2, 0x1C, 2, 0x7F], "N": [0x7F, 4, 8, 0x10, 0x7F],
    "O": [0x3E, 0x41, 0x41, 0x41, 0x3E], "P": [0x7F, 9, 9, 9, 6], "R": [0x7F, 9, 0x19, 0x29, 0x46],
    "S": [0x26, 0x49, 0x49, 0x49, 0x32], "T": [3, 1, 0x7F, 1, 3], "U": [0x3F, 0x40, 0x40, 0x40, 0x3F],
    "W": [0x3F, 0x40, 0x38, 0x40, 0x3F], "Y": [3, 4, 0x78, 4, 3],
    "a": [0x20, 0x54, 0x54, 0x78, 0x40], "b": [0x7F, 0x28, 0x44, 0x44, 0x38],
    "c": [0x38, 0x44, 0x44, 0x44, 0x28],
    "d": [0x38, 0x44, 0x44, 0x28, 0x7F], "e": [0x38, 0x54, 0x54, 0x54, 0x18], "f": [0, 8, 0x7E, 9, 2],
    "g": [0x18, 0xA4, 0xA4, 0x9C, 0x78], "h": [0x7F, 8, 4, 4, 0x78], "i": [0, 0x44, 0x7D, 0x40, 0],
    "j": [0x20, 0x40, 0x40, 0x3D, 0], "k": [0x7F, 0x10, 0x28, 0x44, 0], "l": [0, 0x41, 0x7F, 0x40, 0],
    "m": [0x7C, 4, 0x78, 4, 0x78], "n": [0x7C, 8, 4, 4, 0x78], "o": [0x38, 0x44, 0x44, 0x44, 0x38],
    "p": [0xFC, 0x18, 0x24, 0x24, 0x18], "q": [0x18, 0x24, 0x24, 0x18, 0xFC], "r": [0x7C, 8, 4, 4, 8],
    "s": [0x48, 0x54, 0x54, 0x54, 0x24], "t": [4, 4, 0x3F, 0x44, 0x24], "u": [0x3C, 0x40, 0x40, 0x20, 0x7C],
    "v": [0x1C, 0x20, 0x40, 0x20, 0x1C], "w": [0x3C, 0x40, 0x30, 0x40, 0x3C],
    "x": [0x44, 0x28, 0x10, 0x28, 0x44],
    "y": [0x4C, 0x90, 0x90, 0x90, 0x7C], "z": [0x44, 0x64, 0x54, 0x4C, 0x44],
  ]

  /// A line as columns of dots, a clear one after each letter.
  static func columns(of line: String) -> [UInt8] {
    line.flatMap { (columns[$0] ?? [0, 0, 0, 0, 0]) + [0] }
  }

  /// How much ink lies at a place of a line, 0 to 1.
  ///
  /// - Parameters:
  ///   - x: Dots from the line's left end.
  ///   - y: Dots below the letters' top.
  ///   - pixel: An output pixel in dots.
  static func ink(_ columns: [UInt8], x: Float, y: Float, pixel: Float) -> Float {
    guard x > -1, y > -1, y < 9, x < Float(columns.count) else { return 0 }
    let left = (x - 0.5).rounded(.down)
    let top = (y - 0.5).rounded(.down)
    let fx = x - 0.5 - left
    let fy = y - 0.5 - top
    func dot(_ column: Int, _ row: Int) -> Float {
      guard columns.indices.contains(column), row >= 0, row < 8 else { return 0 }
      return columns[column] >> UInt8(row) & 1 == 1 ? 1 : 0
    }
    let column = Int(left)
    let row = Int(top)
    let upper = dot(column, row) * (1 - fx) + dot(column + 1, row) * fx
    let lower = dot(column, row + 1) * (1 - fx) + dot(column + 1, row + 1) * fx
    let value = upper * (1 - fy) + lower * fy
    // Between dots the value falls from 1 to 0 over one dot: cutting it at a half rounds the letters.
    let softness = max(pixel, 0.05)
    return min(max((value - 0.45) / softness + 0.5, 0), 1)
  }
}

/// A sheet of paper with a headline and lines of text.
struct PrintedPage: Drawing {
  private let lines: [[UInt8]]
  private let width: Float = 204
  private let height: Float = 272
  private let margin: Float = 18

  /// A page whose first line is the headline; a line holds 28 letters, the headline 14.
  init(_ text: [String]) {
    lines = text.map(Lettering.columns(of:))
  }

  var aspect: Double? { Double(height / width) }

  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    let edge = max(abs(u - 0.5) - 0.5, (abs(v - 0.5) - 0.5) * height / width)
    let alpha = coverage(edge, pixel)
    guard alpha > 0 else { return .zero }
    let x = u * width - margin
    let y = v * height - margin
    var ink: Float = 0
    let dot = pixel * width
    if y < 24 {
      ink = Lettering.ink(lines[0], x: x / 2, y: y / 2, pixel: dot / 2)
    } else {
      let row = Int((y - 24) / Lettering.lineHeight)
      if row + 1 < lines.count {
        ink = Lettering.ink(lines[row + 1], x: x, y: y - 24 - Float(row) * Lettering.lineHeight, pixel: dot)
      }
    }
    let paper = SIMD4<Float>(0.95, 0.94, 0.9, 1) * (1 - 0.05 * v)
    let black = SIMD4<Float>(0.13, 0.13, 0.16, 1)
    var color = paper * (1 - ink) + black * ink
    color.w = 1
    return color * alpha
  }
}
