public import CoreMedia
internal import Dispatch
public import Foundation
internal import FoundationExtras
internal import Linux

/// Makes a file of an asset: cut, scaled, composed, or as it is.
///
/// Thread-safe. Apple: `AVAssetExportSession`.
open class AVAssetExportSession: NSObject, @unchecked Sendable {  // Safe: what changes is under a lock.
  /// The status of an export.
  ///
  /// Apple: `AVAssetExportSession.Status`.
  public enum Status: Int, Sendable {
    /// Nothing was asked for yet.
    case unknown = 0
    /// It waits for its turn.
    case waiting = 1
    /// It exports.
    case exporting = 2
    /// The file is whole.
    case completed = 3
    /// ``AVAssetExportSession/error`` says why.
    case failed = 4
    /// The client has cancelled it; there is no file.
    case cancelled = 5
  }

  /// The state of an export, with its progress.
  ///
  /// Apple: `AVAssetExportSession.State`.
  public enum State: Sendable {
    /// It has not begun.
    case pending
    /// It waits for its turn.
    case waiting
    /// It exports, and has come so far.
    case exporting(progress: Progress)
  }

  /// The asset to export.
  ///
  /// Apple: `AVAssetExportSession.asset`.
  public let asset: AVAsset
  /// How.
  ///
  /// Apple: `AVAssetExportSession.presetName`.
  public let presetName: String
  let preset: ExportPreset
  let state = Locked(Content())
  /// Tells those who follow its states of changes of the status.
  let news = ExportNews()

  struct Content: @unchecked Sendable {  // Safe because it is reached under a lock.
    var status = Status.unknown
    var error: AVError?
    var progress = 0.0
    var url: URL?
    var type: AVFileType?
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var metadata: [AVMetadataItem]?
    var metadataFilter: AVMetadataItemFilter?
    var videoComposition: AVVideoComposition?
    var audioMix: AVAudioMix?
    var pitch = AVAudioTimePitchAlgorithm.spectral
    var fileLengthLimit: Int64 = 0
    var isOptimized = false
    var job: ExportJob?
    var isCancelled = false
  }

  /// A session; `nil` for a preset that is not known.
  ///
  /// Apple: `AVAssetExportSession.init(asset:presetName:)`.
  public init?(asset: AVAsset, presetName: String) {
    guard let preset = ExportPreset(presetName) else { return nil }
    self.asset = asset
    self.presetName = presetName
    self.preset = preset
  }

  private func change(_ name: String, _ change: (inout Content) -> Void) {
    let isEarly = state.withLock { state in
      guard state.status == .unknown else { return false }
      change(&state)
      return true
    }
    if !isEarly {
      ProgrammingMistake.report(
        rule: "AVAssetExportSession.\(name) cannot be set after the export has begun.")
    }
  }

  // MARK: What is wanted

  /// The file, which must not be there.
  ///
  /// Apple: `AVAssetExportSession.outputURL`.
  open var outputURL: URL? {
    get { state.withLock { $0.url } }
    set { change("outputURL") { $0.url = newValue } }
  }

  /// The type of the file; one of ``supportedFileTypes``.
  ///
  /// Apple: `AVAssetExportSession.outputFileType`.
  open var outputFileType: AVFileType? {
    get { state.withLock { $0.type } }
    set {
      if let newValue, !supportedFileTypes.contains(newValue) {
        ProgrammingMistake.report(
          rule: "AVAssetExportSession.outputFileType: \(presetName) writes no \(newValue.rawValue).")
        return
      }
      change("outputFileType") { $0.type = newValue }
    }
  }

  /// The types of files that the preset writes.
  ///
  /// Apple: `AVAssetExportSession.supportedFileTypes`.
  open var supportedFileTypes: [AVFileType] { preset.fileTypes }

