import AVFCore
import CoreMedia
import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import MovieTools
import QuartzCore
import Testing

@Suite("AVVideoCompositionCoreAnimationTool")
struct AnimationToolTests {
  private static let size = CGSize(width: 64, height: 48)
  private let red = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
  private let green = CGColor(red: 0, green: 1, blue: 0, alpha: 1)

  private func layer(_ frame: CGRect, _ color: CGColor? = nil) -> CALayer {
    let layer = CALayer()
    layer.frame = frame
    layer.backgroundColor = color
    return layer
  }

  private var whole: CGRect { CGRect(origin: .zero, size: Self.size) }

  /// The frames that a reader makes, as blue, green, red at some points from the upper left.
  private func colors(
    _ asset: AVAsset, _ composition: AVVideoComposition, at points: [(x: Int, y: Int)]
  ) throws -> [[[Int]]] {
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderVideoCompositionOutput(
      videoTracks: asset.tracks(withMediaType: .video),
      videoSettings: [kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_32BGRA])
    output.videoComposition = composition
    reader.add(output)
    try #require(reader.startReading(), "\(String(describing: reader.error))")
    var frames: [[[Int]]] = []
    while let sample = output.copyNextSampleBuffer() {
      let buffer = try #require(sample.imageBuffer)
      frames.append(points.map { self.color(buffer, $0.x, $0.y) })
    }
    #expect(reader.status == .completed, "\(String(describing: reader.error))")
    return frames
  }

  private func color(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    let row = buffer.planes[0].row(y)
    return (0..<3).map { Int(row[4 * x + $0]) }
  }

  private func isGray(_ color: [Int]) -> Bool { abs(color[0] - color[1]) < 8 && abs(color[1] - color[2]) < 8 }

  @Test(
    "Frames lie in the video layer, with layers around them, y pointing up, and animations go by the film's time"
  )
  func around() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 30)
      let (video, parent) = (layer(whole), layer(whole))
      // Below on the screen: y is small there.
      let mark = layer(CGRect(x: 0, y: 0, width: 16, height: 12), red)
      let late = layer(CGRect(x: 48, y: 36, width: 16, height: 12), green)
      late.opacity = 0
      let appears = CABasicAnimation(keyPath: "opacity")
      (appears.fromValue, appears.toValue) = (1, 1)
      appears.beginTime = AVCoreAnimationBeginTimeAtZero + 0.5
      appears.duration = 0.25
      late.add(appears, forKey: "appears")
      for child in [video, mark, late] { parent.addSublayer(child) }
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      let tool = AVVideoCompositionCoreAnimationTool(postProcessingAsVideoLayer: video, in: parent)
      composition.animationTool = tool
      #expect(composition.animationTool === tool)
      let frames = try colors(asset, composition, at: [(4, 44), (4, 4), (60, 4), (32, 24)])
      #expect(frames.count == 30)
      for (index, frame) in frames.enumerated() {
        #expect(frame[0] == [0, 0, 255], "frame \(index)")
        #expect(isGray(frame[1]) && isGray(frame[3]))
        // 0.5 to 0.75 seconds, of thirty frames a second.
        let isSeen = (15..<23).contains(index)
        #expect((frame[2] == [0, 255, 0]) == isSeen, "frame \(index)")
      }
      // The frames themselves are there, in their order.
      #expect(Set(frames.prefix(16).map { $0[3] }).count == 16)
      #expect(video.contents == nil && late.animationKeys() == ["appears"])
    }
  }

  @Test("A smaller video layer shows the whole frame, its upper side up")
  func smaller() throws {
    try withMovieFolder { folder in
      let path = "\(folder)/halves.mov"
      // The upper half is white.
      try Program.make(
        path,
        [
          "-f", "lavfi", "-i",
          "color=black:size=64x48:rate=10:duration=0.3,format=yuv420p,geq=lum='if(lt(Y,24),235,16)':cb=128:cr=128",
          "-c:v", "libx264", "-crf", "1",
        ])
      let asset = AVURLAsset(url: URL(fileURLWithPath: path))
      let parent = layer(whole, red)
      let video = layer(CGRect(x: 32, y: 24, width: 32, height: 24))
      parent.addSublayer(video)
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      composition.animationTool = AVVideoCompositionCoreAnimationTool(
        postProcessingAsVideoLayers: [video], in: parent)
      let frame = try #require(
        try colors(asset, composition, at: [(48, 4), (48, 20), (48, 36), (8, 8)]).first)
      #expect(frame[0].allSatisfy { $0 > 240 } && frame[1].allSatisfy { $0 < 15 })
      #expect(frame[2] == [0, 0, 255] && frame[3] == [0, 0, 255])
    }
  }

  @Test("A layer as a track lies where its instruction says, as faint as it says, below what lies above it")
  func track() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 6)
      let number: CMPersistentTrackID = 100
      let badge = layer(CGRect(x: 0, y: 0, width: 20, height: 10), green)
      // The upper half of the badge: y points up in it.
      badge.addSublayer(layer(CGRect(x: 0, y: 5, width: 20, height: 5), red))
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      composition.animationTool = AVVideoCompositionCoreAnimationTool(
        additionalLayer: badge, asTrackID: number)
      let instruction = try #require(composition.instructions.first as? AVMutableVideoCompositionInstruction)
      let over = AVMutableVideoCompositionLayerInstruction()
      over.trackID = number
      over.setTransform(CGAffineTransform(translationX: 10, y: 4), at: .zero)
      let under = instruction.layerInstructions
      instruction.layerInstructions = [over] + under
      let points = [(x: 12, y: 6), (x: 12, y: 12), (x: 40, y: 6)]
      let shown = try colors(asset, composition, at: points)
      #expect(shown.count == 6)
      for frame in shown {
        #expect(frame[0] == [0, 0, 255] && frame[1] == [0, 255, 0] && isGray(frame[2]))
      }
      over.setOpacity(0.5, at: .zero)
      let faint = try #require(try colors(asset, composition, at: points).first)
      #expect((100...200).contains(faint[0][2]) && faint[0][0] < faint[0][2])
      // Behind the pictures nothing of it is seen.
      instruction.layerInstructions = under + [over]
      let hidden = try #require(try colors(asset, composition, at: points).first)
      #expect(hidden.allSatisfy { isGray($0) })
    }
  }

  @Test("An export writes the layers, a player takes none, and a compositor excludes them")
  func export() async throws {
    try await withMovieFolder { folder in
      let asset = try await EditingStage.movie(folder, frames: 10)
      let (video, parent) = (layer(whole), layer(whole))
      parent.addSublayer(video)
      parent.addSublayer(layer(CGRect(x: 0, y: 0, width: 32, height: 48), red))
      let composition = AVMutableVideoComposition(propertiesOf: asset)
      composition.animationTool = AVVideoCompositionCoreAnimationTool(
        postProcessingAsVideoLayer: video, in: parent)
      let session = try #require(
        AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality))
      session.videoComposition = composition
      let url = URL(fileURLWithPath: "\(folder)/layers.mov")
      try await session.export(to: url, as: .mov)
      let written = AVURLAsset(url: url)
      let plain = AVMutableVideoComposition(propertiesOf: written)
      let frame = try #require(try colors(written, plain, at: [(8, 24), (56, 24)]).first)
      #expect(frame[0][2] > 200 && frame[0][0] < 60 && isGray(frame[1]))
      let item = AVPlayerItem(asset: asset)
      #expect(ProgrammingMistake.collect { item.videoComposition = composition }.count == 1)
      #expect(item.videoComposition == nil)
    }
  }
}
