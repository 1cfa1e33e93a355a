import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import MovieTools
import Testing
import Waiting

/// A writer that does something when it goes, before it lets go of its inputs.
private final class GoingWriter: AVAssetWriter, @unchecked Sendable {
  // Safe because what it does is set before it writes.
  var goes: @Sendable () -> Void = {}

  deinit { goes() }
}

@Suite("AVAssetWriter: inputs that are used again")
struct WriterReuseTests {
  private func url(_ folder: String, _ name: String) -> URL { URL(fileURLWithPath: "\(folder)/\(name)") }

  static let settings: [[String: any Sendable]] = [
    [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2],
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
      AVLinearPCMIsNonInterleaved: false,
    ],
  ]

  @Test("An input outlives a writer that is let go while it writes, and serves the next one")
  func writerGoes() async throws {
    try await withMovieFolder { folder in
      let input = AVAssetWriterInput(mediaType: .video, outputSettings: AssetWriterTests.videoSettings)
      let format = try CMVideoFormatDescription(imageBuffer: TestMovie.picture(0))
      let sample = CMSampleBuffer(
        picture: try TestMovie.picture(0), formatDescription: format,
        timing: CMSampleTimingInfo(
          duration: .invalid, presentationTimeStamp: .zero, decodeTimeStamp: .invalid))
      // While a writer goes, and before it has let its inputs go, they refuse samples, too.
      let early = Locked<[ProgrammingMistake]?>(nil)
      func begin(_ name: String) throws -> AVAssetWriter {
        let writer = try GoingWriter(outputURL: url(folder, name), fileType: .mov)
        writer.goes = {
          let mistakes = ProgrammingMistake.collect { #expect(!input.append(sample)) }
          early.withLock { $0 = $0 ?? mistakes }
        }
        writer.add(input)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        return writer
      }
      let changes = Changes()
      let observation = input.observe(\.isReadyForMoreMediaData) { _, _ in changes.note() }
      weak var gone: AVAssetWriter?
      do { gone = try begin("gone.mov") }
      // Its own queue may hold it for the moment in which it opens its file.
      #expect(changes.wait { gone == nil && !input.isReadyForMoreMediaData })
      observation.invalidate()
      #expect(early.withLock { $0?.isEmpty } == true)
      let mistakes = ProgrammingMistake.collect {
        #expect(!input.isReadyForMoreMediaData && !input.append(sample))
        input.markAsFinished()
      }
      #expect(mistakes.isEmpty)
      let writer = try begin("next.mov")
      try EditingStage.waitUntilReady([input])
      #expect(input.append(sample))
      input.markAsFinished()
      await writer.finishWriting()
      #expect(writer.status == .completed)
    }
  }

  @Test("A request that comes before the input is added is answered once its writer writes")
  func earlyRequest() async throws {
    try await withMovieFolder { folder in
      let (writer, input, adaptor) = try AssetWriterTests.videoWriter(url(folder, "early.mov"))
      let picture = try TestMovie.picture(0)
      let begun = DispatchSemaphore(value: 0)
      await withCheckedContinuation { continuation in
        input.requestMediaDataWhenReady(on: DispatchQueue(label: "test")) {
          // The writer may write before its session has begun.
          begun.wait()
          begun.signal()
          guard input.isReadyForMoreMediaData else { return }
          #expect(adaptor.append(picture, withPresentationTime: .zero))
          input.markAsFinished()
          continuation.resume()
        }
        writer.add(input)
        #expect(writer.startWriting())
        writer.startSession(atSourceTime: .zero)
        begun.signal()
      }
      await writer.finishWriting()
      #expect(writer.status == .completed)
    }
  }

  @Test("An input and its adaptor are used by one writer after the other")
  func again() async throws {
    try await withMovieFolder { folder in
      let input = AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: 64, AVVideoHeightKey: 48])
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
      for clip in 0..<4 {
        let writer = try AVAssetWriter(outputURL: url(folder, "clip\(clip).mov"), fileType: .mov)
        #expect(writer.canAdd(input))
        writer.add(input)
        let other = try AVAssetWriter(outputURL: url(folder, "other.mov"), fileType: .mov)
        #expect(!other.canAdd(input))
        writer.startWriting()
        let start = CMTime(value: Int64(100 * clip), timescale: 30)
        writer.startSession(atSourceTime: start)
        for number in 0..<10 {
          try EditingStage.waitUntilReady([input])
          #expect(
            adaptor.append(
              try TestMovie.picture(clip + number),
              withPresentationTime: start + CMTime(value: Int64(number), timescale: 30)))
        }
        #expect(!other.canAdd(input))
        if clip == 1 {
          writer.cancelWriting()
          continue
        }
        input.markAsFinished()
        await writer.finishWriting()
        #expect(writer.status == .completed)
        let found = try EditingStage.pictures(AVURLAsset(url: url(folder, "clip\(clip).mov")))
        #expect(found.map(\.number) == (0..<10).map { clip + $0 } && found.first?.time == 0)
      }
    }
  }

  @Test("An input that is pulled asks each writer's client anew")
  func pulled() async throws {
    try await withMovieFolder { folder in
      let input = AVAssetWriterInput(mediaType: .audio, outputSettings: Self.settings[0])
      let queue = DispatchQueue(label: "pull")
      for clip in 0..<3 {
        let writer = try AVAssetWriter(outputURL: url(folder, "pulled\(clip).m4a"), fileType: .m4a)
        writer.add(input)
        writer.startWriting()
        writer.startSession(atSourceTime: .zero)
        let samples = try (0..<5).map { try TestMovie.tone(from: $0 * 4800, count: 4800) }
        let source = Pulled(samples)
        await withCheckedContinuation { continuation in
          input.requestMediaDataWhenReady(on: queue) {
            while input.isReadyForMoreMediaData {
              guard let sample = source.next() else {
                if source.end() {
                  input.markAsFinished()
                  continuation.resume()
                }
                return
              }
              input.append(sample)
            }
          }
        }
        await writer.finishWriting()
        #expect(writer.status == .completed)
        #expect(abs(AVURLAsset(url: url(folder, "pulled\(clip).m4a")).duration.seconds - 0.5) < 0.03)
      }
    }
  }

  /// Samples one after the other, for one queue.
  private final class Pulled: @unchecked Sendable {  // Safe because one serial queue uses it.
    private var samples: ArraySlice<CMSampleBuffer>
    private var isOver = false

    init(_ samples: [CMSampleBuffer]) { self.samples = samples[...] }

    func next() -> CMSampleBuffer? { samples.popFirst() }

    /// Whether this is the first time.
    func end() -> Bool {
      defer { isOver = true }
      return !isOver
    }
  }

  @Test("markAsFinished before writing, after it and without a writer is a mistake without effect")
  func marking() async throws {
    try await withMovieFolder { folder in
      let writer = try AVAssetWriter(outputURL: url(folder, "a.m4a"), fileType: .m4a)
      let input = AVAssetWriterInput(mediaType: .audio, outputSettings: Self.settings[0])
      let early = ProgrammingMistake.collect {
        input.markAsFinished()
        writer.add(input)
        input.markAsFinished()
      }
      #expect(early.count == 2)
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      #expect(input.append(try TestMovie.tone(from: 0, count: 4800)))
      input.markAsFinished()
      input.markAsFinished()
      await writer.finishWriting()
      #expect(writer.status == .completed)
      let late = ProgrammingMistake.collect { input.markAsFinished() }
      #expect(late.count == 1)
    }
  }

  @Test("markAsFinished of a writer that has failed or was cancelled is none")
  func markingEnded() throws {
    try withMovieFolder { folder in
      let writer = try AVAssetWriter(outputURL: url(folder, "a.m4a"), fileType: .m4a)
      let input = AVAssetWriterInput(mediaType: .audio, outputSettings: Self.settings[0])
      writer.add(input)
      writer.startWriting()
      writer.cancelWriting()
      #expect(ProgrammingMistake.collect { input.markAsFinished() }.isEmpty)
    }
  }
}