  /// The part of the asset to export; all by default.
  ///
  /// Apple: `AVAssetExportSession.timeRange`.
  open var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set { change("timeRange") { $0.timeRange = newValue } }
  }

  /// The filter of the asset's metadata on its way to the file; `nil` (the default) lets all pass.
  ///
  /// What ``metadata`` says is written as it is. Apple: `AVAssetExportSession.metadataItemFilter`.
  open var metadataItemFilter: AVMetadataItemFilter? {
    get { state.withLock { $0.metadataFilter } }
    set { change("metadataItemFilter") { $0.metadataFilter = newValue } }
  }

  /// The metadata of the file; `nil` (the default) takes the asset's.
  ///
  /// Apple: `AVAssetExportSession.metadata`.
  open var metadata: [AVMetadataItem]? {
    get { state.withLock { $0.metadata } }
    set { change("metadata") { $0.metadata = newValue } }
  }

  /// How frames become one picture; `nil` takes the first video track's.
  ///
  /// Not with passthrough.
  /// A composition without a frame duration above zero, a size or instructions is a programming mistake, and is not set.
  ///
  /// Apple: `AVAssetExportSession.videoComposition`.
  open var videoComposition: AVVideoComposition? {
    get { state.withLock { $0.videoComposition } }
    set {
      if let newValue, !newValue.isAcceptable(for: "AVAssetExportSession.videoComposition", takesTool: true) {
        return
      }
      change("videoComposition") { $0.videoComposition = newValue }
    }
  }

  /// How loud the audio tracks are; `nil` leaves all as loud as they are.
  ///
  /// Not with passthrough.
  ///
  /// Apple: `AVAssetExportSession.audioMix`.
  open var audioMix: AVAudioMix? {
    get { state.withLock { $0.audioMix } }
    set { change("audioMix") { $0.audioMix = newValue } }
  }

  /// How the pitch of scaled edits is kept, where the mix says nothing of a track; ``AVAudioTimePitchAlgorithm/spectral`` by default.
  ///
  /// Passthrough leaves the audio as it is, so that it means nothing there. Another value than those of ``AVAudioTimePitchAlgorithm`` is a
  /// programming mistake, and is not set.
  ///
  /// Apple: `AVAssetExportSession.audioTimePitchAlgorithm`.
  open var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { state.withLock { $0.pitch } }
    set {
      guard newValue.isKnown(for: "AVAssetExportSession.audioTimePitchAlgorithm") else { return }
      change("audioTimePitchAlgorithm") { $0.pitch = newValue }
    }
  }

  /// How many bytes the file may have; 0 (the default) is no limit.
  ///
  /// The rate is chosen for it, not with passthrough; pictures like noise may need more.
  ///
  /// Apple: `AVAssetExportSession.fileLengthLimit`.
  open var fileLengthLimit: Int64 {
    get { state.withLock { $0.fileLengthLimit } }
    set { change("fileLengthLimit") { $0.fileLengthLimit = newValue } }
  }

  /// Whether the tables come before the media, so that a player can begin while the file still loads.
  ///
  /// Apple: `AVAssetExportSession.shouldOptimizeForNetworkUse`.
  open var shouldOptimizeForNetworkUse: Bool {
    get { state.withLock { $0.isOptimized } }
    set { change("shouldOptimizeForNetworkUse") { $0.isOptimized = newValue } }
  }

  // MARK: How far it is

  /// The status of the export.
  ///
  /// Apple: `AVAssetExportSession.status`.
  open var status: Status { state.withLock { $0.status } }
  /// Why it has failed; `nil` unless it has.
  ///
  /// Apple: `AVAssetExportSession.error`.
  open var error: (any Error)? { state.withLock { $0.error }?.published }
  /// How far it is, from 0 to 1.
  ///
  /// Apple: `AVAssetExportSession.progress`.
  open var progress: Float { Float(state.withLock { $0.progress }) }

  /// How far it is, again and again until it has ended.
  ///
  /// - Parameter interval: Seconds from one state to the next.
  ///
  /// Apple: `AVAssetExportSession.states(updateInterval:)`.
  public func states(updateInterval interval: TimeInterval = .infinity) -> some Sendable & AsyncSequence<
    State, Never
  > {
    ExportStates(session: self, interval: interval)
  }

  // MARK: Exporting

  private func begin() throws(AVError) -> ExportJob {
    let begun = state.withLock { state -> Content? in
      guard state.status == .unknown else { return nil }
      state.status = .exporting
      return state
    }
    guard let begun else {
      throw AVError(.exportFailed, because: "A session exports once.")
    }
    news.note()
    guard let url = begun.url, url.isFileURL else {
      throw failed(AVError(.exportFailed, because: "An export needs outputURL, a file."))
    }
    guard let type = begun.type ?? preset.fileTypes.first else {
      throw failed(AVError(.exportFailed, because: "An export needs outputFileType."))
    }
    if preset.isPassthrough, begun.videoComposition != nil || begun.audioMix != nil {
      throw failed(
        AVError(
          .exportFailed, because: "Passthrough leaves media as it is: no video composition, no audio mix."))
    }
    var request = ExportJob.Request(asset: asset, preset: preset, url: url, type: type)
    request.timeRange = begun.timeRange
    request.metadata = begun.metadata
    request.metadataFilter = begun.metadataFilter
    request.videoComposition = begun.videoComposition
    request.audioMix = begun.audioMix
    request.pitch = begun.pitch
    request.fileLengthLimit = begun.fileLengthLimit
    request.isOptimized = begun.isOptimized
    let job = ExportJob(request) { [weak self] progress in
      self?.state.withLock { $0.progress = max($0.progress, progress) }
    }
    let isCancelled = state.withLock { state in
      state.job = job
      return state.isCancelled
    }
    // A client may have cancelled between the new status and the job.
    if isCancelled { job.cancel() }
    return job
  }

  private func failed(_ error: AVError) -> AVError {
    state.withLock { state in
      state.status = error.code == .operationCancelled ? .cancelled : .failed
      state.error = error
    }
    news.note()
    return error
  }

  private func run(_ job: ExportJob) throws(AVError) {
    do throws(AVError) {
      try job.run()
    } catch {
      let job = state.withLock { state in
        defer { state.job = nil }
        return state.job
      }
      withExtendedLifetime(job) {}
      throw failed(error)
    }
    let job = state.withLock { state in
      state.status = .completed
      defer { state.job = nil }
      return state.job
    }
    news.note()
    withExtendedLifetime(job) {}
  }

  /// Exports, and calls `handler` on another queue when that has ended; ``status`` says how.
  ///
  /// Apple: `AVAssetExportSession.exportAsynchronously(completionHandler:)`.
  open func exportAsynchronously(completionHandler handler: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "obscura.export-session").async {
      do throws(AVError) {
        try self.run(try self.begin())
      } catch {
        // The status and the error have it.
      }
      handler()
    }
  }

  /// Exports; ``status`` says how it ended.
  ///
  /// Apple: `AVAssetExportSession.export()`.
  open func export() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exportAsynchronously { continuation.resume() }
      }
    } onCancel: {
      self.cancelExport()
    }
  }

  /// Exports into a file; cancelling the task cancels it.
  ///
  /// - Throws: ``AVError``, an error of `NSURLErrorDomain` when the asset's file is not there, or `CancellationError` when it was cancelled.
  ///
  /// Apple: `AVAssetExportSession.export(to:as:)`.
  public func export(to url: URL, as fileType: AVFileType, isolation: isolated (any Actor)? = #isolation)
    async throws
  {
    outputURL = url
    outputFileType = fileType
    await export()
    switch status {
    case .completed: return
    case .cancelled: throw CancellationError()
    default: throw error ?? AVError(.exportFailed)
    }
  }

  /// Ends an export; the file is removed.
  ///
  /// Apple: `AVAssetExportSession.cancelExport()`.
  open func cancelExport() {
    let job = state.withLock { state -> ExportJob? in
      if state.status == .unknown { state.status = .cancelled }
      state.isCancelled = true
      return state.job
    }
    news.note()
    job?.cancel()
  }

  // MARK: Presets

  /// All presets.
  ///
  /// Apple: `AVAssetExportSession.allExportPresets()`.
  open class func allExportPresets() -> [String] { ExportPreset.names }

  /// Those that can make something of an asset; reads its file.
  ///
  /// Apple: `AVAssetExportSession.exportPresets(compatibleWith:)`.
  open class func exportPresets(compatibleWith asset: AVAsset) -> [String] {
    ExportPreset.names.filter { name in
      ExportPreset(name).map { suits($0, asset) } ?? false
    }
  }

  private class func suits(_ preset: ExportPreset, _ asset: AVAsset) -> Bool {
    if preset.isPassthrough { return asset.isReadable }
    if preset.isAudioOnly { return asset.tracks(withMediaType: .audio).contains(where: \.isDecodable) }
    return asset.tracks(withMediaType: .video).contains(where: \.isDecodable)
  }

  /// Whether a preset can make a file of a type of an asset.
  ///
  /// Apple: `AVAssetExportSession.compatibility(ofExportPreset:with:outputFileType:)`.
  open class func compatibility(
    ofExportPreset presetName: String, with asset: AVAsset, outputFileType: AVFileType?
  ) async -> Bool {
    guard let preset = ExportPreset(presetName) else { return false }
    do {
      _ = try await asset.load(.tracks)
    } catch {
      // The question is a yes or no, and no preset suits an asset that cannot be read.
      return false
    }
    return suits(preset, asset) && (outputFileType.map(preset.fileTypes.contains) ?? true)
  }
}
