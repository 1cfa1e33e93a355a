import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("Video compositions")
struct VideoCompositionTests {
  /// Two tracks of still lightness: 2 and 12 of the sixteen shades.
  private func twoTracks(_ folder: String) async throws -> (AVMutableComposition, AVAssetTrack, AVAssetTrack)
  {
    let composition = AVMutableComposition()
    var tracks: [AVAssetTrack] = []
    for (name, shade) in [("dark.mov", 2), ("light.mov", 12)] {
      let still = try await still(folder, name, shade)
      let track = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
      try track.insertTimeRange(EditingStage.range(0, 20), of: still.tracks[0], at: .zero)
      tracks.append(track)
    }
    return (composition, tracks[0], tracks[1])
  }

  private func still(_ folder: String, _ name: String, _ shade: Int) async throws -> AVURLAsset {
    let url = URL(fileURLWithPath: "\(folder)/\(name)")
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: AssetWriterTests.videoSettings)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
    writer.add(input)
    writer.startWriting()
    writer.startSession(atSourceTime: .zero)
    for number in 0..<20 {
      try EditingStage.waitUntilReady([input])
      adaptor.append(try TestMovie.picture(shade), withPresentationTime: EditingStage.frames(number))
    }
    input.markAsFinished()
    await writer.finishWriting()
    return AVURLAsset(url: url)
  }

  private func frames(
    _ asset: AVAsset, _ composition: AVVideoComposition, _ tracks: [AVAssetTrack]? = nil
  ) throws -> [CMSampleBuffer] {
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: tracks ?? asset.tracks(withMediaType: .video),
      videoSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
    output.videoComposition = composition
    #expect(output.videoComposition === composition && output.mediaType == .video)
    #expect(reader.canAdd(output))
    reader.add(output)
    guard reader.startReading() else { throw try #require(reader.error) }
    var samples: [CMSampleBuffer] = []
    while let sample = output.copyNextSampleBuffer() { samples.append(sample) }
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    return samples
  }

  /// The green of a pixel.
  private func green(_ sample: CMSampleBuffer, _ x: Int, _ y: Int) throws -> Int {
    let plane = try #require(sample.imageBuffer).planes[0]
    return Int(plane.row(y)[4 * x + 1])
  }

  @Test("Layers are placed, cropped and faded as their instructions say")
  func layers() async throws {
    try await withMovieFolder { folder in
      let (composition, dark, light) = try await twoTracks(folder)
      let top = AVMutableVideoCompositionLayerInstruction(assetTrack: light)
      top.setTransform(
        CGAffineTransform(scaleX: 0.5, y: 0.5).concatenating(CGAffineTransform(translationX: 32, y: 24)),
        at: .zero)
      top.setOpacityRamp(
        fromStartOpacity: 1, toEndOpacity: 0,
        timeRange: CMTimeRange(start: EditingStage.frames(10), duration: EditingStage.frames(8)))
      let bottom = AVMutableVideoCompositionLayerInstruction(assetTrack: dark)
      bottom.setCropRectangle(CGRect(x: 0, y: 0, width: 48, height: 48), at: .zero)
      let instruction = AVMutableVideoCompositionInstruction()
      instruction.timeRange = EditingStage.range(0, 20)
      instruction.layerInstructions = [top, bottom]
      instruction.backgroundColor = CGColor(red: 0, green: 1, blue: 0, alpha: 1)
      let video = AVMutableVideoComposition()
      video.renderSize = CGSize(width: 64, height: 48)
      video.frameDuration = CMTime(value: 2, timescale: 30)
      video.instructions = [instruction]
      #expect(
        video.isValid(for: composition, timeRange: EditingStage.range(0, 20), validationDelegate: nil))
      let samples = try frames(composition, video)
      #expect(
        samples.map { $0.presentationTimeStamp.seconds * 30 }.map { $0.rounded() }
          == (0..<10).map { Double(2 * $0) })
      #expect(samples.allSatisfy { $0.duration == video.frameDuration })
      let (darkest, lightest) = (try green(samples[0], 5, 5), try green(samples[0], 40, 36))
      #expect(abs(darkest - 39) < 8 && abs(lightest - 190) < 8)
      // Where the bottom one is cropped and the top one does not lie, the background is seen.
      #expect(try green(samples[0], 58, 5) > 250)
      // Half faded, then gone.
      let (half, gone) = (try green(samples[7], 40, 36), try green(samples[9], 40, 36))
      #expect(abs(half - (darkest + lightest) / 2) < 8)
      #expect(abs(gone - darkest) < 4)
      var (start, end): (Float, Float) = (0, 0)
      var range = CMTimeRange.invalid
      #expect(
        top.getOpacityRamp(
          for: EditingStage.frames(12), startOpacity: &start, endOpacity: &end, timeRange: &range))
      #expect(start == 1 && end == 0 && range.start == EditingStage.frames(10))
      var crop = CGRect.zero
      #expect(
        bottom.getCropRectangleRamp(
          for: .zero, startCropRectangle: &crop, endCropRectangle: nil, timeRange: nil))
      #expect(crop.width == 48)
      #expect(!bottom.getTransformRamp(for: .zero, start: nil, end: nil, timeRange: nil))
    }
  }

  /// A program's own instruction, which shows the frames of one track as they are.
  private final class Untouched: AVVideoCompositionInstructionProtocol {
    let timeRange: CMTimeRange
    let passthroughTrackID: CMPersistentTrackID
    let enablePostProcessing = false
    let containsTweening = false
    var requiredSourceTrackIDs: [NSValue]? { [NSNumber(value: passthroughTrackID)] }

    init(_ timeRange: CMTimeRange, _ track: AVAssetTrack) {
      self.timeRange = timeRange
      passthroughTrackID = track.trackID
    }
  }

  @Test("A program's own instruction shows the frames of the track that it passes through")
  func passthrough() async throws {
    try await withMovieFolder { folder in
      let (composition, dark, light) = try await twoTracks(folder)
      let video = AVMutableVideoComposition()
      video.renderSize = CGSize(width: 64, height: 48)
      video.frameDuration = EditingStage.frames(1)
      let instructions: [any AVVideoCompositionInstructionProtocol] = [
        Untouched(EditingStage.range(0, 10), dark), Untouched(EditingStage.range(10, 10), light),
      ]
      video.instructions = instructions
      let samples = try frames(composition, video)
      #expect(samples.count == 20)
      let (before, after) = (try green(samples[9], 5, 5), try green(samples[10], 5, 5))
      #expect(abs(before - 39) < 8 && abs(after - 190) < 8)
    }
  }

  @Test("Transforms and crops move steadily in their ramps")
  func ramps() async throws {
    try await withMovieFolder { folder in
      let asset = try await still(folder, "still.mov", 12)
      let layer = AVMutableVideoCompositionLayerInstruction()
      layer.trackID = asset.tracks[0].trackID
      layer.setTransformRamp(
        fromStart: .identity, toEnd: CGAffineTransform(translationX: 64, y: 0),
        timeRange: EditingStage.range(0, 16))
      layer.setCropRectangleRamp(
        fromStartCropRectangle: CGRect(x: 0, y: 0, width: 64, height: 48),
        toEndCropRectangle: CGRect(x: 0, y: 0, width: 64, height: 0), timeRange: EditingStage.range(0, 16))
      layer.setOpacity(0.5, at: EditingStage.frames(2))
      let instruction = AVMutableVideoCompositionInstruction()
      instruction.timeRange = EditingStage.range(0, 20)
      instruction.layerInstructions = [layer]
      let video = AVMutableVideoComposition()
      video.renderSize = CGSize(width: 64, height: 48)
      video.frameDuration = EditingStage.frames(1)
      video.instructions = [instruction]
      let samples = try frames(asset, video)
      let first = try green(samples[0], 30, 40)
      #expect(first > 150)
      // A quarter of the way: sixteen columns are free, a quarter of the rows is cropped, and it is half seen.
      let (free, cropped) = (try green(samples[4], 12, 10), try green(samples[4], 30, 40))
      #expect(free < 5 && cropped < 5)
      let faded = try green(samples[4], 20, 10)
      #expect(abs(faded - first / 2) < 8)
      #expect(try green(samples[17], 40, 10) < 5)
      #expect(instruction.requiredSourceTrackIDs?.count == 1 && instruction.containsTweening)
      #expect(
        instruction.passthroughTrackID == kCMPersistentTrackID_Invalid && instruction.enablePostProcessing)
      instruction.enablePostProcessing = false
      #expect(!instruction.enablePostProcessing && instruction.backgroundColor == nil)
      video.renderScale = 0.5
      let small = try #require(try frames(asset, video).first?.imageBuffer)
      #expect(CVPixelBufferGetWidth(small) == 32 && CVPixelBufferGetHeight(small) == 24)
    }
  }

  @Test("A composition of an asset's properties shows it upright, at its rate, frame for frame")
  func properties() async throws {
    try await withMovieFolder { folder in
      let turn = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 48, ty: 0)
      let asset = try await EditingStage.movie(folder, frames: 12, transform: turn)
      let video = try await AVMutableVideoComposition.videoComposition(withPropertiesOf: asset)
      #expect(video.renderSize == CGSize(width: 48, height: 64))
      #expect(video.frameDuration == EditingStage.frames(1) && video.instructions.count == 1)
      let samples = try frames(asset, video)
      #expect(samples.count == 12)
      #expect(try samples.map { TestMovie.number(of: try #require($0.imageBuffer)) } == Array(0..<12))
      let same = AVVideoComposition(propertiesOf: asset)
      #expect(same.renderSize == video.renderSize)
      let slow = AVMutableVideoComposition(propertiesOf: asset)
      slow.frameDuration = CMTime(value: 1, timescale: 10)
      slow.sourceTrackIDForFrameTiming = asset.tracks[0].trackID
      slow.colorPrimaries = AVVideoColorPrimaries_P3_D65
      slow.colorTransferFunction = AVVideoTransferFunction_ITU_R_709_2
      slow.colorYCbCrMatrix = AVVideoYCbCrMatrix_ITU_R_601_4
      let timed = try frames(asset, slow)
      #expect(timed.map(\.presentationTimeStamp) == (0..<12).map { EditingStage.frames($0) })
      let first = try #require(timed.first?.imageBuffer)
      #expect(
        CVBufferCopyAttachment(first, kCVImageBufferColorPrimariesKey, nil) as? String
          == AVVideoColorPrimaries_P3_D65)
      let generator = AVAssetImageGenerator(asset: asset)
      generator.videoComposition = video
      let image = try generator.copyCGImage(at: EditingStage.frames(3), actualTime: nil)
      #expect(image.width == 48 && image.height == 64 && generator.videoComposition === video)
    }
  }

  @Test("A composition that leaves time or tracks out is refused")
  func invalid() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 10)
      let video = AVMutableVideoComposition(propertiesOf: asset)
      let instruction = AVMutableVideoCompositionInstruction()
      instruction.timeRange = EditingStage.range(0, 5)
      video.instructions = [instruction]
      #expect(!video.isValid(for: asset, timeRange: EditingStage.range(0, 10), validationDelegate: nil))
      let error = #expect(throws: AVError.self) { try frames(asset, video) }
      #expect(error?.code == .invalidVideoComposition)
      video.frameDuration = .zero
      #expect(!video.isValid(for: nil, timeRange: EditingStage.range(0, 5), validationDelegate: nil))
      let nothing = AVAssetReaderVideoCompositionOutput(videoTracks: asset.tracks, videoSettings: nil)
      let reader = try AVAssetReader(asset: asset)
      reader.add(nothing)
      #expect(!reader.startReading() && reader.status == .failed)
    }
  }
}
