import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Switching cameras")
  struct SwitchingTests {
    /// Counts the objects that are still alive although they should be gone.
    private final class Remains {
      private struct Weak {
        weak var object: AnyObject?
      }

      private var objects: [Weak] = []

      func note(_ object: AnyObject?) {
        objects.append(Weak(object: object))
      }

      /// The number of objects that stay alive, once the session's own queues hold none any more.
      var count: Int { objects.count { $0.object != nil } }
    }

    private static var threads: Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    @Test func `a hundred switches keep the outputs, lose three frames at most, and leak nothing`() throws {
      let remains = Remains()
      let stage = SessionStage()
      let session = stage.session
      let counter = FrameCounter()
      let output = AVCaptureVideoDataOutput()
      counter.watch(output)
      session.addOutput(output)
      var layer: AVCaptureVideoPreviewLayer? = AVCaptureVideoPreviewLayer(session: session)
      let frames = try #require(layer?.frames)
      let shown = Locked<[CMTime]>([])
      frames.setFrameHandler { [weak frames] in
        guard let frame = frames?.takeNewest() else { return }
        shown.withLock { $0.append(frame.timestamp) }
      }
      var input = try AVCaptureDeviceInput(device: stage.camera())
      session.addInput(input)
      session.startRunning()
      stage.pass(frames: 3)
      let threadsBefore = Self.threads

      for turn in 1...100 {
        session.beginConfiguration()
        remains.note(input)
        remains.note(output.connection(with: .video))
        remains.note(layer?.connection)
        session.removeInput(input)
        input = try AVCaptureDeviceInput(
          device: stage.camera(turn % 2 == 1 ? SessionStage.front : SessionStage.back))
        #expect(session.canAddInput(input))
        session.addInput(input)
        session.commitConfiguration()

        #expect(session.isRunning)
        let connection = try #require(output.connection(with: .video))
        let previewConnection = try #require(layer?.connection)
        #expect(connection.isActive && previewConnection.isActive)
        #expect(session.connections.count == 2)
        #expect(previewConnection.isVideoMirrored == (turn % 2 == 1))
        let (before, beforeShown) = (counter.frames, shown.withLock { $0.count })
        stage.pass(frames: 3)
        #expect(counter.frames > before, "turn \(turn)")
        #expect(shown.withLock { $0.count } > beforeShown, "turn \(turn)")
      }

      // Both cameras run at 30 frames a second on one clock.
      for times in [counter.times, shown.withLock { $0 }] {
        let gaps = zip(times, times.dropFirst()).map { ($1 - $0).seconds }
        #expect(gaps.allSatisfy { $0 > 0 })
        #expect(try #require(gaps.max()) <= 3.0 / 30 + 1e-6)
      }
      #expect(counter.drops == 0)
      #expect(stage.news.all == ["isRunning true", "started"], "no switch is posted")
      #expect(
        Self.threads < threadsBefore + 50, "other tests' threads come and go; a leak would be a hundred")

      session.stopRunning()
      let sent = output.statistics, drawn = frames.statistics
      #expect(sent.captured == sent.delivered + sent.dropped)
      #expect(drawn.captured == drawn.delivered + drawn.dropped)
      #expect(drawn.delivered == shown.withLock { $0.count })
      remains.note(layer)
      layer = nil
      // News of the stop may hold the layer for a moment.
      stage.clock.settle()
      #expect(frames.takeNewest() == nil, "the last buffer goes with the layer")
      session.removeInput(input)
      stage.clock.settle()
      #expect(remains.count == 0)
    }

    @Test func `a device's buffers all come home after switches`() throws {
      let stage = SessionStage()
      let held = Locked<[CVPixelBuffer]>([])
      let layer = AVCaptureVideoPreviewLayer(session: stage.session)
      layer.frames.setFrameHandler { [weak frames = layer.frames] in
        if let pixels = frames?.takeNewest()?.pixels { held.withLock { $0 = [pixels] } }
      }
      var input = try AVCaptureDeviceInput(device: stage.camera())
      stage.session.addInput(input)
      stage.session.startRunning()
      for turn in 1...20 {
        stage.pass(frames: 2)
        stage.session.beginConfiguration()
        stage.session.removeInput(input)
        input = try AVCaptureDeviceInput(
          device: stage.camera(turn % 2 == 1 ? SessionStage.front : SessionStage.back))
        stage.session.addInput(input)
        stage.session.commitConfiguration()
      }
      // Eight buffers serve a stream: were any of them lost with a switch, frames would be dropped by now.
      stage.pass(frames: 30)
      stage.session.stopRunning()
      let counts = layer.frames.statistics
      #expect(counts.outOfBuffers == 0 && counts.discontinuities == 0)
      weak var last: CVPixelBuffer?
      held.withLock { last = $0.last }
      layer.session = nil
      layer.frames.setFrameHandler(nil)
      held.withLock { $0 = [] }
      stage.clock.settle()
      #expect(last == nil)
    }
  }
}
