public import FoundationExtras

// The keys of a pool's attributes, with Apple's texts.

/// How many buffers a pool keeps however old they are; 0 when absent.
public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// How many seconds an unused buffer is kept; 1 when absent, 0 for ever.
public let kCVPixelBufferPoolMaximumBufferAgeKey: CFString = "MaximumBufferAge"
/// For one request: how many buffers the pool may have at most, used and unused, for it to allocate another.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
/// The name of the notification that a pool posts when a buffer comes back after a request met its threshold.
///
/// The object is the ``CVPixelBufferPool``. It comes on the thread that let the buffer go.
public let kCVPixelBufferPoolFreeBufferNotification: CFString = "CVPixelBufferPoolFreeBufferNotification"

/// The selection of buffers that ``CVPixelBufferPoolFlush(_:_:)`` frees.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
  /// The option bits, with Apple's values.
  public let rawValue: CVOptionFlags

  /// The flags with these bits.
  public init(rawValue: CVOptionFlags) {
    self.rawValue = rawValue
  }

  /// Every unused buffer, whatever its age and the minimum count.
  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}
