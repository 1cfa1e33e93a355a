/// Looks whether a buffer holds a whole JPEG picture, without decoding it.
package struct MotionJPEGCheck: Sendable, Hashable {
  /// So many pictures in a row without an end marker, and the camera is one that never writes it.
  package static let patience = 5
  /// How far from the end the end marker is looked for: cameras pad their pictures.
  static let padding = 4096

  private var missing = 0
  private var demandsEnd = true

  /// A check for a stream that has just been started.
  package init() {}

  /// Whether `bytes` begin as JPEG does (start of image, then a marker), and end as it does.
  ///
  /// Cost: at most 4096 bytes are read.
  package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] == 0xD8, bytes[2] == 0xFF, bytes[3] >= 0xC0 else {
      return false
    }
    if !demandsEnd { return true }
    var index = bytes.count - 1
    let first = max(4, bytes.count - Self.padding)
    while index > first {
      if bytes[index] == 0xD9, bytes[index - 1] == 0xFF {
        missing = 0
        return true
      }
      index -= 1
    }
    missing += 1
    if missing == Self.patience { demandsEnd = false }
    return !demandsEnd
  }
}
