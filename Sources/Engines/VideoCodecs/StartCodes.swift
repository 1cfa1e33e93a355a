internal import CoreMedia
internal import Foundation

/// NAL units between start codes, as encoders give them (ITU-T H.264 and H.265, annex B).
package enum StartCodes {
  /// The NAL units of a stream, without start codes and the zeros around them.
  package static func units(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
    var units: [UnsafeRawBufferPointer] = []
    var begin: Int?
    var at = 0
    func close(_ end: Int) {
      guard let begin else { return }
      var end = end
      while end > begin, bytes[end - 1] == 0 { end -= 1 }
      if end > begin { units.append(UnsafeRawBufferPointer(rebasing: bytes[begin..<end])) }
    }
    while at + 3 <= bytes.count {
      if bytes[at + 2] > 1 {
        at += 3
      } else if bytes[at] == 0, bytes[at + 1] == 0, bytes[at + 2] == 1 {
        close(at)
        begin = at + 3
        at += 3
      } else {
        at += 1
      }
    }
    close(bytes.count)
    return units
  }

  /// A copy in which a length of four bytes stands before each NAL unit; parameter sets, which are in the format
  /// description, and access unit delimiters are left out.
  static func replaceByLengths(
    _ bytes: UnsafeRawBufferPointer, codec: VideoEncoderSettings.Codec
  ) -> CMBlockBuffer {
    let units = units(bytes).filter { !isLeftOut($0, codec) }
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: units.reduce(0) { $0 + 4 + $1.count }, alignment: 16)
    var at = 0
    for unit in units {
      memory.storeBytes(of: UInt32(unit.count).bigEndian, toByteOffset: at, as: UInt32.self)
      UnsafeMutableRawBufferPointer(rebasing: memory[(at + 4)...]).copyMemory(from: unit)
      at += 4 + unit.count
    }
    let address = UInt(bitPattern: memory.baseAddress)
    return CMBlockBuffer(wrapping: memory) { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
  }

  private static func isLeftOut(
    _ unit: UnsafeRawBufferPointer, _ codec: VideoEncoderSettings.Codec
  ) -> Bool {
    codec == .hevc ? (32...35).contains(unit[0] >> 1 & 0x3F) : (7...9).contains(unit[0] & 0x1F)
  }
}
