internal import CoreMedia
internal import FoundationExtras
package import Foundation
internal import MediaFiles
internal import VideoCodecs

/// A sound of at most thirty seconds, ready to be played.
package struct ShortSound: Sendable, Hashable {
  /// Samples of a channel in a second.
  package static let rate = 48_000
  /// Left and right.
  package static let channels = 2
  /// The longest that a file may be.
  private static let longestSeconds = 30.0

  /// Both channels side by side.
  package var samples: [Int16]

  /// The sound of `samples`.
  package init(samples: [Int16]) {
    self.samples = samples
  }

  /// How long it is.
  package var seconds: Double { Double(samples.count / Self.channels) / Double(Self.rate) }

  /// The sound in a file; `nil` where there is none that can be decoded, or it is too long.
  package init?(contentsOf file: URL) {
    guard file.isFileURL, let movie = try? MovieFile(path: file.path),
      let track = movie.tracks.first(where: { $0.mediaType == kCMMediaType_Audio }),
      let format = track.format,
      let decoder = try? AudioDecoder(format, rate: Double(Self.rate), channels: Self.channels),
      let reader = try? TrackReader(path: file.path, track: track)
    else { return nil }
    samples = []
    let most = Int(Self.longestSeconds * Double(Self.rate)) * Self.channels
    do {
      while let packet = try reader.next() {
        try add(decoder.decode(packet))
        guard samples.count <= most else { return nil }
      }
      try add(decoder.finish())
    } catch {
      // A damaged file is no sound.
      return nil
    }
    guard !samples.isEmpty, samples.count <= most else { return nil }
  }

  private mutating func add(_ decoded: [CMSampleBuffer]) throws {
    for buffer in decoded {
      guard let bytes = try buffer.dataBuffer?.dataBytes() else { continue }
      samples += bytes.withUnsafeBytes { raw in
        (0..<raw.count / 2).map {
          Int16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 * $0, as: Int16.self))
        }
      }
    }
  }
}

extension ShortSound {
  /// A part of a sound that is made here.
  private struct Part {
    /// Hertz; `nil` is noise.
    var pitch: Double?
    var start: Double
    var length: Double
    var level: Double
  }

  private static let parts: [UInt32: [Part]] = {
    // The mirror goes up, the curtains open and close, the mirror comes down.
    let shutter = [
      Part(pitch: nil, start: 0, length: 0.012, level: 0.5),
      Part(pitch: 190, start: 0, length: 0.03, level: 0.25),
      Part(pitch: nil, start: 0.055, length: 0.02, level: 0.7),
      Part(pitch: 140, start: 0.055, length: 0.05, level: 0.3),
    ]
    let begin = [
      Part(pitch: 880, start: 0, length: 0.09, level: 0.4),
      Part(pitch: 1175, start: 0.1, length: 0.14, level: 0.4),
    ]
    let end = [
      Part(pitch: 1175, start: 0, length: 0.09, level: 0.4),
      Part(pitch: 880, start: 0.1, length: 0.14, level: 0.4),
    ]
    return [1108: shutter, 1113: begin, 1117: begin, 1114: end, 1118: end]
  }()

  private static let system: [UInt32: ShortSound] = parts.mapValues(ShortSound.init)

  /// The system's own sound of a number; `nil` for those that are silent here.
  package static func system(_ number: UInt32) -> ShortSound? { system[number] }

  private init(_ parts: [Part]) {
    let end = parts.map { $0.start + $0.length }.max() ?? 0
    var wave = [Double](repeating: 0, count: Int(end * Double(Self.rate)) + 1)
    var noise: UInt64 = 1
    for part in parts {
      let first = Int(part.start * Double(Self.rate))
      let count = Int(part.length * Double(Self.rate))
      for index in 0..<count where first + index < wave.count {
        noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let time = Double(index) / Double(Self.rate)
        let tone =
          part.pitch.map { sin(2 * .pi * $0 * time) } ?? Double(Int64(bitPattern: noise) >> 32)
          / 2_147_483_648
        // Clicks die away; tones end softly.
        let rest = 1 - Double(index) / Double(count)
        wave[first + index] += part.level * tone * (part.pitch == nil ? rest * rest * rest : min(1, 5 * rest))
      }
    }
    samples = wave.flatMap { value in
      let level = Int16(max(-1, min(1, value)) * 32_000)
      return [level, level]
    }
  }
}
