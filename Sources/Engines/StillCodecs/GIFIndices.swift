internal import Foundation

/// Decodes the colour indices of a GIF's picture (Lempel, Ziv and Welch, with codes of 3 to 12 bits).
struct GIFIndices {
  private static let most = 4096
  /// The code before each code, and its last index; of a code that was made.
  private var before = [UInt16](repeating: 0, count: most)
  private var last = [UInt8](repeating: 0, count: most)
  private var length = [UInt16](repeating: 1, count: most)
  private var first = [UInt8](repeating: 0, count: most)

  /// The indices of a picture, row by row as they are stored.
  ///
  /// - Throws: ``StillCodecError``: `damaged` for codes that mean nothing, and when there are too few.
  static func decode(_ file: Data, from place: Int, count: Int) throws(StillCodecError) -> [UInt8] {
    var decoder = GIFIndices()
    return try decoder.decode(file, place, count)
  }

  private mutating func decode(
    _ file: Data, _ place: Int, _ count: Int
  ) throws(StillCodecError) -> [UInt8] {
    var bits = Bits(file, place + 1)
    let size = Int(file[file.startIndex + place])
    let clear = 1 << size
    for code in 0..<min(clear, 256) {
      last[code] = UInt8(code)
      first[code] = UInt8(code)
    }
    var indices = [UInt8](repeating: 0, count: count)
    var done = 0
    var (next, width) = (clear + 2, size + 1)
    var old: Int?
    while done < count {
      guard let code = bits.take(width) else { break }
      if code == clear {
        (next, width, old) = (clear + 2, size + 1, nil)
        continue
      }
      if code == clear + 1 { break }
      if let known = old, next < Self.most {
        guard code <= next else { throw .damagedGIF("its codes mean nothing") }
        before[next] = UInt16(known)
        length[next] = known < clear ? 2 : length[known] &+ 1
        first[next] = first[known]
        last[next] = code == next ? first[known] : first[code]
        next += 1
        if next == 1 << width, width < 12 { width += 1 }
      }
      guard code < next, code < clear || code > clear + 1 else { throw .damagedGIF("its codes mean nothing") }
      done = write(code, clear, &indices, done)
      old = code
    }
    guard done >= count else { throw .damagedGIF("it has too few pixels") }
    return indices
  }

  /// Writes the indices of a code from behind, and returns where the next ones come.
  private func write(_ code: Int, _ clear: Int, _ indices: inout [UInt8], _ begin: Int) -> Int {
    let count = code < clear ? 1 : Int(length[code])
    var (at, code) = (begin + count - 1, code)
    while at >= begin {
      if at < indices.count { indices[at] = last[code] }
      code = Int(before[code])
      at -= 1
    }
    return begin + count
  }

  /// The bits of a chain of blocks, each byte's lowest first.
  private struct Bits {
    private let file: Data
    private var place: Int
    private var left = 0
    private var held = 0
    private var count = 0

    init(_ file: Data, _ place: Int) {
      self.file = file
      self.place = file.startIndex + place
    }

    mutating func take(_ width: Int) -> Int? {
      while count < width {
        if left == 0 {
          guard place < file.endIndex, file[place] > 0 else { return nil }
          left = Int(file[place])
          place += 1
        }
        guard place < file.endIndex else { return nil }
        held |= Int(file[place]) << count
        place += 1
        left -= 1
        count += 8
      }
      defer {
        held >>= width
        count -= width
      }
      return held & (1 << width - 1)
    }
  }
}
