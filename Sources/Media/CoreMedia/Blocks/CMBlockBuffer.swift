internal import Linux

/// Bytes in one or several pieces, each with an owner of its own: `malloc`, a device's ring, another block buffer.
///
/// A block buffer may refer to part of another and share its memory. Its memory is given back when the last block
/// buffer that refers to it goes. The list of pieces is safe to change and read from any thread; the bytes are not
/// guarded: write before you share.
///
/// Apple: `CMBlockBuffer`.
public final class CMBlockBuffer: @unchecked Sendable {  // Safe: `lock` guards `pieces`.
  let attachmentTable = AttachmentTable()
  private let lock = Lock()
  private var pieces: [BlockPiece] = []

  init(pieces: [BlockPiece]) {
    self.pieces = pieces
  }

  /// Wraps memory that someone else owns, without copying.
  ///
  /// - Parameters:
  ///   - memory: Bytes that stay valid until `release` runs. They may be read-only if no client writes through this buffer.
  ///   - release: Runs once, on whatever thread drops the last reference; must not block.
  package convenience init(
    wrapping memory: UnsafeMutableRawBufferPointer, release: @escaping @Sendable () -> Void
  ) {
    let block = MemoryBlock(memory, release: release)
    self.init(pieces: [BlockPiece(block: block, offset: 0, length: memory.count)])
  }

  /// Copies `bytes` into memory of its own.
  package convenience init(copying bytes: UnsafeRawBufferPointer) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyMemory(from: bytes)
    self.init(wrapping: memory) { [address = UInt(bitPattern: memory.baseAddress)] in
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }

  /// The pieces that hold `range`, in order; `nil` when the range reaches beyond the end.
  func pieces(in range: Range<Int>) -> [BlockPiece]? {
    lock.withLock {
      guard range.lowerBound >= 0 else { return nil }
      var found: [BlockPiece] = []
      var start = 0
      for piece in pieces {
        let part = range.clamped(to: start..<start + piece.length)
        if !part.isEmpty {
          found.append(
            BlockPiece(block: piece.block, offset: piece.offset + part.lowerBound - start, length: part.count)
          )
        }
        start += piece.length
      }
      return range.upperBound <= start ? found : nil
    }
  }

  func append(_ more: [BlockPiece]) {
    lock.withLock { pieces.append(contentsOf: more) }
  }

  var allPieces: [BlockPiece] {
    lock.withLock { pieces }
  }

  var length: Int {
    lock.withLock { pieces.reduce(0) { $0 + $1.length } }
  }
}

extension CMBlockBuffer: Hashable {
  /// Whether both are the same object.
  public static func == (left: CMBlockBuffer, right: CMBlockBuffer) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Part of a memory block.
struct BlockPiece {
  let block: MemoryBlock
  let offset: Int
  let length: Int
}

/// Memory with an owner, allocated at once or when first needed.
final class MemoryBlock: @unchecked Sendable {  // Safe because the state is reached only under `lock`.
  private enum State {
    case promised(() -> UnsafeMutableRawPointer?)
    case present(UnsafeMutableRawPointer)
  }

  let length: Int
  private let lock = Lock()
  private var state: State
  private let release: (UnsafeMutableRawPointer, Int) -> Void

  init(_ memory: UnsafeMutableRawBufferPointer, release: @escaping @Sendable () -> Void) {
    length = memory.count
    self.release = { _, _ in release() }
    // An empty mapping has no address; nothing is ever read through the stand-in.
    state = .present(memory.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped)
  }

  init(
    _ memory: UnsafeMutableRawPointer?, length: Int, allocate: @escaping () -> UnsafeMutableRawPointer?,
    release: @escaping (UnsafeMutableRawPointer, Int) -> Void
  ) {
    self.length = length
    self.release = release
    state = memory.map { .present($0) } ?? .promised(allocate)
  }

  deinit {
    if case .present(let memory) = state { release(memory, length) }
  }

  /// The memory, or `nil` while it is only promised.
  var memory: UnsafeMutableRawPointer? {
    lock.withLock {
      if case .present(let memory) = state { return memory }
      return nil
    }
  }

  /// The memory, allocated now if need be; `nil` when that fails.
  func assured() -> UnsafeMutableRawPointer? {
    let allocate: () -> UnsafeMutableRawPointer?
    switch lock.withLock({ state }) {
    case .present(let memory): return memory
    case .promised(let promise): allocate = promise
    }
    // The source of memory is a client's, so it is not called under the lock; the second thread gives its memory back.
    guard let fresh = allocate() else { return nil }
    let winner = lock.withLock {
      if case .present(let memory) = state { return memory }
      state = .present(fresh)
      return fresh
    }
    if winner != fresh { release(fresh, length) }
    return winner
  }
}
