package import Foundation
internal import CImageCodecs

/// Finds damage in pictures of motion JPEG, more strictly than decoders do.
///
/// JPEG has no checksum, and a decoder only notices missing codes. This also refuses what no encoder writes: blocks with more
/// than 64 values, values beyond what eight-bit samples transform to, codes left over. What encoders do and libjpeg passes over is
/// none: some bytes before a restart, and a restart behind the last interval. A lost, repeated or exchanged packet of
/// USB causes some of these. A change that keeps the codes valid and their number is not found, such as some single flipped
/// bits, against which USB has checksums.
package enum JPEGCheck {
  /// The result of a check.
  package enum Verdict: Sendable, Hashable {
    /// The picture is complete and takes so many bytes, padding not counted.
    case whole(length: Int)
    /// The same, but for at most 64 bytes between the last code and the end: an encoder's habit or damage.
    case leftOver(length: Int)
    /// Damaged; the reason continues "because".
    case broken(String)
    /// Progressive or otherwise not as cameras write it; a strict decoder is the judge.
    case otherKind
  }

  /// Checks a frame.
  ///
  /// Cost: half to three quarters of decoding it, the more the less it is compressed.
  package static func verdict(on frame: Data) -> Verdict {
    var length = 0
    var message = [CChar](repeating: 0, count: Int(CAM_MESSAGE_SIZE))
    let verdict = frame.withUnsafeBytes { bytes in
      cam_jpeg_check(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &length, &message)
    }
    switch verdict {
    case CAM_JPEG_WHOLE: return .whole(length: length)
    case CAM_JPEG_LEFT_OVER: return .leftOver(length: length)
    case CAM_JPEG_OTHER_KIND: return .otherKind
    default: return .broken(text(of: message))
    }
  }
}

extension JPEGMetadata {
  /// The file that a frame of motion JPEG is: without padding, with the standard's Huffman tables where the camera leaves
  /// them out, and with an end marker.
  ///
  /// The compressed picture stays bit for bit.
  /// - Parameter length: The frame's bytes without padding, as ``JPEGCheck`` finds.
  package static func file(ofFrame frame: Data, length: Int) -> Data {
    let frame = frame.prefix(length)
    let segments = Array(JPEGSegments(frame))
    var file = Data(capacity: length + Int(CAM_JPEG_STANDARD_TABLES_SIZE) + 2)
    if !segments.contains(where: { $0.marker == 0xC4 }),
      let scan = segments.first(where: { $0.marker == 0xDA })
    {
      var tables = [UInt8](repeating: 0, count: Int(CAM_JPEG_STANDARD_TABLES_SIZE))
      let count = cam_jpeg_standard_tables(&tables)
      file.append(frame[frame.startIndex..<scan.start])
      file.append(contentsOf: tables.prefix(count))
      file.append(frame[scan.start...])
    } else {
      file.append(frame)
    }
    if file.suffix(2) != Data([0xFF, 0xD9]) { file.append(contentsOf: [0xFF, 0xD9]) }
    return file
  }
}
