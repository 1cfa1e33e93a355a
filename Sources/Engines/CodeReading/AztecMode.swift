internal import CZXing
internal import Foundation

/// The mode message of an Aztec code, around its core: the numbers of layers and of the message's codewords.
///
/// The library does not give this out, so that it is read again where the library has found the code. How many modules a side has is
/// not known before: for each size, the bits that would lie around the core are read; those of the right size name it.
///
/// Source: ISO/IEC 24778, 7.2.3 and 9.
struct AztecMode: Hashable {
  var isCompact: Bool
  var layers: Int
  var codewords: Int

  /// Modules a side.
  var side: Int {
    if isCompact { return 11 + 4 * layers }
    let bare = 14 + 4 * layers
    // A line for reference in the middle, and one every sixteen modules to both sides of it.
    return bare + 1 + 2 * ((bare / 2 - 1) / 15)
  }

  /// With more wrong bits than these among those that check the others, nothing was seen.
  private static let mostErrors = 3

  /// The mode of the code between `corners` in `picture`, which is dark and light; `nil` where none is seen.
  ///
  /// - Parameters:
  ///   - corners: The code's own top left, top right, bottom right and bottom left, or turned or mirrored.
  ///   - bits: How many bits the message has; the codewords hold no less.
  init?(in picture: LumaView, corners: [CGPoint], bits: Int) {
    guard let square = SquarePlane(corners) else { return nil }
    for (isCompact, layers) in (1...4).map({ (true, $0) }) + (1...32).map({ (false, $0) }) {
      let bare = AztecMode(isCompact: isCompact, layers: layers, codewords: 1)
      for ring in bare.rings(in: picture, square) ?? [] {
        // Where the bits say another number of layers, the code has another size.
        let mode = bare.saying(ring)
        if mode.layers == layers, mode.codewords * mode.wordSize >= bits,
          (mode.message ^ ring).nonzeroBitCount <= Self.mostErrors
        {
          self = mode
          return
        }
      }
    }
    return nil
  }

  init(isCompact: Bool, layers: Int, codewords: Int) {
    self.isCompact = isCompact
    self.layers = layers
    self.codewords = codewords
  }

  /// Bits of a codeword of the message.
  private var wordSize: Int {
    switch layers {
    case ...2: 6
    case ...8: 8
    case ...22: 10
    default: 12
    }
  }

  /// The mode by the bits around the core, whether or not they are right.
  private func saying(_ ring: UInt64) -> AztecMode {
    let facts = Int(ring >> (isCompact ? 20 : 24))
    return isCompact
      ? AztecMode(isCompact: true, layers: facts >> 6 + 1, codewords: facts & 0x3F + 1)
      : AztecMode(isCompact: false, layers: facts >> 11 + 1, codewords: facts & 0x7FF + 1)
  }

  /// The bits around the core, the first in the highest place.
  private var message: UInt64 {
    let facts = isCompact ? (layers - 1) << 6 | (codewords - 1) : (layers - 1) << 11 | (codewords - 1)
    let words = isCompact ? 2 : 4
    let checks = isCompact ? 5 : 6
    let data = (0..<words).map { UInt8(facts >> (4 * (words - 1 - $0)) & 0xF) }
    return (data + Field16.checks(of: data, count: checks)).reduce(UInt64(0)) { $0 << 4 | UInt64($1) }
  }

  /// The bits that are seen around the core, as the code may be turned or mirrored; `nil` where they lie outside of the picture.
  private func rings(in picture: LumaView, _ square: SquarePlane) -> [UInt64]? {
    let (half, run) = isCompact ? (5, 7) : (7, 10)
    let middle = side / 2
    // Top, right, bottom and left, clockwise; the line for reference in the middle of a side is left out.
    var places: [(column: Int, row: Int)] = []
    let offsets = (0..<run).map { middle - run / 2 + $0 + (isCompact ? 0 : $0 / 5) }
    places += offsets.map { ($0, middle - half) }
    places += offsets.map { (middle + half, $0) }
    places += offsets.reversed().map { ($0, middle + half) }
    places += offsets.reversed().map { (middle - half, $0) }
    var bits: [UInt64] = []
    for place in places {
      let point = square.place(
        (Double(place.column) + 0.5) / Double(side), (Double(place.row) + 0.5) / Double(side))
      let (x, y) = (Int(point.x), Int(point.y))
      guard x >= 0, y >= 0, x < picture.width, y < picture.height else { return nil }
      // Safe because the place lies in the picture.
      bits.append(picture.luma.pixels[y * picture.luma.stride + x] < 128 ? 1 : 0)
    }
    let mirrored = Array(bits.reversed())
    return [bits, mirrored].flatMap { bits in
      (0..<4).map { turn in
        (0..<bits.count).reduce(UInt64(0)) { $0 << 1 | bits[($1 + turn * run) % bits.count] }
      }
    }
  }
}

/// A square seen in perspective.
private struct SquarePlane {
  private let origin: CGPoint
  private let a: Double, b: Double, d: Double, e: Double, g: Double, h: Double

  /// `nil` for other than four corners, or such as no square has.
  init?(_ corners: [CGPoint]) {
    guard corners.count == 4 else { return nil }
    let (p0, p1, p2, p3) = (corners[0], corners[1], corners[2], corners[3])
    let (dx1, dy1) = (p1.x - p2.x, p1.y - p2.y)
    let (dx2, dy2) = (p3.x - p2.x, p3.y - p2.y)
    let (dx3, dy3) = (p0.x - p1.x + p2.x - p3.x, p0.y - p1.y + p2.y - p3.y)
    let divisor = dx1 * dy2 - dx2 * dy1
    guard abs(divisor) > 1e-6 else { return nil }
    g = (dx3 * dy2 - dx2 * dy3) / divisor
    h = (dx1 * dy3 - dx3 * dy1) / divisor
    (a, b) = (p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x)
    (d, e) = (p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y)
    origin = p0
  }

  /// The place in the picture of (`u`, `v`) of the unit square.
  func place(_ u: Double, _ v: Double) -> CGPoint {
    let depth = g * u + h * v + 1
    return CGPoint(x: (a * u + b * v + origin.x) / depth, y: (d * u + e * v + origin.y) / depth)
  }
}

/// Reed-Solomon codes over the field of sixteen elements.
private enum Field16 {
  private static let powers: [UInt8] = {
    var powers: [UInt8] = [1]
    while powers.count < 15 {
      let next = powers[powers.count - 1] << 1
      powers.append(next > 15 ? next ^ 0x13 : next)
    }
    return powers
  }()

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    guard a != 0, b != 0, let first = powers.firstIndex(of: a), let second = powers.firstIndex(of: b) else {
      return 0
    }
    return powers[(first + second) % 15]
  }

  /// The rest of `data` by the polynomial whose zeros are the first `count` powers of two.
  static func checks(of data: [UInt8], count: Int) -> [UInt8] {
    var divisor: [UInt8] = [1]
    for index in 1...count {
      var next = divisor + [0]
      for (place, factor) in divisor.enumerated() { next[place + 1] ^= product(factor, powers[index]) }
      divisor = next
    }
    var rest = data + [UInt8](repeating: 0, count: count)
    for place in data.indices {
      let factor = rest[place]
      for (offset, part) in divisor.enumerated() { rest[place + offset] ^= product(part, factor) }
    }
    return Array(rest.suffix(count))
  }
}
