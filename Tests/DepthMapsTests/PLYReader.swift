import DepthMaps
import Foundation
import Testing

/// The points of a binary PLY file, read by its header alone: property by property, in the order that it states.
struct PLYReader {
  struct Vertex: Equatable {
    var x: Float
    var y: Float
    var z: Float
    var color: [UInt8]
  }

  let comments: [String]
  let vertices: [Vertex]

  private static let sizes = ["float": 4, "uchar": 1]

  init(_ data: Data) throws {
    let end = try #require(data.range(of: Data("end_header\n".utf8)))
    let header = String(decoding: data[..<end.lowerBound], as: UTF8.self)
    let lines = header.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    try #require(lines.first == ["ply"] && lines.contains(["format", "binary_little_endian", "1.0"]))
    comments = lines.filter { $0.first == "comment" }.map { $0.dropFirst().joined(separator: " ") }
    let element = try #require(lines.first { $0.first == "element" })
    try #require(element[1] == "vertex" && lines.filter { $0.first == "element" }.count == 1)
    let count = try #require(Int(element[2]))
    let properties = try lines.filter { $0.first == "property" }.map { line in
      (name: line[2], size: try #require(Self.sizes[line[1]]))
    }
    let stride = properties.reduce(0) { $0 + $1.size }
    let body = data[end.upperBound...]
    try #require(body.count == count * stride)
    vertices = body.withUnsafeBytes { bytes in
      (0..<count).map { index in
        var (place, floats, colors) = (index * stride, [String: Float](), [String: UInt8]())
        for property in properties {
          if property.size == 4 {
            floats[property.name] = Float(
              bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
          } else {
            colors[property.name] = bytes[place]
          }
          place += property.size
        }
        return Vertex(
          x: floats["x"] ?? .nan, y: floats["y"] ?? .nan, z: floats["z"] ?? .nan,
          color: ["red", "green", "blue"].map { colors[$0] ?? 0 })
      }
    }
  }
}
