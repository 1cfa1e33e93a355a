internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux

/// The search for codes, faces and people on the way of frames to a delegate.
///
/// A ``DeliveryQueue`` whose preparation is the search. At most one frame is searched, one waits for that, and one result
/// waits for the client's queue; the newest wins everywhere, and what it replaces is counted as late. Frames go back to the
/// device as soon as they are searched. Thread-safe; ``offer(_:over:)`` never blocks and never calls out.
final class Recognition: Sendable {
  typealias Queue = DeliveryQueue<SearchedFrame, MediaRoute>

  /// The client that gets the objects that were found; called on `queue`, one call at a time.
  struct Client: Sendable {
    let queue: DispatchQueue
    let deliver: @Sendable ([AVMetadataObject], DeliveryCall<SearchedFrame, MediaRoute>) -> DeliveryOutcome
  }

  /// The types to search for, and the region to search in.
  struct Search: Sendable, Hashable {
    var types: Set<AVMetadataObject.ObjectType> = []
    var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)

    var wantsBodies: Bool { types.contains(.humanBody) || types.contains(.humanFullBody) }
  }

  private struct State {
    var search = Search()
    /// Whether the client's last report was that there is something.
    var sawSomething = false
    /// Grows when ``sawSomething`` begins anew.
    var generation = 0
    /// Grows with each client.
    var client = 0

    mutating func forget() {
      sawSomething = false
      generation += 1
    }
  }

  private let state = Locked(State())
  private let searchQueue: DispatchQueue
  private let delivery: Queue
  private let searcher = FrameSearcher()

  init() {
    searchQueue = DispatchQueue(label: "obscura.recognition", qos: .utility)
    delivery = Queue(policy: .keepNewest, preparationQueue: searchQueue)
  }

  /// The counts of all frames until now.
  var statistics: DeliveryStatistics { delivery.statistics }

  /// Replaces the client; no call to the old one begins after this returns.
  ///
  /// - Parameter takesOver: Whether the new client gets what is found from now on in frames that came before.
  func setClient(_ client: Client?, takesOver: Bool) {
    let number = state.withLock { state in
      state.forget()
      state.client += 1
      return state.client
    }
    let next = client.map { client in
      Queue.Client(queue: client.queue) { [state] call in
        guard case .searched(let objects) = call.sample.content else { return .lost(.discontinuity) }
        let (generation, sawSomething) = state.withLock { ($0.generation, $0.sawSomething) }
        // That there is nothing any more was found for another client, which saw something.
        guard sawSomething || !objects.isEmpty else { return .delivered }
        let outcome = client.deliver(objects, call)
        state.withLock { state in
          guard state.generation == generation, state.client == number else { return }
          state.sawSomething = !objects.isEmpty
        }
        return outcome
      }
    }
    delivery.setClient(next, takesOver: takesOver)
  }

  func setSearch(_ search: Search) {
    let isNew = state.withLock { state in
      defer { state.search = search }
      return state.search != search
    }
    guard isNew else { return }
    searchQueue.async { [self] in searcher.prepare(for: search) }
  }

  /// Drops what is under way: the stream has ended.
  func flush() {
    state.withLock { $0.forget() }
    delivery.flush()
  }

  /// Takes a sample of the device; on its reader thread.
  func offer(_ sample: MediaSample, over route: MediaRoute) {
    switch sample {
    case .frame(let frame):
      guard state.withLock({ !$0.search.types.isEmpty || $0.sawSomething }) else { return delivery.refuse() }
      delivery.offer(SearchedFrame(frame), over: route) { [self] frame throws(LostSample.Reason) in
        try search(frame, over: route)
      }
    case .lost(let drop): delivery.offer(drop, over: route)
    case .audio, .depth: break
    }
  }

  /// The report of a frame; `nil` when there is nothing to report, as in the frame before.
  private func search(
    _ searched: SearchedFrame, over route: MediaRoute
  ) throws(LostSample.Reason) -> SearchedFrame? {
    guard case .waiting(let frame) = searched.content else { return searched }
    let search = state.withLock { $0.search }
    guard let objects = searcher.objects(in: frame, over: route, search) else { throw .discontinuity }
    if objects.isEmpty, !state.withLock({ $0.sawSomething }) { return nil }
    var searched = searched
    searched.content = .searched(objects)
    return searched
  }
}

/// A frame before and after the search; after it without the picture, which is the device's.
struct SearchedFrame: DeliverySample {
  enum Content {
    case waiting(CapturedFrame)
    case searched([AVMetadataObject])
  }

  let sequence: UInt32
  let timestamp: MonotonicInstant
  let inFlight: (any AnyObject & Sendable)?
  var content: Content

  init(_ frame: CapturedFrame) {
    sequence = frame.sequence
    timestamp = frame.timestamp
    inFlight = frame.inFlight
    content = .waiting(frame)
  }

  /// Objects that the client has not heard of are not replaced by the report that there are none.
  func replaces(_ older: SearchedFrame) -> Bool {
    guard case .searched(let objects) = content, case .searched(let untold) = older.content else {
      return true
    }
    return !objects.isEmpty || untold.isEmpty
  }
}
