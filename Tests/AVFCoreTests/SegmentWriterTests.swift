import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import MovieTools
import Testing
import UniformTypeIdentifiers

@Suite("Segments of AVAssetWriter")
struct SegmentWriterTests {
  private struct Segment: Sendable {
    var data: Data
    var type: AVAssetSegmentType
    var report: AVAssetSegmentReport?
  }

  private class Log: AVAssetWriterDelegate, @unchecked Sendable {  // Safe because what changes is locked.
    let segments = Locked<[Segment]>([])

    func assetWriter(
      _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType,
      segmentReport: AVAssetSegmentReport?
    ) {
      segments.withLock {
        $0.append(Segment(data: segmentData, type: segmentType, report: segmentReport))
      }
    }
  }

  /// A delegate that wants no reports.
  private final class PlainLog: AVAssetWriterDelegate {
    let types = Locked<[AVAssetSegmentType]>([])

    func assetWriter(
      _ writer: AVAssetWriter, didOutputSegmentData segmentData: Data, segmentType: AVAssetSegmentType
    ) {
      types.withLock { $0.append(segmentType) }
    }
  }

  private func video(_ settings: [String: Any] = [:]) -> AVAssetWriterInput {
    AVAssetWriterInput(
      mediaType: .video, outputSettings: AssetWriterTests.videoSettings.merging(settings) { $1 })
  }

  private func writer(
    _ log: any AVAssetWriterDelegate, _ inputs: [AVAssetWriterInput], every interval: CMTime,
    from start: CMTime = .zero
  ) throws -> AVAssetWriter {
    let writer = AVAssetWriter(contentType: UTType.mpeg4Movie)
    writer.delegate = log
    writer.outputFileTypeProfile = .mpeg4AppleHLS
    writer.preferredOutputSegmentInterval = interval
    if interval.isNumeric { writer.initialSegmentStartTime = start }
    for input in inputs { writer.add(input) }
    try #require(writer.startWriting(), "\(String(describing: writer.error))")
    writer.startSession(atSourceTime: start)
    return writer
  }

