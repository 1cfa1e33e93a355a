/// Decides which code is a hit: the same text twice in a row, and not the one that was just dismissed.
struct ScanPause {
  private var last: CodeContent?
  private var dismissed: CodeContent?
  /// Frames in which the dismissed code was not seen.
  private var framesWithout = 0

  /// Takes the codes of one frame; returns the one that is a hit.
  mutating func take(_ codes: [FoundCode]) -> FoundCode? {
    if let dismissed {
      framesWithout = codes.contains { $0.content == dismissed } ? 0 : framesWithout + 1
      // Two seconds out of view, and the code may be meant again.
      if framesWithout > 60 { self.dismissed = nil }
    }
    guard let code = codes.first(where: { $0.content != dismissed }) else {
      last = nil
      return nil
    }
    defer { last = code.content }
    return last == code.content ? code : nil
  }

  /// Looks for others from now on.
  mutating func dismiss(_ code: FoundCode) {
    dismissed = code.content
    framesWithout = 0
    last = nil
  }
}
