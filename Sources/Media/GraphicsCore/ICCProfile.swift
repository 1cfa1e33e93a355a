internal import Foundation

/// A colour profile made of a matrix and a curve, as files carry it (ICC.1:2010).
struct ICCProfile {
  /// What the profile calls itself.
  var name: String
  /// What its numbers mean.
  var definition: CGColorSpace.Definition
}

// MARK: - Writing

extension ICCProfile {
  /// The profile as bytes: version 4, display class, perceptual intent.
  ///
  /// The date is fixed, so that the same space gives the same bytes in every file.
  var data: Data {
    var tags: [(signature: String, body: [UInt8])] = [
      ("desc", Self.text(name)),
      ("cprt", Self.text("CC0")),
      ("wtpt", Self.xyz(ColorPrimaries.d50)),
    ]
    switch definition {
    case .gray(let transfer):
      tags.append(("kTRC", Self.curve(transfer)))
    case .rgb(let toXYZ, let transfer):
      // The columns of the matrix are what full red, green and blue look like.
      let columns = toXYZ.transposed
      tags += [
        ("chad", Self.matrix(ColorPrimaries.rec709.adaptation)),
        ("rXYZ", Self.xyz(columns.first)), ("gXYZ", Self.xyz(columns.second)),
        ("bXYZ", Self.xyz(columns.third)),
        ("rTRC", Self.curve(transfer)), ("gTRC", []), ("bTRC", []),
      ]
    }
    var table = BigEndianBytes()
    var bodies: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    table.append32(UInt32(tags.count))
    var last = (offset: 0, count: 0)
    for tag in tags {
      // An empty body shares the one before: the three curves are the same.
      if !tag.body.isEmpty {
        last = (start + bodies.count, tag.body.count)
        bodies += tag.body
        while bodies.count % 4 != 0 { bodies.append(0) }
      }
      table.append(tag.signature)
      table.append32(UInt32(last.offset))
      table.append32(UInt32(last.count))
    }
    return Data(header(size: start + bodies.count) + table.bytes + bodies)
  }

  private func header(size: Int) -> [UInt8] {
    var header = BigEndianBytes()
    header.append32(UInt32(size))
    header.append32(0)
    header.append32(0x0420_0000)
    header.append("mntr")
    if case .gray = definition { header.append("GRAY") } else { header.append("RGB ") }
    header.append("XYZ ")
    for part in [2026, 1, 1, 0, 0, 0] { header.append16(UInt16(part)) }
    header.append("acsp")
    header.bytes += [UInt8](repeating: 0, count: 28)
    header.bytes += Self.xyz(ColorPrimaries.d50).dropFirst(8)
    header.bytes += [UInt8](repeating: 0, count: 128 - header.bytes.count)
    return header.bytes
  }

  private static func text(_ text: String) -> [UInt8] {
    var body = BigEndianBytes("mluc")
    let units = Array(text.utf16)
    body.append32(1)
    body.append32(12)
    body.append("enUS")
    body.append32(UInt32(units.count * 2))
    body.append32(28)
    for unit in units { body.append16(unit) }
    return body.bytes
  }

  private static func xyz(_ value: SIMD3<Double>) -> [UInt8] {
    var body = BigEndianBytes("XYZ ")
    for index in 0..<3 { body.appendFixed(value[index]) }
    return body.bytes
  }

  private static func matrix(_ matrix: ColorMatrix) -> [UInt8] {
    var body = BigEndianBytes("sf32")
    for row in [matrix.first, matrix.second, matrix.third] {
      for index in 0..<3 { body.appendFixed(row[index]) }
    }
    return body.bytes
  }

  private static func curve(_ transfer: TransferFunction) -> [UInt8] {
    switch transfer {
    case .parametric(let gamma, let a, let b, let c, let d, let e, let f):
      var body = BigEndianBytes("para")
      let isPower = a == 1 && b == 0 && d == 0 && e == 0
      let isShort = e == 0 && f == 0
      body.append16(isPower ? 0 : isShort ? 3 : 4)
      body.append16(0)
      for value in isPower ? [gamma] : isShort ? [gamma, a, b, c, d] : [gamma, a, b, c, d, e, f] {
        body.appendFixed(value)
      }
      return body.bytes
    case .table(let entries):
      var body = BigEndianBytes("curv")
      body.append32(UInt32(entries.count))
      for entry in entries { body.append16(entry) }
      return body.bytes
    }
  }
}

/// Bytes written most significant first, as ICC wants them.
private struct BigEndianBytes {
  var bytes: [UInt8] = []

  init() {}

  /// Starts a tag's body: its type and four reserved bytes.
  init(_ type: String) {
    append(type)
    append32(0)
  }

  mutating func append(_ signature: String) { bytes += signature.utf8 }
  mutating func append16(_ value: UInt16) { bytes += [UInt8(value >> 8), UInt8(value & 0xFF)] }
  mutating func append32(_ value: UInt32) {
    append16(UInt16(value >> 16))
    append16(UInt16(value & 0xFFFF))
  }

  /// s15Fixed16Number.
  mutating func appendFixed(_ value: Double) {
    append32(UInt32(bitPattern: Int32((value * 65536).rounded())))
  }
}

