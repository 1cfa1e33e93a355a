package import CaptureDevice
package import CoreVideo
package import Dispatch
package import Linux

/// The way that a frame takes to a client, as the client knows it.
package protocol DeliveryRoute: AnyObject, Sendable {}

/// A frame in the client's own form.
///
/// Not a ``CapturedFrame``: of that, every copy is a call of code that tells pictures apart, and each frame is copied often.
package struct ReadyFrame: Sendable {
  package var pixels: CVPixelBuffer
  package var timestamp: MonotonicInstant
  package var sequence: UInt32
  package var conditions: FrameConditions
  /// Of the frame that it was, kept for the sake of its token.
  private var content: FrameContent
  /// See ``CapturedFrame/inFlight``.
  package var inFlight: (any AnyObject & Sendable)? { content.inFlight }

  /// `frame`, with `pixels` for its picture.
  @inline(__always)
  package init(_ frame: CapturedFrame, _ pixels: CVPixelBuffer) {
    self.pixels = pixels
    timestamp = frame.timestamp
    sequence = frame.sequence
    conditions = frame.conditions
    content = frame.content
  }
}

/// The way of frames from a device's reader thread to a delegate's queue: bounded, in order, every loss told.
///
/// Two stages under one lock. *Converting* turns what the device sent into what the client asked for, on a queue of its own,
/// and only where that is due. *Calling* hands one frame after the other to the client's queue.
///
/// With ``FrameDeliveryPolicy/newest``, a frame that arrives while the client is busy with one is late and dropped, and of
/// those that wait for the client's queue to come around only the newest stays. With ``FrameDeliveryPolicy/all``, frames wait
/// as long as the device has buffers for them: a few converted ones here, the others in the device's own buffers, until those
/// run out and the device drops.
///
/// Frames of H.264 build on each other. Where one is lost that others build on, by either policy or before it came here, those
/// up to the next key frame are lost as well, as a discontinuity: nobody could decode them.
///
/// Calls are blocks on the client's queue at first. Once the queue has come around for some frames of a run, a thread of
/// this delivery's own sleeps upon the frames and does `queue.sync`: on an idle serial queue that runs where it is called,
/// so a frame costs one wake-up of one thread, and none of the work that finds and wakes a worker for a queue. Should the
/// queue be suspended later, that one thread waits with its call, as the block would; it holds no frame. The thread ends
/// with the run. The main queue, and queues that target it, only get blocks: their calls run on the main thread anyway.
///
/// Thread-safe. ``offer(_:over:conversion:)`` never blocks and never calls out: one lock, one wake-up.
package final class FrameDelivery: Sendable {
  /// Makes the picture that the client asked for out of the device's, or throws why there is none.
  package typealias Conversion = @Sendable (CapturedFrame) throws(LostFrame.Reason) -> CVPixelBuffer

  /// Who gets the frames; called on `queue`, one call at a time, with the route over which each was offered.
  package final class Client: Sendable {
    package let queue: DispatchQueue
    /// Takes a frame and returns whether anybody was there to take it.
    package let deliver: @Sendable (ReadyFrame, any DeliveryRoute) -> Bool
    package let lose: @Sendable (LostFrame, any DeliveryRoute) -> Void
    /// As `deliver`, for a frame of H.264.
    package let deliverCoded: @Sendable (CapturedFrame, any DeliveryRoute) -> Bool

    package init(
      queue: DispatchQueue, deliver: @escaping @Sendable (ReadyFrame, any DeliveryRoute) -> Bool,
      lose: @escaping @Sendable (LostFrame, any DeliveryRoute) -> Void,
      deliverCoded: @escaping @Sendable (CapturedFrame, any DeliveryRoute) -> Bool = { _, _ in false }
    ) {
      self.queue = queue
      self.deliver = deliver
      self.lose = lose
      self.deliverCoded = deliverCoded
    }
  }

  private let line = DeliveryLine()

  /// A way that leads nowhere until ``setClient(_:)``.
  package init() {}

  deinit {
    // The line's thread keeps the line, and nobody else would end it.
    line.flush()
  }

  /// What became of every frame until now.
  package var statistics: DeliveryStatistics { line.statistics }

  /// What happens to frames that come too fast; takes effect with the next frame.
  package var policy: FrameDeliveryPolicy {
    get { line.policy }
    set { line.policy = newValue }
  }

  /// Replaces the client.
  ///
  /// No call to the old one begins after this returns; one may be under way.
  package func setClient(_ client: Client?) { line.setClient(client) }

  /// Throws away what waits without telling the client: the stream has ended.
  package func flush() { line.flush() }

  /// Takes a frame of the device; on its reader thread.
  ///
  /// - Parameter conversion: How to make the client's picture, or `nil` when the device's own will do.
  @inline(__always)
  package func offer(_ frame: CapturedFrame, over route: any DeliveryRoute, conversion: Conversion?) {
    if conversion == nil, let pixels = frame.content.uncompressed(),
      line.takeAtOnce(ReadyFrame(frame, pixels), over: route)
    {
      return
    }
    line.take(frame, over: route, conversion: conversion)
  }

  /// Takes the news that the device lost a frame; on its reader thread.
  package func offer(_ drop: DroppedFrame, over route: any DeliveryRoute) { line.take(drop, over: route) }
}
