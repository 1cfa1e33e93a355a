import AVFAudio
import Foundation
import Testing

/// A folder for a test's files, which is gone with it.
final class AudioFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(
    "obscura-audio-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// The standard format.
func standard(_ rate: Double, _ channels: AVAudioChannelCount) throws -> AVAudioFormat {
  try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
}

/// A tone of half the full scale; the second channel has its negative.
func tone(_ format: AVAudioFormat, _ frames: Int, hertz: Double = 440, from start: Int = 0) throws
  -> AVAudioPCMBuffer
{
  let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
  buffer.frameLength = AVAudioFrameCount(frames)
  let channels = try #require(buffer.floatChannelData)
  for frame in 0..<frames {
    let value = Float(0.5 * sin(2 * .pi * hertz * Double(start + frame) / format.sampleRate))
    for channel in 0..<Int(format.channelCount) { channels[channel][frame] = channel == 0 ? value : -value }
  }
  return buffer
}

/// The samples of a channel.
func samples(_ buffer: AVAudioPCMBuffer, channel: Int = 0) -> [Float] {
  guard let channels = buffer.floatChannelData else { return [] }
  return (0..<Int(buffer.frameLength)).map { channels[channel][$0] }
}

/// Root of the mean square.
func level(_ samples: some Collection<Float>) -> Float {
  (samples.reduce(0) { $0 + $1 * $1 } / Float(max(1, samples.count))).squareRoot()
}
