public import FoundationExtras

/// Reads a time of a buffer.
public typealias CMBufferGetTimeHandler = (CMBuffer) -> CMTime
/// Tells whether something holds for a buffer.
public typealias CMBufferGetBooleanHandler = (CMBuffer) -> Bool
/// Compares two buffers.
public typealias CMBufferCompareHandler = (CMBuffer, CMBuffer) -> CFComparisonResult
/// Reads the size of a buffer in bytes.
public typealias CMBufferGetSizeHandler = (CMBuffer) -> Int

extension CMBufferQueue {
  /// The functions by which a queue knows times, size and order of its buffers.
  ///
  /// Apple: `CMBufferQueue.Handlers`.
  public struct Handlers {
    /// When a buffer is decoded; `nil` when no time is known.
    public let getDecodeTimeStamp: CMBufferGetTimeHandler?
    /// When a buffer is presented; `nil` when no time is known.
    public let getPresentationTimeStamp: CMBufferGetTimeHandler?
    /// How long a buffer lasts.
    public let getDuration: CMBufferGetTimeHandler
    /// Whether a buffer's data is there; `nil` when it always is.
    public let isDataReady: CMBufferGetBooleanHandler?
    /// The order of two buffers; `nil` for the order in which they come.
    public let compare: CMBufferCompareHandler?
    /// The name of the notification that a buffer posts when its data is there; `nil` for none.
    public let dataBecameReadyNotification: String?
    /// The bytes of a buffer; `nil` when sizes are not known.
    public let getSize: CMBufferGetSizeHandler?

    /// Gathers the functions of handlers.
    public struct Builder {
      /// The name of the notification that a buffer posts when its data is there.
      public var dataBecameReadyNotification: String?
      fileprivate var decodeTime: CMBufferGetTimeHandler?
      fileprivate var presentationTime: CMBufferGetTimeHandler?
      fileprivate var duration: CMBufferGetTimeHandler = { _ in .invalid }
      fileprivate var isReady: CMBufferGetBooleanHandler?
      fileprivate var order: CMBufferCompareHandler?
      fileprivate var size: CMBufferGetSizeHandler?

      fileprivate init() {}

      fileprivate init(_ handlers: Handlers) {
        dataBecameReadyNotification = handlers.dataBecameReadyNotification
        (decodeTime, presentationTime) = (handlers.getDecodeTimeStamp, handlers.getPresentationTimeStamp)
        (duration, isReady) = (handlers.getDuration, handlers.isDataReady)
        (order, size) = (handlers.compare, handlers.getSize)
      }

      /// Sets when a buffer is decoded.
      public mutating func getDecodeTimeStamp(_ body: @escaping CMBufferGetTimeHandler) { decodeTime = body }
      /// Sets when a buffer is presented.
      public mutating func getPresentationTimeStamp(_ body: @escaping CMBufferGetTimeHandler) {
        presentationTime = body
      }
      /// Sets how long a buffer lasts.
      public mutating func getDuration(_ body: @escaping CMBufferGetTimeHandler) { duration = body }
      /// Sets whether a buffer's data is there.
      public mutating func isDataReady(_ body: @escaping CMBufferGetBooleanHandler) { isReady = body }
      /// Sets the order of two buffers.
      public mutating func compare(_ body: @escaping CMBufferCompareHandler) { order = body }
      /// Sets the bytes of a buffer.
      public mutating func getSize(_ body: @escaping CMBufferGetSizeHandler) { size = body }
    }

    /// Handlers that `body` sets.
    ///
    /// Apple: `CMBufferQueue.Handlers.init(withHandlers:)`.
    public init(withHandlers body: (inout Builder) -> Void) {
      var builder = Builder()
      body(&builder)
      self.init(builder)
    }

    /// These handlers, of which `body` replaces some.
    ///
    /// Apple: `CMBufferQueue.Handlers.withHandlers(_:)`.
    public func withHandlers(_ body: (inout Builder) -> Void) -> Handlers {
      var builder = Builder(self)
      body(&builder)
      return Handlers(builder)
    }

    private init(_ builder: Builder) {
      getDecodeTimeStamp = builder.decodeTime
      getPresentationTimeStamp = builder.presentationTime
      getDuration = builder.duration
      isDataReady = builder.isReady
      compare = builder.order
      dataBecameReadyNotification = builder.dataBecameReadyNotification
      getSize = builder.size
    }

    /// For sample buffers, in the order in which they come.
    ///
    /// Apple: `CMBufferQueue.Handlers.unsortedSampleBuffers`.
    public static var unsortedSampleBuffers: Handlers {
      Handlers { builder in
        builder.getDecodeTimeStamp { sample($0)?.decodeTimeStamp ?? .invalid }
        builder.getPresentationTimeStamp { sample($0)?.presentationTimeStamp ?? .invalid }
        builder.getDuration { sample($0)?.duration ?? .invalid }
        builder.isDataReady { sample($0).map(CMSampleBufferDataIsReady) ?? true }
        builder.getSize { sample($0)?.totalSampleSize ?? 0 }
        builder.dataBecameReadyNotification = kCMSampleBufferNotification_DataBecameReady
      }
    }

    /// For sample buffers, in the order in which they are put out.
    ///
    /// Apple: `CMBufferQueue.Handlers.outputPTSSortedSampleBuffers`.
    public static var outputPTSSortedSampleBuffers: Handlers {
      unsortedSampleBuffers.withHandlers { builder in
        builder.getPresentationTimeStamp { sample($0)?.outputPresentationTimeStamp ?? .invalid }
        builder.getDecodeTimeStamp { sample($0)?.outputDecodeTimeStamp ?? .invalid }
        builder.getDuration { sample($0)?.outputDuration ?? .invalid }
        builder.compare { first, second in
          guard let first = sample(first), let second = sample(second) else { return .compareEqualTo }
          let order = CMTimeCompare(first.outputPresentationTimeStamp, second.outputPresentationTimeStamp)
          return order < 0 ? .compareLessThan : order > 0 ? .compareGreaterThan : .compareEqualTo
        }
      }
    }

    private static func sample(_ buffer: CMBuffer) -> CMSampleBuffer? { buffer as? CMSampleBuffer }
  }
}
