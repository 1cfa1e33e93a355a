package import CaptureDevice
internal import Linux

/// A running device as a photo sees it: what it is, how it streams, and its full-size pictures.
///
/// A snapshot: after the session has changed, ask the output for a new one; an old one answers with an error.
package final class StillSource: Sendable {
  /// The device.
  package let device: AVCaptureDevice
  /// What is known of it.
  package let facts: DeviceFacts
  /// What the connection does with its pictures.
  package let plan: ConnectionPlan
  /// The newest frames, for photos of the past; `nil` when none are kept.
  package let history: FrameHistory?
  private let feed: DeviceFeed

  init(device: AVCaptureDevice, facts: DeviceFacts, plan: ConnectionPlan, feed: DeviceFeed) {
    self.device = device
    self.facts = facts
    self.plan = plan
    self.feed = feed
    history = feed.history
  }

  /// How many frames the device has delivered since it was opened.
  package var deliveredFrames: Int { feed.counts.captured }

  /// Delivers the next exposure in full size, once, on the thread of the device's events.
  ///
  /// - Parameters:
  ///   - request: The size, one of the stream format's still sizes.
  ///   - completion: Called exactly once; must only enqueue. `noFrames` when the device does not stream any more
  ///     (then on the calling thread).
  package func captureStill(
    _ request: StillRequest,
    completion: @escaping @Sendable (Result<CapturedFrame, CaptureDeviceError>) -> Void
  ) {
    feed.captureStill(request, completion: completion)
  }
}
