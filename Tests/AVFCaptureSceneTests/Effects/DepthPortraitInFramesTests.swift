import AVFoundation
import CaptureDevice
import CaptureStage
import CoreVideo
import Foundation
import FoundationExtras
import Linux
import PeopleFinding
import SimulatedDevices
import Testing

private let hasSegmentation = ModelFolder.current.obstacle(to: .segmentation) == nil

extension DeviceSuites {
  /// Tests of Portrait with a camera that measures depth.
  @Suite(.enabled(if: hasSegmentation, "there are no models here; run scripts/setup --models"))
  struct DepthPortraitInFramesTests {
    private static let size = FrameSize(width: 640, height: 480)

    /// Three QR codes at three metres, half a metre and a little more; a model of people finds none of them.
    private func studio(depthSizes: [FrameSize]) throws -> (
      rig: CaptureRig, output: AVCaptureVideoDataOutput, delegate: RecordingVideoDelegate
    ) {
      var scene = Scene(isStamped: false, isNoisy: false)
      scene.background.depth = 3
      func code(_ x: Double, _ metres: Double) throws -> SceneLayer {
        SceneLayer(
          try .code(.qr, "where it is does not matter"), center: CGPoint(x: x, y: 0.5), width: 0.24,
          depth: metres)
      }
      scene.layers = [try code(0.18, 3), try code(0.5, 0.5), try code(0.82, 0.56)]
      let rig = try CaptureRig(
        .camera(sizes: [Self.size], sensorRotation: 0, depthSizes: depthSizes), scene: scene)
      let output = AVCaptureVideoDataOutput()
      let delegate = RecordingVideoDelegate()
      rig.session.addOutput(output)
      output.setSampleBufferDelegate(delegate, queue: DispatchQueue(label: "studio"))
      return (rig, output, delegate)
    }

    /// Lets Portrait be on, and returns the edges of the far, the middle and the near code with it and without.
    private func edges(depthSizes: [FrameSize]) throws -> (with: [Double], without: [Double]) {
      defer { SimulatedDevices.setVideoEffects(nil) }
      let studio = try studio(depthSizes: depthSizes)
      func measured() throws -> [Double] {
        studio.delegate.samples.withLock { $0 = [] }
        studio.rig.advance(frames: 8)
        let picture = try #require(studio.delegate.samples.withLock { $0.last?.buffer.imageBuffer })
        return [0.18, 0.5, 0.82].map { edges(picture, around: $0) }
      }
      studio.rig.session.startRunning()
      studio.rig.advance(frames: 40)
      let without = try measured()
      var choices = VideoEffectChoices.standard
      choices[.portrait] = VideoEffectChoice(isOn: true, strength: 1)
      SimulatedDevices.setVideoEffects(choices)
      return (try measured(), without)
    }

    @Test func `blurs by distance, without a depth data output, and keeps things beside the one in focus`()
      throws
    {
      let (with, without) = try edges(depthSizes: [Self.size])
      #expect(with[0] < 0.4 * without[0], "the far code")
      #expect(with[1] > 0.9 * without[1], "the code in the middle, which is in focus")
      #expect(with[2] > 0.9 * without[2], "the code beside it")
    }

    @Test func `blurs all that is no person where no depth is measured`() throws {
      let (with, without) = try edges(depthSizes: [])
      for (with, without) in zip(with, without) { #expect(with < 0.4 * without) }
    }

    /// The mean difference of neighbours in a row through the code at a place.
    private func edges(_ picture: CVPixelBuffer, around x: Double) -> Double {
      CVPixelBufferLockBaseAddress(picture, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
      let width = CVPixelBufferGetWidth(picture), height = CVPixelBufferGetHeight(picture)
      let columns = Int((x - 0.07) * Double(width))..<Int((x + 0.07) * Double(width))
      var (sum, count) = (0, 0)
      for y in height * 2 / 5..<height * 3 / 5 {
        let row = picture.planes[0].row(y)
        for column in columns {
          sum += abs(Int(row[column]) - Int(row[column + 1]))
          count += 1
        }
      }
      return Double(sum) / Double(count)
    }
  }
}
