import AVFCore
import CoreMedia
import CoreVideo
import Dispatch
import Foundation
import FoundationExtras
import Linux
import MovieTools
import QuartzCore
import Testing
import Waiting

@Suite("AVSampleBufferDisplayLayer")
struct SampleBufferDisplayTests {
  /// A layer on a timebase over a clock that the test moves.
  private struct Stage {
    let layer = AVSampleBufferDisplayLayer()
    let timebase: CMTimebase
    private let clock: CMClock
    private let nanoseconds = Locked<Int64>(0)
    private let changes = Changes()

    init() throws {
      let nanoseconds = nanoseconds
      clock = CMClock(name: "hand", movesByHand: true) {
        MonotonicInstant(nanoseconds: nanoseconds.withLock { $0 })
      }
      timebase = try CMTimebase(sourceClock: clock)
      try timebase.setRate(1)
      layer.controlTimebase = timebase
      layer.frames.setFrameHandler { [changes] in changes.note() }
    }

    /// Moves the clock to a frame of thirty in a second.
    func move(to frame: Int) {
      nanoseconds.withLock { $0 = Int64(frame) * 1_000_000_000 / 30 + 1_000_000 }
      clock.timeHasJumped()
    }

    /// Waits until a picture of a number is on show.
    func shows(_ number: Int?) -> Bool {
      changes.wait { layer.frames.takeNewest().map { TestMovie.number(of: $0.pixels) } == number }
    }
  }

  private static func picture(_ number: Int, at frame: Int) throws -> CMSampleBuffer {
    let pixels = try TestMovie.picture(number)
    return try CMSampleBuffer(
      imageBuffer: pixels, formatDescription: CMFormatDescription(imageBuffer: pixels),
      sampleTiming: CMSampleTimingInfo(
        duration: CMTime(value: 1, timescale: 30),
        presentationTimeStamp: CMTime(value: CMTimeValue(frame), timescale: 30),
        decodeTimeStamp: .invalid))
  }

  /// The coded samples of a movie, in the order of decoding.
  private static func coded(_ folder: String, frames: Int) async throws -> [CMSampleBuffer] {
    let url = AssetWriterTests.url(folder, "coded.mov")
    try await AssetWriterTests.movie(url, frames: frames)
    let asset = AVURLAsset(url: url)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: try #require(asset.tracks.first), outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    var samples: [CMSampleBuffer] = []
    while let sample = output.copyNextSampleBuffer() {
      if sample.dataBuffer != nil { samples.append(sample) }
    }
    return samples
  }

  @Test func `pictures are shown from their times on`() throws {
    let stage = try Stage()
    #expect(stage.layer.status == .unknown && !stage.layer.isReadyForDisplay)
    for frame in 1...3 { stage.layer.enqueue(try Self.picture(frame, at: frame)) }
    #expect(stage.layer.status == .rendering)
    stage.layer.settle()
    #expect(stage.layer.hasSufficientMediaDataForReliablePlaybackStart)
    #expect(stage.layer.frames.takeNewest() == nil, "the first one's time is still to come")
    stage.move(to: 1)
    #expect(stage.shows(1))
    stage.move(to: 3)
    #expect(stage.shows(3), "of two that are due the newer one counts")
    #expect(stage.layer.isReadyForDisplay)
    #expect(stage.layer.timebase === stage.timebase)
    stage.layer.enqueue(try Self.picture(5, at: 2))
    #expect(stage.shows(5), "a picture that comes late is shown at once")
  }

  @Test func `coded video is decoded, reordered and shown at its times`() async throws {
    try await withMovieFolder { folder in
      let stage = try Stage()
      for sample in try await Self.coded(folder, frames: 12) { stage.layer.enqueue(sample) }
      for frame in [0, 1, 2, 5, 6, 11] {
        stage.move(to: frame)
        #expect(stage.shows(frame), "\(frame)")
      }
      #expect(stage.layer.error == nil && !stage.layer.requiresFlushToResumeDecoding)
    }
  }

  @Test func `a flush forgets what is to come, and keeps or removes what is on show`() throws {
    let stage = try Stage()
    for frame in 0...2 { stage.layer.enqueue(try Self.picture(frame, at: frame)) }
    #expect(stage.shows(0))
    stage.layer.flush()
    stage.move(to: 2)
    stage.layer.enqueue(try Self.picture(9, at: 4))
    #expect(stage.shows(0))
    stage.move(to: 4)
    #expect(stage.shows(9))
    stage.layer.flushAndRemoveImage()
    #expect(stage.shows(nil) && !stage.layer.isReadyForDisplay)
  }

