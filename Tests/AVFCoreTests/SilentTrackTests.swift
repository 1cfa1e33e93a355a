import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import MovieTools
import Testing
import UniformTypeIdentifiers

@Suite("Segments of AVAssetWriter while a track is silent")
struct SilentTrackTests {
  /// The reports of segments as they come.
  private final class Log: AVAssetWriterDelegate {
    let reports: AsyncStream<AVAssetSegmentReport>
    private let added: AsyncStream<AVAssetSegmentReport>.Continuation

    init() { (reports, added) = AsyncStream.makeStream() }

    func assetWriter(
      _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType,
      segmentReport: AVAssetSegmentReport?
    ) {
      if let segmentReport { added.yield(segmentReport) }
    }

    /// The next ones; waits for them.
    func next(_ count: Int) async -> [AVAssetSegmentReport] {
      var found: [AVAssetSegmentReport] = []
      for await report in reports {
        found.append(report)
        if found.count == count { break }
      }
      return found
    }

    /// All that have come, once the writer has ended.
    func rest() async -> [AVAssetSegmentReport] {
      added.finish()
      return await reports.reduce(into: []) { $0.append($1) }
    }
  }

  private struct Stage {
    let log = Log()
    let writer = AVAssetWriter(contentType: UTType.mpeg4Movie)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: AssetWriterTests.videoSettings)
    let sound = AVAssetWriterInput(mediaType: .audio, outputSettings: AssetWriterTests.audioSettings)
    let pictures: AVAssetWriterInputPixelBufferAdaptor

    init(with inputs: [AVAssetWriterInput]?, from start: Int64 = 0) throws {
      pictures = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
      writer.delegate = log
      writer.outputFileTypeProfile = .mpeg4AppleHLS
      writer.preferredOutputSegmentInterval = CMTime(value: 1, timescale: 1)
      writer.initialSegmentStartTime = CMTime(value: start, timescale: 1)
      for input in [input] + (inputs ?? [sound]) {
        input.expectsMediaDataInRealTime = true
        writer.add(input)
      }
      try #require(writer.startWriting(), "\(String(describing: writer.error))")
      writer.startSession(atSourceTime: CMTime(value: start, timescale: 1))
    }

    /// Pictures, and sound where it is asked for, of seconds of the samples' time.
    func push(_ time: Range<Double>, withSound: Bool = false) throws {
      for number in Int(time.lowerBound * 30)..<Int(time.upperBound * 30) {
        try EditingStage.waitUntilReady(withSound ? [input, sound] : [input])
        let time = CMTime(value: Int64(number), timescale: 30)
        #expect(pictures.append(try TestMovie.picture(number % 30), withPresentationTime: time))
        if withSound { #expect(sound.append(try TestMovie.tone(from: number * 1600, count: 1600))) }
      }
    }
  }

  @Test("Sound that ends without a word holds no segment back", .timeLimit(.minutes(2)))
  func lost() async throws {
    let stage = try Stage(with: nil)
    try stage.push(0..<1.5, withSound: true)
    try stage.push(1.5..<7)
    let found = await stage.log.next(4)
    #expect(found.map { $0.trackReports.count } == [2, 2, 2, 1])
    // What comes late is in a later one.
    for number in 60..<90 {
      try EditingStage.waitUntilReady([stage.sound])
      #expect(stage.sound.append(try TestMovie.tone(from: number * 1600, count: 1600)))
    }
    await stage.writer.finishWriting()
    #expect(stage.writer.status == .completed)
    #expect(await stage.log.rest().contains { $0.trackReports.count == 2 })
  }

  @Test("Sound that never comes has no track, and the pictures come", .timeLimit(.minutes(2)))
  func absent() async throws {
    let stage = try Stage(with: nil)
    try stage.push(0..<12)
    let found = await stage.log.next(3)
    #expect(found.map { $0.trackReports.map(\.mediaType) } == [[.video], [.video], [.video]])
    #expect(stage.sound.append(try TestMovie.tone(from: 576_000, count: 1600)))
    await stage.writer.finishWriting()
    #expect(stage.writer.status == .completed)
  }

  @Test("Metadata holds no segment back, and lasts for its own", .timeLimit(.minutes(2)))
  func metadata() async throws {
    let item = AVMutableMetadataItem()
    item.identifier = AVMetadataIdentifier(rawValue: "mdta/org.example.pulse")
    item.dataType = kCMMetadataBaseDataType_SInt16
    item.value = NSNumber(value: 70)
    let group = AVTimedMetadataGroup(items: [item], timeRange: CMTimeRange(start: .zero, duration: .invalid))
    let news = AVAssetWriterInputMetadataAdaptor(
      assetWriterInput: AVAssetWriterInput(
        mediaType: .metadata, outputSettings: nil, sourceFormatHint: group.copyFormatDescription()))
    let stage = try Stage(with: [news.assetWriterInput])
    #expect(news.append(group))
    // A second and what an encoder holds.
    try stage.push(0..<2.5)
    let found = await stage.log.next(2)
    #expect(found.allSatisfy { $0.trackReports.map(\.mediaType) == [.video, .metadata] })
    #expect(found[1].trackReports[1].duration.seconds == 1)
    await stage.writer.finishWriting()
    #expect(stage.writer.status == .completed)
  }

  @Test("What lies outside of the session is in no segment")
  func session() async throws {
    let stage = try Stage(with: nil, from: 10)
    try stage.push(9..<11.6, withSound: true)
    stage.writer.endSession(atSourceTime: CMTime(value: 11, timescale: 1))
    await stage.writer.finishWriting()
    #expect(stage.writer.status == .completed)
    let media = await stage.log.rest().dropFirst().flatMap(\.trackReports)
    for track in media {
      let (begin, end) = (track.earliestPresentationTimeStamp.seconds, track.duration.seconds)
      // A packet of AAC lasts 21 ms, and an encoder begins with one before the sound.
      #expect(begin > 9.95 && begin + end < 11.05, "\(track.mediaType) \(begin) \(end)")
      if track.mediaType == .video { #expect(begin == 10 && abs(end - 1) < 0.001) }
    }
    #expect(Set(media.map(\.mediaType)) == [.video, .audio])
  }
}
