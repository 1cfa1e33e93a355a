internal import Linux
internal import PixelTransforms

/// Work on the rows of a picture by a given number of threads, which take the next part as they are done with one.
struct RowWork {
  /// The caller's thread included.
  let threads: Int

  /// Runs `body` for each of 0 ..< `count`, in any order and on any of the threads; returns when all have ended.
  func forEach(_ count: Int, _ body: @Sendable (Int) -> Void) {
    guard threads > 1, count > 1 else {
      for index in 0..<count { body(index) }
      return
    }
    let next = Locked(0)
    Tiles.forEach(min(threads, count)) { _ in
      while true {
        let index = next.withLock { value in
          defer { value += 1 }
          return value
        }
        if index >= count { return }
        body(index)
      }
    }
  }

  /// Runs `body` on strips of `height` rows that make up `rows`.
  func forEachStrip(rows: Int, height: Int, _ body: @Sendable (Range<Int>) -> Void) {
    forEach((rows + height - 1) / height) { index in
      body(index * height..<min(rows, (index + 1) * height))
    }
  }
}
