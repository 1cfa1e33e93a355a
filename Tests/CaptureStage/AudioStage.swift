package import AVFoundation
import CaptureDevice
import Linux
package import SimulatedDevices

extension SimulatedDeviceModel {
  /// A microphone for tests.
  package static let stageMicrophone = SimulatedDeviceModel(
    facts: DeviceFacts(
      uniqueID: "stage.microphone", modelID: "Simulated Test Microphone", name: "Microphone",
      manufacturer: "Obscura", kind: .builtInMicrophone, position: .unspecified, media: [.audio], formats: [])
  )
}

/// Notes what an audio data output hands over, and may do something in each callback.
package final class AudioCounter: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, @unchecked Sendable
{
  // Safe because the state is locked and the closure is set before the session starts.
  package struct Chunk: Sendable {
    package var time: CMTime
    package var duration: CMTime
    package var count: Int
    package var followsGap: Bool
    package var bytes: Data
    package var format: AudioStreamBasicDescription

    /// When the next one begins if nothing is lost, to the nanosecond: stamps are whole ones, samples are not.
    package var end: CMTime {
      CMTimeConvertScale(time + duration, timescale: 1_000_000_000, method: .default)
    }
  }

  private let state = Locked<[Chunk]>([])
  package let queue = DispatchQueue(label: "sound")
  package var onAudio: (@Sendable (CMSampleBuffer) -> Void)?
  /// Whether the samples are kept too; hours of them fill the memory.
  package var keepsBytes = true

  package func watch(_ output: AVCaptureAudioDataOutput) {
    output.setSampleBufferDelegate(self, queue: queue)
  }

  package var stretches: [Chunk] { state.withLock { $0 } }

  package func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    let mark = CMGetAttachment(
      sampleBuffer, key: kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence, attachmentModeOut: nil)
    state.withLock {
      $0.append(
        Chunk(
          time: sampleBuffer.presentationTimeStamp, duration: sampleBuffer.duration,
          count: sampleBuffer.numSamples, followsGap: mark as? Bool == true,
          bytes: keepsBytes ? (try? sampleBuffer.dataBuffer?.dataBytes()) ?? Data() : Data(),
          format: sampleBuffer.formatDescription?.audioStreamBasicDescription ?? AudioStreamBasicDescription()
        ))
    }
    onAudio?(sampleBuffer)
  }
}

extension SessionStage {
  /// Adds the microphone and an audio data output whose audio is counted.
  @discardableResult
  package func addMicrophone(to output: AVCaptureAudioDataOutput = AVCaptureAudioDataOutput()) throws
    -> AudioCounter
  {
    session.addInput(try AVCaptureDeviceInput(device: camera(.stageMicrophone)))
    let counter = AudioCounter()
    counter.watch(output)
    session.addOutput(output)
    return counter
  }

  /// Moves time in steps of 10 ms; the clients' callbacks have returned when it returns.
  package func pass(milliseconds: Int) {
    for _ in 0..<(milliseconds / 10) { clock.advance(by: .milliseconds(10)) }
  }
}
