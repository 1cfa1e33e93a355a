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
import Waiting

/// Tests of the files that are left when writing does not end as it should.
extension AssetWriterTests {
  @Test func `with short fragments and no delay in the encoder a crash leaves all but the last frames`()
    throws
  {
    try withMovieFolder { folder in
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
      // Frames are coded and written on threads of the writer's; there is no file before the first fragment.
      let changes = try FileChanges(in: folder)
      #expect(changes.wait { (Self.copiedTimes(of: url).last ?? 0) >= 8.0 / 30 })
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
      let changes = try FileChanges(in: folder)
      for number in 0..<3 {
        #expect(
          adaptor.append(
            try TestMovie.picture(number), withPresentationTime: CMTime(value: Int64(number), timescale: 1)))
        #expect(changes.wait { Self.copiedTimes(of: url).count == number + 1 })
      }
      writer.cancelWriting()
    }
  }

  /// The times of the pictures that a copy of the file shows; in a folder of its own, as the file's is watched.
  private static func copiedTimes(of url: URL) -> [Double] {
    let folder = url.deletingLastPathComponent().appendingPathComponent("copies-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let copy = folder.appendingPathComponent("copy.mov")
    try? FileManager.default.copyItem(at: url, to: copy)
    return (try? Program.frameTimes(copy.path)) ?? []
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
            writer.settle()
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
