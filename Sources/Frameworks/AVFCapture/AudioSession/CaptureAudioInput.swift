public import AVFAudio
internal import AVFCore
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The program's microphone for what records without a capture session of the client's: engines and recorders.
///
/// It is the input that the audio session prefers. Thread-safe.
final class CaptureAudioInput: NSObject, AudioInputSource, AVCaptureAudioDataOutputSampleBufferDelegate,
  @unchecked Sendable  // Safe: locked state.
{
  private struct State {
    var session: AVCaptureSession?
    var receive: (@Sendable ([Float], Int64) -> Void)?
    var lost: (@Sendable (any Error) -> Void)?
    var observer: (any NSObjectProtocol)?
    var failure: (any Error)?
    var hasStarted = false
    /// What the microphone sends while it runs.
    var format: (rate: Double, channels: Int)?
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "obscura.audio-input", qos: .userInitiated)

  var format: (rate: Double, channels: Int)? {
    if let running = state.withLock({ $0.format }) { return running }
    guard let device = AVCaptureDevice.default(for: .audio) else { return nil }
    let format = device.facts.audioFormat(at: 0)
    return (Double(format.rate), format.channels)
  }

  func start(
    _ receive: @escaping @Sendable ([Float], Int64) -> Void, lost: @escaping @Sendable (any Error) -> Void
  ) throws {
    guard let device = AVCaptureDevice.default(for: .audio) else {
      throw AVError(.deviceNotConnected)
    }
    let session = AVCaptureSession()
    session.automaticallyConfiguresApplicationAudioSession = false
    let input = try AVCaptureDeviceInput(device: device)
    let output = AVCaptureAudioDataOutput()
    output.audioSettings = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32,
    ]
    output.setSampleBufferDelegate(self, queue: queue)
    session.beginConfiguration()
    session.addInput(input)
    session.addOutput(output)
    session.commitConfiguration()
    let observer = NotificationCenter.default.addObserver(
      forName: AVCaptureSession.runtimeErrorNotification, object: session, queue: nil
    ) { [weak self] note in
      self?.failed(note.userInfo?[AVCaptureSessionErrorKey] as? any Error ?? AVError(.unknown))
    }
    state.withLock { state in
      state = State(session: session, receive: receive, lost: lost, observer: observer)
    }
    session.startRunning()
    guard session.isRunning || session.isInterrupted else {
      let failure = state.withLock { $0.failure }
      stop()
      throw failure ?? AVError(.deviceNotConnected)
    }
    state.withLock { $0.hasStarted = true }
  }

  func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    if let observer = old.observer { NotificationCenter.default.removeObserver(observer) }
    old.session?.stopRunning()
  }

  private func failed(_ error: any Error) {
    // Until then `start` throws it.
    let lost = state.withLock { state in
      state.failure = error
      return state.hasStarted ? state.lost : nil
    }
    lost?(error)
  }

  func captureOutput(
    _ output: AVCaptureOutput, didOutput sampleBuffer: CMSampleBuffer, from connection: AVCaptureConnection
  ) {
    guard let basic = sampleBuffer.formatDescription?.audioStreamBasicDescription,
      let bytes = try? sampleBuffer.dataBuffer?.dataBytes()
    else { return }
    let receive = state.withLock { state in
      if state.session != nil { state.format = (basic.mSampleRate, Int(basic.mChannelsPerFrame)) }
      return state.receive
    }
    guard let receive else { return }
    let time = CMTimeConvertScale(
      sampleBuffer.presentationTimeStamp, timescale: 1_000_000_000, method: .default)
    receive(bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }, time.value)
  }
}

extension AVAudioEngine {
  /// The beginning of the graph: what the microphone hears that the audio session prefers.
  ///
  /// Apple: `AVAudioEngine.inputNode`.
  public var inputNode: AVAudioInputNode { inputNode { CaptureAudioInput() } }
}
