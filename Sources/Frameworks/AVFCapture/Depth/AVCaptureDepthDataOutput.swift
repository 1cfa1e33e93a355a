package import AVFCore
internal import CaptureDevice
public import Dispatch
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux

/// Hands the depth maps that a camera measures to a delegate.
///
/// Maps come in the pixel format and the size of the device's `activeDepthDataFormat`, at most as many a second as its frames and
/// as `activeDepthDataMinFrameDuration` allows. While ``isFilteringEnabled`` is off and the connection turns nothing, a map is
/// the device's own memory wherever that measures in the format; nothing is copied then.
///
/// Every map the device counts is either delivered or dropped, and each drop that happens while there is a delegate is reported.
/// Thread-safe; everything may be called from inside the delegate's callbacks.
///
/// Source: [AVCaptureDepthDataOutput](https://developer.apple.com/documentation/avfoundation/avcapturedepthdataoutput).
open class AVCaptureDepthDataOutput: AVCaptureOutput, @unchecked Sendable {
  // Safe because what changes is under `state`, or has a lock of its own.

  private struct State {
    var isFilteringEnabled = true
    var route: DepthRoute?
  }

  private let state = Locked(State())
  private let slot = DelegateSlot<any AVCaptureDepthDataOutputDelegate>()
  private let delivery = DeliveryQueue<CapturedDepth, DepthRoute>()

  /// An output without a delegate that filters.
  ///
  /// Apple: `AVCaptureDepthDataOutput.init()`.
  public init() {
    super.init(number: ())
  }

  /// Whether a session can start the output after it has begun to run: no, a camera measures depth from its first frame, or is
  /// opened anew for it.
  ///
  /// Apple: `AVCaptureOutput.isDeferredStartSupported`.
  open override var isDeferredStartSupported: Bool { false }

  // MARK: Delegate

  /// The delegate; `nil` when there is none, or it is gone.
  ///
  /// Apple: `AVCaptureDepthDataOutput.delegate`.
  open var delegate: (any AVCaptureDepthDataOutputDelegate)? { slot.delegate }

  /// The queue on which the delegate is called.
  ///
  /// Apple: `AVCaptureDepthDataOutput.delegateCallbackQueue`.
  open var delegateCallbackQueue: DispatchQueue? { slot.queue }

  /// Sets who gets the maps, and where.
  ///
  /// The delegate is not retained. After this returns, no further call to the former delegate begins; one may be under way. What is
  /// set already changes nothing.
  ///
  /// - Parameters:
  ///   - delegate: The delegate, or `nil` to get no maps.
  ///   - callbackQueue: A serial queue; `nil` only together with a `nil` delegate. The calls come one at a time and in
  ///     order on a concurrent queue, too.
  ///
  /// Apple: `AVCaptureDepthDataOutput.setDelegate(_:callbackQueue:)`.
  open func setDelegate(_ delegate: (any AVCaptureDepthDataOutputDelegate)?, callbackQueue: DispatchQueue?) {
    slot.set(delegate, on: callbackQueue, weakly: { [weak delegate] in delegate }, serve: serve)
  }

  private func serve(_ recipient: Recipient<any AVCaptureDepthDataOutputDelegate>) {
    delivery.setClient(
      recipient.client { queue in
        DeliveryQueue.Client(
          queue: queue,
          deliver: { [weak self] call in
            guard let self, let delegate = recipient.delegate else { return .unwanted }
            let data = call.route.depthData(of: call.sample)
            return call.begin {
              delegate.depthDataOutput(
                self, didOutput: data, timestamp: CMTime(call.sample.timestamp),
                connection: call.route.connection)
            }
          },
          lose: { [weak self] lost, route in
            guard let self, let delegate = recipient.delegate, let shell = route.shell else { return }
            delegate.depthDataOutput(
              self, didDrop: shell, timestamp: CMTime(lost.timestamp), connection: route.connection,
              reason: DataDroppedReason(lost.reason))
          })
      })
  }

  /// Whether maps that come while the delegate is busy are dropped, or wait for it; `true` at first.
  ///
  /// When they wait, they hold the device's buffers; once all are held, the device drops maps as out of buffers.
  ///
  /// Apple: `AVCaptureDepthDataOutput.alwaysDiscardsLateDepthData`.
  open var alwaysDiscardsLateDepthData: Bool {
    get { delivery.policy == .dropWhileBusy }
    set { delivery.policy = newValue ? .dropWhileBusy : .keepAll }
  }

  /// Whether maps are smoothed over time and their holes filled; `true` at first.
  ///
  /// Takes effect with the next map; switched on, smoothing begins anew. What the filter does says `DepthFilter`: it halves the
  /// noise of what stands still, shows what moves at once, and fills what a sensor cannot see beside a near thing with what
  /// lies behind it. It costs some two milliseconds for each map of 640×480, on a queue of the output's own.
  ///
  /// Apple: `AVCaptureDepthDataOutput.isFilteringEnabled`.
  open var isFilteringEnabled: Bool {
    get { state.withLock { $0.isFilteringEnabled } }
    set {
      // The old route goes after the lock is left: with it go its maps.
      let old = state.withLock { state -> DepthRoute? in
        guard state.isFilteringEnabled != newValue else { return nil }
        state.isFilteringEnabled = newValue
        let old = state.route
        state.route = old.map { DepthRoute($0.route, isFiltered: newValue) }
        return old
      }
      withExtendedLifetime(old) {}
    }
  }

  // MARK: Session

  /// What became of every map until now.
  package var statistics: DeliveryStatistics { delivery.statistics }

  package override var requirements: OutputRequirements {
    OutputRequirements(role: .depthData, media: [.depth])
  }

  package override func attach(_ route: MediaRoute) {
    let old = state.withLock { state in
      defer { state.route = DepthRoute(route, isFiltered: state.isFilteringEnabled) }
      return state.route
    }
    withExtendedLifetime(old) {}
  }

  package override func connectionsDidChange() {
    let connections = connections
    let old = state.withLock { state -> DepthRoute? in
      let route = state.route
      if let route, !connections.contains(where: { $0 === route.connection }) { state.route = nil }
      return route
    }
    withExtendedLifetime(old) {}
  }

  package override func receive(_ sample: MediaSample, over route: MediaRoute) {
    guard let own = state.withLock({ $0.route }), own.connection === route.connection else {
      return delivery.refuse(asDiscontinuity: true)
    }
    switch sample {
    case .depth(let depth): delivery.offer(depth, over: own, preparation: own.preparation(of: depth))
    case .lost(let drop): delivery.offer(drop, over: own)
    case .frame, .audio: break
    }
  }

  package override func endCaptures(with error: AVError) {
    delivery.flush()
  }
}
