public import CoreMedia
public import Foundation
internal import FoundationExtras
internal import Linux

/// Reads the samples of an asset, as they are or decoded.
///
/// Add outputs, ``startReading()``, then take sample buffers from each output. Thread-safe. Apple: `AVAssetReader`.
open class AVAssetReader: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  /// What a reader is doing.
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

  /// What is read.
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
  /// - Throws: ``AVError`` when the asset's file cannot be read.
  ///
  /// Apple: `AVAssetReader.init(asset:)`.
  public init(asset: AVAsset) throws {
    try asset.open()
    self.asset = asset
  }

  /// What it is doing.
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
    state.withLock { state in
      state.ended += 1
      if state.status == .reading, state.ended >= state.outputs.count { state.status = .completed }
    }
  }
}

/// Where a reader's sample buffers come out.
///
/// Apple: `AVAssetReaderOutput`.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  private let state = Locked(State())

  private struct State {
    weak var reader: AVAssetReader?
    var isAdded = false
    var alwaysCopies = true
    var supportsRandomAccess = false
  }

  override init() {}

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
    guard state.withLock({ $0.reader })?.status ?? .unknown == .unknown else {
      ProgrammingMistake.report(rule: "AVAssetReaderOutput.\(name) cannot be set after reading has started.")
      return
    }
    state.withLock { change(&$0) }
  }

  var reader: AVAssetReader? { state.withLock { $0.reader } }

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
  /// Blocks until it is read and decoded. Apple: `AVAssetReaderOutput.copyNextSampleBuffer()`.
  open func copyNextSampleBuffer() -> CMSampleBuffer? { nil }
}

/// The sample buffers of one track.
///
/// Apple: `AVAssetReaderTrackOutput`.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The track.
  ///
  /// Apple: `AVAssetReaderTrackOutput.track`.
  public let track: AVAssetTrack
  /// What comes out: a pixel format, or linear PCM; `nil` for samples as they are.
  ///
  /// Apple: `AVAssetReaderTrackOutput.outputSettings`.
  public let outputSettings: [String: Any]?
  /// Held while a sample is decoded; nothing of a client runs under it.
  private let decoding = Lock()
  nonisolated(unsafe) private var source: TrackDecoding?  // Safe because it is reached under `decoding`.
  nonisolated(unsafe) private var isOver = false  // Safe because it is reached under `decoding`.

  /// An output of a track.
  ///
  /// Apple: `AVAssetReaderTrackOutput.init(track:outputSettings:)`.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    self.track = track
    self.outputSettings = outputSettings
    super.init()
  }

  open override var mediaType: AVMediaType { track.mediaType }

  override func canBelong(to asset: AVAsset) -> Bool {
    super.canBelong(to: asset) && track.asset === asset
  }

  override func open(_ range: CMTimeRange) throws {
    let opened = try TrackDecoding(track.track, path: track.path, settings: outputSettings, range: range)
    decoding.withLock {
      source = opened
      isOver = false
    }
  }

  open override func copyNextSampleBuffer() -> CMSampleBuffer? {
    guard let reader, reader.status == .reading else { return nil }
    let result = decoding.withLock { () -> Result<CMSampleBuffer?, AVError> in
      guard !isOver, let source else { return .success(nil) }
      return Result { () throws(AVError) in try source.next() }
    }
    switch result {
    case .success(let sample?): return sample
    case .failure(let error):
      reader.fail(error)
      return nil
    case .success(nil):
      let isFirst = decoding.withLock {
        defer { isOver = true }
        return !isOver
      }
      if isFirst { reader.outputEnded() }
      return nil
    }
  }
}
