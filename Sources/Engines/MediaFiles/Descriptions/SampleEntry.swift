internal import CoreMedia
internal import CoreVideo
internal import Foundation
internal import FoundationExtras

/// Writes sample descriptions (`stsd` entries) from format descriptions.
///
/// Sources: ISO/IEC 14496-12 and -14, Apple's QuickTime File Format.
struct SampleEntry {
  let format: CMFormatDescription
  let container: MovieContainer

  private var isQuickTime: Bool { container == .quickTime }
  private var code: String {
    FourCharacterCode(rawValue: CMFormatDescriptionGetMediaSubType(format)).description
  }

  /// The reason why the container cannot hold the format; `nil` when it can.
  var refusal: String? {
    switch CMFormatDescriptionGetMediaType(format) {
    case kCMMediaType_Video:
      let needed = ["avc1": "avcC", "hvc1": "hvcC", "hev1": "hvcC"][code]
      if let needed, atoms[needed] == nil { return "its format description has no '\(needed)'" }
      if !isQuickTime, !["avc1", "hvc1", "hev1", "mp4v", "jpeg", "vp09", "av01"].contains(code) {
        return "only QuickTime movies hold '\(code)'"
      }
      return nil
    case kCMMediaType_Audio:
      guard let basic = format.audioStreamBasicDescription else { return "it is not described" }
      switch basic.mFormatID {
      case kAudioFormatLinearPCM:
        if !isQuickTime { return "only QuickTime movies hold linear PCM" }
        return basic.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
          ? "its channels are not interleaved" : nil
      case kAudioFormatMPEG4AAC: return format.magicCookie == nil ? "it has no magic cookie" : nil
      case kAudioFormatOpus: return format.magicCookie == nil ? "it has no magic cookie" : nil
      default: return "movies cannot be written with audio '\(code)'"
      }
    case kCMMediaType_Metadata: return nil
    case kCMMediaType_TimeCode:
      if !isQuickTime { return "only QuickTime movies hold time codes" }
      return TimeCodeEntry.refusal(format)
    default: return "movies cannot be written with such media"
    }
  }

  private var atoms: [String: Any] {
    CMFormatDescriptionGetExtension(
      format, extensionKey: kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms) as? [String: Any]
      ?? [:]
  }

  func write(to out: inout BoxWriter) {
    switch CMFormatDescriptionGetMediaType(format) {
    case kCMMediaType_Audio: writeAudio(to: &out)
    case kCMMediaType_Metadata: writeMetadata(to: &out)
    case kCMMediaType_TimeCode: TimeCodeEntry.write(format, to: &out)
    default: writeVideo(to: &out)
    }
  }

  private func writeVideo(to out: inout BoxWriter) {
    let size = CMVideoFormatDescriptionGetDimensions(format)
    out.box(code) { out in
      out.zeros(6)
      out.u16(1)
      out.zeros(16)
      out.u16(Int(size.width))
      out.u16(Int(size.height))
      out.u32(0x48_0000)
      out.u32(0x48_0000)
      out.u32(0)
      out.u16(1)
      let name = Array((text(kCMFormatDescriptionExtension_FormatName) ?? "").utf8.prefix(31))
      out.u8(name.count)
      out.add(name)
      out.zeros(31 - name.count)
      out.u16(24)
      out.u16(0xFFFF)
      for (name, value) in atoms.sorted(by: { $0.key < $1.key }) where !Self.described.contains(name) {
        for data in value as? [Data] ?? (value as? Data).map({ [$0] }) ?? [] {
          out.box(name) { $0.add(data) }
        }
      }
      writeColors(to: &out)
      writeShape(to: &out)
      CleanAperture(format)?.write(to: &out)
    }
  }

  /// Boxes that are made of other extensions.
  private static let described: Set = ["colr", "pasp", "clap"]

  private func text(_ key: String) -> String? {
    CMFormatDescriptionGetExtension(format, extensionKey: key) as? String
  }

