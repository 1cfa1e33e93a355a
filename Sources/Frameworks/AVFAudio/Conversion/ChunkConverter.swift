/// Converts audio that comes in pieces; not thread-safe.
package final class ChunkConverter: @unchecked Sendable {  // Safe because one thread renders at a time.
  private let converter: AVAudioConverter
  private let target: AVAudioFormat
  private let ratio: Double

  /// `nil` where there is no way from one format to the other.
  package init?(_ source: AVAudioFormat, _ target: AVAudioFormat) {
    guard let converter = AVAudioConverter(from: source, to: target) else { return nil }
    // One channel is heard on both sides, and both on one.
    converter.downmix = target.channelCount < source.channelCount
    (self.converter, self.target) = (converter, target)
    ratio = target.sampleRate / source.sampleRate
  }

  /// All that comes out when a piece goes in; `nil` for nothing.
  package func convert(_ piece: AVAudioPCMBuffer) -> AVAudioPCMBuffer? {
    let room = AVAudioFrameCount((Double(piece.frameLength) * ratio).rounded(.up)) + 64
    guard let output = AVAudioPCMBuffer(pcmFormat: target, frameCapacity: room) else { return nil }
    var given = false
    let status = converter.convert(to: output, error: nil) { _, status in
      status.pointee = given ? .noDataNow : .haveData
      defer { given = true }
      return given ? nil : piece
    }
    return status == .error || output.frameLength == 0 ? nil : output
  }
}
