import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import MovieTools
import Testing

@Suite("Time codes")
struct TimeCodeTests {
  private func format(_ flags: UInt32 = kCMTimeCodeFlag_DropFrame | kCMTimeCodeFlag_24HourMax) throws
    -> CMFormatDescription
  {
    var made: CMTimeCodeFormatDescription?
    #expect(
      CMTimeCodeFormatDescriptionCreate(
        allocator: kCFAllocatorDefault, timeCodeFormatType: kCMTimeCodeFormatType_TimeCode32,
        frameDuration: CMTime(value: 1001, timescale: 30_000), frameQuanta: 30, flags: flags, extensions: nil,
        formatDescriptionOut: &made) == noErr)
    return try #require(made)
  }

  /// A number of a frame, as a sample that lasts three seconds.
  private func sample(_ number: Int32, _ format: CMFormatDescription) -> CMSampleBuffer {
    let data = withUnsafeBytes(of: number.bigEndian) { CMBlockBuffer(copying: $0) }
    return CMSampleBuffer(
      data: data, formatDescription: format, sampleCount: 1, sampleSize: 4,
      timing: CMSampleTimingInfo(
        duration: CMTime(value: 3, timescale: 1), presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
  }

  /// Writes three seconds of video with a time code beside it.
  private func write(_ number: Int32, to url: URL) async throws {
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let video = AVAssetWriterInput(mediaType: .video, outputSettings: AssetWriterTests.videoSettings)
    let pictures = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
    let codes = AVAssetWriterInput(mediaType: .timecode, outputSettings: nil)
    let type = AVAssetTrack.AssociationType.timecode.rawValue
    #expect(writer.availableMediaTypes.contains(.timecode))
    writer.add(video)
    writer.add(codes)
    #expect(video.canAddTrackAssociation(withTrackOf: codes, type: type))
    #expect(!codes.canAddTrackAssociation(withTrackOf: video, type: type))
    video.addTrackAssociation(withTrackOf: codes, type: type)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    #expect(codes.append(sample(number, try format())))
    codes.markAsFinished()
    try AssetWriterTests.push(90, to: pictures)
    video.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
  }

  @Test("A time code that was written is the movie's for other programs, and comes back")
  func roundTrip() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("codes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("coded.mov")
    // One hour at 29.97 frames a second, without the numbers that are dropped.
    try await write(107_892, to: url)
    let probe = try Program.probe(url.path)
    #expect((probe.stream("video")["tags"] as? [String: String])?["timecode"] == "01:00:00;00")
    #expect(probe.streams.contains { $0["codec_tag_string"] as? String == "tmcd" })

    let asset = AVURLAsset(url: url)
    let track = try #require(try await asset.loadTracks(withMediaType: .timecode).first)
    let video = try #require(try await asset.loadTracks(withMediaType: .video).first)
    #expect(video.availableTrackAssociationTypes == [.timecode])
    #expect(video.associatedTracks(ofType: .timecode).map(\.trackID) == [track.trackID])
    #expect(track.associatedTracks(ofType: .timecode).isEmpty)
    let found = try #require(try await track.load(.formatDescriptions).first)
    #expect(CMTimeCodeFormatDescriptionGetFrameDuration(found) == CMTime(value: 1001, timescale: 30_000))
    #expect(CMTimeCodeFormatDescriptionGetFrameQuanta(found) == 30)
    #expect(
      CMTimeCodeFormatDescriptionGetTimeCodeFlags(found)
        == kCMTimeCodeFlag_DropFrame | kCMTimeCodeFlag_24HourMax)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    let sample = try #require(output.copyNextSampleBuffer())
    #expect([UInt8](try #require(sample.dataBuffer).dataBytes()) == [0, 1, 0xA5, 0x74])
    #expect(sample.presentationTimeStamp == .zero && abs(sample.duration.seconds - 3) < 0.01)
    #expect(output.copyNextSampleBuffer() == nil && reader.status == .completed)
  }

  @Test("FFmpeg's time codes are read")
  func theirs() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("codes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = "\(folder.path)/theirs.mov"
    try Program.make(
      path,
      [
        "-f", "lavfi", "-i", "color=black:size=64x48:rate=25:duration=1", "-c:v", "libx264", "-timecode",
        "10:00:00:05",
      ])
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    let track = try #require(try await asset.loadTracks(withMediaType: .timecode).first)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    let sample = try #require(output.copyNextSampleBuffer())
    let bytes = [UInt8](try #require(sample.dataBuffer).dataBytes())
    // Ten hours and five frames: 900 005.
    #expect(bytes == [0, 0x0D, 0xBB, 0xA5])
    let format = try #require(try await track.load(.formatDescriptions).first)
    #expect(CMTimeCodeFormatDescriptionGetFrameQuanta(format) == 25)
  }

  @Test("A track of which no sample comes has a timescale, as those that have some")
  func empty() async throws {
    try await withMovieFolder { folder in
      let url = URL(fileURLWithPath: "\(folder)/empty.mov")
      let (writer, input, adaptor) = try AssetWriterTests.videoWriter(url)
      writer.add(input)
      writer.add(
        AVAssetWriterInput(mediaType: .timecode, outputSettings: nil, sourceFormatHint: try format()))
      #expect(writer.startWriting())
      writer.startSession(atSourceTime: .zero)
      try AssetWriterTests.push(3, to: adaptor)
      input.markAsFinished()
      await writer.finishWriting()
      #expect(writer.status == .completed)
      let bytes = [UInt8](try Data(contentsOf: url))
      let name = Array("mdhd".utf8)
      let places = bytes.indices.dropLast(24).filter { Array(bytes[$0..<$0 + 4]) == name }
      let timescales = places.map { place in
        let at = place + (bytes[place + 4] == 1 ? 24 : 16)
        return bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      }
      // The fragments' header is in the media, too.
      #expect(timescales.count >= 2 && timescales.allSatisfy { $0 > 0 }, "\(timescales)")
    }
  }

  @Test("MPEG-4 holds no time codes, and time codes have none of their own")
  func refused() throws {
    try withMovieFolder { folder in
      let writer = try AVAssetWriter(
        outputURL: URL(fileURLWithPath: "\(folder)/codes.mp4"), fileType: .mp4)
      let codes = AVAssetWriterInput(
        mediaType: .timecode, outputSettings: nil, sourceFormatHint: try format())
      #expect(!writer.canAdd(codes))
      let more = AVAssetWriterInput(mediaType: .timecode, outputSettings: nil)
      #expect(
        !codes.canAddTrackAssociation(
          withTrackOf: more, type: AVAssetTrack.AssociationType.timecode.rawValue))
    }
  }
}
