import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("Timed metadata")
struct TimedMetadataTests {
  private func item(
    _ identifier: String, _ type: String, _ value: any NSCopying & NSObjectProtocol, language: String? = nil
  ) -> AVMetadataItem {
    let item = AVMutableMetadataItem()
    item.identifier = AVMetadataIdentifier(rawValue: identifier)
    item.dataType = type
    item.value = value
    item.extendedLanguageTag = language
    return item
  }

  private func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 600) }

  private func group(_ items: [AVMetadataItem], _ start: Double, _ duration: Double?) -> AVTimedMetadataGroup
  {
    AVTimedMetadataGroup(
      items: items,
      timeRange: CMTimeRange(start: seconds(start), duration: duration.map(seconds) ?? .invalid))
  }

  /// Writes a second of video with groups beside it.
  private func write(
    _ groups: [AVTimedMetadataGroup], to url: URL, _ type: AVFileType = .mov, hint: CMFormatDescription?
  ) async throws {
    let writer = try AVAssetWriter(outputURL: url, fileType: type)
    let video = AVAssetWriterInput(mediaType: .video, outputSettings: AssetWriterTests.videoSettings)
    let pictures = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
    let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    #expect(adaptor.assetWriterInput === input)
    writer.add(video)
    try #require(writer.canAdd(input))
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    for group in groups {
      try EditingStage.waitUntilReady([input])
      #expect(adaptor.append(group))
    }
    input.markAsFinished()
    try AssetWriterTests.push(90, to: pictures)
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
  }

  private func read(_ url: URL) throws -> [AVTimedMetadataGroup] {
    let asset = AVURLAsset(url: url)
    let track = try #require(asset.tracks(withMediaType: .metadata).first)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    let adaptor = AVAssetReaderOutputMetadataAdaptor(assetReaderTrackOutput: output)
    #expect(adaptor.assetReaderTrackOutput === output)
    reader.add(output)
    try #require(reader.startReading())
    var groups: [AVTimedMetadataGroup] = []
    while let group = adaptor.nextTimedMetadataGroup() { groups.append(group) }
    #expect(reader.status == .completed)
    return groups
  }

  @Test("Groups are read back with their times, values and languages, and silence is a group without items")
  func roundTrip() async throws {
    try await withMovieFolder { folder in
      let place = "mdta/com.apple.quicktime.location.ISO6709"
      let first = [
        item(place, kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709, NSString(string: "+48.1+11.5/")),
        item("mdta/org.example.heart-rate", kCMMetadataBaseDataType_SInt16, NSNumber(value: -71)),
        item(
          "mdta/org.example.title", kCMMetadataBaseDataType_UTF8, NSString(string: "Vögel"), language: "de"),
      ]
      let second = [
        item("mdta/org.example.heart-rate", kCMMetadataBaseDataType_SInt16, NSNumber(value: 30_000))
      ]
      let groups = [group(first, 0, 0.5), group(second, 1, nil), group([], 2, nil)]
      let url = URL(fileURLWithPath: "\(folder)/timed.mov")
      try await write(groups, to: url, hint: groups[0].copyFormatDescription())
      let back = try read(url)
      #expect(back.map(\.timeRange.start) == [seconds(0), seconds(0.5), seconds(1), seconds(2)])
      #expect(back.prefix(3).map(\.timeRange.duration.seconds) == [0.5, 0.5, 1])
      #expect(back.map(\.items.count) == [3, 0, 1, 0])
      #expect(back[0].items.map(\.identifier) == first.map(\.identifier))
      #expect(back[0].items.map(\.dataType) == first.map(\.dataType))
      #expect(back[0].items.map(\.stringValue) == ["+48.1+11.5/", "-71", "Vögel"])
      #expect(back[0].items[2].extendedLanguageTag == "de")
      #expect(back[2].items[0].numberValue == 30_000 && back[2].items[0].time == seconds(1))
      // Others see a track of data beside the pictures.
      let streams = try Program.probe(url.path).streams
      #expect(streams.map { $0["codec_type"] as? String } == ["video", "data"])
      #expect(streams[1]["codec_tag_string"] as? String == "mebx")
    }
  }

  @Test("Each type of value is read back as it was, and one that is not of its type is refused")
  func values() async throws {
    try await withMovieFolder { folder in
      let values: [(String, any NSCopying & NSObjectProtocol)] = [
        (kCMMetadataBaseDataType_SInt8, NSNumber(value: -128)),
        (kCMMetadataBaseDataType_UInt8, NSNumber(value: 255)),
        (kCMMetadataBaseDataType_UInt16, NSNumber(value: 65_535)),
        (kCMMetadataBaseDataType_SInt32, NSNumber(value: -2_000_000_000)),
        (kCMMetadataBaseDataType_UInt32, NSNumber(value: 4_000_000_000)),
        (kCMMetadataBaseDataType_SInt64, NSNumber(value: Int64.min)),
        (kCMMetadataBaseDataType_UInt64, NSNumber(value: UInt64.max)),
        (kCMMetadataBaseDataType_Float32, NSNumber(value: Float(0.25))),
        (kCMMetadataBaseDataType_Float64, NSNumber(value: 0.1)),
        (kCMMetadataBaseDataType_UTF16, NSString(string: "日本 🐦")),
        (kCMMetadataBaseDataType_RawData, NSData(data: Data([0, 1, 255]))),
        (kCMMetadataBaseDataType_JSON, NSString(string: "{}")),
        ("org.example.type", NSData(data: Data([7]))),
      ]
      let items = values.enumerated().map { item("mdta/org.example.\($0)", $1.0, $1.1) }
      let url = URL(fileURLWithPath: "\(folder)/values.mp4")
      let only = group(items, 0, 1)
      try await write([only], to: url, .mp4, hint: only.copyFormatDescription())
      let back = try #require(try read(url).first)
      #expect(back.items.map(\.dataType) == values.map(\.0))
      for (item, value) in zip(back.items, values) {
        #expect(item.value?.isEqual(value.1) == true, "\(value)")
      }
      let bad = [
        item("mdta/a", kCMMetadataBaseDataType_SInt8, NSNumber(value: 200)),
        item("mdta/b", kCMMetadataBaseDataType_UTF8, NSNumber(value: 2)),
      ]
      for one in bad {
        let mistakes = try await mistakes(of: [one], hint: nil, at: "\(folder)/\(UUID().uuidString).mov")
        #expect(mistakes.count == 1)
      }
      let foreign = item("mdta/other", kCMMetadataBaseDataType_UTF8, NSString(string: "x"))
      #expect(
        try await mistakes(of: [foreign], hint: only.copyFormatDescription(), at: "\(folder)/f.mov").count
          == 1)
    }
  }

  private func mistakes(
    of items: [AVMetadataItem], hint: CMFormatDescription?, at path: String
  ) async throws -> [ProgrammingMistake] {
    let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: path), fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .metadata, outputSettings: nil, sourceFormatHint: hint)
    let adaptor = AVAssetWriterInputMetadataAdaptor(assetWriterInput: input)
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    defer { writer.cancelWriting() }
    return ProgrammingMistake.collect { #expect(!adaptor.append(group(items, 0, nil))) }
  }

  @Test("A group can be changed, and describes itself only when each item says what it is")
  func groups() throws {
    let named = item("mdta/a", kCMMetadataBaseDataType_UTF8, NSString(string: "x"))
    let changing = AVMutableTimedMetadataGroup(
      items: [], timeRange: CMTimeRange(start: .zero, duration: seconds(1)))
    #expect(changing.copyFormatDescription() == nil)
    changing.items = [named, named]
    changing.timeRange = CMTimeRange(start: seconds(2), duration: seconds(3))
    #expect((changing as AVMetadataGroup).items.count == 2 && changing.timeRange.end == seconds(5))
    #expect(changing.copyFormatDescription()?.identifiers == ["mdta/a"])
    changing.items = [AVMutableMetadataItem()]
    #expect(changing.copyFormatDescription() == nil)
    #expect(try AVTimedMetadataGroup(sampleBuffer: TestMovie.tone(from: 0, count: 10)) == nil)
  }

  @Test("Adaptors of other media are mistakes")
  func otherMedia() async throws {
    try await withMovieFolder { folder in
      let url = URL(fileURLWithPath: "\(folder)/plain.mov")
      try await AssetWriterTests.movie(url, frames: 5)
      let track = try #require(AVURLAsset(url: url).tracks(withMediaType: .video).first)
      let mistakes = ProgrammingMistake.collect {
        _ = AVAssetWriterInputMetadataAdaptor(
          assetWriterInput: AVAssetWriterInput(mediaType: .audio, outputSettings: nil))
        _ = AVAssetReaderOutputMetadataAdaptor(
          assetReaderTrackOutput: AVAssetReaderTrackOutput(track: track, outputSettings: nil))
      }
      #expect(mistakes.count == 2)
    }
  }
}