  @Test func `a sample that says so is shown whatever the time is`() throws {
    let stage = try Stage()
    let sample = try Self.picture(7, at: 300)
    sample.sampleAttachments[0][.displayImmediately] = true
    stage.layer.sampleBufferRenderer.enqueue(sample)
    #expect(stage.shows(7))
  }

  @Test func `data are asked for as long as there is room, and again when pictures were shown`()
    throws
  {
    let stage = try Stage()
    let pictures = try (0..<100).map { try Self.picture($0, at: $0) }
    let (next, changes) = (Locked(0), Changes())
    let renderer = stage.layer.sampleBufferRenderer
    renderer.requestMediaDataWhenReady(on: DispatchQueue(label: "pull")) {
      defer { changes.note() }
      while renderer.isReadyForMoreMediaData {
        let number = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard number < pictures.count else { return renderer.stopRequestingMediaData() }
        renderer.enqueue(pictures[number])
      }
    }
    #expect(changes.wait { !renderer.isReadyForMoreMediaData })
    let first = next.withLock { $0 }
    #expect(first < 50)
    stage.move(to: 10)
    #expect(changes.wait { next.withLock { $0 } > first })
    renderer.stopRequestingMediaData()
  }

  @Test @MainActor func `what cannot be decoded fails the layer until a flush`() async throws {
    let stage = try Stage()
    let format = try CMFormatDescription(
      videoCodecType: .init(string: "nope"), width: 64, height: 48)
    let sample = try CMSampleBuffer(
      dataBuffer: [UInt8](repeating: 7, count: 100).withUnsafeBytes { CMBlockBuffer(copying: $0) },
      formatDescription: format, numSamples: 1,
      sampleTimings: [
        CMSampleTimingInfo(
          duration: CMTime(value: 1, timescale: 30), presentationTimeStamp: .zero,
          decodeTimeStamp: .invalid)
      ], sampleSizes: [100])
    let (names, heard) = AsyncStream.makeStream(of: String.self)
    let token = NotificationCenter.default.addObserver(
      forName: .AVSampleBufferDisplayLayerFailedToDecode, object: stage.layer, queue: nil
    ) { note in
      let error = note.userInfo?[AVSampleBufferDisplayLayerFailedToDecodeNotificationErrorKey]
      heard.yield((error as? AVError)?.code == .decoderNotFound ? "no decoder" : "other")
    }
    defer { NotificationCenter.default.removeObserver(token) }
    stage.layer.enqueue(sample)
    var reported: String?
    for await name in names {
      reported = name
      break
    }
    #expect(reported == "no decoder")
    #expect(stage.layer.status == .failed)
    #expect(stage.layer.requiresFlushToResumeDecoding)
    #expect((stage.layer.error as? AVError)?.code == .decoderNotFound)
    stage.layer.enqueue(try Self.picture(3, at: 0))
    stage.layer.flush()
    #expect(stage.layer.status == .unknown && stage.layer.error == nil)
    stage.layer.enqueue(try Self.picture(4, at: 0))
    #expect(stage.shows(4) && stage.layer.status == .rendering)
  }

  @Test func `without a timebase of the client's the host's clock counts`() throws {
    let layer = AVSampleBufferDisplayLayer()
    #expect(layer.controlTimebase == nil && layer.timebase.rate == 1)
    #expect(layer.timebase.sourceClock === CMClock.hostTimeClock)
    let changes = Changes()
    layer.frames.setFrameHandler { changes.note() }
    layer.enqueue(try Self.picture(6, at: 0))
    #expect(changes.wait { layer.frames.takeNewest().map { TestMovie.number(of: $0.pixels) } == 6 })
  }

  @Test func `the layer's picture fills its bounds by the gravity`() throws {
    let stage = try Stage()
    stage.layer.bounds = CGRect(x: 0, y: 0, width: 64, height: 64)
    #expect(try stage.layer.makePicture() == nil)
    stage.layer.enqueue(try Self.picture(12, at: 0))
    #expect(stage.shows(12) && stage.layer.videoGravity == .resizeAspect)
    func top() throws -> UInt8 {
      let picture = try stage.layer.makePicture()
      return try #require(picture).planes[0].row(2)[4 * 32]
    }
    #expect(try top() == 0)
    stage.layer.videoGravity = .resizeAspectFill
    #expect(try top() > 100)
    let copy = AVSampleBufferDisplayLayer(layer: stage.layer)
    #expect(copy.videoGravity == .resizeAspectFill && copy.frames.takeNewest() == nil)
  }
}
