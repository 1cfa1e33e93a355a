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

/// Settings that the output refuses.
extension DeviceSuites.PhotoOutput {
  private func expectMistake(_ settings: AVCapturePhotoSettings) {
    let count = delegate.finishedCount.withLock { $0 }
    let mistakes = ProgrammingMistake.collect { output.capturePhoto(with: settings, delegate: delegate) }
    #expect(mistakes.count == 1)
    #expect(delegate.wait(for: count + 1))
    #expect(delegate.steps.withLock { $0.last } == .finished(settings.uniqueID, failed: true))
  }

  @Test func `without a connection a press is a mistake and the delegate gets its error`() {
    expectMistake(AVCapturePhotoSettings())
  }

  @Test func `settings serve once, their copies too`() throws {
    let rig = try rig()
    let settings = AVCapturePhotoSettings()
    let copy = try #require(settings.copy() as? AVCapturePhotoSettings)
    _ = try take(settings, rig)
    expectMistake(settings)
    expectMistake(copy)
  }

  /// A camera whose flash never fires.
  private var flashless: SimulatedDeviceModel {
    var model = SimulatedDeviceModel.camera()
    model.facts.capabilities.flashModes = []
    return model
  }

  @Test func `what the output cannot do is a mistake`() throws {
    let rig = try rig(flashless)
    var wrong: [AVCapturePhotoSettings] = [
      AVCapturePhotoSettings(format: [AVVideoCodecKey: "avc1"]),
      AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: OSType(1)]),
    ]
    func add(_ change: (AVCapturePhotoSettings) -> Void) {
      let settings = AVCapturePhotoSettings()
      change(settings)
      wrong.append(settings)
    }
    add { $0.flashMode = .on }
    add { $0.isHighResolutionPhotoEnabled = true }
    add { $0.photoQualityPrioritization = .quality }
    add { $0.maxPhotoDimensions = CMVideoDimensions(width: 1, height: 1) }
    add { $0.previewPhotoFormat = [:] }
    add { $0.embeddedThumbnailPhotoFormat = [AVVideoCodecKey: "hvc1"] }
    for settings in wrong { expectMistake(settings) }
    let mistakes = ProgrammingMistake.collect {
      output.maxPhotoDimensions = CMVideoDimensions(width: 7, height: 7)
    }
    #expect(mistakes.count == 1)
    withExtendedLifetime(rig) {}
  }

  @Test func `nothing is available before a camera is connected`() throws {
    #expect(output.availablePhotoCodecTypes.isEmpty)
    #expect(output.availablePhotoPixelFormatTypes.isEmpty)
    #expect(output.availablePhotoFileTypes.isEmpty)
    let rig = try rig(flashless, isRunning: false)
    #expect(output.availablePhotoCodecTypes == [.hevc, .jpeg])
    #expect(output.availablePhotoFileTypes == [.heic, .jpg])
    #expect(output.supportedPhotoCodecTypes(for: .heic) == [.hevc])
    #expect(output.supportedPhotoCodecTypes(for: .jpg) == [.jpeg])
    #expect(output.supportedFlashModes == [.off])
    withExtendedLifetime(rig) {}
  }
}
