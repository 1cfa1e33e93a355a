internal import Linux

/// Memory for pictures between two steps, kept for the next frame instead of given back.
final class ScratchMemory: Sendable {
  private struct Block: @unchecked Sendable {  // Safe: a block is free or lent once.
    var base: UnsafeMutableRawPointer
    var bytes: Int
  }

  private let free = Locked<[Block]>([])
  /// More blocks would only be kept when more frames than this are transformed at the same time.
  private let limit = 4

  deinit {
    free.withLock { blocks in blocks.forEach { $0.base.deallocate() } }
  }

  /// Lends at least `bytes` bytes, aligned to 64, for the time of `body`.
  ///
  /// The content is arbitrary.
  func lend<Result>(_ bytes: Int, _ body: (UnsafeMutablePointer<UInt8>) throws -> Result) rethrows -> Result {
    let kept = free.withLock { blocks in
      blocks.firstIndex { $0.bytes >= bytes && $0.bytes <= 4 * bytes }.map { blocks.remove(at: $0) }
    }
    let block = kept ?? Block(base: .allocate(byteCount: bytes, alignment: 64), bytes: bytes)
    defer {
      let surplus = free.withLock { blocks -> Block? in
        blocks.append(block)
        return blocks.count > limit ? blocks.removeFirst() : nil
      }
      surplus?.base.deallocate()
    }
    return try body(block.base.assumingMemoryBound(to: UInt8.self))
  }
}
