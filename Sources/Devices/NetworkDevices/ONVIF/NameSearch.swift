internal import Linux

/// Looks for the addresses of machines by their names, each once, all at the same time, and waits for them no longer than a limit.
///
/// A name whose search takes longer has none until that is over; its thread is left behind. Thread-safe.
final class NameSearch: Sendable {
  private let limit: Int64
  private let lookUp: @Sendable (String) -> [String]
  private let begun = Locked<Set<String>>([])
  private let found = Monitor<[String: [String]]>([:])

  /// - Parameters:
  ///   - limit: How long a call waits, in nanoseconds.
  ///   - lookUp: The addresses of a name; may block.
  init(limit: Int64, _ lookUp: @escaping @Sendable (String) -> [String]) {
    self.limit = limit
    self.lookUp = lookUp
  }

  /// The addresses of names, by the name.
  ///
  /// Blocks until all are found, or for the limit.
  func addresses(of names: [String]) -> [String: [String]] {
    let wanted = Set(names)
    let new = begun.withLock { begun in
      defer { begun.formUnion(wanted) }
      return wanted.subtracting(begun)
    }
    for name in new {
      let search: @Sendable () -> Void = { [found, lookUp] in
        let addresses = lookUp(name)
        found.withLock { $0[name] = addresses }
      }
      let thread = try? ReaderThread(name: "obscura-names", search)
      if thread == nil { found.withLock { $0[name] = [] } }
    }
    let deadline = HangLimit(nanoseconds: limit).deadline
    _ = found.wait(until: deadline, for: { found in wanted.allSatisfy { found[$0] != nil } }, then: { _ in })
    return found.withLock { $0.filter { wanted.contains($0.key) } }
  }
}
