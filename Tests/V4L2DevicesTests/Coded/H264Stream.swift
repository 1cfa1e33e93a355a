import CaptureDevice
import CoreMedia
import Foundation
import Testing

/// A recorded stream of H.264; see `Streams/SOURCES.md`.
struct H264Stream {
  /// The access units as a camera puts them into its buffers: NAL units behind start codes.
  var accessUnits: [[UInt8]] = []
  /// The NAL units of each, by themselves.
  var units: [[[UInt8]]] = []

  init(_ name: String) throws {
    let url = try #require(
      Bundle.module.url(forResource: name, withExtension: "h264", subdirectory: "Streams"))
    let bytes = [UInt8](try Data(contentsOf: url))
    var starts: [Int] = []
    for index in 0..<bytes.count - 3 where bytes[index...].starts(with: [0, 0, 1]) { starts.append(index) }
    var hasPicture = false
    for (number, start) in starts.enumerated() {
      let begin = start > 0 && bytes[start - 1] == 0 ? start - 1 : start
      var end = number + 1 < starts.count ? starts[number + 1] : bytes.count
      while bytes[end - 1] == 0 { end -= 1 }
      let unit = Array(bytes[start + 3..<end])
      let kind = unit[0] & 0x1F
      let isFirstSlice = kind <= 5 && unit[1] & 0x80 != 0
      if accessUnits.isEmpty || (hasPicture && (kind > 5 || isFirstSlice)) {
        accessUnits.append([])
        units.append([])
        hasPicture = false
      }
      if kind <= 5 { hasPicture = true }
      accessUnits[accessUnits.count - 1] += bytes[begin..<end]
      units[units.count - 1].append(unit)
    }
  }

  static func all() throws -> [H264Stream] { try [H264Stream("every-key-frame"), H264Stream("once")] }

  /// The slices of each access unit.
  var slices: [[[UInt8]]] { units.map { $0.filter { $0[0] & 0x1F <= 5 } } }

  /// The first parameter sets.
  var parameterSets: [[UInt8]] { units[0].filter { [7, 8].contains($0[0] & 0x1F) } }
}

/// NAL units as a camera sends them, each behind a start code.
func annexB(_ units: [[UInt8]], code: [UInt8] = [0, 0, 0, 1]) -> [UInt8] {
  Array(units.map { code + $0 }.joined())
}

extension CMFormatDescription {
  /// The results of `CMVideoFormatDescriptionGetH264ParameterSetAtIndex`, one after another.
  var h264Sets: [[UInt8]] {
    var count = 0
    CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
      self, parameterSetIndex: 0, parameterSetPointerOut: nil, parameterSetSizeOut: nil,
      parameterSetCountOut: &count, nalUnitHeaderLengthOut: nil)
    return (0..<count).map { index in
      var pointer: UnsafePointer<UInt8>?
      var size = 0
      CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
        self, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
        parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
      return Array(UnsafeBufferPointer(start: pointer, count: size))
    }
  }
}

/// The NAL units of a sample, each behind four bytes with its length; `nil` when the lengths do not add up.
func nalUnits(_ sample: some Collection<UInt8>) -> [[UInt8]]? {
  var rest = Array(sample)[...]
  var units: [[UInt8]] = []
  while !rest.isEmpty {
    guard rest.count > 4 else { return nil }
    let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(4)
    guard length > 0, length <= rest.count else { return nil }
    units.append(Array(rest.prefix(length)))
    rest = rest.dropFirst(length)
  }
  return units
}

extension CMBlockBuffer {
  var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: dataLength)
    _ = bytes.withUnsafeMutableBytes { memory in
      memory.baseAddress.map {
        CMBlockBufferCopyDataBytes(self, atOffset: 0, dataLength: memory.count, destination: $0)
      }
    }
    return bytes
  }
}
