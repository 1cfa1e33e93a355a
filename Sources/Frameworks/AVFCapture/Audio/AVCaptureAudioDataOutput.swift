internal import CaptureDevice
public import Dispatch
internal import FoundationExtras
internal import Linux
package import AVFCore

/// Hands the audio of a microphone to a delegate.
///
/// The data of a sample buffer is the device's own memory wherever no conversion is asked for: nothing is copied then. Its
/// time is the device's own stamp of the first sample, on the session's `synchronizationClock`.
///
/// Audio waits up to two seconds for a client that is busy; what is later is dropped, oldest first, and the chunk after it
/// carries the attachment `kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence`, as it does after audio that the
/// device lost. Thread-safe; everything may be called from inside the delegate's callback.
///
/// Source: [AVCaptureAudioDataOutput](https://developer.apple.com/documentation/avfoundation/avcaptureaudiodataoutput).
open class AVCaptureAudioDataOutput: AVCaptureOutput, @unchecked Sendable {
  // Safe because what changes is under `state`, or has a lock of its own.

  private struct State {
    var settings: AudioDataSettings?
    /// What the client set, for the getter.
    var dictionary: [String: Any]?
    var route: AudioRoute?
  }

  private let state = Locked(State())
  private let slot = DelegateSlot<any AVCaptureAudioDataOutputSampleBufferDelegate>()
  private let delivery = DeliveryQueue<CapturedAudio, AudioRoute>(
    policy: .keepLatest(nanoseconds: AVCaptureAudioDataOutput.waitingNanoseconds))

  /// How much audio may wait for a client that is busy.
  ///
  /// Less would lose audio while a client opens a file; more would come too late to be of use.
  private static let waitingNanoseconds: Int64 = 2_000_000_000

  /// An output without a delegate, in the device's own format.
  ///
  /// Apple: `AVCaptureAudioDataOutput.init()`.
  public init() {
    super.init(number: ())
  }

  // MARK: Delegate

  /// The delegate that gets the audio; `nil` when there is none, or it was released.
  ///
  /// Apple: `AVCaptureAudioDataOutput.sampleBufferDelegate`.
  open var sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)? { slot.delegate }

  /// The queue on which the delegate is called.
  ///
  /// Apple: `AVCaptureAudioDataOutput.sampleBufferCallbackQueue`.
  open var sampleBufferCallbackQueue: DispatchQueue? { slot.queue }

  /// Sets who gets the audio, and where.
  ///
  /// The delegate is not retained. After this returns, no further call to the former delegate begins; one may be under way. What is
  /// set already changes nothing.
  ///
  /// - Parameters:
  ///   - sampleBufferDelegate: The delegate, or `nil` to get no audio.
  ///   - sampleBufferCallbackQueue: A serial queue; `nil` only together with a `nil` delegate. The calls come one at a time
  ///     and in order on a concurrent queue, too.
  ///
  /// Apple: `AVCaptureAudioDataOutput.setSampleBufferDelegate(_:queue:)`.
  open func setSampleBufferDelegate(
    _ sampleBufferDelegate: (any AVCaptureAudioDataOutputSampleBufferDelegate)?,
    queue sampleBufferCallbackQueue: DispatchQueue?
  ) {
    slot.set(
      sampleBufferDelegate, on: sampleBufferCallbackQueue,
      weakly: { [weak sampleBufferDelegate] in sampleBufferDelegate }, serve: serve)
  }

  private func serve(_ recipient: Recipient<any AVCaptureAudioDataOutputSampleBufferDelegate>) {
    delivery.setClient(
      recipient.client { queue in
        DeliveryQueue.Client(queue: queue) { [weak self] call in
          guard let self, let delegate = recipient.delegate else { return .unwanted }
          switch call.route.sampleBuffer(for: call.sample, followsGap: call.followsLoss) {
          case .sample(let sample):
            return call.begin { delegate.captureOutput(self, didOutput: sample, from: call.route.connection) }
          case .kept: return .delivered
          case .broken: return .lost(.discontinuity)
          }
        }
      })
  }

  // MARK: Format

  /// Into what the audio is converted; `nil`, the value at first, for the device's own format without a copy.
  ///
  /// A dictionary with `AVFormatIDKey`, which must be `kAudioFormatLinearPCM`, and any of `AVSampleRateKey` (8 to 192 kHz,
  /// whole hertz), `AVNumberOfChannelsKey` (1 or 2), `AVLinearPCMBitDepthKey` (8, 16, 24 or 32), `AVLinearPCMIsFloatKey` (32
  /// bits only), `AVLinearPCMIsBigEndianKey` and `AVLinearPCMIsNonInterleaved`; what is missing is as the device has it,
  /// in interleaved 16-bit integers. Sample buffers of another rate are a third of a millisecond shorter at first, and
  /// carry the times of their own samples. `[:]` is the device's own format, too; any other key or value is a programming
  /// mistake without effect.
  ///
  /// Apple: `AVCaptureAudioDataOutput.audioSettings`.
  open var audioSettings: [String: Any]! {
    get { state.withLock { $0.dictionary } }
    set {
      var settings: AudioDataSettings?
      if let newValue, !newValue.isEmpty {
        settings = AudioDataSettings(newValue)
        guard settings != nil else {
          ProgrammingMistake.report(
            rule: """
              audioSettings takes AVFormatIDKey with kAudioFormatLinearPCM, a rate, one or two channels and a layout that \
              exists; given was \(newValue).
              """)
          return
        }
      }
      // What is replaced goes after the lock is left.
      let old = state.withLock { state in
        let old = state
        state.dictionary = newValue.map { BoxedNumbers.boxed($0) }
        guard state.settings != settings else { return old }
        state.settings = settings
        state.route = state.route.map { AudioRoute($0.route, settings: settings) }
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  /// The rate and the number of channels in which a device's audio is delivered.
  func deliveredFormat(rate: Double, channels: Int) -> (rate: Double, channels: Int) {
    let settings = state.withLock { $0.settings }
    return (settings?.rate ?? rate, settings?.channels ?? channels)
  }

  // MARK: Session

  /// What became of every chunk of audio until now.
  package var statistics: DeliveryStatistics { delivery.statistics }

  package override var requirements: OutputRequirements {
    OutputRequirements(role: .audioData, media: [.audio])
  }

  package override func attach(_ route: MediaRoute) {
    let old = state.withLock { state in
      defer { state.route = AudioRoute(route, settings: state.settings) }
      return state.route
    }
    withExtendedLifetime(old) {}
  }

  package override func connectionsDidChange() {
    let connections = connections
    let old = state.withLock { state -> AudioRoute? in
      let route = state.route
      if let route, !connections.contains(where: { $0 === route.connection }) { state.route = nil }
      return route
    }
    withExtendedLifetime(old) {}
  }

  package override func receive(_ sample: MediaSample, over route: MediaRoute) {
    if case .audio(let audio) = sample { route.connection.measure(audio) }
    guard let own = state.withLock({ $0.route }), own.connection === route.connection else {
      return delivery.refuse(asDiscontinuity: true)
    }
    switch sample {
    case .audio(let audio): delivery.offer(audio, over: own)
    case .lost(let drop): delivery.offer(drop, over: own)
    case .frame, .depth: break
    }
  }

  package override func endCaptures(with error: AVError) {
    delivery.flush()
    connections.forEach { $0.fallSilent() }
  }
}