  /// The packets of joined segments, as FFmpeg reads them: of a kind, when each is shown, and whether it is a key frame.
  private func packets(_ segments: [Segment], _ kind: String, _ folder: String) throws -> [(
    time: Double, isKey: Bool
  )] {
    let path = "\(folder)/\(UUID().uuidString).mp4"
    try segments.reduce(into: Data()) { $0.append($1.data) }.write(to: URL(fileURLWithPath: path))
    let out = try Program.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", kind, "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0",
        path,
      ])
    return out.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ",")
      guard parts.count > 1, let time = Double(parts[0]) else { return nil }
      return (time, parts[1].hasPrefix("K"))
    }.sorted { $0.time < $1.time }
  }

  @Test("Segments begin with a key frame each second, with reports that are true, and FFmpeg reads all of it")
  func interval() async throws {
    try await withMovieFolder { folder in
      let (log, input) = (Log(), video())
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
      let sound = AVAssetWriterInput(mediaType: .audio, outputSettings: AssetWriterTests.audioSettings)
      let start = CMTime(value: 10, timescale: 1)
      let writer = try writer(log, [input, sound], every: CMTime(value: 1, timescale: 1), from: start)
      #expect(writer.preferredOutputSegmentInterval.seconds == 1 && writer.initialSegmentStartTime == start)
      #expect(writer.outputFileTypeProfile == .mpeg4AppleHLS && writer.delegate === log)
      for number in 0..<100 {
        try EditingStage.waitUntilReady([input, sound])
        let time = start + CMTime(value: Int64(number), timescale: 30)
        #expect(adaptor.append(try TestMovie.picture(number), withPresentationTime: time))
        #expect(sound.append(try TestMovie.tone(from: 480_000 + number * 1600, count: 1600)))
      }
      await writer.finishWriting()
      #expect(writer.status == .completed, "\(String(describing: writer.error))")
      let segments = log.segments.withLock { $0 }
      #expect(
        segments.map(\.type) == [.initialization] + [AVAssetSegmentType](repeating: .separable, count: 4))
      let header = try #require(segments.first?.report)
      #expect(
        header.segmentType == .initialization && header.trackReports.map(\.mediaType) == [.video, .audio])
      #expect(
        header.trackReports.allSatisfy { !$0.duration.isValid && $0.firstVideoSampleInformation == nil })
      for (index, segment) in segments.dropFirst().enumerated() {
        let report = try #require(segment.report)
        let pictures = try #require(report.trackReports.first { $0.mediaType == .video })
        #expect(pictures.trackID == 1)
        #expect(pictures.earliestPresentationTimeStamp.seconds == Double(10 + index))
        #expect(abs(pictures.duration.seconds - (index < 3 ? 1 : 1.0 / 3)) < 0.001)
        let first = try #require(pictures.firstVideoSampleInformation)
        #expect(first.isSyncSample && first.presentationTimeStamp.seconds == Double(10 + index))
        // A unit of H.264 begins with its length.
        let unit = segment.data[first.offset..<first.offset + 4].reduce(0) { $0 << 8 | Int($1) }
        #expect(unit > 0 && unit + 4 <= first.length)
        let heard = try #require(report.trackReports.first { $0.mediaType == .audio })
        #expect(abs(heard.earliestPresentationTimeStamp.seconds - Double(10 + index)) < 0.05)
        #expect(heard.firstVideoSampleInformation == nil)
        // Each can be played with nothing but the header before it.
        let alone = try packets([segments[0], segment], "v", folder)
        #expect(alone.count == (index < 3 ? 30 : 10) && alone[0].isKey && alone[0].time == Double(10 + index))
      }
      let all = try packets(segments, "v", folder)
      #expect(all.count == 100)
      #expect(zip(all, 0...).allSatisfy { abs($0.time - 10 - Double($1) / 30) < 0.001 })
      #expect(try packets(segments, "a", folder).count >= 156)
    }
  }

  @Test("Without an interval a segment ends when the client says so, at the next picture")
  func flush() async throws {
    try await withMovieFolder { folder in
      let (log, input) = (PlainLog(), video())
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
      let writer = try writer(log, [input], every: .indefinite)
      try AssetWriterTests.push(10, to: adaptor)
      writer.flushSegment()
      try AssetWriterTests.push(10, to: adaptor, from: CMTime(value: 10, timescale: 30))
      writer.flushSegment()
      try AssetWriterTests.push(5, to: adaptor, from: CMTime(value: 20, timescale: 30))
      await writer.finishWriting()
      #expect(writer.status == .completed)
      #expect(log.types.withLock { $0 } == [.initialization, .separable, .separable, .separable])
    }
  }

  @Test("Sound alone, and pictures that are coded already, are cut where they can be")
  func others() async throws {
    try await withMovieFolder { folder in
      let log = Log()
      let sound = AVAssetWriterInput(mediaType: .audio, outputSettings: AssetWriterTests.audioSettings)
      let writer = try writer(log, [sound], every: CMTime(value: 1, timescale: 2))
      for number in 0..<60 {
        try EditingStage.waitUntilReady([sound])
        #expect(sound.append(try TestMovie.tone(from: number * 1600, count: 1600)))
      }
      await writer.finishWriting()
      let segments = log.segments.withLock { $0 }
      #expect((4...5).contains(segments.dropFirst().count))
      let begins = segments.dropFirst().compactMap {
        $0.report?.trackReports.first?.earliestPresentationTimeStamp.seconds
      }
      for (index, begin) in begins.prefix(4).enumerated() { #expect(abs(begin - Double(index) / 2) < 0.05) }
      #expect(try packets(segments, "a", folder).count >= 93)

      // Key frames once a second, whatever is asked for.
      let movie = URL(fileURLWithPath: "\(folder)/coded.mp4")
      try Program.make(
        movie.path,
        [
          "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=3", "-c:v", "libx264", "-g", "25", "-bf",
          "2", "-sc_threshold", "0",
        ])
      let asset = AVURLAsset(url: movie)
      let track = try #require(asset.tracks(withMediaType: .video).first)
      let reader = try AVAssetReader(asset: asset)
      let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
      reader.add(output)
      #expect(reader.startReading())
      let input = AVAssetWriterInput(
        mediaType: .video, outputSettings: nil,
        sourceFormatHint: track.formatDescriptions.first as? CMFormatDescription)
      let copies = Log()
      let copier = try self.writer(copies, [input], every: CMTime(value: 1, timescale: 2))
      while let sample = output.copyNextSampleBuffer() {
        try EditingStage.waitUntilReady([input])
        #expect(input.append(sample))
      }
      await copier.finishWriting()
      let copied = copies.segments.withLock { $0 }
      #expect(copied.count == 4)
      #expect(try packets(copied, "v", folder).map(\.time) == (0..<75).map { Double($0 * 40) / 1000 })
    }
  }

  @Test("What segments need and lack is a failure with a sentence, and values that mean nothing are mistakes")
  func refusals() async throws {
    let log = Log()
    let unready = AVAssetWriter(contentType: UTType.mpeg4Movie)
    unready.add(video())
    unready.delegate = log
    #expect(!unready.startWriting() && unready.status == .failed && unready.error is AVError)
    let movie = AVAssetWriter(contentType: UTType.quickTimeMovie)
    movie.add(video())
    #expect(!movie.startWriting())
    #expect((movie.error as? AVError)?.code == .fileFormatNotRecognized)
    let common = AVAssetWriter(contentType: UTType.mpeg4Movie)
    common.delegate = log
    common.outputFileTypeProfile = .mpeg4CMAFCompliant
    common.preferredOutputSegmentInterval = .indefinite
    common.add(video())
    common.add(AVAssetWriterInput(mediaType: .audio, outputSettings: AssetWriterTests.audioSettings))
    #expect(!common.startWriting())
    let mistakes = ProgrammingMistake.collect {
      let writer = AVAssetWriter(contentType: UTType.mpeg4Movie)
      writer.preferredOutputSegmentInterval = .zero
      writer.initialSegmentStartTime = .indefinite
      writer.flushSegment()
    }
    #expect(mistakes.count == 3)
  }
}
