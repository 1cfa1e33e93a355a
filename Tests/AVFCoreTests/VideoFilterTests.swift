import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import ImageCore
import Linux
import MovieTools
import Testing

@Suite("Filters of a video composition")
struct VideoFilterTests {
  /// The pictures of an asset through a composition, as they are read.
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

  /// Blue, green and red of a pixel.
  private func color(_ picture: CVPixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    (0..<3).map { Int(picture.planes[0].row(y)[4 * x + $0]) }
  }

  @Test("A client filters each frame once, in the order of time, and what is clear becomes black")
  func eachFrame() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 8)
      let seen = Locked<[CMTime]>([])
      let composition = AVVideoComposition(asset: asset) { request in
        seen.withLock { $0.append(request.compositionTime) }
        #expect(request.renderSize == CGSize(width: 64, height: 48))
        #expect(request.sourceImage.extent == CGRect(x: 0, y: 0, width: 64, height: 48))
        let right = CIImage.blue.cropped(to: CGRect(x: 32, y: 0, width: 16, height: 48))
        let left = request.sourceImage.cropped(to: CGRect(x: 0, y: 24, width: 32, height: 24))
        // Whichever thread is free finishes.
        DispatchQueue.global().async {
          request.finish(with: right.composited(over: left), context: CIContext())
        }
      }
      #expect(composition.renderSize == CGSize(width: 64, height: 48))
      #expect(composition.frameDuration == CMTime(value: 1, timescale: 30))
      let plain = try frames(asset, AVVideoComposition(propertiesOf: asset))
      let filtered = try frames(asset, composition)
      #expect(filtered.count == 8 && seen.withLock { $0 } == (0..<8).map(EditingStage.frames))
      for (sample, own) in zip(filtered, plain) {
        let (picture, source) = (try #require(sample.imageBuffer), try #require(own.imageBuffer))
        #expect(sample.presentationTimeStamp == own.presentationTimeStamp)
        #expect(color(picture, 10, 10) == color(source, 10, 10), "the upper left is the frame's")
        #expect(color(picture, 40, 10) == [255, 0, 0])
        #expect(color(picture, 10, 40) == [0, 0, 0] && color(picture, 60, 10) == [0, 0, 0])
      }
    }
  }

  @Test("A turned video reaches the client upright")
  func upright() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(
        folder, frames: 2, transform: CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0))
      let composition = AVMutableVideoComposition(asset: asset) { request in
        #expect(request.sourceImage.extent == CGRect(x: 0, y: 0, width: 48, height: 64))
        request.finish(with: request.sourceImage, context: nil)
      }
      #expect(composition.renderSize == CGSize(width: 48, height: 64))
      #expect(try frames(asset, composition).count == 2)
    }
  }

  @Test("A frame that fails, or is given up, ends the reading with an error")
  func failures() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 4)
      let failing = AVVideoComposition(asset: asset) { request in
        if request.compositionTime >= EditingStage.frames(2) {
          request.finish(with: AVError(.decodeFailed))
          // The first outcome counts.
        }
        request.finish(with: request.sourceImage, context: nil)
      }
      let error = #expect(throws: AVError.self) { try frames(asset, failing) }
      #expect(error?.code == .decodeFailed)
      let lazy = AVVideoComposition(asset: asset) { _ in }
      let given = #expect(throws: AVError.self) { try frames(asset, lazy) }
      #expect(given?.code == .operationInterrupted)
    }
  }

  @Test("Exports and single pictures are filtered, by the form that does not block, too")
  func exports() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 12)
      let composition = try await AVVideoComposition.videoComposition(with: asset) { request in
        // What the filters of a real program do: a chain on the frame.
        let negative = request.sourceImage.applyingFilter("CIColorInvert")
        let gray = negative.applyingFilter("CIPhotoEffectTonal").clampedToExtent()
          .applyingGaussianBlur(sigma: 2)
        request.finish(with: gray.cropped(to: request.sourceImage.extent), context: nil)
      }
      let session = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
      session.videoComposition = composition
      let out = URL(fileURLWithPath: "\(folder)/negative.mp4")
      try await session.export(to: out, as: .mp4)
      let numbers = try EditingStage.pictures(AVURLAsset(url: out)).map(\.number)
      #expect(numbers.count == 12 && numbers[0] > 13 && numbers == numbers.sorted(by: >))
      let generator = AVAssetImageGenerator(asset: asset)
      generator.videoComposition = composition
      let image = try generator.copyCGImage(at: EditingStage.frames(1), actualTime: nil)
      generator.videoComposition = nil
      let own = try generator.copyCGImage(at: EditingStage.frames(1), actualTime: nil)
      func level(_ image: CGImage) -> Int {
        var bytes = [UInt8](repeating: 0, count: image.width * image.height * 4)
        bytes.withUnsafeMutableBytes { memory in
          guard let base = memory.baseAddress else { return }
          image.copyPixels8(into: base, bytesPerRow: 4 * image.width, order: .rgba, alpha: .premultiplied)
        }
        return Int(bytes[4 * (20 * image.width + 20) + 1])
      }
      #expect(level(own) < 60 && level(image) > 200)
    }
  }
}
