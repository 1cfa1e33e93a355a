import ALSADevices
import CaptureDevice
import CoreMedia
import Linux
import Testing

/// Collects what a microphone's stream reports, and waits for it.
final class AudioLog: Sendable {
  struct Seen: Sendable {
    var chunks: [CapturedAudio] = []
    var drops: [DroppedFrame] = []
    var failure: CaptureDeviceError?
    /// Chunks as their numbers, drops as their numbers below zero less one.
    var order: [Int] = []
  }

  private let seen = Monitor(Seen())

  var receive: @Sendable (StreamEvent) -> Void {
    { [self] event in
      seen.withLock { seen in
        switch event {
        case .audio(let audio):
          seen.chunks.append(audio)
          seen.order.append(Int(audio.sequence))
        case .dropped(let drop):
          seen.drops.append(drop)
          seen.order.append(-1 - Int(drop.sequence))
        case .failed(let error): seen.failure = error
        case .frame, .depth, .depthDropped, .interrupted, .resumed: break
        }
      }
    }
  }

  var now: Seen { seen.withLock { $0 } }

  /// Waits until `isSatisfied`, at most half a minute; false when it is not by then.
  @discardableResult
  func wait(_ isSatisfied: (Seen) -> Bool) -> Bool {
    seen.wait(until: .now.advanced(byNanoseconds: 30_000_000_000), for: isSatisfied, then: { _ in }) != nil
  }
}

extension ScriptedAudioLibrary {
  /// The first microphone of this library.
  func microphone(silenceNanoseconds: Int64 = 5_000_000_000) throws -> ALSAMicrophone {
    try #require(
      ALSADeviceProvider(library: self, silenceNanoseconds: silenceNanoseconds).microphones().first)
  }
}

extension ALSAMicrophone {
  /// A stream of the first format, or of another.
  func open(_ format: AudioStreamFormat? = nil) throws -> ALSAStream {
    try #require(
      openStream(.audio(format ?? facts.audioFormats[0])) as? ALSAStream)
  }
}

extension CapturedAudio {
  /// The samples.
  var values: [Int16] {
    var values = [Int16](repeating: 0, count: CMBlockBufferGetDataLength(samples) / 2)
    values.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress else { return }
      _ = CMBlockBufferCopyDataBytes(samples, atOffset: 0, dataLength: target.count, destination: base)
    }
    return values
  }
}
