import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import MovieTools
import Testing

@Suite("Audio mixes")
struct AudioMixTests {
  @Test("Tracks are added up, with silence where they have nothing, and follow their volumes")
  func mix() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 30, hasAudio: true)
      let source = try #require(asset.tracks(withMediaType: .audio).first)
      let composition = AVMutableComposition()
      let half = CMTimeRange(start: .zero, duration: CMTime(value: 24_000, timescale: 48_000))
      let first = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
      let second = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
      try first.insertTimeRange(half, of: source, at: .zero)
      // A quarter of a second of silence, then both, then the second alone.
      try second.insertTimeRange(half, of: source, at: CMTime(value: 12_000, timescale: 48_000))
      let output = AVAssetReaderAudioMixOutput(
        audioTracks: [first, second], audioSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
      #expect(output.mediaType == .audio && output.audioTracks.count == 2 && output.audioMix == nil)
      let (samples, start) = try EditingStage.audio(composition, output)
      #expect(samples.count == 36_000 && start == 0)
      let alone = EditingStage.loudness(samples[1000..<11_000])
      #expect(alone > 3000)
      #expect(abs(EditingStage.loudness(samples[13_000..<23_000]) / alone - 2) < 0.02)
      #expect(abs(EditingStage.loudness(samples[25_000..<35_000]) / alone - 1) < 0.02)
      let mix = AVMutableAudioMix()
      let quiet = AVMutableAudioMixInputParameters(track: first)
      quiet.setVolume(0, at: .zero)
      let ramp = AVMutableAudioMixInputParameters()
      ramp.trackID = second.trackID
      ramp.setVolumeRamp(
        fromStartVolume: 1, toEndVolume: 0,
        timeRange: CMTimeRange(
          start: CMTime(value: 12_000, timescale: 48_000), duration: CMTime(value: 24_000, timescale: 48_000))
      )
      mix.inputParameters = [quiet, ramp]
      #expect(mix.inputParameters.count == 2)
      let faded = AVAssetReaderAudioMixOutput(
        audioTracks: [first, second],
        audioSettings: [
          AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
          AVLinearPCMBitDepthKey: 16,
        ])
      faded.audioMix = mix
      let (heard, _) = try EditingStage.audio(composition, faded)
      #expect(heard[..<11_000].allSatisfy { $0 == 0 })
      #expect(abs(EditingStage.loudness(heard[23_500..<24_500]) / alone - 0.5) < 0.05)
      #expect(EditingStage.loudness(heard[35_000...]) < alone * 0.1)
      var (from, to): (Float, Float) = (0, 1)
      #expect(ramp.getVolumeRamp(for: .zero, startVolume: &from, endVolume: &to, timeRange: nil))
      #expect(from == 1 && to == 0)
    }
  }
}