  private func writeColors(to out: inout BoxWriter) {
    let points = [
      CVColorPrimariesGetIntegerCodePointForString(text(kCMFormatDescriptionExtension_ColorPrimaries)),
      CVTransferFunctionGetIntegerCodePointForString(text(kCMFormatDescriptionExtension_TransferFunction)),
      CVYCbCrMatrixGetIntegerCodePointForString(text(kCMFormatDescriptionExtension_YCbCrMatrix)),
    ]
    guard points.contains(where: { $0 != 2 }) else { return }
    let isFull = LooseNumber.truth(
      CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_FullRangeVideo))
    out.box("colr") { out in
      out.code(isQuickTime ? "nclc" : "nclx")
      for point in points { out.u16(Int(point)) }
      if !isQuickTime { out.u8(isFull == true ? 0x80 : 0) }
    }
  }

  private func writeShape(to out: inout BoxWriter) {
    let said =
      CMFormatDescriptionGetExtension(
        format, extensionKey: kCMFormatDescriptionExtension_PixelAspectRatio) as? [String: Any]
    // A reader that finds a size of the track other than the pictures' takes it for the pixels' shape, unless that is said.
    guard said != nil || CleanAperture(format) != nil else { return }
    let width = LooseNumber.integer(said?[kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing]) ?? 1
    let height = LooseNumber.integer(said?[kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing]) ?? 1
    out.box("pasp") {
      $0.u32(width)
      $0.u32(height)
    }
  }

  private func writeAudio(to out: inout BoxWriter) {
    guard let basic = format.audioStreamBasicDescription else { return }
    switch basic.mFormatID {
    case kAudioFormatLinearPCM: writePCM(basic, to: &out)
    case kAudioFormatOpus:
      out.box("Opus") {
        writeAudioStart(basic, version: 0, to: &$0)
        writeOpusHeader(to: &$0)
      }
    default:
      out.box("mp4a") { out in
        writeAudioStart(basic, version: isQuickTime ? 1 : 0, to: &out)
        guard isQuickTime else { return writeCookie(to: &out) }
        out.u32(Int(basic.mFramesPerPacket))
        out.u32(0)
        out.u32(0)
        out.u32(2)
        out.box("wave") { out in
          out.box("frma") { $0.code("mp4a") }
          out.box("mp4a") { $0.u32(0) }
          writeCookie(to: &out)
          out.u32(8)
          out.u32(0)
        }
      }
    }
  }

  private func writeAudioStart(_ basic: AudioStreamBasicDescription, version: Int, to out: inout BoxWriter) {
    out.zeros(6)
    out.u16(1)
    out.u16(version)
    out.zeros(6)
    out.u16(Int(basic.mChannelsPerFrame))
    out.u16(16)
    out.u16(version == 1 ? 0xFFFE : 0)
    out.u16(0)
    out.u32(basic.mSampleRate < 65536 ? Int(basic.mSampleRate) << 16 : 0)
  }

  private func writeCookie(to out: inout BoxWriter) {
    out.fullBox("esds") { $0.add(format.magicCookie ?? Data()) }
  }

  private func writePCM(_ basic: AudioStreamBasicDescription, to out: inout BoxWriter) {
    out.box("lpcm") { out in
      out.zeros(6)
      out.u16(1)
      out.u16(2)
      out.zeros(6)
      out.u16(3)
      out.u16(16)
      out.u16(0xFFFE)
      out.u16(0)
      out.u32(0x1_0000)
      out.u32(72)
      out.u64(Int(truncatingIfNeeded: basic.mSampleRate.bitPattern))
      out.u32(Int(basic.mChannelsPerFrame))
      out.u32(0x7F00_0000)
      out.u32(Int(basic.mBitsPerChannel))
      out.u32(Int(basic.mFormatFlags))
      out.u32(Int(basic.mBytesPerPacket))
      out.u32(1)
    }
  }

  /// `OpusHead` has little-endian numbers, `dOps` big-endian ones.
  private func writeOpusHeader(to out: inout BoxWriter) {
    let head = [UInt8](format.magicCookie ?? Data())
    guard head.count >= 19 else { return }
    out.box("dOps") { out in
      out.u8(0)
      out.u8(Int(head[9]))
      out.add([head[11], head[10]])
      out.add(head[12..<16].reversed())
      out.add(head[16..<18].reversed())
      out.add(head[18...])
    }
  }

  private func writeMetadata(to out: inout BoxWriter) {
    out.box(code) { out in
      out.zeros(6)
      out.u16(1)
      MetadataKeys.write(format, to: &out)
    }
  }
}
