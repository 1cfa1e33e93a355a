package import CaptureDevice
package import Linux

/// The newest depth maps of a camera, for photos: the map of a frame may come a little after it.
///
/// Maps are held, not copied, while a photo output wants depth. Thread-safe.
package final class DepthHistory: Sendable {
  /// A photo's wish for the map of a moment, while its frames are on their way.
  fileprivate struct Wish {
    var moment: MonotonicInstant
    var best: CapturedDepth?

    func distance(_ depth: CapturedDepth) -> Int64 {
      abs(depth.timestamp.nanoseconds - moment.nanoseconds)
    }

    /// Takes a map that is nearer; returns the other one, for the caller to let go under no lock.
    mutating func see(_ depth: CapturedDepth) -> CapturedDepth? {
      guard let old = best else {
        best = depth
        return nil
      }
      guard distance(depth) < distance(old) else { return depth }
      best = depth
      return old
    }
  }

  fileprivate struct State {
    var limit = 0
    var maps: [CapturedDepth] = []
    var wishes: [Int: Wish] = [:]
    var wishCount = 0
    /// The newest moment that has a map, or of which none will come.
    var known: MonotonicInstant?
  }

  fileprivate let state = Monitor(State())

  /// A history of nothing.
  package init() {}

  /// Keeps the newest `limit` maps from now on.
  ///
  /// With 0 it releases all maps, and waiting photos get the nearest map so far, if any.
  package func keep(_ limit: Int) {
    let old = state.withLock { state in
      defer {
        state.limit = limit
        state.maps.removeFirst(max(0, state.maps.count - limit))
        if limit == 0 { state.known = nil }
      }
      return state.maps
    }
    withExtendedLifetime(old) {}
  }

  /// Takes a map as it comes from the device.
  package func take(_ depth: CapturedDepth) {
    // A manual clock need not wait for the photo of it.
    var kept = depth
    kept.inFlight = nil
    let old = state.withLock { state -> [CapturedDepth] in
      guard state.limit > 0 else { return [] }
      state.known = kept.timestamp
      state.maps.append(kept)
      var old = state.wishes.keys.compactMap { state.wishes[$0]?.see(kept) }
      if state.maps.count > state.limit { old.append(state.maps.removeFirst()) }
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Takes note that the map of `moment` will not come.
  package func takeLoss(at moment: MonotonicInstant) {
    state.withLock { state in
      if state.limit > 0 { state.known = moment }
    }
  }

  /// Claims the map of a frame's moment, whatever becomes of the history; waits for nothing.
  ///
  /// - Parameter interval: From one map to the next, in nanoseconds.
  package func claim(at moment: MonotonicInstant, every interval: Int64) -> DepthClaim {
    let (number, old) = state.withLock { state -> (Int, [CapturedDepth]) in
      var wish = Wish(moment: moment)
      let old = state.maps.compactMap { wish.see($0) }
      state.wishCount += 1
      state.wishes[state.wishCount] = wish
      return (state.wishCount, old)
    }
    withExtendedLifetime(old) {}
    return DepthClaim(self, number: number, moment: moment, interval: interval)
  }
}

/// The claim of a photo to the depth map of its moment; holds at most one map.
package final class DepthClaim: Sendable {
  private let history: DepthHistory
  private let number: Int
  /// The moment whose map is claimed.
  let moment: MonotonicInstant
  private let interval: Int64

  fileprivate init(_ history: DepthHistory, number: Int, moment: MonotonicInstant, interval: Int64) {
    self.history = history
    self.number = number
    self.moment = moment
    self.interval = interval
  }

  deinit {
    let old = history.state.withLock { $0.wishes.removeValue(forKey: number) }
    withExtendedLifetime(old) {}
  }

  /// The map that is the nearest to the moment; `nil` where none is nearer than one interval.
  ///
  /// Waits for the frame's own where that is on its way, for three intervals at most.
  package func map() -> CapturedDepth? {
    let limit = HangLimit(nanoseconds: min(3 * interval, 30_000_000_000))
    let bound = moment.nanoseconds - interval / 2
    // What is known is the best there is when the wait is over.
    _ = history.state.wait(until: limit.deadline) { state in
      state.limit == 0 || state.known.map { $0.nanoseconds >= bound } == true
    } then: { _ in
      true
    }
    let wish = history.state.withLock { $0.wishes[number] }
    return wish.flatMap { wish in wish.best.flatMap { wish.distance($0) <= interval ? $0 : nil } }
  }
}
