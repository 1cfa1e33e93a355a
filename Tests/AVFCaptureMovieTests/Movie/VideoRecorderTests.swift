import AVFoundation
import CaptureStage
import CoreMedia
import Foundation
import FoundationExtras
import SimulatedDevices
import Testing

extension DeviceSuites {
  /// Tests of the tutorial of a video recorder, from the first to the last step.
  @Suite("A video recorder")
  struct VideoRecorderTests {
    @Test
    func `a movie is recorded with sound, shown as a picture, played, sought to a frame, and deleted`()
      async throws
    {
      let stage = try MovieStage()
      stage.session.startRunning()
      stage.pass(frames: 2)
      let url = try stage.record(frames: 90)
      stage.session.stopRunning()
      let first = try #require(try WrittenMovie(url).stamps.first ?? nil)

      let asset = AVURLAsset(url: url)
      #expect(abs(try await asset.load(.duration).seconds - 3) < 0.05)
      #expect(try await asset.loadTracks(withMediaType: .audio).count == 1)
      let generator = AVAssetImageGenerator(asset: asset)
      generator.maximumSize = CGSize(width: 80, height: 80)
      let thumbnail = try await generator.image(at: .zero)
      #expect(max(thumbnail.image.width, thumbnail.image.height) == 80)
      #expect(thumbnail.actualTime == .zero)

      let item = AVPlayerItem(asset: asset)
      let pictures = AVPlayerItemVideoOutput(pixelBufferAttributes: nil)
      item.add(pictures)
      let player = AVPlayer(playerItem: item)
      player.isMuted = true
      for await status in item.values(for: \.status) where status != .unknown { break }
      #expect(item.status == .readyToPlay)
      player.play()
      for await status in player.values(for: \.timeControlStatus) where status == .playing { break }
      player.pause()
      let middle = CMTime(value: 3, timescale: 2)
      #expect(await player.seek(to: middle, toleranceBefore: .zero, toleranceAfter: .zero))
      #expect(player.currentTime() == middle && player.rate == 0)
      let picture = try #require(pictures.copyPixelBuffer(forItemTime: middle, itemTimeForDisplay: nil))
      // Thirty frames a second, so the stamp is that of the 45th frame after the first.
      #expect(FrameStamp.read(from: picture) == first + 45)

      player.replaceCurrentItem(with: nil)
      try FileManager.default.removeItem(at: url)
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }
}
