import Foundation

/// A recording of OpenNI, written byte by byte: pictures of RGB and maps of millimetres, both uncompressed.
///
/// The bytes of frame `n`, from 1 on, are as those of ``ScriptedSensors``: `n` plus the column, and 500 plus both.
struct RecordingFile {
  var width = 32
  var height = 24
  var rate = 60
  var frames = 30
  var hasColor = true
  var hasDepth = true
  var isMirrored = false
  /// Degrees.
  var colorView = 60.0
  var depthView = 58.0

  private enum Kind: UInt32 {
    case integer = 0x03
    case general = 0x06
    case removed = 0x07
    case dataBegins = 0x08
    case isReady = 0x09
    case frame = 0x0A
    case end = 0x0B
    case added = 0x0D
  }

  private static let depthNode: UInt32 = 2
  private static let colorNode: UInt32 = 3

  private var nodes: [(number: UInt32, type: UInt32)] {
    let all: [(number: UInt32, type: UInt32)] = [(1, Self.depthNode), (2, Self.colorNode)]
    return all.filter { $0.type == Self.depthNode ? hasDepth : hasColor }
  }

  private var period: UInt64 { 1_000_000 / UInt64(rate) }

  /// The whole file.
  var data: Data {
    var file = Data("NI10".utf8) + Data([1, 0]) + bytes(UInt16(1)) + bytes(UInt32(0))
    file += bytes(UInt64(frames + 1) * period) + bytes(UInt32(2))
    for node in nodes { file += declaration(node.number, node.type) }
    for node in nodes {
      file += record(.isReady, node.number)
      file += record(.dataBegins, node.number, bytes(UInt32(frames)) + bytes(UInt64(frames) * period))
    }
    for number in 1..<frames + 1 {
      for node in nodes {
        file += record(
          .frame, node.number, bytes(UInt64(number) * period) + bytes(UInt32(number)),
          payload: node.type == Self.colorNode ? picture(number) : map(number))
      }
    }
    for node in nodes { file += record(.removed, node.number) }
    return file + record(.end, 0)
  }

  func write(to path: String) throws {
    try data.write(to: URL(fileURLWithPath: path))
  }

  // MARK: Nodes

  private func declaration(_ node: UInt32, _ type: UInt32) -> Data {
    let isColor = type == Self.colorNode
    let codec = Data("NONE".utf8)
    var file = record(
      .added, node,
      text(isColor ? "Image" : "Depth") + bytes(type) + codec + bytes(UInt32(frames)) + bytes(UInt64(0))
        + bytes(UInt64(frames) * period) + bytes(UInt64(0)))
    func integer(_ name: String, _ value: UInt64) {
      file += record(.integer, node, text(name) + bytes(UInt32(8)) + bytes(value))
    }
    func general(_ name: String, _ data: Data) {
      file += record(.general, node, text(name) + bytes(UInt32(data.count)) + data)
    }
    integer("oniRequiredFrameSize", UInt64(width * height * (isColor ? 3 : 2)))
    general("xnMapOutputMode", bytes(UInt32(width)) + bytes(UInt32(height)) + bytes(UInt32(rate)))
    integer("oniPixelFormat", isColor ? 200 : 100)
    let view = (isColor ? colorView : depthView) * .pi / 180
    general("xnFOV", bytes(view.bitPattern) + bytes((view * 0.8).bitPattern))
    general("xnCropping", Data(count: 12))
    integer("xnMirror", isMirrored ? 1 : 0)
    return file
  }

  // MARK: Frames

  private func column(_ x: Int) -> Int { isMirrored ? width - 1 - x : x }

  private func picture(_ number: Int) -> Data {
    let row = (0..<width).flatMap { x in
      [UInt8](repeating: UInt8(truncatingIfNeeded: number + column(x)), count: 3)
    }
    return Data((0..<height).flatMap { _ in row })
  }

  private func map(_ number: Int) -> Data {
    let row = (0..<width).map { bytes(UInt16(500 + (number + column($0)) % 1000)) }.reduce(Data(), +)
    return (0..<height).reduce(Data()) { data, _ in data + row }
  }

  // MARK: Bytes

  private func record(_ kind: Kind, _ node: UInt32, _ fields: Data = Data(), payload: Data = Data()) -> Data {
    var header = bytes(UInt32(0x0052_494E)) + bytes(kind.rawValue) + bytes(node)
    header += bytes(UInt32(28 + fields.count)) + bytes(UInt32(payload.count)) + bytes(UInt64(0))
    return header + fields + payload
  }

  private func text(_ text: String) -> Data {
    bytes(UInt32(text.utf8.count + 1)) + Data(text.utf8) + Data([0])
  }

  private func bytes(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}
