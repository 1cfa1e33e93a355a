public import CoreMedia
public import Foundation
internal import Linux

/// The place of a sample in a stream of audio.
public typealias AVAudioFramePosition = Int64

/// A moment of audio: a time of the host clock, the count of a sample at a rate, or both.
///
/// Host time counts nanoseconds of `CLOCK_MONOTONIC`, or of the clock of a simulated machine. Immutable, thread-safe.
/// Apple: `AVAudioTime`.
public final class AVAudioTime: NSObject, Sendable {
  private let host: UInt64?
  private let sample: AVAudioFramePosition?
  /// Samples of a channel in a second; 0 without a sample.
  ///
  /// Apple: `AVAudioTime.sampleRate`.
  public let sampleRate: Double

  /// A time of the host clock.
  ///
  /// Apple: `AVAudioTime.init(hostTime:)`.
  public init(hostTime: UInt64) {
    (host, sample, sampleRate) = (hostTime, nil, 0)
  }

  /// The place of a sample.
  ///
  /// Apple: `AVAudioTime.init(sampleTime:atRate:)`.
  public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (host, sample, self.sampleRate) = (nil, sampleTime, sampleRate)
  }

  /// The place of a sample, and the host's time at it.
  ///
  /// Apple: `AVAudioTime.init(hostTime:sampleTime:atRate:)`.
  public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    (host, sample, self.sampleRate) = (hostTime, sampleTime, sampleRate)
  }

  /// What a time stamp says.
  ///
  /// Apple: `AVAudioTime.init(audioTimeStamp:sampleRate:)`.
  public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
    let stamp = ts.pointee
    host = stamp.mFlags.contains(.hostTimeValid) ? stamp.mHostTime : nil
    sample = stamp.mFlags.contains(.sampleTimeValid) ? AVAudioFramePosition(stamp.mSampleTime) : nil
    self.sampleRate = sampleRate
  }

  /// Whether there is a time of the host clock.
  ///
  /// Apple: `AVAudioTime.isHostTimeValid`.
  public var isHostTimeValid: Bool { host != nil }

  /// Nanoseconds of the host clock; 0 where there is none.
  ///
  /// Apple: `AVAudioTime.hostTime`.
  public var hostTime: UInt64 { host ?? 0 }

  /// Whether there is the place of a sample.
  ///
  /// Apple: `AVAudioTime.isSampleTimeValid`.
  public var isSampleTimeValid: Bool { sample != nil }

  /// The place of the sample; 0 where there is none.
  ///
  /// Apple: `AVAudioTime.sampleTime`.
  public var sampleTime: AVAudioFramePosition { sample ?? 0 }

  /// The same as a time stamp.
  ///
  /// Apple: `AVAudioTime.audioTimeStamp`.
  public var audioTimeStamp: AudioTimeStamp {
    var stamp = AudioTimeStamp()
    if let host {
      stamp.mHostTime = host
      stamp.mFlags.insert(.hostTimeValid)
    }
    if let sample {
      stamp.mSampleTime = Double(sample)
      stamp.mFlags.insert(.sampleTimeValid)
    }
    return stamp
  }

  /// This moment with both, worked out by the distance to another one that has both.
  ///
  /// - Returns: `nil` when the anchor lacks one, or rates differ.
  ///
  /// Apple: `AVAudioTime.extrapolateTime(fromAnchor:)`.
  public func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
    if host != nil, sample != nil { return self }
    guard let host = anchorTime.host, let sample = anchorTime.sample, anchorTime.sampleRate > 0 else {
      return nil
    }
    let rate = anchorTime.sampleRate
    if let own = self.host {
      let seconds = (Double(own) - Double(host)) / 1e9
      return AVAudioTime(
        hostTime: own, sampleTime: sample + AVAudioFramePosition((seconds * rate).rounded()), atRate: rate)
    }
    guard let own = self.sample, sampleRate == rate else { return nil }
    let nanoseconds = Double(own - sample) / rate * 1e9
    let time = Double(host) + nanoseconds
    return time < 0 ? nil : AVAudioTime(hostTime: UInt64(time.rounded()), sampleTime: own, atRate: rate)
  }

  /// Seconds in the host clock's units.
  ///
  /// Apple: `AVAudioTime.hostTime(forSeconds:)`.
  public class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    UInt64(max(0, (seconds * 1e9).rounded()))
  }

  /// The host clock's units in seconds.
  ///
  /// Apple: `AVAudioTime.seconds(forHostTime:)`.
  public class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { Double(hostTime) / 1e9 }

  /// Whether both say the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioTime else { return false }
    return host == other.host && sample == other.sample && sampleRate == other.sampleRate
  }

  /// Hashes what equal moments share.
  public override var hash: Int { Int(truncatingIfNeeded: hostTime) ^ Int(truncatingIfNeeded: sampleTime) }
}
