import AVFoundation
import CaptureDevice
import CaptureStage
import Dispatch
import Foundation
import FoundationExtras
import ImageIO
import Linux
import SimulatedDevices
import StillCodecs
import Testing

/// Tests of the calls of a photo's delegate, also where the photo fails.
extension DeviceSuites.PhotoOutput {
  @Test func `each photo goes through Apple's sequence, on one queue that is not the main one`() throws {
    let rig = try rig()
    let mainCalls = Locked(0)
    delegate.inside.set { if Thread.isMainThread { mainCalls.withLock { $0 += 1 } } }
    let settings = [AVCapturePhotoSettings(), AVCapturePhotoSettings()]
    for settings in settings { output.capturePhoto(with: settings, delegate: delegate) }
    rig.advance(frames: 2)
    #expect(delegate.wait(for: 2))
    let steps = delegate.steps.withLock { $0 }
    for settings in settings {
      let own = RecordingPhotoDelegate.success(settings.uniqueID)
      #expect(steps.filter(own.contains) == own)
    }
    #expect(mainCalls.withLock { $0 } == 0)
  }

  @Test func `a photo may be taken from inside a callback`() throws {
    let rig = try rig()
    let output = output, delegate = delegate
    let isFirst = Locked(true)
    delegate.inside.set {
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }; return isFirst
        })
      else { return }
      output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    }
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    rig.advance(frames: 4)
    #expect(delegate.wait(for: 2))
    #expect(delegate.errors.withLock { $0.isEmpty })
  }

  @Test(arguments: 0..<5)
  func `stopRunning from inside any callback returns, and the photo ends once`(step: Int) throws {
    let rig = try rig()
    let session = rig.session
    let count = Locked(0)
    delegate.inside.set {
      let now = count.withLock { count in
        defer { count += 1 }
        return count
      }
      if now == step { session.stopRunning() }
    }
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    rig.advance(frames: 3)
    #expect(delegate.wait())
    #expect(!session.isRunning)
    let ends = delegate.steps.withLock { $0.count { if case .finished = $0 { true } else { false } } }
    #expect(ends == 1)
  }

  @Test func `a session that does not run is an error and no mistake`() throws {
    let rig = try rig(isRunning: false)
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    #expect(delegate.wait())
    #expect(delegate.errors.withLock { ($0.first as? AVError)?.code } == .sessionNotRunning)
    withExtendedLifetime(rig) {}
  }

  @Test func `a photo that waits for its frame ends when the session stops`() throws {
    let rig = try rig()
    output.isZeroShutterLagEnabled = false
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    rig.session.stopRunning()
    #expect(delegate.wait())
    #expect(delegate.errors.withLock { ($0.first as? AVError)?.code } == .sessionNotRunning)
    rig.advance(frames: 3)
    #expect(delegate.finishedCount.withLock { $0 } == 1)
  }

  @Test func `a photo that waits for its frame ends when the camera is unplugged`() throws {
    let rig = try rig()
    output.isZeroShutterLagEnabled = false
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    rig.provider.device("simulated.test")?.unplug()
    rig.advance(frames: 2)
    #expect(delegate.wait())
    #expect(delegate.errors.withLock { ($0.first as? AVError)?.code } == .deviceWasDisconnected)
    #expect(delegate.finishedCount.withLock { $0 } == 1)
  }

  @Test func `a photo that waits for its frame ends when the output leaves the session`() throws {
    let rig = try rig()
    output.isZeroShutterLagEnabled = false
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    rig.session.removeOutput(output)
    #expect(delegate.wait())
    #expect(delegate.errors.withLock { $0.count } == 1)
  }

  @Test func `a corrupt picture of a JPEG camera is an error and no picture`() throws {
    let webcam = SimulatedDeviceModel.camera(encodings: [.motionJPEG])
    let rig = try rig(webcam, faults: [SceneFault(.corrupt(rate: 1))])
    output.capturePhoto(with: AVCapturePhotoSettings(), delegate: delegate)
    rig.advance(frames: 2)
    #expect(delegate.wait())
    #expect(delegate.errors.withLock { ($0.first as? AVError)?.code } == .decodeFailed)
    let photo = try #require(delegate.photos.withLock { $0.first })
    #expect(photo.fileDataRepresentation() == nil)
    #expect(photo.metadata[kCGImagePropertyExifDictionary as String] != nil)
  }

  @Test func `a JPEG camera's good picture becomes a photo`() throws {
    let rig = try rig(.camera(encodings: [.motionJPEG]))
    let photo = try take(AVCapturePhotoSettings(), rig)
    #expect(try stamp(of: try #require(photo.cgImageRepresentation())) == photo.frameSequenceNumber)
    let tags = try exifTool(try #require(photo.fileDataRepresentation()), "jpg")
    #expect(tags["Orientation"] as? Int == 6)
    #expect(tags["ExifImageWidth"] as? Int == 160)
  }
}
