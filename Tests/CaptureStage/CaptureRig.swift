package import AVFoundation
import CaptureDevice
package import Foundation
package import Linux
package import SimulatedDevices
import Testing

/// A session with one small simulated camera on a manual clock, for tests of outputs.
///
/// Installs the process's devices: belongs in ``DeviceSuites``.
package final class CaptureRig {
  package let clock = SimulatedClock()
  package let provider: SimulatedDeviceProvider
  package let session = AVCaptureSession()
  package let device: AVCaptureDevice
  package let input: AVCaptureDeviceInput

  /// One camera of `model` in a scene, with its input in a session.
  package init(
    _ model: SimulatedDeviceModel = .camera(), scene: Scene? = nil, faults: [SceneFault] = [],
    preset: AVCaptureSession.Preset = .high
  ) throws {
    var scene = scene ?? Scene(isNoisy: false)
    scene.devices = [model]
    scene.faults = faults
    provider = SimulatedDevices.install(scene: scene, clock: clock)
    device = try #require(AVCaptureDevice(uniqueID: model.facts.uniqueID))
    input = try AVCaptureDeviceInput(device: device)
    session.sessionPreset = preset
    session.addInput(input)
  }

  deinit {
    session.stopRunning()
    SimulatedDevices.uninstall()
  }

  /// Lets time pass for `frames` frames at 30 a second, each with its callbacks.
  package func advance(frames: Int, waitingForClients: Bool = true) {
    clock.advance(by: .seconds(Double(frames) / 30), waitingForClients: waitingForClients)
  }
}

/// Writes down what a video data output delivers.
package final class RecordingVideoDelegate: NSObject, AVCaptureVideoDataOutputSampleBufferDelegate, Sendable {
  package struct Sample: Sendable {
    package var sequence: UInt32?
    package var buffer: CMSampleBuffer
  }

  package let samples = Locked<[Sample]>([])
  package let drops = Locked<[(sequence: UInt32?, reason: String?, time: CMTime)]>([])
  /// Whether the samples' buffers are kept, which starves the device.
  package let keepsBuffers = Locked(true)
  package let count = Locked(0)
  /// Called inside every callback.
  package let inside = Hook<Void>()
  package let visit = Hook<CMSampleBuffer>()

  package func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    count.withLock { $0 += 1 }
    if keepsBuffers.withLock({ $0 }) {
      samples.withLock { $0.append(Sample(sequence: Self.sequence(of: sampleBuffer), buffer: sampleBuffer)) }
    }
    visit.call(sampleBuffer)
    inside.call()
  }

  package func captureOutput(
    _ output: AVCaptureOutput, didDrop sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    let reason =
      CMGetAttachment(
        sampleBuffer, key: kCMSampleBufferAttachmentKey_DroppedFrameReason, attachmentModeOut: nil) as? String
    drops.withLock {
      $0.append((Self.sequence(of: sampleBuffer), reason, sampleBuffer.presentationTimeStamp))
    }
    inside.call()
  }

  package static func sequence(of sampleBuffer: CMSampleBuffer) -> UInt32? {
    CMGetAttachment(sampleBuffer, key: FrameAttachments.sequenceNumber, attachmentModeOut: nil) as? UInt32
  }
}
