import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import MediaToolbox
import MovieTools
import Testing

@Suite("Taps of audio mixes")
struct AudioTapTests {
  /// What a tap's callbacks have seen, and what they do with audio.
  private final class Course: Sendable {
    struct Seen: Sendable {
      var calls: [String] = []
      var formats: [AudioStreamBasicDescription] = []
      var ranges: [CMTimeRange] = []
      var flags: [MTAudioProcessingTapFlags] = []
      var frames = 0
      var most = 0
      var storage: UInt?
    }

    let seen = Locked(Seen())
    func note(_ call: String) { seen.withLock { $0.calls.append(call) } }
  }

  /// A tap that multiplies what it gets, and writes down how it was called.
  private func tap(
    _ course: Course, times factor: Float,
    _ flags: MTAudioProcessingTapCreationFlags = kMTAudioProcessingTapCreationFlag_PostEffects
  ) throws -> MTAudioProcessingTap {
    let info = Unmanaged.passUnretained(course).toOpaque()
    var callbacks = MTAudioProcessingTapCallbacks(
      version: kMTAudioProcessingTapCallbacksVersion_0, clientInfo: info,
      init: { _, clientInfo, storage in
        course.note("init")
        storage.pointee = clientInfo
      }, finalize: { _ in course.note("finalize") },
      prepare: { tap, most, format in
        course.note("prepare")
        let storage = UInt(bitPattern: MTAudioProcessingTapGetStorage(tap))
        course.seen.withLock {
          $0.formats.append(format.pointee)
          $0.most = most
          $0.storage = storage
        }
      }, unprepare: { _ in course.note("unprepare") },
      process: { tap, wanted, flags, list, count, flagsOut in
        var range = CMTimeRange.invalid
        #expect(MTAudioProcessingTapGetSourceAudio(tap, wanted, list, flagsOut, &range, count) == 0)
        let (seen, frames) = (flagsOut.pointee, count.pointee)
        course.seen.withLock {
          $0.ranges.append(range)
          $0.flags.append(seen)
          $0.frames += frames
        }
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
          for frame in 0..<frames { data[frame] *= factor }
        }
      })
    var made: Unmanaged<MTAudioProcessingTap>?
    #expect(MTAudioProcessingTapCreate(kCFAllocatorDefault, &callbacks, flags, &made) == 0)
    return try #require(made?.takeRetainedValue())
  }

  private func mix(_ track: AVAssetTrack, _ tap: MTAudioProcessingTap?) -> AVMutableAudioMix {
    let parameters = AVMutableAudioMixInputParameters(track: track)
    parameters.audioTapProcessor = tap
    #expect(parameters.audioTapProcessor === tap)
    let mix = AVMutableAudioMix()
    mix.inputParameters = [parameters]
    return mix
  }

  private func output(_ track: AVAssetTrack, _ mix: AVAudioMix?) -> AVAssetReaderAudioMixOutput {
    let output = AVAssetReaderAudioMixOutput(
      audioTracks: [track], audioSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
    output.audioMix = mix
    return output
  }

  @Test("What a tap writes is what a reader gives, and it is prepared before and unprepared after")
  func reading() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 30, hasAudio: true)
      let track = try #require(asset.tracks(withMediaType: .audio).first)
      let (plain, _) = try EditingStage.audio(asset, output(track, nil))
      let course = Course()
      do {
        let tap = try tap(course, times: 0.25)
        #expect(course.seen.withLock { $0.calls } == ["init"])
        let (heard, _) = try EditingStage.audio(asset, output(track, mix(track, tap)))
        #expect(heard.count == plain.count)
        let loudness = EditingStage.loudness(plain[1000...])
        #expect(loudness > 1000)
        #expect(abs(EditingStage.loudness(heard[1000...]) / loudness - 0.25) < 0.001)
        #expect(CFGetTypeID(tap) == MTAudioProcessingTapGetTypeID())
      }
      let seen = course.seen.withLock { $0 }
      #expect(seen.calls == ["init", "prepare", "unprepare", "finalize"])
      #expect(seen.storage == UInt(bitPattern: Unmanaged.passUnretained(course).toOpaque()))
      let format = try #require(seen.formats.first)
      #expect(format.mSampleRate == 48_000 && format.mBitsPerChannel == 32 && format.isNonInterleaved)
      #expect(seen.frames == plain.count && seen.most >= 1024)
      #expect(seen.ranges.first?.start == .zero)
      #expect(zip(seen.ranges, seen.ranges.dropFirst()).allSatisfy { $0.end == $1.start })
      #expect(seen.flags.first == kMTAudioProcessingTapFlag_StartOfStream)
      #expect(seen.flags.last == kMTAudioProcessingTapFlag_EndOfStream)
      #expect(seen.flags.dropFirst().dropLast().allSatisfy { $0 == 0 })
    }
  }

  @Test("Before the effects a tap gets audio without its volume, behind them with it")
  func effects() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 30, hasAudio: true)
      let track = try #require(asset.tracks(withMediaType: .audio).first)
      let places = [
        kMTAudioProcessingTapCreationFlag_PreEffects, kMTAudioProcessingTapCreationFlag_PostEffects,
      ]
      var peaks: [Float] = []
      var heard: [Double] = []
      for place in places {
        let peak = Locked<Float>(0)
        var callbacks = MTAudioProcessingTapCallbacks(
          version: kMTAudioProcessingTapCallbacksVersion_0, clientInfo: nil, init: nil, finalize: nil,
          prepare: nil, unprepare: nil,
          process: { tap, wanted, flags, list, count, flagsOut in
            #expect(flags == place)
            _ = MTAudioProcessingTapGetSourceAudio(tap, wanted, list, flagsOut, nil, count)
            let data = UnsafeMutableAudioBufferListPointer(list)[0].mData?.assumingMemoryBound(to: Float.self)
            for frame in 0..<count.pointee { peak.withLock { $0 = max($0, abs(data?[frame] ?? 0)) } }
          })
        var tap: MTAudioProcessingTap?
        #expect(MTAudioProcessingTapCreate(nil, &callbacks, place, &tap) == 0)
        let mix = mix(track, tap)
        let parameters = try #require(mix.inputParameters.first as? AVMutableAudioMixInputParameters)
        parameters.setVolume(0.5, at: .zero)
        let (samples, _) = try EditingStage.audio(asset, output(track, mix))
        heard.append(EditingStage.loudness(samples[1000...]))
        peaks.append(peak.withLock { $0 })
      }
      #expect(peaks[0] > 0.2 && abs(peaks[1] / peaks[0] - 0.5) < 0.001)
      #expect(heard[0] > 500 && abs(heard[1] / heard[0] - 1) < 0.001)
    }
  }

  @Test("A tap may put audio of its own in the place of the track's, or none")
  func replaces() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 30, hasAudio: true)
      let track = try #require(asset.tracks(withMediaType: .audio).first)
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 8192)
      defer { memory.deallocate() }
      memory.initialize(repeating: 0.5, count: 8192)
      let address = UInt(bitPattern: memory)
      for isSilent in [false, true] {
        var callbacks = MTAudioProcessingTapCallbacks(
          version: 0, clientInfo: nil, init: nil, finalize: nil, prepare: nil, unprepare: nil,
          process: { _, wanted, _, list, count, _ in
            for index in UnsafeMutableAudioBufferListPointer(list).indices {
              UnsafeMutableAudioBufferListPointer(list)[index].mData = UnsafeMutableRawPointer(
                bitPattern: address)
            }
            count.pointee = isSilent ? 0 : wanted
          })
        var tap: MTAudioProcessingTap?
        #expect(
          MTAudioProcessingTapCreate(nil, &callbacks, kMTAudioProcessingTapCreationFlag_PostEffects, &tap)
            == 0)
        let (samples, _) = try EditingStage.audio(asset, output(track, mix(track, tap)))
        #expect(samples.count > 40_000 && samples.allSatisfy { abs(Int($0) - (isSilent ? 0 : 16_384)) <= 1 })
      }
    }
  }

  @Test("An export with a mix writes what the tap writes")
  func export() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 30, hasAudio: true)
      let track = try #require(asset.tracks(withMediaType: .audio).first)
      var loudness: [Double] = []
      for factor in [1, 0.25] as [Float] {
        let session = try #require(
          AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
        let course = Course()
        session.audioMix = mix(track, try tap(course, times: factor))
        let url = URL(fileURLWithPath: "\(folder)/tapped-\(factor).mov")
        try await session.export(to: url, as: .mov)
        #expect(course.seen.withLock { $0.frames } > 40_000)
        let exported = AVURLAsset(url: url)
        let sound = try #require(exported.tracks(withMediaType: .audio).first)
        let (samples, _) = try EditingStage.audio(exported, output(sound, nil))
        loudness.append(EditingStage.loudness(samples[4000..<40_000]))
      }
      #expect(loudness[0] > 1000 && abs(loudness[1] / loudness[0] - 0.25) < 0.02)
    }
  }

  @Test("Arguments that do not fit are refused, and the source's audio outside of a callback")
  func refusals() throws {
    let course = Course()
    let tap = try tap(course, times: 1)
    var callbacks = MTAudioProcessingTapCallbacks(
      version: 1, clientInfo: nil, init: nil, finalize: nil, prepare: nil, unprepare: nil,
      process: { _, _, _, _, _, _ in })
    var made: MTAudioProcessingTap? = tap
    let post = kMTAudioProcessingTapCreationFlag_PostEffects
    #expect(
      MTAudioProcessingTapCreate(nil, &callbacks, post, &made) == kMTAudioProcessingTapInvalidArgumentErr)
    #expect(made == nil)
    callbacks.version = kMTAudioProcessingTapCallbacksVersion_0
    for flags in [0, post | kMTAudioProcessingTapCreationFlag_PreEffects] {
      #expect(
        MTAudioProcessingTapCreate(nil, &callbacks, flags, &made) == kMTAudioProcessingTapInvalidArgumentErr)
    }
    let list = AudioBufferList.allocate(maximumBuffers: 2)
    defer { free(list.unsafeMutablePointer) }
    var count: CMItemCount = 7
    #expect(
      MTAudioProcessingTapGetSourceAudio(tap, 64, list.unsafeMutablePointer, nil, nil, &count)
        == kMTAudioProcessingTapInvalidArgumentErr)
    #expect(count == 0)
  }
}

extension AudioStreamBasicDescription {
  fileprivate var isNonInterleaved: Bool { mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 }
}
