import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("Sound that is made slower or faster")
struct ScaledSoundTests {
  private let chord = [220, 277.18, 329.63, 440, 1000]

  private func chordMovie(_ folder: String, seconds: Double = 1.6) throws -> AVURLAsset {
    let tones = chord.map { "0.15*sin(2*PI*\($0)*t)" }.joined(separator: "+")
    return try ScaledSound.movie(folder, tones, seconds: seconds)
  }

  @Test(
    "Readers keep the pitch unless they are asked for the tape's",
    arguments: [2, 3, 0.5])
  func pitches(longer: Double) async throws {
    try withMovieFolder { folder in
      let asset = try ScaledSound.movie(folder, "0.5*sin(2*PI*1000*t)", seconds: 1.2)
      let composition = try ScaledSound.composition(asset, lasting: 1.2 * longer)
      let output = AVAssetReaderTrackOutput(
        track: composition.tracks[0],
        outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true])
      #expect(output.audioTimePitchAlgorithm == .spectral)
      let sound = try ScaledSound.samples(composition, output)
      #expect(abs(sound.count - Int(1.2 * longer * Double(ScaledSound.rate))) <= 1)
      #expect(abs(ScaledSound.frequency(near: 1000, in: sound) - 1000) <= 2)
      for algorithm in [AVAudioTimePitchAlgorithm.timeDomain, .varispeed] {
        let sound = try ScaledSound.heard(composition, algorithm)
        let expected = algorithm == .varispeed ? 1000 / longer : 1000
        #expect(abs(sound.count - Int(1.2 * longer * Double(ScaledSound.rate))) <= 40)
        #expect(
          abs(ScaledSound.frequency(near: expected, in: sound) / expected - 1) <= 0.005,
          "\(algorithm.rawValue)")
      }
    }
  }

  @Test("The cheapest algorithm keeps the pitch at its own rates, and is off by what is left at others")
  func cheapest() async throws {
    try withMovieFolder { folder in
      let asset = try ScaledSound.movie(folder, "0.5*sin(2*PI*900*t)", seconds: 1.2)
      for (longer, expected) in [(2.0, 900.0), (0.5, 900), (1.25, 900), (3, 600), (0.25, 1800)] {
        let composition = try ScaledSound.composition(asset, lasting: 1.2 * longer)
        let sound = try ScaledSound.heard(composition, .lowQualityZeroLatency)
        #expect(abs(sound.count - Int(1.2 * longer * Double(ScaledSound.rate))) <= 1)
        #expect(
          abs(ScaledSound.frequency(near: expected, in: sound) / expected - 1) <= 0.01, "\(longer)")
      }
    }
  }

  @Test("The partials of a chord stay within a percent", arguments: [2, 3, 0.5])
  func partials(longer: Double) async throws {
    try withMovieFolder { folder in
      let composition = try ScaledSound.composition(try chordMovie(folder), lasting: 1.6 * longer)
      let sound = try ScaledSound.heard(composition)
      for partial in chord {
        #expect(abs(ScaledSound.frequency(near: partial, in: sound) / partial - 1) < 0.01, "\(partial)")
      }
    }
  }

  @Test("Where a slow part begins and ends nothing clicks", arguments: [0.25, 0.5, 0.8, 2, 3])
  func seams(longer: Double) async throws {
    try withMovieFolder { folder in
      let asset = try ScaledSound.movie(folder, "0.5*sin(2*PI*310*t)", seconds: 1.8)
      let composition = try ScaledSound.composition(
        asset, ScaledSound.range(0.6, 1.2), lasting: 0.6 * longer)
      #expect(composition.tracks[0].segments.count == 3)
      for algorithm in [
        AVAudioTimePitchAlgorithm.spectral, .timeDomain, .varispeed, .lowQualityZeroLatency,
      ] {
        let sound = try ScaledSound.heard(composition, algorithm)
        let rate = Double(ScaledSound.rate)
        #expect(abs(sound.count - Int((1.2 + 0.6 * longer) * rate)) <= 2, "\(algorithm.rawValue)")
        // A click is a step that the tone has nowhere, or a bend; a tone bends where its pitch changes.
        let changesPitch =
          algorithm == .varispeed
          || (algorithm == .lowQualityZeroLatency && ![0.5, 0.8, 2].contains(longer))
        func step(_ range: Range<Int>) -> Float {
          range.map { abs(sound[$0 + 1] - sound[$0]) }.max() ?? 0
        }
        func bend(_ range: Range<Int>) -> Float {
          range.map { abs(sound[$0 - 1] - 2 * sound[$0] + sound[$0 + 1]) }.max() ?? 0
        }
        let pitch: Float = changesPitch ? Float(max(1, 1 / longer)) : 1
        for seam in [0.6, 0.6 + 0.6 * longer] {
          let place = Int(seam * rate)
          let (near, usual) = (place - 400..<place + 400, 1000..<8000)
          let what =
            "\(algorithm.rawValue), \(seam): \(step(near) / step(usual)), \(bend(near) / bend(usual))"
          #expect(step(near) < step(usual) * pitch * 1.4, "\(what)")
          if !changesPitch { #expect(bend(near) < bend(usual) * 2, "\(what)") }
        }
        // What comes behind is where it belongs, to the sample.
        let behind = Int((0.6 + 0.6 * longer) * rate) + 10
        let expected = (0..<100).map { Float(0.5 * sin(2 * .pi * 310 * (1.2 + Double($0 + 10) / rate))) }
        let worst = (0..<100).map { abs(sound[behind + $0] - expected[$0]) }.max() ?? 1
        #expect(worst < 0.13, "\(algorithm.rawValue)")
      }
    }
  }

  @Test(
    "Strikes and tones that set in are heard where they belong",
    arguments: [2.0, 3, 0.5], [AVAudioTimePitchAlgorithm.spectral, .timeDomain])
  func onsets(longer: Double, algorithm: AVAudioTimePitchAlgorithm) async throws {
    try withMovieFolder { folder in
      // Ten tones of 60 ms and ten bursts of noise, in turn.
      let asset = try ScaledSound.movie(
        folder,
        "if(lt(mod(t,0.4),0.06)*gte(t,0.2),0.5*sin(2*PI*800*mod(t,0.4)),0)"
          + "+if(lt(mod(t+0.2,0.4),0.02),0.5*(2*random(0)-1),0)", seconds: 2.4)
      let sound = try ScaledSound.heard(
        try ScaledSound.composition(asset, lasting: 2.4 * longer), algorithm)
      let rate = Double(ScaledSound.rate)
      for number in 1..<11 {
        let place = Double(number) * 0.2 * longer
        let near = Int((place - 0.06 * longer) * rate)..<Int((place + 0.03) * rate)
        let loudest = near.map { abs(sound[$0]) }.max() ?? 0
        #expect(loudest > 0.2)
        let first = near.first { abs(sound[$0]) > loudest * 0.3 } ?? 0
        #expect(abs(Double(first) / rate - place) < 0.01, "\(number)")
      }
    }
  }

  @Test("Any range that is read begins and ends at its sample")
  func ranges() async throws {
    try withMovieFolder { folder in
      let asset = try ScaledSound.movie(folder, "0.5*sin(2*PI*500*t)", seconds: 1.6)
      let composition = try ScaledSound.composition(
        asset, ScaledSound.range(0.4, 1.2), lasting: 1.6)
      for (start, end) in [(0.3, 0.9), (0.5, 0.8), (1.3, 2.2), (0, 2.4), (0.4001, 0.4002)] {
        let sound = try ScaledSound.heard(composition, range: ScaledSound.range(start, end))
        let length = ScaledSound.range(start, end).duration.seconds * Double(ScaledSound.rate)
        #expect(abs(Double(sound.count) - length) <= 1.5, "\(start)")
        #expect(sound.allSatisfy { abs($0) < 0.7 })
      }
    }
  }

  @Test("Exports keep the pitch by default, and take another algorithm")
  func exports() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 18, hasAudio: true)
      let cases: [(Double, AVAudioTimePitchAlgorithm?, Double)] = [
        (2, nil, 1000), (2, .varispeed, 500), (0.5, .timeDomain, 1000), (2, .lowQualityZeroLatency, 1000),
      ]
      for (longer, algorithm, expected) in cases {
        let composition = AVMutableComposition()
        let whole = CMTimeRange(start: .zero, duration: asset.duration)
        try composition.insertTimeRange(whole, of: asset, at: .zero)
        composition.scaleTimeRange(
          whole, toDuration: CMTimeMultiplyByFloat64(asset.duration, multiplier: longer))
        let session = try #require(
          AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality))
        #expect(session.audioTimePitchAlgorithm == .spectral)
        if let algorithm { session.audioTimePitchAlgorithm = algorithm }
        let out = URL(fileURLWithPath: "\(folder)/out-\(expected)-\(longer)-\(algorithm?.rawValue ?? "").mp4")
        try await session.export(to: out, as: .mp4)
        #expect(
          ProgrammingMistake.collect { session.audioTimePitchAlgorithm = .timeDomain }.map(\.rule) == [
            "AVAssetExportSession.audioTimePitchAlgorithm cannot be set after the export has begun."
          ])
        let exported = AVURLAsset(url: out)
        let sound = try EditingStage.audio(
          exported,
          AVAssetReaderTrackOutput(
            track: try #require(exported.tracks(withMediaType: .audio).first),
            outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM]))
        let heard = ScaledSound.frequency(
          near: expected, in: sound.samples.map { Float($0) / 32_768 }, rate: 48_000)
        #expect(abs(heard / expected - 1) < 0.005, "\(longer), \(session.audioTimePitchAlgorithm.rawValue)")
      }
    }
  }

  @Test("A mix says how each track sounds, and the output how those of which it says nothing do")
  func mixes() async throws {
    try withMovieFolder { folder in
      let low = try ScaledSound.movie(folder, "0.3*sin(2*PI*500*t)", seconds: 1.2)
      let high = try ScaledSound.movie(folder, "0.3*sin(2*PI*1400*t)", seconds: 1.2, "high.mov")
      let composition = AVMutableComposition()
      let whole = CMTimeRange(start: .zero, duration: low.duration)
      let tracks = try [low, high].map { asset in
        let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
        try track.insertTimeRange(whole, of: asset.tracks[0], at: .zero)
        track.scaleTimeRange(whole, toDuration: ScaledSound.time(2.4))
        return track
      }
      let parameters = AVMutableAudioMixInputParameters(track: tracks[1])
      #expect(parameters.audioTimePitchAlgorithm == nil)
      let mix = AVMutableAudioMix()
      mix.inputParameters = [parameters]
      func shares(_ algorithm: AVAudioTimePitchAlgorithm?) throws -> [Bool] {
        let output = AVAssetReaderAudioMixOutput(
          audioTracks: tracks,
          audioSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true])
        #expect(output.audioTimePitchAlgorithm == .spectral)
        if let algorithm { output.audioTimePitchAlgorithm = algorithm }
        output.audioMix = mix
        let sound = try ScaledSound.samples(composition, output)
        return [500, 250, 1400, 700].map { ScaledSound.share(of: $0, in: sound) > 0.2 }
      }
      #expect(try shares(nil) == [true, false, true, false])
      parameters.audioTimePitchAlgorithm = .varispeed
      #expect(parameters.audioTimePitchAlgorithm == .varispeed)
      #expect(mix.inputParameters[0].audioTimePitchAlgorithm == .varispeed)
      #expect(try shares(nil) == [true, false, false, true])
      #expect(try shares(.varispeed) == [false, true, false, true])
      parameters.audioTimePitchAlgorithm = .timeDomain
      #expect(try shares(.varispeed) == [false, true, true, false])
    }
  }

  @Test("Slower than a thirty-second of the speed, and faster than thirty-two times it, nothing is heard")
  func limits() async throws {
    try withMovieFolder { folder in
      let asset = try ScaledSound.movie(folder, "0.5*sin(2*PI*1000*t)", seconds: 0.4)
      for algorithm in [AVAudioTimePitchAlgorithm.spectral, .timeDomain] {
        for (longer, isHeard) in [(20.0, true), (40, false), (1.0 / 20, true), (1.0 / 40, false)] {
          let sound = try ScaledSound.heard(
            try ScaledSound.composition(asset, lasting: 0.4 * longer), algorithm)
          #expect(abs(sound.count - Int(0.4 * longer * Double(ScaledSound.rate))) <= 1)
          let loudest = sound.map(abs).max() ?? 0
          #expect(isHeard ? loudest > 0.3 : loudest == 0, "\(algorithm.rawValue), \(longer)")
        }
      }
    }
  }

  @Test("Samples have the size that is asked for, at the rate and with the channels that are asked for")
  func formats() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 15, hasAudio: true)
      let composition = AVMutableComposition()
      let whole = CMTimeRange(start: .zero, duration: asset.duration)
      try composition.insertTimeRange(whole, of: asset, at: .zero)
      composition.scaleTimeRange(whole, toDuration: asset.duration + asset.duration)
      let track = try #require(composition.tracks(withMediaType: .audio).first)
      for (bits, isFloat) in [(16, false), (32, false), (32, true)] {
        let output = AVAssetReaderTrackOutput(
          track: track,
          outputSettings: [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: bits,
            AVLinearPCMIsFloatKey: isFloat, AVSampleRateKey: 24_000, AVNumberOfChannelsKey: 1,
          ])
        let reader = try AVAssetReader(asset: composition)
        reader.add(output)
        #expect(reader.startReading())
        var (count, loudest) = (0, 0.0)
        while let sample = output.copyNextSampleBuffer() {
          let basic = try #require(sample.formatDescription?.audioStreamBasicDescription)
          #expect(basic.mSampleRate == 24_000 && basic.mChannelsPerFrame == 1)
          #expect(basic.mBitsPerChannel == UInt32(bits))
          count += sample.numSamples
          let bytes = try #require(sample.dataBuffer).dataBytes()
          #expect(bytes.count == sample.numSamples * bits / 8)
          let values: [Double] = bytes.withUnsafeBytes { raw in
            if isFloat { return raw.bindMemory(to: Float.self).map { Double($0) } }
            if bits == 16 { return raw.bindMemory(to: Int16.self).map { Double($0) / 32_768 } }
            return raw.bindMemory(to: Int32.self).map { Double($0) / 2_147_483_648 }
          }
          loudest = max(loudest, values.map(abs).max() ?? 0)
        }
        #expect(reader.status == .completed && count == 24_000)
        // The tone's triangle goes up to 9600 of 32768, its first partial to 7780.
        #expect(abs(loudest - 0.27) < 0.08)
      }
    }
  }

  @Test("Another algorithm than Apple's, or one that is set too late, is a mistake and is not set")
  func mistakes() async throws {
    try withMovieFolder { folder in
      let asset = try ScaledSound.movie(folder, "0", seconds: 0.2)
      let wrong = AVAudioTimePitchAlgorithm(rawValue: "Loud")
      let track = AVAssetReaderTrackOutput(
        track: asset.tracks[0], outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
      let mixed = AVAssetReaderAudioMixOutput(
        audioTracks: asset.tracks, audioSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
      let session = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A))
      let parameters = AVMutableAudioMixInputParameters(track: asset.tracks[0])
      let mistakes = ProgrammingMistake.collect {
        track.audioTimePitchAlgorithm = wrong
        mixed.audioTimePitchAlgorithm = wrong
        session.audioTimePitchAlgorithm = wrong
        parameters.audioTimePitchAlgorithm = wrong
      }
      #expect(mistakes.count == 4 && mistakes.allSatisfy { $0.rule.contains("'Loud'") })
      #expect(track.audioTimePitchAlgorithm == .spectral && mixed.audioTimePitchAlgorithm == .spectral)
      #expect(session.audioTimePitchAlgorithm == .spectral && parameters.audioTimePitchAlgorithm == nil)
      let reader = try AVAssetReader(asset: asset)
      reader.add(track)
      reader.add(mixed)
      #expect(reader.startReading())
      let late = ProgrammingMistake.collect {
        track.audioTimePitchAlgorithm = .varispeed
        mixed.audioTimePitchAlgorithm = .varispeed
      }
      #expect(late.count == 2 && late.allSatisfy { $0.rule.contains("after reading has started") })
      #expect(track.audioTimePitchAlgorithm == .spectral && mixed.audioTimePitchAlgorithm == .spectral)
    }
  }
}
