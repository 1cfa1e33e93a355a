import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import MovieTools
import Testing

/// Compositions whose sound is made slower or faster, and what is heard in it.
enum ScaledSound {
  static let rate = 16_000

  /// A movie of sound alone, of one channel.
  ///
  /// - Parameter expression: A value from -1 to 1, of the time `t` in seconds.
  static func movie(
    _ folder: String, _ expression: String, seconds: Double, _ name: String = "sound.mov", rate: Int = rate
  ) throws -> AVURLAsset {
    let path = "\(folder)/\(name)"
    try Program.make(
      path,
      ["-f", "lavfi", "-i", "aevalsrc='\(expression)':s=\(rate):d=\(seconds)", "-c:a", "pcm_f32le"])
    return AVURLAsset(url: URL(fileURLWithPath: path))
  }

  static func time(_ seconds: Double) -> CMTime {
    CMTime(value: CMTimeValue((seconds * Double(rate)).rounded()), timescale: CMTimeScale(rate))
  }

  static func range(_ start: Double, _ end: Double) -> CMTimeRange {
    CMTimeRange(start: time(start), end: time(end))
  }

  /// All of a sound, of which a range lasts another time.
  static func composition(
    _ asset: AVURLAsset, _ range: CMTimeRange? = nil, lasting seconds: Double
  ) throws -> AVMutableComposition {
    let composition = AVMutableComposition()
    let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
    let whole = CMTimeRange(start: .zero, duration: asset.duration)
    try track.insertTimeRange(whole, of: try #require(asset.tracks.first), at: .zero)
    track.scaleTimeRange(range ?? whole, toDuration: time(seconds))
    return composition
  }

  /// The samples of a composition's first track.
  static func heard(
    _ composition: AVAsset, _ pitch: AVAudioTimePitchAlgorithm? = nil, range: CMTimeRange? = nil,
    rate: Int = rate
  ) throws -> [Float] {
    let output = AVAssetReaderTrackOutput(
      track: try #require(composition.tracks(withMediaType: .audio).first),
      outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true])
    if let pitch { output.audioTimePitchAlgorithm = pitch }
    return try samples(composition, output, range: range, rate: rate)
  }

  /// The samples of an output of one channel of floating-point numbers, each at its time.
  static func samples(
    _ asset: AVAsset, _ output: AVAssetReaderOutput, range: CMTimeRange? = nil, rate: Int = rate
  ) throws -> [Float] {
    let reader = try AVAssetReader(asset: asset)
    if let range { reader.timeRange = range }
    reader.add(output)
    #expect(reader.startReading())
    var samples: [Float] = []
    let start = range?.start ?? .zero
    while let sample = output.copyNextSampleBuffer() {
      let place = ((sample.presentationTimeStamp - start).seconds * Double(rate)).rounded()
      #expect(abs(Int(place) - samples.count) <= 1, "\(place) follows \(samples.count)")
      let bytes = try #require(sample.dataBuffer).dataBytes()
      samples += bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    return samples
  }

  /// The loudest frequency near `wanted`, to a thousandth of it, in the middle half of a sound.
  static func frequency(near wanted: Double, in sound: [Float], rate: Double = Double(rate)) -> Double {
    let part = sound[sound.count / 4..<sound.count * 3 / 4]
    func loudness(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (index, value) in part.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(part.count))
        let angle = 2 * .pi * frequency * Double(index) / rate
        real += window * Double(value) * cos(angle)
        imaginary += window * Double(value) * sin(angle)
      }
      return real * real + imaginary * imaginary
    }
    let candidates = (-25...25).map { wanted * (1 + Double($0) / 1000) }
    return candidates.max { loudness($0) < loudness($1) } ?? 0
  }

  /// The share of a sound's power that lies near a frequency: 1 for a tone of it.
  static func share(of frequency: Double, in sound: [Float], rate: Double = Double(rate)) -> Double {
    let part = sound[sound.count / 4..<sound.count * 3 / 4]
    var (real, imaginary, power) = (0.0, 0.0, 1e-12)
    for (index, value) in part.enumerated() {
      let angle = 2 * .pi * frequency * Double(index) / rate
      real += Double(value) * cos(angle)
      imaginary += Double(value) * sin(angle)
      power += Double(value) * Double(value)
    }
    return 2 * (real * real + imaginary * imaginary) / (power * Double(part.count))
  }
}
