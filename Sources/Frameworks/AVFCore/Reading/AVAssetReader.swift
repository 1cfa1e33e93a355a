public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// Reads the samples of an asset, as they are or decoded.
///
/// Add outputs, ``startReading()``, then take sample buffers from each output. Thread-safe. Apple: `AVAssetReader`.
open class AVAssetReader: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  /// The status of a reader.
  ///
  /// Apple: `AVAssetReader.Status`.
  public enum Status: Int, Sendable {
    /// Reading has not begun.
    case unknown = 0
    /// There may be more samples.
    case reading = 1
    /// All outputs have given all samples.
    case completed = 2
    /// ``AVAssetReader/error`` says why.
    case failed = 3
    /// The client has cancelled it.
    case cancelled = 4
  }

  /// The asset to read.
  ///
  /// Apple: `AVAssetReader.asset`.
  public let asset: AVAsset
  private let state = Locked(State())

  private struct State {
    var status = Status.unknown
    var error: AVError?
    var outputs: [AVAssetReaderOutput] = []
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var ended = 0
  }

  /// A reader of an asset.
  ///
  /// - Throws: ``AVError`` when the asset's file cannot be read; an error of `NSURLErrorDomain`, -1100, when it is not there.
  ///
  /// Apple: `AVAssetReader.init(asset:)`.
  public init(asset: AVAsset) throws {
    try asset.open()
    self.asset = asset
  }

  /// The status of the reader.
  ///
  /// Apple: `AVAssetReader.status`.
  open var status: Status { state.withLock { $0.status } }

  /// Why it has failed; `nil` unless it has.
  ///
  /// Apple: `AVAssetReader.error`.
  open var error: (any Error)? { state.withLock { $0.error } }

  /// The outputs, in the order in which they were added.
  ///
  /// Apple: `AVAssetReader.outputs`.
  open var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

  /// Of which time samples are read; all by default.
  ///
  /// Set before reading begins. Apple: `AVAssetReader.timeRange`.
  open var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set {
      let isEarly = state.withLock { state in
        guard state.status == .unknown else { return false }
        state.timeRange = newValue
        return true
      }
      if !isEarly {
        ProgrammingMistake.report(rule: "AVAssetReader.timeRange cannot be set after reading has started.")
      }
    }
  }

  /// Whether an output can be added.
  ///
  /// Apple: `AVAssetReader.canAdd(_:)`.
  open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && output.canBelong(to: asset)
  }

  /// Adds an output.
  ///
  /// Apple: `AVAssetReader.add(_:)`.
  open func add(_ output: AVAssetReaderOutput) {
    guard canAdd(output) else {
      ProgrammingMistake.report(
        rule:
          "AVAssetReader.add: an output is added once, before reading starts, and is of a track of the asset."
      )
      return
    }
    output.attach(to: self)
    state.withLock { $0.outputs.append(output) }
  }

  /// Begins reading.
  ///
  /// Apple: `AVAssetReader.startReading()`.
  ///
  /// - Returns: Whether it could; if not, ``status`` is failed and ``error`` says why.
  @discardableResult
  open func startReading() -> Bool {
    let begun = state.withLock { state -> (outputs: [AVAssetReaderOutput], range: CMTimeRange)? in
      guard state.status == .unknown else { return nil }
      return (state.outputs, state.timeRange)
    }
    guard let begun else {
      ProgrammingMistake.report(rule: "AVAssetReader.startReading is called once.")
      return false
    }
    do {
      for output in begun.outputs { try output.open(begun.range) }
    } catch {
      fail(TrackDecoding.error(error))
      return false
    }
    state.withLock { $0.status = .reading }
    return true
  }

  /// Ends reading.
  ///
  /// Apple: `AVAssetReader.cancelReading()`.
  open func cancelReading() {
    state.withLock { state in
      if state.status == .reading || state.status == .unknown { state.status = .cancelled }
    }
  }

  func fail(_ error: AVError) {
    state.withLock { state in
      guard state.status == .unknown || state.status == .reading else { return }
      state.status = .failed
      state.error = error
    }
  }

  func outputEnded() {
    let tracks = outputs.flatMap(\.tracks)
    let missing = tracks.flatMap(\.mediaSegments).compactMap(\.missing)
    state.withLock { state in
      state.ended += 1
      guard state.status == .reading, state.ended >= state.outputs.count else { return }
      let range = state.timeRange
      let lost = missing.filter { $0.start < range.end && $0.end > range.start }
      guard let from = lost.map(\.start).min() else {
        state.status = .completed
        return
      }
      state.status = .failed
      state.error = AVError(
        .decodeFailed,
        because:
          "A file was cut off, so that samples from \(Int(from.seconds)) s on are missing; what was before that has been read."
      )
    }
  }
}
