import CaptureDevice
import CoreMedia
import Foundation
import Testing

/// Pictures as cameras send them: NAL units, and SDP with the parameter sets.
enum CodedUnits {
  /// The parameter sets of a format.
  static func parameterSets(of format: CMVideoFormatDescription, _ encoding: FrameEncoding) throws
    -> [[UInt8]]
  {
    try (0..<(encoding == .hevc ? 3 : 2)).map { index in
      var pointer: UnsafePointer<UInt8>?
      var size = 0
      let status =
        encoding == .hevc
        ? CMVideoFormatDescriptionGetHEVCParameterSetAtIndex(
          format, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
          parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
        : CMVideoFormatDescriptionGetH264ParameterSetAtIndex(
          format, parameterSetIndex: index, parameterSetPointerOut: &pointer, parameterSetSizeOut: &size,
          parameterSetCountOut: nil, nalUnitHeaderLengthOut: nil)
      #expect(status == noErr)
      return Array(UnsafeBufferPointer(start: try #require(pointer), count: size))
    }
  }

  /// The units of a sample, in which each is behind its length.
  static func units(in bytes: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var place = 0
    while place + 4 <= bytes.count {
      let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      units.append(Array(bytes[place + 4..<place + 4 + length]))
      place += 4 + length
    }
    return units
  }

  /// The description of a camera's streams: of video, and of G.711 where it has audio.
  ///
  /// - Parameter sets: The parameter sets; none where they come with the pictures.
  static func description(
    _ encoding: FrameEncoding, sets: [[UInt8]], hasAudio: Bool = false, rate: Int? = 30
  ) -> String {
    let base = sets.map { Data($0).base64EncodedString() }
    let name = encoding == .hevc ? "H265" : "H264"
    let told =
      base.isEmpty
      ? "packetization-mode=1"
      : encoding == .hevc
        ? "sprop-vps=\(base[0]);sprop-sps=\(base[1]);sprop-pps=\(base[2])"
        : "packetization-mode=1;sprop-parameter-sets=\(base.joined(separator: ","))"
    let lines =
      [
        "v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=Test", "c=IN IP4 0.0.0.0", "t=0 0", "m=video 0 RTP/AVP 96",
        "a=rtpmap:96 \(name)/90000", "a=fmtp:96 \(told)",
      ] + (rate.map { ["a=framerate:\($0)"] } ?? []) + ["a=control:track1"]
      + (hasAudio ? ["m=audio 0 RTP/AVP 0", "a=rtpmap:0 PCMU/8000", "a=control:track2"] : [])
    return lines.map { $0 + "\r\n" }.joined()
  }
}
