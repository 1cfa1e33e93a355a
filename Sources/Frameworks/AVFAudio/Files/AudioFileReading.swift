internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import MediaFiles
internal import VideoCodecs

/// Reads the audio of a file as floating-point numbers, from any place on.
///
/// Not thread-safe; blocks for the disk.
final class AudioFileReading {
  /// The coding of the file.
  let format: CMFormatDescription
  /// Samples of a channel in a second.
  let rate: Double
  let channels: Int
  /// Samples of a channel in the file.
  let length: AVAudioFramePosition
  private let path: String
  private let track: MovieFile.Track
  private var reader: TrackReader
  private var decoder: AudioDecoder
  /// Interleaved, of which the first stands at `place`.
  private var ready: [Float] = []
  private var place: AVAudioFramePosition = 0
  private var hasEnded = false
  /// So far before a place decoding begins, for decoders need what came before: two packets of AAC are 43 ms at 48 kHz.
  private static let leadSeconds = 0.25

  /// Opens the file's first track of audio.
  ///
  /// - Throws: ``MovieFileError``, ``CodecError``.
  init(path: String) throws {
    self.path = path
    let file = try MovieFile(path: path)
    guard let track = file.tracks.first(where: { $0.mediaType == kCMMediaType_Audio }),
      let format = track.format, let basic = format.audioStreamBasicDescription
    else { throw MovieFileError(.unsuitable, "The file \(path) holds no audio that can be decoded.") }
    (self.track, self.format) = (track, format)
    (rate, channels) = (basic.mSampleRate, Int(basic.mChannelsPerFrame))
    reader = try TrackReader(path: path, track: track)
    decoder = try AudioDecoder(format, isFloat: true)
    length = AVAudioFramePosition((track.timeRange.duration.seconds * basic.mSampleRate).rounded())
  }

  /// The next samples from a place on, interleaved: fewer at the end of the file, none behind it.
  func read(from start: AVAudioFramePosition, frames: Int) throws -> [Float] {
    let end = place + AVAudioFramePosition(ready.count / channels)
    if start < place || start > end + AVAudioFramePosition(rate) { try jump(to: start) }
    while !hasEnded,
      place + AVAudioFramePosition(ready.count / channels) < start + AVAudioFramePosition(frames)
    {
      try decodeMore(from: start)
    }
    let first = min(ready.count, max(0, Int(start - place)) * channels)
    let count = min(ready.count - first, frames * channels, max(0, Int(length - start)) * channels)
    let samples = Array(ready[first..<first + count])
    ready.removeFirst(first + count)
    place = start + AVAudioFramePosition(count / channels)
    return samples
  }

  private func jump(to start: AVAudioFramePosition) throws {
    reader = try TrackReader(path: path, track: track)
    decoder = try AudioDecoder(format, isFloat: true)
    (ready, place, hasEnded) = ([], start, false)
    let lead = AVAudioFramePosition(rate * Self.leadSeconds)
    guard start > lead else { return }
    try reader.seek(to: track.timeRange.start + CMTime(value: start - lead, timescale: CMTimeScale(rate)))
  }

  private func decodeMore(from start: AVAudioFramePosition) throws {
    let decoded: [CMSampleBuffer]
    if let packet = try reader.next() {
      decoded = try decoder.decode(packet)
    } else {
      hasEnded = true
      decoded = try decoder.finish()
    }
    for buffer in decoded {
      guard let bytes = try buffer.dataBuffer?.dataBytes() else { continue }
      let time = (buffer.presentationTimeStamp - track.timeRange.start).seconds
      add(
        bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) },
        at: AVAudioFramePosition((time * rate).rounded()))
    }
  }

  /// Puts decoded samples where they belong: gaps are silent, and what was there stays.
  private func add(_ samples: [Float], at time: AVAudioFramePosition) {
    let end = place + AVAudioFramePosition(ready.count / channels)
    let count = AVAudioFramePosition(samples.count / channels)
    guard time + count > end else { return }
    if time > end { ready += [Float](repeating: 0, count: min(Int(time - end), Int(rate) * 60) * channels) }
    ready += time < end ? Array(samples[Int(end - time) * channels..<samples.count]) : samples
  }
}
