/// Checks whether a buffer holds a whole JPEG picture, without decoding it.
package struct MotionJPEGCheck: Sendable, Hashable {
  /// So many pictures in a row without an end marker, and the camera is one that never writes it.
  package static let timeout = 5
  /// The bytes before the end in which the end marker is searched: cameras pad their pictures.
  static let padding = 4096

  private var missing = 0
  private var demandsEnd = true

  /// A check for a stream that has just been started.
  package init() {}

  /// Whether `bytes` begin as JPEG does, up to the scan of a frame with every segment inside of them, and end as it does.
  ///
  /// What the scan's codes say, the decoder checks, away from the reader thread. Cost: some ten segments are visited, and at
  /// most 4096 bytes read at the end.
  package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let scan = Self.scan(in: bytes) else { return false }
    if !demandsEnd { return true }
    var index = bytes.count - 1
    let first = max(scan, bytes.count - Self.padding)
    while index > first {
      if bytes[index] == 0xD9, bytes[index - 1] == 0xFF {
        missing = 0
        return true
      }
      index -= 1
    }
    missing += 1
    if missing == Self.timeout { demandsEnd = false }
    return !demandsEnd
  }

  /// The beginning of the first scan's codes; `nil` when the segments before it do not lead there.
  private static func scan(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
    var at = 2
    var hasFrame = false
    while at + 4 <= bytes.count {
      // Cameras leave fill bytes between segments.
      guard bytes[at] == 0xFF, bytes[at + 1] != 0xFF, bytes[at + 1] != 0 else {
        guard bytes[at] == 0xFF || bytes[at] == 0 else { return nil }
        at += 1
        continue
      }
      let marker = bytes[at + 1]
      // No segment is shorter than its length, and none of these stands before a scan.
      let length = Int(bytes[at + 2]) << 8 | Int(bytes[at + 3])
      guard marker >= 0xC0, !(0xD0...0xD9).contains(marker), length >= 2, at + 2 + length <= bytes.count
      else {
        return nil
      }
      at += 2 + length
      if marker == 0xDA { return hasFrame ? at : nil }
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) { hasFrame = true }
    }
    return nil
  }
}
