internal import CaptureDevice
internal import CodeReading
internal import CoreMedia
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import PixelTransforms

/// The way of frames from a device's reader thread through the search for codes, faces and people to a delegate's queue.
///
/// At most one frame is searched, one waits for that, and one result waits for the client's queue; the newest wins
/// everywhere, and what it replaces is counted as late. Frames go back to the device as soon as they are searched.
/// Thread-safe; ``offer(_:over:)`` never blocks and never calls out.
final class Recognition: Sendable {
  /// Who hears of what was found; called on `queue`, one call at a time.
  ///
  /// `deliver` returns whether anybody was there.
  final class Client: Sendable {
    let queue: DispatchQueue
    let deliver: @Sendable ([AVMetadataObject], AVCaptureConnection) -> Bool

    init(
      queue: DispatchQueue, deliver: @escaping @Sendable ([AVMetadataObject], AVCaptureConnection) -> Bool
    ) {
      self.queue = queue
      self.deliver = deliver
    }
  }

  /// What to look for, and where.
  struct Search: Sendable, Hashable {
    var types: Set<AVMetadataObject.ObjectType> = []
    var rectOfInterest = CGRect(x: 0, y: 0, width: 1, height: 1)

    var wantsBodies: Bool { types.contains(.humanBody) || types.contains(.humanFullBody) }
  }

  private struct Waiting {
    var frame: CapturedFrame
    var route: FrameRoute
  }

  /// What was found in a frame; without the frame's picture, which is the device's.
  private struct Finding {
    var objects: [AVMetadataObject]
    var connection: AVCaptureConnection
    var inFlight: (any AnyObject & Sendable)?
  }

  private struct State {
    var client: Client?
    var search = Search()
    var statistics = DeliveryStatistics()
    /// Grows when what waits has lost its meaning.
    var generation = 0
    var waiting: Waiting?
    var isSearching = false
    var finding: Finding?
    var isTelling = false
    /// Whether the client's last news was that there is something.
    var sawSomething = false

    /// Forgets everything that waits and starts a new generation; what is returned dies outside the lock.
    mutating func discardAll() -> (Waiting?, Finding?) {
      let old = (waiting, finding)
      for isThere in [waiting != nil, finding != nil] where isThere { statistics.settle(wasTaken: false) }
      waiting = nil
      finding = nil
      isTelling = false
      sawSomething = false
      generation += 1
      return old
    }
  }

  private let state = Locked(State())
  private let queue = DispatchQueue(label: "obscura.recognition", qos: .utility)
  private let searcher = FrameSearcher()

  init() {}

  /// What became of every frame until now.
  var statistics: DeliveryStatistics { state.withLock { $0.statistics } }

  func setClient(_ client: Client?) {
    let old = state.withLock { state in
      let old = (state.discardAll(), state.client)
      state.client = client
      return old
    }
    withExtendedLifetime(old) {}
  }

  func setSearch(_ search: Search) {
    state.withLock { $0.search = search }
    queue.async { [self] in searcher.prepare(for: search) }
  }

  /// Throws away what waits without telling the client: the stream has ended.
  func flush() {
    let old = state.withLock { $0.discardAll() }
    withExtendedLifetime(old) {}
  }

  // MARK: Frames, on the device's reader thread

  func offer(_ frame: CapturedFrame, over route: FrameRoute) {
    let (replaced, starts) = state.withLock { state -> (Waiting?, Bool) in
      state.statistics.captured += 1
      guard state.client != nil, !state.search.types.isEmpty || state.sawSomething else {
        state.statistics.unwanted += 1
        return (nil, false)
      }
      state.statistics.pending += 1
      if state.waiting != nil { state.statistics.settle(.late) }
      defer {
        state.waiting = Waiting(frame: frame, route: route)
        state.isSearching = true
      }
      return (state.waiting, !state.isSearching)
    }
    withExtendedLifetime(replaced) {}
    if starts { queue.async { [self] in searchAll() } }
  }

  func offer(_ drop: DroppedFrame) {
    state.withLock { state in
      state.statistics.captured += 1
      state.statistics.pending += 1
      state.statistics.settle(LostFrame(drop).reason)
    }
  }

  // MARK: Searching, on the own queue

  private func searchAll() {
    while let (waiting, search, generation) = nextWaiting() {
      let result = searcher.objects(in: waiting.frame, over: waiting.route, search)
      let finding = result.map {
        Finding(objects: $0, connection: waiting.route.connection, inFlight: waiting.frame.inFlight)
      }
      note(finding, generation)
    }
  }

  private func nextWaiting() -> (Waiting, Search, Int)? {
    state.withLock { state in
      guard let waiting = state.waiting else {
        state.isSearching = false
        return nil
      }
      state.waiting = nil
      return (waiting, state.search, state.generation)
    }
  }

  private func note(_ finding: Finding?, _ generation: Int) {
    let (replaced, client) = state.withLock { state -> (Finding?, Client?) in
      guard state.generation == generation, let client = state.client else {
        state.statistics.settle(wasTaken: false)
        return (nil, nil)
      }
      guard let finding else {
        state.statistics.settle(.discontinuity)
        return (nil, nil)
      }
      if finding.objects.isEmpty, !state.sawSomething || state.finding != nil {
        // Nothing to tell, or something untold that would be lost for it.
        state.statistics.settle(wasTaken: true)
        return (nil, nil)
      }
      if state.finding != nil { state.statistics.settle(.late) }
      defer {
        state.finding = finding
        state.isTelling = true
      }
      return (state.finding, state.isTelling ? nil : client)
    }
    withExtendedLifetime(replaced) {}
    if let client { client.queue.async { [self] in tell(client, generation) } }
  }

  // MARK: Telling, on the client's queue

  private func tell(_ client: Client, _ generation: Int) {
    let finding = state.withLock { state -> Finding? in
      guard state.generation == generation else { return nil }
      defer { state.finding = nil }
      return state.finding
    }
    guard let finding else { return }
    let wasTaken = client.deliver(finding.objects, finding.connection)
    let isMore = state.withLock { state in
      state.statistics.settle(wasTaken: wasTaken)
      guard state.generation == generation else { return false }
      state.sawSomething = !finding.objects.isEmpty
      state.isTelling = state.finding != nil
      return state.isTelling
    }
    // A call of its own for each, so that a client's queue serves others in between.
    if isMore { client.queue.async { [self] in tell(client, generation) } }
    // The frame's token ends after everything is settled: a manual clock moves on at once.
    withExtendedLifetime(finding) {}
  }
}
