public import Foundation

/// The data that several outputs captured at one moment.
///
/// Immutable and thread-safe.
///
/// Source:
/// [AVCaptureSynchronizedDataCollection](https://developer.apple.com/documentation/avfoundation/avcapturesynchronizeddatacollection).
public final class AVCaptureSynchronizedDataCollection: NSObject, Sequence, @unchecked Sendable {
  // Safe because all is constant.
  private let entries: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]

  init(_ entries: [(output: AVCaptureOutput, data: AVCaptureSynchronizedData)]) {
    self.entries = entries
    super.init()
  }

  /// The data of an output, or `nil` when it has nothing of that moment.
  ///
  /// Apple: `AVCaptureSynchronizedDataCollection.synchronizedData(for:)`.
  public func synchronizedData(for captureOutput: AVCaptureOutput) -> AVCaptureSynchronizedData? {
    entries.first { $0.output === captureOutput }?.data
  }

  /// As ``synchronizedData(for:)``.
  ///
  /// Apple: `AVCaptureSynchronizedDataCollection.subscript(_:)`.
  public subscript(key: AVCaptureOutput) -> AVCaptureSynchronizedData? { synchronizedData(for: key) }

  /// How many outputs have something of that moment.
  ///
  /// Apple: `AVCaptureSynchronizedDataCollection.count`.
  public var count: Int { entries.count }

  /// The data of the outputs, in the order of the synchronizer's `dataOutputs`.
  ///
  /// Apple: `AVCaptureSynchronizedDataCollection.makeIterator()`.
  public func makeIterator() -> AVCaptureSynchronizedDataCollectionIterator {
    AVCaptureSynchronizedDataCollectionIterator(entries.map(\.data))
  }
}

/// Goes through what a moment consists of.
///
/// Source:
/// [AVCaptureSynchronizedDataCollectionIterator](https://developer.apple.com/documentation/avfoundation/avcapturesynchronizeddatacollectioniterator).
public struct AVCaptureSynchronizedDataCollectionIterator: IteratorProtocol {
  private var rest: ArraySlice<AVCaptureSynchronizedData>

  init(_ data: [AVCaptureSynchronizedData]) {
    rest = data[...]
  }

  /// The next, or `nil` at the end.
  ///
  /// Apple: `AVCaptureSynchronizedDataCollectionIterator.next()`.
  public mutating func next() -> AVCaptureSynchronizedData? { rest.popFirst() }
}
