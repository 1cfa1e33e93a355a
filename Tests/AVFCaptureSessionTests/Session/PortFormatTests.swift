import AVFoundation
import CaptureDevice
import CaptureStage
import Foundation
import Linux
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("Formats of ports")
  struct PortFormatTests {
    /// The kinds of media of the ports that were posted, in order.
    private final class Posts: @unchecked Sendable {  // Safe: locked state, and a token.
      private let media = Locked<[AVMediaType]>([])
      private var token: (any NSObjectProtocol)?

      init(of session: AVCaptureSession) {
        token = NotificationCenter.default.addObserver(
          forName: .AVCaptureInputPortFormatDescriptionDidChange, object: nil, queue: nil
        ) { [media, weak session] note in
          guard let port = note.object as? AVCaptureInput.Port, session?.inputs.contains(port.input) == true,
            port.formatDescription != nil
          else { return }
          media.withLock { $0.append(port.mediaType) }
        }
      }

      deinit {
        if let token { NotificationCenter.default.removeObserver(token) }
      }

      func take() -> [AVMediaType] {
        media.withLock { media in
          defer { media = [] }
          return media
        }
      }
    }

    @Test func `a port's format is posted when its session starts, and when it becomes another`() throws {
      let sizes = [FrameSize(width: 160, height: 120), FrameSize(width: 320, height: 240)]
      let rig = try CaptureRig(.camera(sizes: sizes), preset: .inputPriority)
      rig.session.addOutput(AVCaptureVideoDataOutput())
      let posts = Posts(of: rig.session)
      #expect(posts.take().isEmpty)
      rig.session.startRunning()
      #expect(posts.take() == [.video])

      let device = rig.input.device
      try device.lockForConfiguration()
      defer { device.unlockForConfiguration() }
      let other = try #require(device.formats.first { $0 !== device.activeFormat })
      device.activeFormat = other
      #expect(posts.take() == [.video])
      device.activeFormat = other
      rig.session.beginConfiguration()
      rig.session.commitConfiguration()
      #expect(posts.take().isEmpty)

      rig.session.stopRunning()
      rig.session.startRunning()
      #expect(posts.take().isEmpty, "it is the same format")
    }

    @Test func `code that waits for the format before it converts a region gets the region`() throws {
      let stage = try CodeStage([try CodeStage.code("waited", at: CGPoint(x: 0.5, y: 0.5))])
      let layer = AVCaptureVideoPreviewLayer(session: stage.rig.session)
      layer.bounds = CGRect(x: 0, y: 0, width: 360, height: 480)
      nonisolated(unsafe) let shown = layer  // Safe because the notification comes on this thread.
      stage.output.metadataObjectTypes = [.qr]
      let token = NotificationCenter.default.addObserver(
        forName: AVCaptureInput.Port.formatDescriptionDidChangeNotification, object: nil, queue: nil
      ) { [output = stage.output] note in
        guard let port = note.object as? AVCaptureInput.Port,
          shown.session?.inputs.contains(port.input) == true
        else { return }
        output.rectOfInterest = shown.metadataOutputRectConverted(
          fromLayerRect: CGRect(x: 0, y: 0, width: 360, height: 120))
      }
      defer { NotificationCenter.default.removeObserver(token) }
      stage.rig.session.startRunning()
      #expect(stage.output.rectOfInterest.width < 0.5)
      stage.rig.advance(frames: 2)
      #expect(stage.listener.texts.isEmpty, "the code lies outside of the region")
    }
  }
}
