package import Foundation

/// The marker segments of a JPEG file, from the first to the scan's, without decoding.
///
/// Ends at the first scan, at the end of the file, or where the file breaks.
package struct JPEGSegments: Sequence, IteratorProtocol {
  /// One segment.
  package struct Segment {
    /// The second byte of the marker: 0xE1 is APP1.
    package var marker: UInt8
    /// The position of the marker's 0xFF.
    package var start: Int
    /// The bytes behind the length.
    package var body: Range<Int>
  }

  private let data: Data
  private var position: Int

  /// The segments of `data`, which begins with the start marker.
  package init(_ data: Data) {
    self.data = data
    position = data.count >= 2 ? data.startIndex + 2 : data.endIndex
  }

  /// Width and height as the frame header says; `nil` without one.
  package static func size(of data: Data) -> (width: Int, height: Int)? {
    for segment in JPEGSegments(data) {
      let isFrame = (0xC0...0xCF).contains(segment.marker) && ![0xC4, 0xC8, 0xCC].contains(segment.marker)
      guard isFrame, segment.body.count >= 5 else { continue }
      let bytes = segment.body.lowerBound
      func number(at offset: Int) -> Int { Int(data[bytes + offset]) << 8 | Int(data[bytes + offset + 1]) }
      return (number(at: 3), number(at: 1))
    }
    return nil
  }

  package mutating func next() -> Segment? {
    // A marker may be preceded by any number of fill bytes; cameras leave other bytes there too.
    while position + 4 <= data.endIndex {
      guard data[position] == 0xFF, data[position + 1] != 0xFF, data[position + 1] != 0 else {
        position += 1
        continue
      }
      let marker = data[position + 1]
      if marker == 0xD9 { return nil }
      if marker == 0x01 || (0xD0...0xD8).contains(marker) {
        position += 2
        continue
      }
      let length = Int(data[position + 2]) << 8 | Int(data[position + 3])
      guard length >= 2, position + 2 + length <= data.endIndex else { return nil }
      let segment = Segment(marker: marker, start: position, body: position + 4..<position + 2 + length)
      position = marker == 0xDA ? data.endIndex : position + 2 + length
      return segment
    }
    return nil
  }
}

/// The bodies of the segments that carry metadata, ready for the codec.
struct MarkerSegments {
  private(set) var markers: [Int32] = []
  private(set) var bodies: [[UInt8]] = []

  static let exifPrefix = [UInt8]("Exif\0\0".utf8)
  static let xmpPrefix = [UInt8]("http://ns.adobe.com/xap/1.0/\0".utf8)
  static let profilePrefix = [UInt8]("ICC_PROFILE\0".utf8)
  private static let largest = 65533

  init() {}

  init(_ options: JPEGEncoder.Options) throws(StillCodecError) {
    if let exif = options.exif { try add(0xE1, Self.exifPrefix + exif, "EXIF block") }
    if let xmp = options.xmp { try add(0xE1, Self.xmpPrefix + xmp, "XMP packet") }
    if let profile = options.profile {
      // ICC.1:2010, B.4: a profile may span several segments, which count themselves.
      let room = Self.largest - Self.profilePrefix.count - 2
      let count = (profile.count + room - 1) / room
      guard count <= 255 else {
        throw StillCodecError(.unsuitable, "The JPEG file cannot be written: its colour profile is too long.")
      }
      for index in 0..<count {
        let part = profile.dropFirst(index * room).prefix(room)
        try add(0xE2, Self.profilePrefix + [UInt8(index + 1), UInt8(count)] + part, "colour profile")
      }
    }
  }

  private mutating func add(_ marker: Int32, _ body: [UInt8], _ name: String) throws(StillCodecError) {
    guard body.count <= Self.largest else {
      throw StillCodecError(
        .unsuitable,
        "The JPEG file cannot be written: its \(name) of \(body.count) bytes is above the format's 64 KiB; make the embedded thumbnail smaller."
      )
    }
    markers.append(marker)
    bodies.append(body)
  }

  func withUnsafe<Result>(
    _ body: (
      UnsafeBufferPointer<Int32>, UnsafeBufferPointer<UnsafePointer<UInt8>?>, UnsafeBufferPointer<Int>
    ) throws -> Result
  ) rethrows -> Result {
    let joined = bodies.flatMap { $0 }
    let sizes = bodies.map(\.count)
    return try joined.withUnsafeBufferPointer { joined in
      var pointers: [UnsafePointer<UInt8>?] = []
      var offset = 0
      for size in sizes {
        pointers.append(joined.baseAddress.map { $0 + offset })
        offset += size
      }
      return try markers.withUnsafeBufferPointer { markers in
        try pointers.withUnsafeBufferPointer { pointers in
          try sizes.withUnsafeBufferPointer { try body(markers, pointers, $0) }
        }
      }
    }
  }
}

extension JPEGSegments {
  /// The ICC profile, put together of its parts; `nil` without one.
  static func profile(of data: Data) -> Data? {
    var parts: [UInt8: Data] = [:]
    for segment in JPEGSegments(data) where segment.marker == 0xE2 {
      let body = data[segment.body]
      guard body.starts(with: MarkerSegments.profilePrefix), body.count > 14 else { continue }
      parts[body[body.startIndex + 12]] = Data(body.dropFirst(14))
    }
    return parts.isEmpty ? nil : Data(parts.keys.sorted().compactMap { parts[$0] }.joined())
  }

  /// The profile of a picture of four inks; `nil` of others, which cost a look at the segments.
  static func inkProfile(of data: Data) -> Data? {
    let frame = JPEGSegments(data).first {
      (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker)
    }
    guard let frame, data[frame.body].dropFirst(5).first == 4 else { return nil }
    return profile(of: data)
  }
}
