internal import CaptureDevice
public import CoreMedia
public import Foundation

/// The frame rates that a format has, from one to another.
///
/// Apple: `AVFrameRateRange`.
public final class AVFrameRateRange: NSObject, Sendable {
  /// Frames a second at least.
  ///
  /// Apple: `AVFrameRateRange.minFrameRate`.
  public let minFrameRate: Double
  /// Frames a second at most.
  ///
  /// Apple: `AVFrameRateRange.maxFrameRate`.
  public let maxFrameRate: Double
  /// The longest frame duration, exactly.
  ///
  /// Apple: `AVFrameRateRange.maxFrameDuration`.
  public let maxFrameDuration: CMTime
  /// The shortest frame duration, exactly.
  ///
  /// Apple: `AVFrameRateRange.minFrameDuration`.
  public let minFrameDuration: CMTime

  init(_ range: ClosedRange<FrameDuration>) {
    minFrameRate = range.upperBound.rate
    maxFrameRate = range.lowerBound.rate
    maxFrameDuration = CMTime(range.upperBound)
    minFrameDuration = CMTime(range.lowerBound)
    super.init()
  }

  /// The range in frames a second.
  public override var description: String {
    "<AVFrameRateRange: \(minFrameRate)-\(maxFrameRate)>"
  }
}
