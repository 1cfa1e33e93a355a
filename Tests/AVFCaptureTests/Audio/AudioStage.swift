import CameraFrames
import AVFoundation
import CaptureDevice
import Linux
import SimulatedDevices
import Testing

extension SimulatedDeviceModel {
  /// A microphone for tests.
  static let stageMicrophone = SimulatedDeviceModel(
    facts: DeviceFacts(
      uniqueID: "stage.microphone", modelID: "Simulated Test Microphone", name: "Microphone",
      manufacturer: "Obscura", kind: .builtInMicrophone, position: .unspecified, media: [.audio], formats: [])
  )
}

/// Notes what an audio data output hands over, and may do something in each callback.
final class AudioCounter: NSObject, AVCaptureAudioDataOutputSampleBufferDelegate, @unchecked Sendable {
  // Safe because the state is locked and the closure is set before the session starts.
  struct Chunk: Sendable {
    var time: CMTime
    var duration: CMTime
    var count: Int
    var followsGap: Bool
    var bytes: Data
    var format: AudioStreamBasicDescription

    /// When the next one begins if nothing is lost, to the nanosecond: stamps are whole ones, samples are not.
    var end: CMTime { CMTimeConvertScale(time + duration, timescale: 1_000_000_000, method: .default) }
  }

  private let state = Locked<[Chunk]>([])
  let queue = DispatchQueue(label: "sound")
  var onAudio: (@Sendable (CMSampleBuffer) -> Void)?
  /// Whether the samples are kept too; hours of them fill the memory.
  var keepsBytes = true

  func watch(_ output: AVCaptureAudioDataOutput) {
    output.setSampleBufferDelegate(self, queue: queue)
  }

  var stretches: [Chunk] { state.withLock { $0 } }

  func captureOutput(
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
  func addMicrophone(to output: AVCaptureAudioDataOutput = AVCaptureAudioDataOutput()) throws -> AudioCounter
  {
    session.addInput(try AVCaptureDeviceInput(device: camera(.stageMicrophone)))
    let counter = AudioCounter()
    counter.watch(output)
    session.addOutput(output)
    return counter
  }

  /// Moves time in steps of 10 ms; the clients' callbacks have returned when it returns.
  func pass(milliseconds: Int) {
    for _ in 0..<(milliseconds / 10) { clock.advance(by: .milliseconds(10)) }
  }
}

/// Hands chunks to an output as a device would, without one.
struct AudioTrial {
  let output: AVCaptureAudioDataOutput
  let route: MediaRoute
  let channels: Int

  init(
    _ output: AVCaptureAudioDataOutput, _ counter: AudioCounter, ports: [AVCaptureInput.Port] = [],
    channels: Int = 1
  ) {
    self.output = output
    self.channels = channels
    route = MediaRoute(
      sink: output, connection: AVCaptureConnection(inputPorts: ports, output: output),
      plan: ConnectionPlan(
        deviceID: "trial", stream: .audio(AudioStreamFormat(rate: 48_000, channels: channels))),
      processor: FrameProcessor())
    counter.watch(output)
    output.attach(route)
  }

  /// Hands over 10 ms of a constant, stamped with the chunk's number times 10 ms.
  @discardableResult
  func offer(_ index: Int, samples values: [Int16]? = nil) -> CMBlockBuffer {
    let values = values ?? [Int16](repeating: Int16(index), count: channels)
    let bytes = [[Int16]](repeating: values, count: 480).flatMap { $0 }
    let samples = bytes.withUnsafeBytes { CMBlockBuffer(copying: $0) }
    output.receive(
      .audio(
        CapturedAudio(
          samples: samples, sampleRate: 48_000, channels: channels, frameCount: 480,
          timestamp: MonotonicInstant(nanoseconds: Int64(index) * 10_000_000), sequence: UInt32(index))),
      over: route)
    return samples
  }

  /// Waits until nothing is under way, at most half a minute.
  func wait() {
    let deadline = MonotonicInstant.now.advanced(byNanoseconds: 30_000_000_000)
    while output.statistics.pending > 0, MonotonicInstant.now < deadline {
      Thread.sleep(forTimeInterval: 0.001)
    }
  }
}
