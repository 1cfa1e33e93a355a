internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import VideoCodecs

extension AVAudioConverter {
  /// Asks for input once: what came, or how it ended.
  private func ask(
    _ count: AVAudioPacketCount, _ inputBlock: AVAudioConverterInputBlock
  ) throws -> (buffer: AVAudioBuffer?, status: AVAudioConverterInputStatus) {
    var status = AVAudioConverterInputStatus.haveData
    let given = inputBlock(count, &status)
    guard status == .haveData, let given else {
      return (nil, status == .haveData ? .noDataNow : status)
    }
    guard given.format.isEqual(inputFormat) else {
      throw Self.error(-50, "What goes in must have the converter's input format.")
    }
    return (given, .haveData)
  }

  /// Codes until the buffer is full, or no more audio comes.
  func code(
    _ output: AVAudioCompressedBuffer, _ inputBlock: AVAudioConverterInputBlock
  ) throws -> AVAudioConverterOutputStatus {
    guard let encoding = try openedEncoding() else {
      throw Self.error(-50, "A compressed buffer is filled from linear PCM only.")
    }
    (output.packetCount, output.byteLength) = (0, 0)
    while output.packetCount < output.packetCapacity {
      if let packet = encoding.take() {
        guard output.append(packet) else {
          encoding.put(back: packet)
          guard output.packetCount > 0 else {
            throw Self.error(
              -50,
              "A packet has \(packet.count) bytes, more than the buffer has room for; see maximumOutputPacketSize."
            )
          }
          break
        }
        continue
      }
      if encoding.isDrained { break }
      let given = try ask(1024, inputBlock)
      switch given.status {
      case .haveData: if let input = given.buffer as? AVAudioPCMBuffer { try encoding.add(input) }
      case .noDataNow: return .inputRanDry
      case .endOfStream: try encoding.finish()
      }
    }
    return output.packetCount == 0 && output.packetCapacity > 0 ? .endOfStream : .haveData
  }

  /// Decodes until the buffer is full, or no more packets come.
  func decode(
    _ output: AVAudioPCMBuffer, _ inputBlock: AVAudioConverterInputBlock
  ) throws -> AVAudioConverterOutputStatus {
    let decoding = try openedDecoding()
    let room = Int(output.frameCapacity)
    output.frameLength = 0
    while decoding.frames < room, !decoding.isDrained {
      let given = try ask(1, inputBlock)
      if given.status == .endOfStream {
        try decoding.finish()
        break
      }
      guard let input = given.buffer as? AVAudioCompressedBuffer else { break }
      try decoding.add(input)
    }
    let count = min(room, decoding.frames)
    output.write(decoding.take(count), frames: count)
    if count == 0, room > 0 { return decoding.isDrained ? .endOfStream : .inputRanDry }
    return count < room && !decoding.isDrained ? .inputRanDry : .haveData
  }
}

extension AVAudioFormat {
  /// Whether it is linear PCM.
  var isPCM: Bool { streamDescription.pointee.mFormatID == kAudioFormatLinearPCM }

  /// The standard format with the rate and the channels of a coded one.
  static func decoded(_ format: AVAudioFormat) -> AVAudioFormat {
    AVAudioFormat(standardFormatWithSampleRate: format.sampleRate, channels: format.channelCount)
      ?? AVAudioFormat(noneWith: nil)
  }

  /// The same coding with another configuration of the decoder.
  func with(cookie: Data?) -> AVAudioFormat {
    guard let cookie,
      let description = try? CMFormatDescription(
        audioStreamBasicDescription: streamDescription.pointee, layout: formatDescription.audioChannelLayout,
        magicCookie: cookie)
    else { return self }
    return AVAudioFormat(streamDescription.pointee, description, channelLayout)
  }
}
