internal import Foundation

/// Audio that a player node plays.
protocol PlayerSource: AnyObject, Sendable {
  /// How many moments there are; `nil` where only reading tells.
  var length: AVAudioFramePosition? { get }
  /// The moments from a place on, interleaved, in the rate and channels of a format; fewer at the end.
  func read(from place: AVAudioFramePosition, frames: Int, _ format: AVAudioFormat) -> [Float]
}

/// A client's buffer.
final class BufferSource: PlayerSource {
  let length: AVAudioFramePosition?
  private let samples: [Float]
  private let channels: Int

  init(_ buffer: AVAudioPCMBuffer) {
    samples = buffer.interleaved()
    channels = Int(buffer.format.channelCount)
    length = AVAudioFramePosition(buffer.frameLength)
  }

  func read(from place: AVAudioFramePosition, frames: Int, _ format: AVAudioFormat) -> [Float] {
    let first = min(samples.count, Int(place) * channels)
    return Array(samples[first..<min(samples.count, first + frames * channels)])
  }
}

/// A part of a file, which is read as it is played.
///
/// It has the file open for itself, so that a client may read the same file meanwhile.
final class FileSource: PlayerSource, @unchecked Sendable {  // Safe because one thread renders at a time.
  /// Known by reading, for the rate may be another one.
  let length: AVAudioFramePosition? = nil
  private let file: AVAudioFile?
  private let first: AVAudioFramePosition
  private let end: AVAudioFramePosition
  private let rate: Double
  private var converter: PullConverter?
  /// The next sample of the file.
  private var place: AVAudioFramePosition
  /// Moments of what came out.
  private var given: AVAudioFramePosition = 0

  init(_ file: AVAudioFile, from first: AVAudioFramePosition, count: AVAudioFramePosition) {
    // A file that is gone by now is silent.
    self.file = try? AVAudioFile(forReading: file.url)
    self.first = max(0, first)
    end = min(file.length, first + count)
    rate = file.processingFormat.sampleRate
    place = self.first
  }

  func read(from start: AVAudioFramePosition, frames: Int, _ format: AVAudioFormat) -> [Float] {
    let total = AVAudioFramePosition((Double(end - first) * format.sampleRate / rate).rounded())
    let count = max(0, min(frames, Int(total - start)))
    guard count > 0, let file else { return [] }
    let source = file.processingFormat
    if given != start || converter?.serves(source, format) != true {
      converter = PullConverter(source, format)
      place = first + AVAudioFramePosition((Double(start) * rate / format.sampleRate).rounded())
    }
    given = start + AVAudioFramePosition(count)
    let heard = converter?.pull(AVAudioFrameCount(count), heardAt: 0) { wanted, _ in
      let left = AVAudioFrameCount(max(0, min(AVAudioFramePosition(wanted), end - place)))
      guard left > 0, let buffer = AVAudioPCMBuffer(pcmFormat: source, frameCapacity: wanted) else {
        return nil
      }
      file.framePosition = place
      guard (try? file.read(into: buffer, frameCount: left)) != nil else { return nil }
      place += AVAudioFramePosition(buffer.frameLength)
      return buffer
    }
    let samples = heard?.interleaved() ?? []
    return samples + [Float](repeating: 0, count: max(0, count * Int(format.channelCount) - samples.count))
  }
}
