internal import Foundation
internal import FoundationExtras
internal import Linux

/// A buffer in a ``CMBufferQueue``: a sample buffer, or any object that its handlers know.
public typealias CMBuffer = AnyObject

/// A queue of timed buffers that knows how long its content lasts, and calls triggers when that crosses a limit.
///
/// Thread-safe. Handlers are called under no lock, once more where another thread has changed the queue meanwhile. Triggers are called
/// on the thread of the call that made their condition true, after the queue has changed.
///
/// Apple: `CMBufferQueue`.
public final class CMBufferQueue: @unchecked Sendable {  // Safe: what changes is under `content`.
  /// A buffer with what its handlers said when it came.
  struct Entry {
    let buffer: CMBuffer
    let duration: CMTime
    let decodeTime: CMTime
    let presentationTime: CMTime
    let size: Int
  }

  struct Content {
    var entries: [Entry] = []
    var hasEnd = false
    var triggers: [QueueTrigger] = []
    var validate: ((CMBufferQueue, CMBuffer) throws -> Void)?
    /// Counts changes, so that what was worked out of an older content is not stored.
    var generation = 0
  }

  /// How many buffers fit; 0 for any number.
  let capacity: CMItemCount
  let handlers: Handlers
  let content = Locked(Content())
  private var observer: (any NSObjectProtocol)?

  /// A queue without buffers.
  ///
  /// - Parameters:
  ///   - capacity: How many buffers fit; 0 for as many as memory holds.
  ///   - handlers: Functions that tell times, size and order of a buffer.
  ///
  /// Apple: `CMBufferQueue.init(capacity:handlers:)`.
  public init(capacity: CMItemCount, handlers: Handlers) throws {
    guard capacity >= 0 else { throw Error.requiredParameterMissing }
    self.capacity = capacity
    self.handlers = handlers
    guard let name = handlers.dataBecameReadyNotification else { return }
    observer = NotificationCenter.default.addObserver(
      forName: Notification.Name(name), object: nil, queue: nil
    ) { [weak self] note in
      guard let self, let head, note.object as AnyObject? === head else { return }
      change(becameReady: true) { _ in }
    }
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }

  // MARK: Buffers

  /// Puts a buffer at its place in the handlers' order, at the end without one.
  ///
  /// - Throws: `queueIsFull`, `enqueueAfterEndOfData`, and what the validation handler throws.
  ///
  /// Apple: `CMBufferQueue.enqueue(_:)`.
  public func enqueue(_ buffer: CMBuffer) throws {
    if let validate = content.withLock({ $0.validate }) { try validate(self, buffer) }
    let entry = Entry(
      buffer: buffer, duration: handlers.getDuration(buffer),
      decodeTime: handlers.getDecodeTimeStamp?(buffer) ?? .invalid,
      presentationTime: handlers.getPresentationTimeStamp?(buffer) ?? .invalid,
      size: handlers.getSize?(buffer) ?? 0)
    try change { content in
      guard !content.hasEnd else { throw Error.enqueueAfterEndOfData }
      guard capacity == 0 || content.entries.count < capacity else { throw Error.queueIsFull }
      guard let compare = handlers.compare else { return content.entries.append(entry) }
      let place =
        content.entries.lastIndex { compare($0.buffer, buffer) != .compareGreaterThan }.map { $0 + 1 } ?? 0
      content.entries.insert(entry, at: place)
    }
  }

  /// Takes the first buffer; `nil` when there is none.
  ///
  /// Apple: `CMBufferQueue.dequeue()`.
  public func dequeue() -> CMBuffer? { take { _ in true } }

  /// Takes the first buffer if its data is ready.
  ///
  /// Apple: `CMBufferQueue.dequeueIfDataReady()`.
  public func dequeueIfDataReady() -> CMBuffer? {
    take { [handlers] in handlers.isDataReady?($0) ?? true }
  }

  private func take(if isWanted: (CMBuffer) -> Bool) -> CMBuffer? {
    change { content in
      guard let first = content.entries.first, isWanted(first.buffer) else { return nil }
      return content.entries.removeFirst().buffer
    }
  }

  /// The first buffer, which stays in the queue; `nil` when there is none.
  ///
  /// Apple: `CMBufferQueue.head`.
  public var head: CMBuffer? { content.withLock { $0.entries.first?.buffer } }

  /// Says that no buffer comes any more, until a reset.
  ///
  /// Apple: `CMBufferQueue.markEndOfData()`.
  public func markEndOfData() throws { change { $0.hasEnd = true } }

  /// Takes all buffers away, and the end.
  ///
  /// Apple: `CMBufferQueue.reset()`.
  public func reset() throws { try reset { _ in } }

  /// Takes all buffers away, each of which `body` gets in their order, and the end.
  ///
  /// Apple: `CMBufferQueue.reset(_:)`.
  public func reset(_ body: (CMBuffer) throws -> Void) throws {
    let old = change(isReset: true) { content in
      defer { (content.entries, content.hasEnd) = ([], false) }
      return content.entries
    }
    for entry in old { try body(entry.buffer) }
  }

  /// Sets what is asked before a buffer is taken in: it throws to keep one out.
  ///
  /// Apple: `CMBufferQueue.setValidationHandler(_:)`.
  public func setValidationHandler(_ body: @escaping (CMBufferQueue, CMBuffer) throws -> Void) {
    content.withLock { $0.validate = body }
  }

  // MARK: Changing

  /// Changes the content, then calls the triggers whose conditions have become true.
  @discardableResult
  func change<Result, Failure: Swift.Error>(
    isReset: Bool = false, becameReady: Bool = false, _ body: (inout Content) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    while true {
      let old = content.withLock { $0 }
      var new = old
      let result = try body(&new)
      new.generation += 1
      let before = QueueState(
        of: old.entries, hasEnd: old.hasEnd, isReady: becameReady ? { _ in false } : handlers.isDataReady)
      let after = QueueState(of: new.entries, hasEnd: new.hasEnd, isReady: handlers.isDataReady)
      let isStored = content.withLock { content in
        guard content.generation == old.generation else { return false }
        swap(&content, &new)
        return true
      }
      guard isStored else { continue }
      for trigger in old.triggers where trigger.fires(from: before, to: after, isReset: isReset) {
        trigger.handler?(trigger.token)
      }
      return result
    }
  }
}

extension CMBufferQueue: Hashable {
  /// Whether both are the same object.
  public static func == (left: CMBufferQueue, right: CMBufferQueue) -> Bool { left === right }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
