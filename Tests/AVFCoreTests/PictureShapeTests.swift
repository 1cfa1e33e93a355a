import AVFAudio
import AVFCore
import CoreMedia
import Foundation
import GraphicsCore
import MovieTools
import Testing

@Suite("Shape of pixels, and the part of pictures that is seen")
struct PictureShapeTests {
  private static var shape: [String: Any] {
    [
      AVVideoPixelAspectRatioKey: [
        AVVideoPixelAspectRatioHorizontalSpacingKey: 4, AVVideoPixelAspectRatioVerticalSpacingKey: 3,
      ],
      AVVideoCleanApertureKey: [
        AVVideoCleanApertureWidthKey: 48, AVVideoCleanApertureHeightKey: 36,
        AVVideoCleanApertureHorizontalOffsetKey: 4, AVVideoCleanApertureVerticalOffsetKey: -2,
      ],
    ]
  }

  private func movie(_ folder: String, _ change: (inout [String: Any]) -> Void) async throws -> AVURLAsset {
    let url = AssetWriterTests.url(folder, "shaped.mov")
    var settings = AssetWriterTests.videoSettings
    change(&settings)
    let writer = try AVAssetWriter(outputURL: url, fileType: .mov)
    let input = AVAssetWriterInput(mediaType: .video, outputSettings: settings)
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
    writer.add(input)
    #expect(writer.startWriting())
    writer.startSession(atSourceTime: .zero)
    try AssetWriterTests.push(3, to: adaptor)
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed)
    return AVURLAsset(url: url)
  }

  @Test func `a movie holds both, wherever in the settings they stand`() async throws {
    for isOld in [false, true] {
      try await withMovieFolder { folder in
        let asset = try await movie(folder) { settings in
          if isOld {
            settings.merge(Self.shape) { $1 }
          } else {
            settings[AVVideoCompressionPropertiesKey] = Self.shape
          }
        }
        let track = try #require(asset.tracks(withMediaType: .video).first)
        let formats = try await track.load(.formatDescriptions)
        let format = try #require(formats.first)
        let seen = CMVideoFormatDescriptionGetCleanAperture(format, originIsAtTopLeft: true)
        #expect(seen == CGRect(x: 12, y: 4, width: 48, height: 36))
        let whole = CMVideoFormatDescriptionGetPresentationDimensions(
          format, usePixelAspectRatio: true, useCleanAperture: false)
        #expect(abs(whole.width - 64 * 4 / 3) < 0.01 && whole.height == 48)
        #expect(try Program.probe(asset.url.path).stream("video")["sample_aspect_ratio"] as? String == "4:3")
      }
    }
  }

  @Test func `a part alone leaves pixels square`() async throws {
    try await withMovieFolder { folder in
      let part = [AVVideoCleanApertureWidthKey: 32, AVVideoCleanApertureHeightKey: 48]
      let asset = try await movie(folder) {
        $0[AVVideoCompressionPropertiesKey] = [AVVideoCleanApertureKey: part]
      }
      #expect(asset.tracks.first?.naturalSize == CGSize(width: 64, height: 48))
    }
  }

  @Test func `an image generator shows the part that is asked for`() async throws {
    try await withMovieFolder { folder in
      let asset = try await movie(folder) { $0[AVVideoCompressionPropertiesKey] = Self.shape }
      let generator = AVAssetImageGenerator(asset: asset)
      func size() throws -> [Int] {
        let image = try generator.copyCGImage(at: .zero, actualTime: nil)
        return [image.width, image.height]
      }
      #expect(generator.apertureMode == .cleanAperture)
      #expect(try size() == [64, 36])
      generator.apertureMode = .productionAperture
      #expect(try size() == [85, 48])
      generator.apertureMode = .encodedPixels
      #expect(try size() == [64, 48])
      generator.apertureMode = nil
      #expect(try size() == [64, 36])
    }
  }

  @Test func `settings that name no shape, or a part outside of the picture, are refused`() throws {
    let writer = try AVAssetWriter(outputURL: URL(fileURLWithPath: "/nowhere/shaped.mov"), fileType: .mov)
    for wrong: [String: Any] in [
      [AVVideoPixelAspectRatioKey: [AVVideoPixelAspectRatioHorizontalSpacingKey: 4]],
      [AVVideoPixelAspectRatioKey: 4],
      [AVVideoCleanApertureKey: [AVVideoCleanApertureWidthKey: 65, AVVideoCleanApertureHeightKey: 36]],
      [
        AVVideoCleanApertureKey: [
          AVVideoCleanApertureWidthKey: 60, AVVideoCleanApertureHeightKey: 36,
          AVVideoCleanApertureHorizontalOffsetKey: 4,
        ]
      ],
    ] {
      var settings = AssetWriterTests.videoSettings
      settings[AVVideoCompressionPropertiesKey] = wrong
      #expect(!writer.canApply(outputSettings: settings, forMediaType: .video), "\(wrong)")
    }
    var audio = AssetWriterTests.audioSettings
    #expect(writer.canApply(outputSettings: audio, forMediaType: .audio))
    audio[AVChannelLayoutKey] = Data([1])
    #expect(!writer.canApply(outputSettings: audio, forMediaType: .audio))
  }
}
