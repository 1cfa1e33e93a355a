internal import CaptureDevice
internal import Foundation

/// A QR code: byte mode, error correction level M, versions 1 to 10, the mask that the standard's penalties choose.
///
/// Source: ISO/IEC 18004:2015.
struct QRCode: Sendable {
  /// Modules along a side, without the quiet zone.
  let size: Int
  /// Row by row; true is dark.
  private(set) var modules: [Bool]
  /// Finder, timing, alignment, format and version modules, which masks leave alone.
  private var isFixed: [Bool]

  /// Modules of light around the code that a reader needs (section 6.3.8).
  static let quietZone = 4

  /// For each version: check codewords of a block, and how many blocks have how many data codewords (table 9, level M).
  private static let blocks: [(check: Int, data: [Int])] = [
    (10, [16]), (16, [28]), (26, [44]), (18, [32, 32]), (24, [43, 43]), (16, [27, 27, 27, 27]),
    (18, [31, 31, 31, 31]), (22, [38, 38, 39, 39]), (22, [36, 36, 36, 37, 37]), (26, [43, 43, 43, 43, 44]),
  ]
  /// For each version: the middles of alignment patterns (annex E).
  private static let alignment: [[Int]] = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
  ]

  /// Encodes `text` in the smallest version that holds it.
  ///
  /// - Throws: `invalidScene` when it is longer than 213 bytes of UTF-8.
  init(_ text: String) throws(CaptureDeviceError) {
    let bytes = Array(text.utf8)
    let fitting = (1...10).first { version in
      let capacity = Self.blocks[version - 1].data.reduce(0, +)
      return bytes.count + (version < 10 ? 2 : 3) <= capacity
    }
    guard let version = fitting else {
      throw CaptureDeviceError(
        .invalidScene, "A QR code holds at most 213 bytes and this text has \(bytes.count); shorten it.")
    }
    size = 17 + 4 * version
    modules = Array(repeating: false, count: size * size)
    isFixed = modules
    drawPatterns(version: version)
    drawCodewords(Self.codewords(bytes, version: version))
    chooseMask()
  }

  /// Whether the module is dark; outside the code all is light.
  func isDark(column: Int, row: Int) -> Bool {
    guard column >= 0, row >= 0, column < size, row < size else { return false }
    return modules[row * size + column]
  }

  // MARK: Codewords

  private static func codewords(_ bytes: [UInt8], version: Int) -> [UInt8] {
    let layout = blocks[version - 1]
    let capacity = layout.data.reduce(0, +)
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> bit & 1 == 1) }
    }
    append(0b0100, 4)
    append(bytes.count, version < 10 ? 8 : 16)
    for byte in bytes { append(Int(byte), 8) }
    append(0, min(4, capacity * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var data = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var pad: UInt8 = 0xEC
    while data.count < capacity {
      data.append(pad)
      pad ^= 0xEC ^ 0x11
    }

    var start = 0
    let dataBlocks = layout.data.map { count in
      defer { start += count }
      return Array(data[start..<start + count])
    }
    let checkBlocks = dataBlocks.map { remainder(of: $0, checkCount: layout.check) }
    var result: [UInt8] = []
    for index in 0..<(layout.data.max() ?? 0) {
      for block in dataBlocks where index < block.count { result.append(block[index]) }
    }
    for index in 0..<layout.check {
      for block in checkBlocks { result.append(block[index]) }
    }
    return result
  }

  /// Reed-Solomon check codewords over GF(256) with polynomial 0x11D.
  private static func remainder(of data: [UInt8], checkCount: Int) -> [UInt8] {
    var generator = [UInt8](repeating: 0, count: checkCount)
    generator[checkCount - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<checkCount {
      for index in 0..<checkCount {
        generator[index] = multiply(generator[index], root)
        if index + 1 < checkCount { generator[index] ^= generator[index + 1] }
      }
      root = multiply(root, 2)
    }
    var result = [UInt8](repeating: 0, count: checkCount)
    for byte in data {
      let factor = byte ^ result[0]
      result.removeFirst()
      result.append(0)
      for index in 0..<checkCount { result[index] ^= multiply(generator[index], factor) }
    }
    return result
  }

  private static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product = 0
    for bit in stride(from: 7, through: 0, by: -1) {
      product = product << 1 ^ (product >> 7) * 0x11D
      if right >> bit & 1 == 1 { product ^= Int(left) }
    }
    return UInt8(product & 0xFF)
  }

  // MARK: Modules

  private mutating func set(_ column: Int, _ row: Int, _ isDark: Bool) {
    modules[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  private mutating func drawPatterns(version: Int) {
    for index in 0..<size {
      set(6, index, index % 2 == 0)
      set(index, 6, index % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for row in max(0, y - 4)...min(size - 1, y + 4) {
        for column in max(0, x - 4)...min(size - 1, x + 4) {
          let distance = max(abs(column - x), abs(row - y))
          set(column, row, distance != 2 && distance != 4)
        }
      }
    }
    let middles = Self.alignment[version - 1]
    for y in middles {
      for x in middles {
        let isFinder = (x == 6 && y == 6) || (x == 6 && y == middles.last) || (x == middles.last && y == 6)
        if isFinder { continue }
        for row in y - 2...y + 2 {
          for column in x - 2...x + 2 { set(column, row, max(abs(column - x), abs(row - y)) != 1) }
        }
      }
    }
    drawFormat(mask: 0)
    if version >= 7 {
      var rest = version
      for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
      let bits = version << 12 | rest
      for index in 0..<18 {
        let isDark = bits >> index & 1 == 1
        set(size - 11 + index % 3, index / 3, isDark)
        set(index / 3, size - 11 + index % 3, isDark)
      }
    }
  }

  /// Level M has the format bits 00, so that only the mask's number remains.
  private mutating func drawFormat(mask: Int) {
    var rest = mask
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (mask << 10 | rest) ^ 0x5412
    func isDark(_ index: Int) -> Bool { bits >> index & 1 == 1 }
    for index in 0...5 { set(8, index, isDark(index)) }
    set(8, 7, isDark(6))
    set(8, 8, isDark(7))
    set(7, 8, isDark(8))
    for index in 9..<15 { set(14 - index, 8, isDark(index)) }
    for index in 0..<8 { set(size - 1 - index, 8, isDark(index)) }
    for index in 8..<15 { set(8, size - 15 + index, isDark(index)) }
    set(8, size - 8, true)
  }

  private mutating func drawCodewords(_ codewords: [UInt8]) {
    var bit = 0
    var right = size - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      for step in 0..<size {
        let isUpward = (right + 1) & 2 == 0
        let row = isUpward ? size - 1 - step : step
        for column in [right, right - 1] where !isFixed[row * size + column] {
          if bit < codewords.count * 8 {
            modules[row * size + column] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          }
          bit += 1
        }
      }
      right -= 2
    }
  }

  // MARK: Masks

  private mutating func chooseMask() {
    var best = 0
    var lowest = Int.max
    for mask in 0..<8 {
      apply(mask)
      drawFormat(mask: mask)
      let penalty = penalty()
      if penalty < lowest { (best, lowest) = (mask, penalty) }
      apply(mask)
    }
    apply(best)
    drawFormat(mask: best)
  }

  /// Inverts what the mask covers; twice is as before.
  private mutating func apply(_ mask: Int) {
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] {
        let inverts =
          switch mask {
          case 0: (x + y) % 2 == 0
          case 1: y % 2 == 0
          case 2: x % 3 == 0
          case 3: (x + y) % 3 == 0
          case 4: (x / 3 + y / 2) % 2 == 0
          case 5: x * y % 2 + x * y % 3 == 0
          case 6: (x * y % 2 + x * y % 3) % 2 == 0
          default: ((x + y) % 2 + x * y % 3) % 2 == 0
          }
        if inverts { modules[y * size + x].toggle() }
      }
    }
  }

  /// The penalty of the code: the higher it is, the harder the code is to read (section 7.8.3).
  private func penalty() -> Int {
    var penalty = 0
    let finder: [Bool] = [true, false, true, true, true, false, true]
    for line in 0..<size {
      for isRow in [true, false] {
        let values = (0..<size).map { isRow ? modules[line * size + $0] : modules[$0 * size + line] }
        var run = 0
        for index in 0..<size {
          run = index > 0 && values[index] == values[index - 1] ? run + 1 : 1
          if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
        }
        for start in 0...(size - 7) where Array(values[start..<start + 7]) == finder {
          let isLightBefore = (start - 4..<start).allSatisfy { $0 < 0 || !values[$0] }
          let isLightAfter = (start + 7..<start + 11).allSatisfy { $0 >= size || !values[$0] }
          if isLightBefore { penalty += 40 }
          if isLightAfter { penalty += 40 }
        }
      }
    }
    for y in 0..<size - 1 {
      for x in 0..<size - 1 {
        let value = isDark(column: x, row: y)
        if value == isDark(column: x + 1, row: y), value == isDark(column: x, row: y + 1),
          value == isDark(column: x + 1, row: y + 1)
        {
          penalty += 3
        }
      }
    }
    let dark = modules.count { $0 }
    penalty += abs(dark * 20 - modules.count * 10) / modules.count * 10
    return penalty
  }
}
