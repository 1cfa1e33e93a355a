import AVFoundation
import CaptureStage
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("MistakeRecorder: an app's mistakes in its tests")
  struct MistakeRecorderTests {
    /// A camera as apps have it: the session is used on a queue of its own.
    private final class Camera: @unchecked Sendable {  // Safe because all is reached on `queue`.
      let session = AVCaptureSession()
      let queue = DispatchQueue(label: "session")
      static let line = UInt(#line) + 5

      func startTooEarly() {
        queue.sync {
          session.beginConfiguration()
          session.startRunning()
          session.commitConfiguration()
        }
      }
    }

    @Test func `mistakes on the app's own queue are recorded, with the app's file and line`() {
      let camera = Camera()
      let recorder = MistakeRecorder()
      camera.startTooEarly()
      let own = recorder.mistakes.filter { $0.file == #filePath }
      #expect(own.count == 1)
      #expect(own.first?.line == Camera.line)
      #expect(own.first?.rule.contains("startRunning") == true)
    }

    @Test func `mistakes of one thread are distinguished from those of others`() {
      let recorder = MistakeRecorder()
      let session = AVCaptureSession()
      let mistakes = MistakeRecorder.mistakes {
        session.beginConfiguration()
        session.startRunning()
        session.commitConfiguration()
      }
      #expect(mistakes.count == 1)
      #expect(!recorder.mistakes.contains { $0.file == #filePath && $0.line == mistakes.first?.line })
    }

    @Test func `a property's setter is named where the client sets it`() {
      let settings = AVCapturePhotoSettings()
      let line = UInt(#line) + 1
      let mistakes = MistakeRecorder.mistakes { settings.metadata = ["Shoe size": 44] }
      #expect(mistakes.first?.file == #filePath && mistakes.first?.line == line)
    }
  }
}
