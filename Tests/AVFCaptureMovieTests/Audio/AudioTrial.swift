import AVFoundation
import CameraFrames
import CaptureDevice
import CaptureStage
import Linux
import SimulatedDevices
import Testing

/// Hands chunks to an output as a device would, without one.
struct AudioTrial {
  let output: AVCaptureAudioDataOutput
  let route: MediaRoute
  let channels: Int
  /// Counts what follows from a chunk; it is never moved.
  private let clock = SimulatedClock()

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
          timestamp: MonotonicInstant(nanoseconds: Int64(index) * 10_000_000), sequence: UInt32(index),
          inFlight: clock.token())),
      over: route)
    return samples
  }

  /// Waits until nothing is under way.
  func wait() { clock.settle() }
}
