public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// The base of a reader's outputs, which deliver its sample buffers.
///
/// Apple: `AVAssetReaderOutput`.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  private let state = Locked(State())

  private struct State {
    weak var reader: AVAssetReader?
    var isAdded = false
    var alwaysCopies = true
    var supportsRandomAccess = false
    var isFinal = false
  }

  override init() {}

  /// The tracks that it reads.
  var tracks: [AVAssetTrack] { [] }

  /// The kind of media.
  ///
  /// Apple: `AVAssetReaderOutput.mediaType`.
  open var mediaType: AVMediaType { .video }

  /// Whether each sample's data is the client's own; it always is here.
  ///
  /// Apple: `AVAssetReaderOutput.alwaysCopiesSampleData`.
  open var alwaysCopiesSampleData: Bool {
    get { state.withLock { $0.alwaysCopies } }
    set { setUp("alwaysCopiesSampleData") { $0.alwaysCopies = newValue } }
  }

  /// Whether ``reset(forReadingTimeRanges:)`` may be called.
  ///
  /// Apple: `AVAssetReaderOutput.supportsRandomAccess`.
  open var supportsRandomAccess: Bool {
    get { state.withLock { $0.supportsRandomAccess } }
    set { setUp("supportsRandomAccess") { $0.supportsRandomAccess = newValue } }
  }

  private func setUp(_ name: String, _ change: (inout State) -> Void) {
    guard mayBeSet("AVAssetReaderOutput.\(name)") else { return }
    state.withLock { change(&$0) }
  }

  /// Whether reading has not started yet; to set a property then is reported as a mistake.
  func mayBeSet(_ name: String) -> Bool {
    guard state.withLock({ $0.reader })?.status ?? .unknown == .unknown else {
      ProgrammingMistake.report(rule: "\(name) cannot be set after reading has started.")
      return false
    }
    return true
  }

  /// Reads again, of some times; after ``copyNextSampleBuffer()`` has returned `nil` with ``supportsRandomAccess``.
  ///
  /// - Parameter timeRanges: Each a `CMTimeRange`; they are read in this order.
  ///
  /// Apple: `AVAssetReaderOutput.reset(forReadingTimeRanges:)`.
  open func reset(forReadingTimeRanges timeRanges: [NSValue]) {
    guard mayReset, isAtEnd, let reader, reader.status == .reading else {
      ProgrammingMistake.report(
        rule:
          "AVAssetReaderOutput.reset(forReadingTimeRanges:) needs supportsRandomAccess, and comes after the last sample."
      )
      return
    }
    do {
      try restart(timeRanges.map(\.timeRangeValue))
    } catch {
      reader.fail(TrackDecoding.error(error))
    }
  }

  /// Says that ``reset(forReadingTimeRanges:)`` is not called any more, so that the reader can be completed.
  ///
  /// Apple: `AVAssetReaderOutput.markConfigurationAsFinal()`.
  open func markConfigurationAsFinal() {
    let mightReset = state.withLock { state in
      defer { state.isFinal = true }
      return state.supportsRandomAccess && !state.isFinal
    }
    if mightReset, isAtEnd { reader?.outputEnded() }
  }

  /// Whether samples may be asked for again.
  var mayReset: Bool { state.withLock { $0.supportsRandomAccess && !$0.isFinal } }

  /// Whether all samples were given.
  var isAtEnd: Bool { true }

  func restart(_ ranges: [CMTimeRange]) throws {}

  var reader: AVAssetReader? { state.withLock { $0.reader } }

  /// The reader, while it reads; to ask before it does is a mistake.
  var readingReader: AVAssetReader? {
    let reader = reader
    guard let reader, reader.status != .unknown else {
      // A reader that was let go is no mistake of the one who asks.
      if reader != nil || !state.withLock({ $0.isAdded }) {
        ProgrammingMistake.report(
          rule:
            "AVAssetReaderOutput.copyNextSampleBuffer comes after the output was added to a reader and startReading() was called."
        )
      }
      return nil
    }
    return reader.status == .reading ? reader : nil
  }

  func canBelong(to asset: AVAsset) -> Bool { !state.withLock { $0.isAdded } }

  func attach(to reader: AVAssetReader) {
    state.withLock {
      $0.isAdded = true
      $0.reader = reader
    }
  }

  func open(_ range: CMTimeRange) throws {}

  /// The next sample buffer; `nil` behind the last one, and when reading has failed: the reader's status says which.
  ///
  /// Blocks until it is read and decoded; before `AVAssetReader.startReading()` it is a programming mistake. Apple: `AVAssetReaderOutput.copyNextSampleBuffer()`.
  open func copyNextSampleBuffer() -> CMSampleBuffer? { nil }
}
