internal import CoreMedia
internal import FoundationExtras

/// Reads and writes what a track of time codes says of them (`tmcd`).
///
/// Source: Apple's QuickTime File Format, "Timecode Media".
enum TimeCodeEntry {
  /// The reason why time codes cannot be written; `nil` when they can.
  static func refusal(_ format: CMFormatDescription) -> String? {
    if CMFormatDescriptionGetMediaSubType(format) != kCMTimeCodeFormatType_TimeCode32 {
      return "only time codes of 32 bits are written"
    }
    let duration = CMTimeCodeFormatDescriptionGetFrameDuration(format)
    let quanta = CMTimeCodeFormatDescriptionGetFrameQuanta(format)
    guard duration.isNumeric, duration.value > 0, duration.value <= Int64(Int32.max), quanta <= 255 else {
      return "its time codes' frames have no duration, or are more than 255 a second"
    }
    return nil
  }

  /// Writes the description.
  static func write(_ format: CMFormatDescription, to out: inout BoxWriter) {
    let duration = CMTimeCodeFormatDescriptionGetFrameDuration(format)
    out.box("tmcd") { out in
      out.zeros(6)
      out.u16(1)
      out.u32(0)
      out.u32(Int(CMTimeCodeFormatDescriptionGetTimeCodeFlags(format)))
      out.u32(Int(duration.timescale))
      out.u32(Int(duration.value))
      out.u8(Int(CMTimeCodeFormatDescriptionGetFrameQuanta(format)))
      out.u8(0)
    }
  }

  /// Writes how a player that shows time codes draws them.
  static func writeInformation(to out: inout BoxWriter) {
    out.box("tmcd") { out in
      out.fullBox("tcmi") { out in
        out.u16(0)
        out.u16(0)
        out.u16(12)
        out.u16(0)
        // White on black.
        for _ in 0..<3 { out.u16(0xFFFF) }
        for _ in 0..<3 { out.u16(0) }
        out.u8(0)
      }
    }
  }

  /// The description of a track in a movie's header; `nil` where it is of another kind, or says nothing that can be counted.
  static func format(_ header: BoxReader, ofTrack number: Int) -> CMFormatDescription? {
    guard let entry = TrackBoxes(header).entry(ofTrack: number), entry.type == "tmcd", entry.body.count >= 25
    else { return nil }
    let begin = entry.body.lowerBound + 8
    guard let flags = header.u32(begin + 4), let timescale = header.u32(begin + 8),
      let duration = header.u32(begin + 12), let quanta = header.u8(begin + 16),
      let scale = Int32(exactly: timescale), scale > 0, duration > 0
    else { return nil }
    var made: CMFormatDescription?
    _ = CMTimeCodeFormatDescriptionCreate(
      allocator: nil, timeCodeFormatType: kCMTimeCodeFormatType_TimeCode32,
      frameDuration: CMTime(value: Int64(duration), timescale: scale), frameQuanta: UInt32(quanta),
      flags: UInt32(flags), extensions: nil, formatDescriptionOut: &made)
    return made
  }
}
