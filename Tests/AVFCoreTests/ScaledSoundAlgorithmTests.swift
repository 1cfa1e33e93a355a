import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import MovieTools
import Testing

@Suite("The algorithms of sound that is made slower or faster")
struct ScaledSoundAlgorithmTests {
  /// The ways in which a composition's sound is asked for.
  enum Way: CaseIterable {
    case export, trackOutput, mixOutput, mixParameters
  }

  /// A tone of 1 kHz of 0.9 s, and the frequencies of it that lasts so many times as long.
  private static let expected: [(longer: Double, [(AVAudioTimePitchAlgorithm, Double)])] = [
    (
      3,
      [
        (.spectral, 1000), (.timeDomain, 1000), (.varispeed, 1000 / 3.0),
        (.lowQualityZeroLatency, 2000 / 3.0),
      ]
    ),
    (0.5, [(.spectral, 1000), (.timeDomain, 1000), (.varispeed, 2000), (.lowQualityZeroLatency, 1000)]),
  ]

  private func sound(
    _ composition: AVMutableComposition, _ way: Way, _ algorithm: AVAudioTimePitchAlgorithm, _ out: String
  ) async throws -> [Float] {
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVSampleRateKey: 48_000,
    ]
    switch way {
    case .export:
      let session = try #require(
        AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetAppleM4A))
      session.audioTimePitchAlgorithm = algorithm
      try await session.export(to: URL(fileURLWithPath: out), as: .m4a)
      return try ScaledSound.heard(AVURLAsset(url: URL(fileURLWithPath: out)), rate: 48_000)
    case .trackOutput:
      let output = AVAssetReaderTrackOutput(track: composition.tracks[0], outputSettings: settings)
      output.audioTimePitchAlgorithm = algorithm
      return try ScaledSound.samples(composition, output, rate: 48_000)
    case .mixOutput, .mixParameters:
      let output = AVAssetReaderAudioMixOutput(audioTracks: composition.tracks, audioSettings: settings)
      output.audioTimePitchAlgorithm = algorithm
      if way == .mixParameters {
        // What the output says counts for tracks alone of which the mix says nothing.
        output.audioTimePitchAlgorithm = algorithm == .varispeed ? .spectral : .varispeed
        let parameters = AVMutableAudioMixInputParameters(track: composition.tracks[0])
        parameters.audioTimePitchAlgorithm = algorithm
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        output.audioMix = mix
      }
      return try ScaledSound.samples(composition, output, rate: 48_000)
    }
  }

  @Test("Each algorithm sounds the same, whichever way it is asked for", arguments: Way.allCases)
  func ways(way: Way) async throws {
    try await withMovieFolder { folder in
      let asset = try ScaledSound.movie(folder, "0.5*sin(2*PI*1000*t)", seconds: 0.9, rate: 48_000)
      for (longer, algorithms) in Self.expected {
        let composition = try ScaledSound.composition(asset, lasting: 0.9 * longer)
        for (algorithm, expected) in algorithms {
          let sound = try await sound(composition, way, algorithm, "\(folder)/\(UUID().uuidString).m4a")
          // An encoder adds what fills its last packet.
          #expect(
            abs(Double(sound.count) - 0.9 * longer * 48_000) <= 2048, "\(algorithm.rawValue), \(longer)")
          let heard = ScaledSound.frequency(near: expected, in: sound, rate: 48_000)
          #expect(abs(heard / expected - 1) < 0.01, "\(algorithm.rawValue), \(longer): \(heard)")
          #expect(
            ScaledSound.share(of: heard, in: sound, rate: 48_000) > 0.5, "\(algorithm.rawValue), \(longer)")
        }
      }
    }
  }

  @Test(
    "The pitch is kept at a thirty-second of the speed, and at thirty-two times it",
    arguments: [AVAudioTimePitchAlgorithm.spectral, .timeDomain])
  func limits(algorithm: AVAudioTimePitchAlgorithm) async throws {
    try withMovieFolder { folder in
      for (seconds, lasting) in [(0.2, 6.4), (6.4, 0.2)] {
        let asset = try ScaledSound.movie(folder, "0.5*sin(2*PI*1000*t)", seconds: seconds, "\(seconds).mov")
        let sound = try ScaledSound.heard(try ScaledSound.composition(asset, lasting: lasting), algorithm)
        #expect(abs(sound.count - Int(lasting * Double(ScaledSound.rate))) <= 1)
        let heard = ScaledSound.frequency(near: 1000, in: sound)
        #expect(abs(heard / 1000 - 1) < 0.01, "\(lasting): \(heard)")
        // In the middle half nothing is missing.
        let middle = sound[sound.count / 4..<sound.count * 3 / 4]
        let power = middle.reduce(0) { $0 + $1 * $1 } / Float(middle.count)
        #expect(power > 0.03 && power < 0.5, "\(lasting): \(power)")
      }
    }
  }

  @Test("The cheapest algorithm is as good with the sound of a telephone", arguments: [2.0, 0.5, 1.25, 3])
  func telephone(longer: Double) async throws {
    try withMovieFolder { folder in
      let asset = try ScaledSound.movie(
        folder, "0.5*sin(2*PI*600*t)", seconds: 1.2, "telephone.mov", rate: 8000)
      let composition = try ScaledSound.composition(
        asset, ScaledSound.range(0.3, 0.9), lasting: 0.6 * longer)
      let sound = try ScaledSound.heard(composition, .lowQualityZeroLatency, rate: 8000)
      let rate = 8000.0
      func moment(_ seconds: Double) -> Int { Int((seconds * rate).rounded()) }
      #expect(abs(sound.count - moment(0.6 + 0.6 * longer)) <= 1)
      let part = Array(sound[moment(0.3)..<moment(0.3 + 0.6 * longer)])
      let expected = longer == 3 ? 400.0 : 600
      let heard = ScaledSound.frequency(near: expected, in: part, rate: rate)
      #expect(abs(heard / expected - 1) < 0.01, "\(heard)")
      // What is behind it is where it belongs, and nothing is louder than the sound.
      let behind = moment(0.3 + 0.6 * longer) + 10
      for index in 0..<100 {
        let wanted = Float(0.5 * sin(2 * .pi * 600 * (0.9 + Double(index + 10) / rate)))
        // From one sample to the next it changes by up to 0.236.
        #expect(abs(sound[behind + index] - wanted) < 0.06, "\(index)")
      }
      #expect(sound.allSatisfy { abs($0) < 0.7 })
    }
  }
}
