import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import Linux
import MovieTools
import Testing

@Suite("Compositors of a client")
struct VideoCompositorTests {
  /// Paints frames in one colour, beside the upper left pixel of the source.
  final class Painter: NSObject, AVVideoCompositing {
    static let contexts = Locked<[CGSize]>([])
    static let sources = Locked<[OSType]>([])

    var sourcePixelBufferAttributes: [String: any Sendable]? {
      [kCVPixelBufferPixelFormatTypeKey: [kCVPixelFormatType_32BGRA]]
    }
    var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
      [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA]
    }

    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {
      Self.contexts.withLock { $0.append(newRenderContext.size) }
    }

    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      guard let number = request.sourceTrackIDs.first?.int32Value,
        let source = request.sourceFrame(byTrackID: number),
        let frame = request.renderContext.newPixelBuffer()
      else { return request.finish(with: AVError(.unknown)) }
      Self.sources.withLock { $0.append(CVPixelBufferGetPixelFormatType(source)) }
      for y in 0..<CVPixelBufferGetHeight(frame) {
        for x in 0..<CVPixelBufferGetWidth(frame) {
          let pixel = [UInt8(request.compositionTime.seconds * 100), 200, 10, 255]
          for index in 0..<4 { frame.planes[0].row(y)[4 * x + index] = pixel[index] }
        }
      }
      for index in 0..<4 { frame.planes[0].row(0)[index] = source.planes[0].row(0)[index] }
      // Whichever thread is free finishes.
      DispatchQueue.global().async { request.finish(withComposedVideoFrame: frame) }
    }
  }

  /// Fails, gives up or cancels, as its class says.
  class Idle: NSObject, AVVideoCompositing {
    override required init() {
      super.init()
    }
    var sourcePixelBufferAttributes: [String: any Sendable]? { nil }
    var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] { [:] }
    func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {}
    func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      #expect(request.sourceTrackIDs.allSatisfy { request.sourceFrame(byTrackID: $0.int32Value) == nil })
    }
  }
  final class Failing: Idle {
    override func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      request.finish(with: AVError(.decodeFailed))
    }
  }
  final class Counter: Idle {
    static let made = Locked(0)
    override func renderContextChanged(_ newRenderContext: AVVideoCompositionRenderContext) {
      Self.made.withLock { $0 += 1 }
    }
    override func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      if let frame = request.renderContext.newPixelBuffer() {
        request.finish(withComposedVideoFrame: frame)
      }
    }
  }
  final class Cancelling: Idle {
    override func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      request.finishCancelledRequest()
    }
  }

  /// Gives frames of other sizes and formats than its context's.
  final class Stranger: Idle {
    private var count = 0
    override var requiredPixelBufferAttributesForRenderContext: [String: any Sendable] {
      [kCVPixelBufferPixelFormatTypeKey: "none"]
    }
    override func startRequest(_ request: AVAsynchronousVideoCompositionRequest) {
      let formats = [
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_OneComponent8,
        kCVPixelFormatType_24RGB,
      ]
      var made: CVPixelBuffer?
      _ = CVPixelBufferCreate(nil, 10 + count, 7, formats[count % 3], nil, &made)
      count += 1
      if let made { request.finish(withComposedVideoFrame: made) }
      // The first outcome counts.
      request.finishCancelledRequest()
    }
  }
  /// Asks for frames in a format that no video has.
  final class DepthSeeker: Idle {
    override var sourcePixelBufferAttributes: [String: any Sendable]? {
      [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_DepthFloat32]
    }
  }

  private func frames(_ asset: AVAsset, _ composition: AVVideoComposition) throws -> [CMSampleBuffer] {
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: asset.tracks(withMediaType: .video),
      videoSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
    output.videoComposition = composition
    reader.add(output)
    guard reader.startReading() else { throw try #require(reader.error) }
    var samples: [CMSampleBuffer] = []
    while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
    if let error = reader.error { throw error }
    return samples
  }

  @Test(
    "A client's class makes each frame from the tracks' frames, in the size and the format that were asked for"
  )
  func eachFrame() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 6)
      let plain = try frames(asset, AVVideoComposition(propertiesOf: asset))
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      #expect(composition.customVideoCompositorClass == nil)
      composition.customVideoCompositorClass = Painter.self
      composition.renderScale = 0.5
      let made = try frames(asset, composition)
      #expect(made.count == 6)
      for (index, sample) in made.enumerated() {
        let picture = try #require(sample.imageBuffer)
        #expect(CVPixelBufferGetWidth(picture) == 32 && CVPixelBufferGetHeight(picture) == 24)
        let seconds = EditingStage.frames(index).seconds
        #expect(picture.planes[0].row(10)[40] == UInt8(seconds * 100) && picture.planes[0].row(10)[41] == 200)
        let source = try #require(plain[index].imageBuffer)
        #expect((0..<3).allSatisfy { picture.planes[0].row(0)[$0] == source.planes[0].row(0)[$0] })
      }
      #expect(Painter.contexts.withLock { $0 } == [CGSize(width: 32, height: 24)])
      #expect(Set(Painter.sources.withLock { $0 }) == [kCVPixelFormatType_32BGRA])
    }
  }

  @Test("A frame that fails, is cancelled or given up ends the reading with an error")
  func failures() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 3)
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      for (type, code) in [
        (Failing.self as any AVVideoCompositing.Type, AVError.Code.decodeFailed),
        (Cancelling.self, .operationCancelled), (Idle.self, .operationInterrupted),
      ] {
        composition.customVideoCompositorClass = type
        let error = #expect(throws: AVError.self) { try frames(asset, composition) }
        #expect(error?.code == code)
      }
    }
  }

  @Test("Frames of other sizes and formats are converted; a source format that no video has is an error")
  func strangers() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 4)
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      composition.customVideoCompositorClass = Stranger.self
      for sample in try frames(asset, composition) {
        let picture = try #require(sample.imageBuffer)
        #expect(CVPixelBufferGetWidth(picture) == 64 && CVPixelBufferGetHeight(picture) == 48)
        #expect(CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_32BGRA)
      }
      composition.customVideoCompositorClass = DepthSeeker.self
      let error = #expect(throws: AVError.self) { try frames(asset, composition) }
      #expect(error?.localizedDescription.contains("'fdep'") == true)
    }
  }

  @Test("Two readers beside each other have a compositor each")
  func twoReaders() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 6)
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      composition.customVideoCompositorClass = Counter.self
      let counts = Locked<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        let count = (try? frames(asset, composition))?.count ?? 0
        counts.withLock { $0.append(count) }
      }
      #expect(counts.withLock { $0 } == [6, 6] && Counter.made.withLock { $0 } == 2)
    }
  }

  @Test("An instruction that passes a track through is not the compositor's")
  func passthrough() async throws {
    final class Whole: NSObject, AVVideoCompositionInstructionProtocol, @unchecked Sendable {
      // Safe because its properties are constant.
      let timeRange: CMTimeRange
      let passthroughTrackID: CMPersistentTrackID
      var enablePostProcessing: Bool { false }
      var containsTweening: Bool { false }
      var requiredSourceTrackIDs: [NSValue]? { nil }
      init(_ range: CMTimeRange, _ track: CMPersistentTrackID) {
        timeRange = range
        passthroughTrackID = track
      }
    }
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 3)
      let plain = try frames(asset, AVVideoComposition(propertiesOf: asset))
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      let track = try #require(asset.tracks(withMediaType: .video).first)
      composition.instructions = [Whole(composition.instructions[0].timeRange, track.trackID)]
      composition.customVideoCompositorClass = Failing.self
      let passed = try frames(asset, composition)
      #expect(passed.count == plain.count)
      for (one, other) in zip(passed, plain) {
        let pictures = (try #require(one.imageBuffer), try #require(other.imageBuffer))
        #expect(
          (0..<48).allSatisfy { row in
            (0..<256).allSatisfy { pictures.0.planes[0].row(row)[$0] == pictures.1.planes[0].row(row)[$0] }
          })
      }
    }
  }
}