// MARK: - Reading

extension ICCProfile {
  /// Reads a matrix or gray profile; `nil` for anything broken, above 4 MiB, or made of tables.
  init?(reading data: Data) {
    let bytes = [UInt8](data.prefix(4 << 20))
    let reader = ProfileReader(bytes: bytes)
    guard bytes.count >= 132, reader.text(36) == "acsp", let tags = reader.tags() else { return nil }
    name = tags["desc"].flatMap(reader.name) ?? ""
    switch reader.text(16) {
    case "GRAY":
      guard let curve = tags["kTRC"].flatMap(reader.curve) else { return nil }
      definition = .gray(curve)
    case "RGB ":
      // A profile with tables describes the device better by them: its matrix alone would be a lie.
      guard tags["A2B0"] == nil,
        let red = tags["rXYZ"].flatMap(reader.xyz), let green = tags["gXYZ"].flatMap(reader.xyz),
        let blue = tags["bXYZ"].flatMap(reader.xyz), let curve = tags["rTRC"].flatMap(reader.curve)
      else { return nil }
      let matrix = ColorMatrix(red, green, blue).transposed
      guard abs(matrix.determinant) > 1e-6 else { return nil }
      definition = .rgb(toXYZ: matrix, curve)
    default:
      return nil
    }
  }
}

/// Bounds-checked reading of a profile's bytes.
private struct ProfileReader {
  let bytes: [UInt8]

  func tags() -> [String: Range<Int>]? {
    guard let count = u32(128), count <= 200 else { return nil }
    var tags: [String: Range<Int>] = [:]
    for index in 0..<Int(count) {
      let entry = 132 + 12 * index
      guard let signature = text(entry), let offset = u32(entry + 4), let size = u32(entry + 8),
        size >= 8, Int(offset) + Int(size) <= bytes.count
      else { return nil }
      tags[signature] = Int(offset)..<Int(offset) + Int(size)
    }
    return tags
  }

  func u16(_ offset: Int) -> UInt16? {
    guard offset >= 0, offset + 2 <= bytes.count else { return nil }
    return UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
  }

  func u32(_ offset: Int) -> UInt32? {
    guard let high = u16(offset), let low = u16(offset + 2) else { return nil }
    return UInt32(high) << 16 | UInt32(low)
  }

  func fixed(_ offset: Int) -> Double? {
    u32(offset).map { Double(Int32(bitPattern: $0)) / 65536 }
  }

  func text(_ offset: Int) -> String? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  /// The text of a `desc` (version 2) or `mluc` (version 4) body.
  func name(_ range: Range<Int>) -> String? {
    let start = range.lowerBound
    if text(start) == "desc" {
      guard let count = u32(start + 8), Int(count) <= range.count - 12 else { return nil }
      let characters = bytes[start + 12..<start + 12 + Int(count)].prefix { $0 != 0 }
      return String(decoding: characters, as: UTF8.self)
    }
    guard text(start) == "mluc", let size = u32(start + 20), let offset = u32(start + 24),
      Int(offset) + Int(size) <= range.count
    else { return nil }
    let units = stride(from: 0, to: Int(size) - 1, by: 2).compactMap { u16(start + Int(offset) + $0) }
    return String(decoding: units, as: UTF16.self)
  }

  func xyz(_ range: Range<Int>) -> SIMD3<Double>? {
    guard text(range.lowerBound) == "XYZ ", range.count >= 20, let x = fixed(range.lowerBound + 8),
      let y = fixed(range.lowerBound + 12), let z = fixed(range.lowerBound + 16)
    else { return nil }
    return [x, y, z]
  }

  func curve(_ range: Range<Int>) -> TransferFunction? {
    let start = range.lowerBound
    if text(start) == "curv" {
      guard let count = u32(start + 8), Int(count) * 2 <= range.count - 12 else { return nil }
      if count == 0 { return .linear }
      let entries = (0..<Int(count)).compactMap { u16(start + 12 + 2 * $0) }
      if entries.count == 1 { return .gamma(Double(entries[0]) / 256) }
      return zip(entries, entries.dropFirst()).allSatisfy(<=) ? .table(entries) : nil
    }
    guard text(start) == "para", let type = u16(start + 8), type <= 4 else { return nil }
    let count = [1, 3, 4, 5, 7][Int(type)]
    guard range.count >= 12 + 4 * count else { return nil }
    let p = (0..<count).compactMap { fixed(start + 12 + 4 * $0) }
    guard p.count == count, p[0] > 0, type == 0 || p[1] != 0 else { return nil }
    switch type {
    case 0: return .gamma(p[0])
    case 1: return .parametric(gamma: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: 0, f: 0)
    case 2: return .parametric(gamma: p[0], a: p[1], b: p[2], c: 0, d: -p[2] / p[1], e: p[3], f: p[3])
    case 3: return .parametric(gamma: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: 0, f: 0)
    default: return .parametric(gamma: p[0], a: p[1], b: p[2], c: p[3], d: p[4], e: p[5], f: p[6])
    }
  }
}
