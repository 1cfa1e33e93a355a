import AVFCapture
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import CoreVideo
import Dispatch
import Foundation
import Linux
import Testing

/// A connection's stand-in.
final class FakeRoute: DeliveryRoute {
  let lifetime = RouteLifetime()
  var isEnded: Bool { lifetime.isEnded }
}

/// A queue as a video data output has it, fed over fake routes.
typealias FakeDelivery = DeliveryQueue<CapturedFrame, FakeRoute>

/// A call that a client received.
enum Heard: Hashable {
  case frame(UInt32)
  case loss(UInt32, LostSample.Reason)
}

/// A client whose queue can be held up before it begins and inside its callback.
final class FakeClient: Sendable {
  let queue = DispatchQueue(label: "fake client")
  let heard = Locked<[Heard]>([])
  let isBusy = Monitor(false)
  let mayGo = Monitor(true)
  let wants = Locked(true)

  var client: FakeDelivery.Client {
    FakeDelivery.Client(
      queue: queue,
      deliver: { [self] call in
        guard wants.withLock({ $0 }) else { return .unwanted }
        return call.begin {
          dispatchPrecondition(condition: .onQueue(queue))
          heard.withLock { $0.append(.frame(call.sample.sequence)) }
          isBusy.withLock { $0 = true }
          mayGo.wait(for: { $0 }, then: { _ in })
          isBusy.withLock { $0 = false }
        }
      },
      lose: { [self] frame, _ in heard.withLock { $0.append(.loss(frame.sequence, frame.reason)) } })
  }

  func waitUntilBusy() {
    isBusy.wait(for: { $0 }, then: { _ in })
  }

  var events: [Heard] { heard.withLock { $0 } }
}

extension CapturedFrame {
  /// A small black frame, for a queue that looks at numbers alone.
  static func fake(_ sequence: UInt32, token: (any AnyObject & Sendable)? = nil) throws -> CapturedFrame {
    CapturedFrame(
      picture: .pixels(
        try emptyPicture(width: 16, height: 16, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)),
      timestamp: MonotonicInstant(nanoseconds: Int64(sequence)), sequence: sequence,
      inFlight: token)
  }
}

extension DroppedFrame {
  /// News of a lost frame.
  static func fake(_ sequence: UInt32, _ reason: DropReason = .outOfBuffers) -> DroppedFrame {
    DroppedFrame(
      sequence: sequence, timestamp: MonotonicInstant(nanoseconds: Int64(sequence)), reason: reason)
  }
}

extension DeliveryQueue {
  /// Runs what the queues of preparation and of clients were given, until nothing is under way.
  ///
  /// Each sample is handed on twice at most: what takes more rounds never ends.
  func settle(_ queues: [DispatchQueue]) {
    for _ in 0...2 * statistics.captured where statistics.pending > 0 {
      for queue in queues { queue.sync {} }
    }
    for queue in queues { queue.sync {} }
    #expect(statistics.pending == 0)
  }
}
