import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("Compositions")
struct CompositionTests {
  private func track(_ composition: AVMutableComposition, _ type: AVMediaType = .video) throws
    -> AVMutableCompositionTrack
  {
    try #require(
      composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid))
  }

  @Test("Ranges of movies are shown one after the other, cut to the frame between key frames")
  func joined() async throws {
    try await withMovieFolder { folder in
      let first = try await EditingStage.movie(folder, "first.mov")
      let second = try await EditingStage.movie(folder, "second.mov", first: 8)
      let composition = AVMutableComposition()
      let track = try track(composition)
      #expect(track.trackID == 1 && composition.tracks.count == 1)
      try track.insertTimeRange(EditingStage.range(5, 6), of: first.tracks[0], at: .zero)
      try track.insertTimeRange(EditingStage.range(13, 4), of: second.tracks[0], at: .invalid)
      try track.insertTimeRange(EditingStage.range(0, 2), of: second.tracks[0], at: EditingStage.frames(3))
      #expect(composition.duration == EditingStage.frames(12))
      #expect(composition.naturalSize == CGSize(width: 64, height: 48))
      let pictures = try EditingStage.pictures(composition)
      #expect(pictures.map(\.number) == [5, 6, 7, 8, 9, 8, 9, 10, 21 % 16, 22 % 16, 23 % 16, 24 % 16])
      #expect(pictures.map(\.time) == (0..<12).map { Double($0) })
      let cut = try EditingStage.pictures(composition, range: EditingStage.range(2, 5))
      #expect(cut.map(\.number) == [7, 8, 9, 8, 9] && cut[0].time == 2)
      let segments = track.segments
      #expect(segments.count == 4 && segments.allSatisfy { !$0.isEmpty })
      let inserted = try #require(
        track.segment(forTrackTime: EditingStage.frames(4)) as? AVCompositionTrackSegment)
      #expect(inserted.sourceURL?.lastPathComponent == "second.mov" && inserted.sourceTrackID == 1)
      #expect(inserted.timeMapping.target == EditingStage.range(3, 2))
      let generator = AVAssetImageGenerator(asset: composition)
      generator.requestedTimeToleranceBefore = .zero
      generator.requestedTimeToleranceAfter = .zero
      var time = CMTime.invalid
      _ = try generator.copyCGImage(at: EditingStage.frames(9), actualTime: &time)
      #expect(abs(time.seconds * 30 - 9) < 0.01)
    }
  }

  @Test("Ranges are removed, left empty and made slower, and what comes behind moves")
  func edited() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder)
      let composition = AVMutableComposition()
      try composition.insertTimeRange(EditingStage.range(0, 12), of: asset, at: .zero)
      composition.removeTimeRange(EditingStage.range(2, 4))
      #expect(try EditingStage.pictures(composition).map(\.number) == [0, 1, 6, 7, 8, 9, 10, 11])
      composition.insertEmptyTimeRange(EditingStage.range(1, 3))
      let gap = try EditingStage.pictures(composition)
      #expect(
        gap.map(\.number) == [0, 1, 6, 7, 8, 9, 10, 11] && gap.map(\.time) == [0, 4, 5, 6, 7, 8, 9, 10])
      let track = try #require(composition.tracks.first)
      #expect(track.segments.contains { $0.isEmpty })
      track.removeTimeRange(EditingStage.range(1, 3))
      track.scaleTimeRange(EditingStage.range(0, 2), toDuration: EditingStage.frames(4))
      let slow = try EditingStage.pictures(composition)
      #expect(slow.map(\.number) == [0, 1, 6, 7, 8, 9, 10, 11])
      #expect(slow.map(\.time) == [0, 2, 4, 5, 6, 7, 8, 9])
      composition.scaleTimeRange(
        CMTimeRange(start: .zero, duration: composition.duration), toDuration: EditingStage.frames(5))
      #expect(try EditingStage.pictures(composition).map(\.time) == [0, 1, 2, 2.5, 3, 3.5, 4, 4.5])
      composition.removeTrack(track)
      #expect(composition.tracks.isEmpty && composition.duration == .zero)
    }
  }

  @Test("Audio is cut to the sample, joined without a gap, and takes longer where it is made slower")
  func audio() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, hasAudio: true)
      let source = try #require(asset.tracks(withMediaType: .audio).first)
      let composition = AVMutableComposition()
      let track = try track(composition, .audio)
      // A tenth of a period from the start, then on from where the tone would be.
      let cut = CMTime(value: 4805, timescale: 48_000), length = CMTime(value: 9605, timescale: 48_000)
      try track.insertTimeRanges(
        [
          NSValue(timeRange: CMTimeRange(start: cut, duration: length)),
          NSValue(timeRange: CMTimeRange(start: cut + length, duration: length)),
        ], of: [source, source], at: .zero)
      func read() throws -> [Int16] {
        try EditingStage.audio(
          composition,
          AVAssetReaderTrackOutput(track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
        ).samples
      }
      let samples = try read()
      #expect(samples.count == 19_210)
      let expected = try EditingStage.audio(
        asset, AVAssetReaderTrackOutput(track: source, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM])
      ).samples
      #expect(Array(expected[4805..<4805 + 19_210]) == samples)
      track.scaleTimeRange(
        CMTimeRange(start: .zero, duration: length), toDuration: CMTimeMultiply(length, multiplier: 2))
      #expect(abs(try read().count - 3 * 9605) < 40)
    }
  }

  @Test("What does not fit is refused with a code, and nothing changes")
  func errors() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 5, hasAudio: true)
      let composition = AVMutableComposition()
      let video = try track(composition)
      let audio = try #require(asset.tracks(withMediaType: .audio).first)
      let wrong = #expect(throws: AVError.self) {
        try video.insertTimeRange(EditingStage.range(0, 2), of: audio, at: .zero)
      }
      #expect(wrong?.code == .invalidSourceMedia)
      #expect(throws: AVError.self) {
        try video.insertTimeRange(EditingStage.range(90, 2), of: asset.tracks[0], at: .zero)
      }
      #expect(throws: AVError.self) { try video.insertTimeRange(.invalid, of: asset.tracks[0], at: .zero) }
      #expect(video.segments.isEmpty)
      let missing = AVURLAsset(url: URL(fileURLWithPath: "\(folder)/missing.mov"))
      let none = #expect(throws: NSError.self) {
        try composition.insertTimeRange(EditingStage.range(0, 2), of: missing, at: .zero)
      }
      #expect(none?.domain == NSURLErrorDomain && none?.code == NSURLErrorFileDoesNotExist)
      #expect(composition.addMutableTrack(withMediaType: .text, preferredTrackID: 0) == nil)
      let gap = #expect(throws: AVError.self) {
        try video.validateSegments([AVCompositionTrackSegment(timeRange: EditingStage.range(1, 2))])
      }
      #expect(gap?.code == .compositionTrackSegmentsNotContiguous)
      let empty = #expect(throws: AVError.self) {
        try video.validateSegments([AVCompositionTrackSegment(timeRange: EditingStage.range(0, 0))])
      }
      #expect(empty?.code == .invalidCompositionTrackSegmentDuration)
      let early = #expect(throws: AVError.self) {
        try video.validateSegments([
          AVCompositionTrackSegment(
            url: asset.url, trackID: 1, sourceTimeRange: EditingStage.range(-1, 2),
            targetTimeRange: EditingStage.range(0, 2))
        ])
      }
      #expect(early?.code == .invalidCompositionTrackSegmentSourceStartTime)
    }
  }

  @Test("A track has the facts of its sources and what was set; copies stay as they are")
  func facts() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, hasAudio: true)
      let source = asset.tracks[0]
      let composition = AVMutableComposition()
      let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 7))
      #expect(track.trackID == 7 && composition.track(withTrackID: 7) === track)
      try track.insertTimeRange(source.timeRange, of: source, at: .zero)
      #expect(track.naturalSize == source.naturalSize && track.nominalFrameRate == source.nominalFrameRate)
      #expect(track.minFrameDuration == source.minFrameDuration && track.isDecodable && track.isPlayable)
      #expect(track.naturalTimeScale == source.naturalTimeScale && !track.isSelfContained)
      #expect(track.formatDescriptions.count == 1)
      #expect(
        composition.isPlayable && composition.isReadable && composition.providesPreciseDurationAndTiming)
      #expect(track.totalSampleDataLength > 0 && track.estimatedDataRate > 0)
      let turn = CGAffineTransform(rotationAngle: .pi / 2)
      track.preferredTransform = turn
      track.preferredVolume = 0.5
      track.languageCode = "kor"
      track.extendedLanguageTag = "ko"
      track.naturalTimeScale = 90_000
      track.isEnabled = false
      #expect(track.preferredTransform == turn && track.preferredVolume == 0.5 && track.languageCode == "kor")
      #expect(track.extendedLanguageTag == "ko" && track.naturalTimeScale == 90_000 && !track.isEnabled)
      #expect(composition.mutableTrack(compatibleWith: source) === track)
      #expect(composition.mutableTrack(compatibleWith: asset.tracks[1]) == nil)
      let copy = try #require(composition.copy() as? AVComposition)
      let other = try #require(composition.mutableCopy() as? AVMutableComposition)
      composition.removeTimeRange(EditingStage.range(0, 20))
      composition.naturalSize = CGSize(width: 10, height: 10)
      #expect(copy.duration == source.timeRange.duration && other.duration == copy.duration)
      #expect(copy.naturalSize == CGSize(width: 64, height: 48))
      #expect(composition.naturalSize == CGSize(width: 10, height: 10))
      #expect(!(copy is AVMutableComposition) && copy.tracks.count == 1)
      // A composition's track can be inserted, too; and segments can be taken over as they are.
      let nested = AVMutableComposition()
      let nestedTrack = try self.track(nested)
      try nestedTrack.insertTimeRange(EditingStage.range(2, 3), of: track, at: .zero)
      #expect(try EditingStage.pictures(nested).map(\.number) == [22 % 16, 23 % 16, 24 % 16])
      let again = try self.track(AVMutableComposition())
      again.segments = nestedTrack.segments
      #expect(again.timeRange.duration == EditingStage.frames(3) && again.mediaType == .video)
      let async = try await composition.load(.duration)
      #expect(async == composition.duration)
    }
  }
}
