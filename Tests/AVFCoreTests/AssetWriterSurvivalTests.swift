import AVFAudio
import AVFCore
import CoreMedia
import CoreVideo
import Dispatch
import Foundation
import FoundationExtras
import Glibc
import GraphicsCore
import MovieTools
import Testing

/// Tests of the files that are left when writing does not end as it should.
extension AssetWriterTests {
  @Test func `with short fragments and no delay in the encoder a crash leaves all but the last frames`()
    async throws
  {
    try await withMovieFolder { folder in
      let url = Self.url(folder, "a.mov")
      let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
      writer.movieFragmentInterval = CMTime(value: 1, timescale: 30)
      // As VideoToolbox names it.
      let compression: [String: Any] = ["MaxFrameDelayCount": 0]
      let settings = Self.videoSettings.merging([AVVideoCompressionPropertiesKey: compression]) { $1 }
      let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
      writer.add(input)
      #expect(writer.startWriting())
      writer.startSession(atSourceTime: .zero)
      try Self.push(12, to: adaptor)
      // Frames are coded on a queue of the writer's.
      var seconds = 0.0
      // There is no file before the first fragment.
      var problem: (any Error)?
      for _ in 0..<500 where seconds < 9.0 / 30 {
        try await Task.sleep(for: .milliseconds(20))
        let left = Self.url(folder, "left-\(UUID().uuidString).mov")
        do {
          try FileManager.default.copyItem(at: url, to: left)
          seconds = try await AVURLAsset(url: left).load(.duration).seconds
          problem = nil
        } catch {
          problem = error
        }
      }
      #expect(seconds >= 9.0 / 30 && problem == nil, "\(seconds) s; \(String(describing: problem))")
      writer.cancelWriting()
    }
  }

  @Test(
    "A picture is in the file soon also when no other follows it", arguments: [AVVideoCodecType.h264, .hevc])
  func sparse(codec: AVVideoCodecType) throws {
    try withMovieFolder { folder in
      let url = Self.url(folder, "sparse.mov")
      let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
      let settings = Self.videoSettings.merging([
        AVVideoCodecKey: codec, AVVideoCompressionPropertiesKey: [AVVideoAllowFrameReorderingKey: false],
      ]) { $1 }
      let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
      input.expectsMediaDataInRealTime = true
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
      writer.add(input)
      #expect(writer.startWriting())
      writer.startSession(atSourceTime: .zero)
      for number in 0..<3 {
        #expect(
          adaptor.append(
            try TestMovie.picture(number), withPresentationTime: CMTime(value: Int64(number), timescale: 1)))
        #expect(Self.eventuallyHolds(number + 1, url))
      }
      writer.cancelWriting()
    }
  }

  /// Whether a copy of the file comes to show so many pictures within half a minute.
  private static func eventuallyHolds(_ count: Int, _ url: URL) -> Bool {
    for _ in 0..<300 {
      let copy = url.deletingLastPathComponent().appendingPathComponent("copy.mov")
      try? FileManager.default.removeItem(at: copy)
      try? FileManager.default.copyItem(at: url, to: copy)
      if let times = try? Program.frameTimes(copy.path), times.count == count { return true }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return false
  }

  @Test("A writer whose file is taken away fails, and says where the movie is", arguments: [true, false])
  func takenAway(atEnd: Bool) async throws {
    try await withMovieFolder { folder in
      let url = Self.url(folder, "a.mov")
      let (writer, input, adaptor) = try Self.startedVideoWriter(url)
      try Self.push(40, to: adaptor)
      try FileManager.default.moveItem(at: url, to: Self.url(folder, "b.mov"))
      try Data("mine".utf8).write(to: url)
      if !atEnd {
        var number = 40
        while writer.status == .writing, number < 400 {
          guard input.isReadyForMoreMediaData else {
            usleep(500)
            continue
          }
          adaptor.append(
            try TestMovie.picture(number), withPresentationTime: CMTime(value: Int64(number), timescale: 30))
          number += 1
        }
        #expect(writer.status == .failed)
      }
      await writer.finishWriting()
      #expect(writer.status == .failed)
      #expect(writer.error?.localizedDescription.contains("\(folder)/b.mov") == true)
      #expect(try Program.frameTimes("\(folder)/b.mov").count >= 20)
      #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }
  }
}
