import AVFCore
import CoreMedia
import Dispatch
import Foundation
import Linux
import MovieTools
import Testing

@Suite("AVAssetWriterInput: readiness")
struct WriterReadinessTests {
  private struct Stage {
    let writer: AVAssetWriter
    let video: AVAssetWriterInput
    let audio: AVAssetWriterInput
    let pictures: AVAssetWriterInputPixelBufferAdaptor

    init(_ folder: String, areLive: (video: Bool, audio: Bool) = (false, false)) throws {
      writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: "\(folder)/two.mov"), fileType: .mov)
      video = AVAssetWriterInput(mediaType: .video, outputSettings: AssetWriterTests.videoSettings)
      audio = AVAssetWriterInput(mediaType: .audio, outputSettings: AssetWriterTests.audioSettings)
      (video.expectsMediaDataInRealTime, audio.expectsMediaDataInRealTime) = areLive
      pictures = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: video)
      writer.add(video)
      writer.add(audio)
      writer.startWriting()
      writer.startSession(atSourceTime: CMTime(value: 10, timescale: 1))
    }

    func appendPicture(_ number: Int) throws {
      #expect(
        pictures.append(
          try TestMovie.picture(number),
          withPresentationTime: CMTime(value: 300 + Int64(number), timescale: 30)))
    }

    /// A thirtieth of a second of sound.
    func appendSound(_ number: Int) throws {
      let tone = try TestMovie.tone(from: number * 1600, count: 1600)
      #expect(
        audio.append(
          try CMSampleBuffer(
            copying: tone,
            withNewTiming: [
              CMSampleTimingInfo(
                duration: CMTime(value: 1, timescale: 48_000),
                presentationTimeStamp: CMTime(value: 480_000 + Int64(number) * 1600, timescale: 48_000),
                decodeTimeStamp: .invalid)
            ])))
    }

    /// Appends until the input is not ready though the writer could hold more; returns how many.
    func fill(from first: Int, _ append: (Int) throws -> Void, _ input: AVAssetWriterInput, limit: Int) throws
      -> Int
    {
      for number in first..<first + limit {
        try waitForRoom(input)
        guard input.isReadyForMoreMediaData else { return number - first }
        try append(number)
      }
      return limit
    }

    /// Waits until the writer has written what it holds.
    func waitForRoom(_ input: AVAssetWriterInput) throws {
      if !input.hasRoom { writer.settle() }
      try #require(input.hasRoom, "The writer takes nothing more.")
    }
  }

  @Test("Pictures wait for audio that stays behind, go on with it, and are free when it is finished")
  func waits() async throws {
    try await withMovieFolder { folder in
      let stage = try Stage(folder)
      // A second ahead, and not more.
      let first = try stage.fill(from: 0, stage.appendPicture, stage.video, limit: 200)
      #expect((28...32).contains(first), "\(first)")
      #expect(stage.audio.isReadyForMoreMediaData)
      for number in 0..<15 {
        try EditingStage.waitUntilReady([stage.audio])
        try stage.appendSound(number)
      }
      let second = try stage.fill(from: first, stage.appendPicture, stage.video, limit: 200)
      #expect((13...17).contains(second), "\(second)")
      stage.audio.markAsFinished()
      let third = try stage.fill(from: first + second, stage.appendPicture, stage.video, limit: 60)
      #expect(third == 60)
      await stage.writer.finishWriting()
      #expect(stage.writer.status == .completed)
    }
  }

  @Test("Audio waits for pictures, too")
  func audioWaits() throws {
    try withMovieFolder { folder in
      let stage = try Stage(folder)
      let sounds = try stage.fill(from: 0, stage.appendSound, stage.audio, limit: 200)
      #expect((28...32).contains(sounds), "\(sounds)")
      #expect(stage.video.isReadyForMoreMediaData)
      stage.writer.cancelWriting()
    }
  }

  @Test("A client that does not ask may append all of one track before the other")
  func unasked() async throws {
    try await withMovieFolder { folder in
      let stage = try Stage(folder)
      for number in 0..<60 {
        try stage.waitForRoom(stage.video)
        try stage.appendPicture(number)
      }
      for number in 0..<60 {
        try stage.waitForRoom(stage.audio)
        try stage.appendSound(number)
      }
      await stage.writer.finishWriting()
      #expect(stage.writer.status == .completed)
      #expect(abs(AVURLAsset(url: stage.writer.outputURL).duration.seconds - 2) < 0.05)
    }
  }

  @Test(
    "Live inputs take what comes and nothing waits for them, and sparse media is not waited for",
    arguments: [(true, true), (true, false), (false, true)])
  func live(video: Bool, audio: Bool) throws {
    try withMovieFolder { folder in
      let stage = try Stage(folder, areLive: (video, audio))
      #expect(try stage.fill(from: 0, stage.appendPicture, stage.video, limit: 70) == 70)
      stage.writer.cancelWriting()
    }
    try withMovieFolder { folder in
      let url = URL(fileURLWithPath: "\(folder)/codes.mov")
      let (writer, video, adaptor) = try AssetWriterTests.videoWriter(url)
      writer.add(video)
      let codes = AVAssetWriterInput(mediaType: .timecode, outputSettings: nil)
      video.addTrackAssociation(withTrackOf: codes, type: AVAssetTrack.AssociationType.timecode.rawValue)
      writer.add(codes)
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      try AssetWriterTests.push(60, to: adaptor)
      writer.cancelWriting()
    }
  }

  @Test("Inputs that are pulled wake each other, also where the audio begins later", arguments: [0, 75])
  func pulled(firstSound: Int) async throws {
    try await withMovieFolder { folder in
      let stage = try Stage(folder)
      let changes = Locked<[Bool]>([])
      let observation = stage.video.observe(\.isReadyForMoreMediaData, options: [.new]) { _, change in
        if let value = change.newValue { changes.withLock { $0.append(value) } }
      }
      await withTaskGroup(of: Void.self) { group in
        for (input, append, first) in [
          (stage.video, stage.appendPicture, 0), (stage.audio, stage.appendSound, firstSound),
        ] {
          nonisolated(unsafe) var number = first  // Safe because one serial queue reaches it.
          group.addTask {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
              input.requestMediaDataWhenReady(on: DispatchQueue(label: "pull")) {
                while input.isReadyForMoreMediaData {
                  guard number < 90 else {
                    input.markAsFinished()
                    return done.resume()
                  }
                  do { try append(number) } catch { Issue.record(error) }
                  number += 1
                }
              }
            }
          }
        }
      }
      observation.invalidate()
      await stage.writer.finishWriting()
      #expect(stage.writer.status == .completed)
      #expect(abs(AVURLAsset(url: stage.writer.outputURL).duration.seconds - 3) < 0.05)
      #expect(changes.withLock { $0.contains(true) })
    }
  }
}
