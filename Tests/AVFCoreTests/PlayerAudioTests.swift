import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import MediaToolbox
import MovieTools
import Testing

/// Takes a player's audio when the test says so.
private final class TestSink: AudioSink {
  private let hook = Locked<Render?>(nil)

  private struct Render {
    let call: @Sendable (Int, CMTime) -> [Float]
  }

  func start(_ render: @escaping @Sendable (_ frames: Int, _ heardAt: CMTime) -> [Float]) {
    hook.withLock { $0 = Render(call: render) }
  }

  func stop() { hook.withLock { $0 = nil } }

  var isRunning: Bool { hook.withLock { $0 != nil } }

  /// The left channel.
  func take(_ frames: Int, at time: CMTime) -> [Float] {
    let render = hook.withLock { $0 }
    let samples = render?.call(frames, time) ?? []
    return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
  }
}

@Suite("Audio of players") @MainActor
struct PlayerAudioTests {
  /// Audio that rises by 1/65536 a sample after one second, so that each sample says its place, and sings 500 Hz before.
  private func movie(_ stage: PlayerStage) throws -> URL {
    let path = "\(stage.folder)/audio.mov"
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i",
        "aevalsrc='if(lt(t,1),0.5*sin(1000*PI*t),(n-48000)/65536)':s=48000:d=1.6", "-c:a", "pcm_f32le",
      ])
    return URL(fileURLWithPath: path)
  }

  /// The changes of the sign from below zero, in a second.
  private nonisolated func pitch(_ samples: [Float]) -> Double {
    let rises = zip(samples, samples.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    return Double(rises) * 48_000 / Double(samples.count)
  }

  @Test("What is heard at a time is the sample of that time, from the first to the last")
  func exact() async throws {
    try await PlayerStage.inFolder { stage in
      let player = AVPlayer()
      let sink = TestSink()
      player.setAudioSink(sink)
      player.sourceClock = stage.clock
      player.replaceCurrentItem(with: AVPlayerItem(url: try movie(stage)))
      await stage.ready(player.currentItem)
      #expect(player.currentItem?.presentationSize == .zero && player.currentItem?.canStepForward == false)
      #expect(!sink.isRunning)
      #expect(await player.seek(to: seconds(1.1), toleranceBefore: .zero, toleranceAfter: .zero))
      player.play()
      #expect(sink.isRunning)
      // The first chunk fades in; those after it are as the file has them.
      var worst: Float = 0
      for chunk in 0..<60 {
        let heard = sink.take(480, at: stage.clock.time)
        let first = Float(4_800 + 480 * chunk) / 65_536
        if chunk > 0, chunk < 50 {
          worst = max(worst, abs(heard[0] - first), abs(heard[479] - first - 479 / 65_536))
        }
        if chunk > 50 { worst = max(worst, heard.map(abs).max() ?? 0) }
        await stage.move(0.01, of: player)
      }
      #expect(worst < 1e-4)
      #expect(player.rate == 0 && !sink.isRunning)
    }
  }

  @Test("What a tap writes is what is heard, also after a seek")
  func tap() async throws {
    try await PlayerStage.inFolder { stage in
      let player = AVPlayer()
      let sink = TestSink()
      player.setAudioSink(sink)
      player.sourceClock = stage.clock
      let item = AVPlayerItem(url: try movie(stage))
      let prepared = Diary<Double>()
      var callbacks = MTAudioProcessingTapCallbacks(
        version: kMTAudioProcessingTapCallbacksVersion_0, clientInfo: nil, init: nil, finalize: nil,
        prepare: { _, _, format in prepared.note(format.pointee.mSampleRate) }, unprepare: nil,
        process: { tap, wanted, _, list, count, flags in
          _ = MTAudioProcessingTapGetSourceAudio(tap, wanted, list, flags, nil, count)
          for buffer in UnsafeMutableAudioBufferListPointer(list) {
            guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
            for frame in 0..<count.pointee { data[frame] = -data[frame] }
          }
        })
      var tap: MTAudioProcessingTap?
      let flags = kMTAudioProcessingTapCreationFlag_PostEffects
      #expect(MTAudioProcessingTapCreate(nil, &callbacks, flags, &tap) == 0)
      let track = try #require(item.asset.tracks(withMediaType: .audio).first)
      let parameters = AVMutableAudioMixInputParameters(track: track)
      parameters.audioTapProcessor = tap
      let mix = AVMutableAudioMix()
      mix.inputParameters = [parameters]
      item.audioMix = mix
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      for start in [1.1, 1.3] {
        #expect(await player.seek(to: seconds(start), toleranceBefore: .zero, toleranceAfter: .zero))
        player.play()
        _ = sink.take(480, at: stage.clock.time)
        await stage.move(0.01, of: player)
        let heard = sink.take(480, at: stage.clock.time)
        let first = Float((start - 1) * 48_000 + 480) / 65_536
        #expect(abs(heard[0] + first) < 1e-4 && abs(heard[479] + first + 479 / 65_536) < 1e-4)
        player.pause()
      }
      #expect(Set(prepared.entries) == [48_000])
    }
  }

  @Test("A card that is a little fast or slow is followed by a sample at a time, a jump at once")
  func drift() async throws {
    try await PlayerStage.inFolder { stage in
      let player = AVPlayer()
      let sink = TestSink()
      player.setAudioSink(sink)
      player.sourceClock = stage.clock
      player.replaceCurrentItem(with: AVPlayerItem(url: try movie(stage)))
      await stage.ready(player.currentItem)
      _ = await player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero)
      player.play()
      let begin = stage.clock.time
      _ = sink.take(480, at: begin)
      // Heard two milliseconds earlier than the samples before would let it be.
      let late = sink.take(480, at: begin + seconds(0.012))
      #expect(abs(late[0] * 65_536 - 481) < 1)
      let later = sink.take(480, at: begin + seconds(0.3))
      #expect(abs(later[0] * 65_536 - 14_400) < 1)
    }
  }

  @Test("All tracks that are switched on are heard together, as loud as the mix says")
  func together() async throws {
    try await PlayerStage.inFolder { stage in
      let source = AVURLAsset(url: try movie(stage))
      let composition = AVMutableComposition()
      var tracks: [AVAssetTrack] = []
      for _ in 0..<2 {
        let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
        try track.insertTimeRange(
          CMTimeRange(start: .zero, duration: source.duration), of: source.tracks[0], at: .zero)
        tracks.append(track)
      }
      let player = AVPlayer()
      let sink = TestSink()
      player.setAudioSink(sink)
      player.sourceClock = stage.clock
      let item = AVPlayerItem(asset: composition)
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      _ = await player.seek(to: seconds(1), toleranceBefore: .zero, toleranceAfter: .zero)
      player.play()
      _ = sink.take(480, at: stage.clock.time)
      /// The loudness of the next hundredth of a second over that of one track alone.
      func next() async -> Float {
        await stage.move(0.01, of: player)
        let place = Float((item.currentTime().seconds - 1) * 48_000).rounded() + 240
        return sink.take(480, at: stage.clock.time)[240] * 65_536 / place
      }
      for _ in 0..<20 { _ = await next() }
      #expect(await abs(next() - 2) < 0.01)
      let mix = AVMutableAudioMix()
      let quiet = AVMutableAudioMixInputParameters(track: tracks[1])
      quiet.setVolume(0.5, at: .zero)
      mix.inputParameters = [quiet]
      item.audioMix = mix
      // The item has a copy.
      quiet.setVolume(0, at: .zero)
      #expect(await abs(next() - 1.5) < 0.01)
      item.tracks[0].isEnabled = false
      #expect(await abs(next() - 0.5) < 0.01)
      item.tracks[1].isEnabled = false
      #expect(await next() == 0)
      item.tracks[0].isEnabled = true
      item.audioMix = nil
      #expect(await abs(next() - 1) < 0.01)
      #expect(item.audioMix == nil && (item.copy() as? AVPlayerItem)?.audioMix == nil)
    }
  }

  @Test("At other rates the pitch is kept, or follows as on a tape")
  func pitches() async throws {
    try await PlayerStage.inFolder { stage in
      for (rate, algorithm) in [
        (0.5, AVAudioTimePitchAlgorithm.timeDomain), (2, .timeDomain), (1.25, .timeDomain), (0.5, .varispeed),
        (1.5, .varispeed),
      ] {
        let player = AVPlayer()
        let sink = TestSink()
        player.setAudioSink(sink)
        player.sourceClock = stage.clock
        let item = AVPlayerItem(url: try movie(stage))
        item.audioTimePitchAlgorithm = algorithm
        #expect(item.audioTimePitchAlgorithm == algorithm)
        player.replaceCurrentItem(with: item)
        await stage.ready(item)
        player.rate = Float(rate)
        var heard: [Float] = []
        let begin = stage.clock.time
        let count = Int(0.9 / rate * 100)
        for chunk in 0..<count {
          heard += sink.take(480, at: begin + CMTime(value: CMTimeValue(chunk), timescale: 100))
        }
        let expected = algorithm == .varispeed ? 500 * rate : 500
        #expect(abs(pitch(heard) - expected) < 12, "rate \(rate)")
        let loudest = heard.dropFirst(960).map(abs).max() ?? 0
        #expect(loudest > 0.45 && loudest < 0.56, "rate \(rate)")
        // No piece is laid where its waves would wipe each other out.
        let quietest =
          stride(from: 1_440, to: heard.count - 480, by: 480).map { start in
            heard[start..<start + 480].map(abs).max() ?? 0
          }.min() ?? 0
        #expect(quietest > 0.4, "rate \(rate)")
      }
    }
  }

  @Test("Where a composition is slower the pitch is kept, unless the item or its mix says otherwise")
  func scaled() async throws {
    try await PlayerStage.inFolder { stage in
      let source = AVURLAsset(url: try movie(stage))
      let composition = AVMutableComposition()
      let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 0))
      let second = CMTimeRange(start: .zero, duration: seconds(1))
      try track.insertTimeRange(second, of: source.tracks[0], at: .zero)
      track.scaleTimeRange(second, toDuration: seconds(2))
      let player = AVPlayer()
      let sink = TestSink()
      player.setAudioSink(sink)
      player.sourceClock = stage.clock
      let item = AVPlayerItem(asset: composition)
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      player.play()
      func heard() async -> Double {
        _ = await player.seek(to: seconds(0.5), toleranceBefore: .zero, toleranceAfter: .zero)
        let begin = stage.clock.time
        var samples: [Float] = []
        for chunk in 0..<60 {
          samples += sink.take(480, at: begin + CMTime(value: CMTimeValue(chunk), timescale: 100))
        }
        return pitch(Array(samples.dropFirst(4_800)))
      }
      #expect(await abs(heard() - 500) < 8)
      item.audioTimePitchAlgorithm = .varispeed
      #expect(await abs(heard() - 250) < 8)
      let parameters = AVMutableAudioMixInputParameters(track: track)
      parameters.audioTimePitchAlgorithm = .spectral
      let mix = AVMutableAudioMix()
      mix.inputParameters = [parameters]
      item.audioMix = mix
      #expect(await abs(heard() - 500) < 8)
      let mistakes = ProgrammingMistake.collect {
        item.audioTimePitchAlgorithm = AVAudioTimePitchAlgorithm(rawValue: "Loud")
      }
      #expect(mistakes.count == 1 && item.audioTimePitchAlgorithm == .varispeed)
    }
  }

  @Test("Backwards nothing is heard while time falls, and forwards again it is the sample of the time")
  func backwards() async throws {
    try await PlayerStage.inFolder { stage in
      let player = AVPlayer()
      let sink = TestSink()
      player.setAudioSink(sink)
      player.sourceClock = stage.clock
      let item = AVPlayerItem(url: try movie(stage))
      player.replaceCurrentItem(with: item)
      await stage.ready(item)
      #expect(item.canPlayReverse)
      let ends = Diary<CMTime>()
      let observer = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
      ) { _ in ends.note(item.currentTime()) }
      defer { NotificationCenter.default.removeObserver(observer) }
      _ = await player.seek(to: seconds(1.5), toleranceBefore: .zero, toleranceAfter: .zero)
      player.play()
      #expect(sink.isRunning)
      player.rate = -2
      #expect(!sink.isRunning && player.timeControlStatus == .playing)
      await stage.move(0.2, of: player)
      #expect(abs(player.currentTime().seconds - 1.1) < 1e-6)
      player.rate = 1
      #expect(sink.isRunning)
      _ = sink.take(480, at: stage.clock.time)
      let heard = sink.take(480, at: stage.clock.time + seconds(0.01))
      #expect(abs(heard[0] * 65_536 - 5_280) < 1)
      player.rate = -1
      await stage.move(1.2, of: player)
      #expect(ends.entries == [.zero] && player.rate == 0 && player.currentTime() == .zero)
    }
  }

  @Test("The volume, mute and a track that is switched off are heard")
  func loudness() async throws {
    try await PlayerStage.inFolder { stage in
      let player = AVPlayer()
      let sink = TestSink()
      player.setAudioSink(sink)
      player.sourceClock = stage.clock
      player.replaceCurrentItem(with: AVPlayerItem(url: try movie(stage)))
      await stage.ready(player.currentItem)
      player.play()
      var place = 0
      func loudest() -> Float {
        defer { place += 2 }
        _ = sink.take(480, at: CMTime(value: CMTimeValue(place), timescale: 100))
        return sink.take(480, at: CMTime(value: CMTimeValue(place + 1), timescale: 100)).map(abs).max() ?? -1
      }
      #expect(abs(loudest() - 0.5) < 0.01)
      player.volume = 0.5
      #expect(player.volume == 0.5 && abs(loudest() - 0.25) < 0.01)
      player.isMuted = true
      #expect(player.isMuted && loudest() == 0)
      player.isMuted = false
      player.volume = 7
      #expect(player.volume == 1 && abs(loudest() - 0.5) < 0.01)
      let track = try #require(player.currentItem?.tracks.first)
      #expect(track.isEnabled)
      track.isEnabled = false
      #expect(loudest() == 0)
    }
  }
}
