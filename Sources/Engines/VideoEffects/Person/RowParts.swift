internal import PixelTransforms

/// Rows in parts of one height, for any number of threads.
struct RowParts: Sendable {
  let rows: Int
  let height: Int

  /// Runs `body` on each part; the same parts whatever the threads, of which the caller's is one.
  func forEach(threads: Int, _ body: @Sendable (Range<Int32>) -> Void) {
    let (rows, height) = (rows, height)
    let count = (rows + height - 1) / height
    let workers = max(1, min(threads, count))
    Tiles.forEach(workers) { worker in
      for part in stride(from: worker, to: count, by: workers) {
        body(Int32(part * height)..<Int32(min(rows, (part + 1) * height)))
      }
    }
  }
}
