internal import Linux

extension CMBufferQueue {
  private var entries: [Entry] { content.withLock { $0.entries } }

  /// Whether there is no buffer.
  ///
  /// Apple: `CMBufferQueue.isEmpty`.
  public var isEmpty: Bool { entries.isEmpty }

  /// How many buffers there are.
  ///
  /// Apple: `CMBufferQueue.bufferCount`.
  public var bufferCount: CMItemCount { entries.count }

  /// Whether the end was marked.
  ///
  /// Apple: `CMBufferQueue.containsEndOfData`.
  public var containsEndOfData: Bool { content.withLock { $0.hasEnd } }

  /// Whether the end was marked and no buffer is left.
  ///
  /// Apple: `CMBufferQueue.isAtEndOfData`.
  public var isAtEndOfData: Bool { content.withLock { $0.hasEnd && $0.entries.isEmpty } }

  /// The durations of all buffers together; invalid when one is.
  ///
  /// Apple: `CMBufferQueue.duration`.
  public var duration: CMTime { QueueState.duration(of: entries) }

  /// The earliest time at which a buffer is decoded; invalid without one.
  ///
  /// Apple: `CMBufferQueue.minDecodeTimeStamp`.
  public var minDecodeTimeStamp: CMTime { QueueState.least(of: entries, \.decodeTime) }

  /// The time at which the first buffer is decoded.
  ///
  /// Apple: `CMBufferQueue.firstDecodeTimeStamp`.
  public var firstDecodeTimeStamp: CMTime { entries.first?.decodeTime ?? .invalid }

  /// The earliest time at which a buffer is presented; invalid without one.
  ///
  /// Apple: `CMBufferQueue.minPresentationTimeStamp`.
  public var minPresentationTimeStamp: CMTime { QueueState.least(of: entries, \.presentationTime) }

  /// The time at which the first buffer is presented.
  ///
  /// Apple: `CMBufferQueue.firstPresentationTimeStamp`.
  public var firstPresentationTimeStamp: CMTime { entries.first?.presentationTime ?? .invalid }

  /// The latest time at which a buffer is presented; invalid without one.
  ///
  /// Apple: `CMBufferQueue.maxPresentationTimeStamp`.
  public var maxPresentationTimeStamp: CMTime { QueueState.greatest(of: entries) { $0.presentationTime } }

  /// The latest end of a buffer's presentation; invalid without one.
  ///
  /// Apple: `CMBufferQueue.endPresentationTimeStamp`.
  public var endPresentationTimeStamp: CMTime {
    QueueState.greatest(of: entries) { $0.presentationTime + $0.duration }
  }

  /// The bytes of all buffers.
  ///
  /// Apple: `CMBufferQueue.totalSize`.
  public var totalSize: Int { entries.reduce(0) { $0 + $1.size } }

  /// The buffers in their order, as they are now.
  ///
  /// Apple: `CMBufferQueue.buffers`.
  public var buffers: Buffers { Buffers(buffers: entries.map(\.buffer)) }

  /// The buffers of a queue at a moment.
  ///
  /// Apple: `CMBufferQueue.Buffers`.
  public struct Buffers: Sequence {
    fileprivate let buffers: [CMBuffer]

    /// Walks through them.
    public func makeIterator() -> IndexingIterator<[CMBuffer]> { buffers.makeIterator() }
  }
}

/// What triggers look at.
struct QueueState {
  let duration: CMTime
  let least: CMTime
  let greatest: CMTime
  let count: Int
  let isReady: Bool
  let isAtEnd: Bool

  init(of entries: [CMBufferQueue.Entry], hasEnd: Bool, isReady: CMBufferGetBooleanHandler?) {
    duration = Self.duration(of: entries)
    least = Self.least(of: entries, \.presentationTime)
    greatest = Self.greatest(of: entries) { $0.presentationTime }
    count = entries.count
    self.isReady = entries.first.map { isReady?($0.buffer) ?? true } ?? false
    isAtEnd = hasEnd && entries.isEmpty
  }

  static func duration(of entries: [CMBufferQueue.Entry]) -> CMTime {
    entries.reduce(.zero) { $0 + $1.duration }
  }

  static func least(
    of entries: [CMBufferQueue.Entry], _ path: KeyPath<CMBufferQueue.Entry, CMTime>
  ) -> CMTime {
    entries.map { $0[keyPath: path] }.filter(\.isValid).min() ?? .invalid
  }

  static func greatest(
    of entries: [CMBufferQueue.Entry], _ time: (CMBufferQueue.Entry) -> CMTime
  ) -> CMTime {
    entries.map(time).filter(\.isValid).max() ?? .invalid
  }
}
