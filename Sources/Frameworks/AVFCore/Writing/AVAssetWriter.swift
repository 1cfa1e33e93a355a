public import CoreMedia
internal import Dispatch
public import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles

/// Writes media that a client has or captures into a movie.
///
/// Add inputs, ``startWriting()``, ``startSession(atSourceTime:)``, append samples, ``finishWriting()``. Encoding and writing
/// run on a queue of the writer's. While it writes, the file is fragmented and brought to the disk: it opens also when the program
/// is killed, and lacks less than a second of what was appended in real time; a clean end makes it a plain movie. A file that
/// another program removes, moves, replaces or cuts off meanwhile fails the writer, with what was kept in ``error``. Thread-safe. Apple: `AVAssetWriter`.
open class AVAssetWriter: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  /// The status of a writer.
  ///
  /// Apple: `AVAssetWriter.Status`.
  public enum Status: Int, Sendable {
    /// Nothing was written yet.
    case unknown = 0
    /// It takes samples.
    case writing = 1
    /// The file is whole.
    case completed = 2
    /// ``AVAssetWriter/error`` says why.
    case failed = 3
    /// The client has cancelled it; there is no file.
    case cancelled = 4
  }

  /// The file.
  ///
  /// Apple: `AVAssetWriter.outputURL`.
  public let outputURL: URL
  /// The type of the file.
  ///
  /// Apple: `AVAssetWriter.outputFileType`.
  public let outputFileType: AVFileType
  let container: MovieContainer
  /// Whether segments are handed over, and no file is made.
  let writesSegments: Bool
  let state = Locked(State())
  let queue = DispatchQueue(label: "obscura.asset-writer")
  /// Where the delegate is called.
  let callbacks = DispatchQueue(label: "obscura.asset-writer-segments")

  /// Blocks until all that was appended is coded and handed to the file; for tests.
  package func settle() { queue.sync {} }
  let interleaving = Interleaving()

  struct State {
    var status = Status.unknown
    var error: AVError?
    var inputs: [AVAssetWriterInput] = []
    var metadata: [AVMetadataItem] = []
    var fragmentInterval = CMTime.invalid
    var timescale: CMTimeScale = 0
    var shouldOptimize = false
    var sessionStart: CMTime?
    var sessionEnd: CMTime?
    var isFinishing = false
    var segments = SegmentChoices()
  }

  /// Notices that no samples come; on ``queue`` only.
  nonisolated(unsafe) var wait: SampleWait?  // Safe because only `queue` reaches it once writing has begun.
  /// The file while it is written; on ``queue`` only.
  nonisolated(unsafe) var file: MovieWriter?  // Safe because only `queue` reaches it once writing has begun.
  /// What hands segments over, in the place of a file; on ``queue`` only.
  nonisolated(unsafe) var segments: SegmentWriter?  // Safe because only `queue` reaches it while writing.
  /// Those of the inputs, which may be another writer's once this one has ended; on ``queue`` only.
  nonisolated(unsafe) var tracks: [WriterTrack] = []  // Safe because only `queue` reaches it.

  /// A writer of a file, which is made by ``startWriting()``.
  ///
  /// - Throws: ``AVError``: `fileFormatNotRecognized` for types that cannot be written.
  ///
  /// Apple: `AVAssetWriter.init(outputURL:fileType:)`.
  public init(outputURL: URL, fileType outputFileType: AVFileType) throws {
    guard outputURL.isFileURL else {
      throw AVError(.unknown, because: "\(outputURL.absoluteString) is no file.")
    }
    guard let container = MovieContainer(outputFileType) else {
      throw AVError(
        .fileFormatNotRecognized,
        because:
          "Files of type \(outputFileType.rawValue) cannot be written; choose .mov, .mp4, .m4v or .m4a.")
    }
    self.outputURL = outputURL
    self.outputFileType = outputFileType
    self.container = container
    writesSegments = false
  }

  /// A writer that hands segments to its delegate and makes no file.
  ///
  /// With a ``delegate``, an ``outputFileTypeProfile`` and a ``preferredOutputSegmentInterval``; without one of them, writing fails. Its
  /// ``outputURL`` leads to nothing. A delegate that writes the header to `init.mp4` and each other segment to a file of its own makes a stream
  /// by a text beside them, a playlist, of which each segment adds two lines:
  ///
  /// ```
  /// #EXTM3U
  /// #EXT-X-VERSION:7
  /// #EXT-X-TARGETDURATION:6
  /// #EXT-X-MAP:URI="init.mp4"
  /// #EXTINF:6.0,
  /// 1.m4s
  /// #EXT-X-ENDLIST
  /// ```
  ///
  /// An input that falls silent beside the pictures holds a segment back for two seconds of media at most; metadata holds none back. A segment
  /// begins with a picture, where there are any, so that pictures that do not come hold back what is heard meanwhile. An input that is coded, and
  /// has brought no sample when the first picture is ten seconds on, has no track.
  ///
  /// - Parameter outputContentType: A `UTType` (`import UniformTypeIdentifiers`), such as `UTType.mpeg4Movie`: whatever describes itself by
  ///   the identifier. Of another type than MPEG-4, writing fails with `fileFormatNotRecognized`.
  /// - Note: Unlike AVFoundation, which knows `UTType`, the type is written out: `UTType.mpeg4Movie`, and not `.mpeg4Movie`.
  ///
  /// Apple: `AVAssetWriter.init(contentType:)`.
  public init(contentType outputContentType: some CustomStringConvertible & Hashable & Sendable) {
    outputURL = URL(fileURLWithPath: "/dev/null")
    outputFileType = AVFileType(rawValue: outputContentType.description)
    container = MovieContainer(outputFileType) ?? .mpeg4
    writesSegments = true
  }

  deinit {
    for input in inputs { input.close(self) }
  }

  /// As ``init(outputURL:fileType:)``.
  ///
  /// Apple: `AVAssetWriter.init(url:fileType:)`.
  public convenience init(url outputURL: URL, fileType outputFileType: AVFileType) throws {
    try self.init(outputURL: outputURL, fileType: outputFileType)
  }

  /// The status of the writer.
  ///
  /// Apple: `AVAssetWriter.status`.
  open var status: Status { state.withLock { $0.status } }

  /// Why it has failed; `nil` unless it has.
  ///
  /// Apple: `AVAssetWriter.error`.
  open var error: (any Error)? { state.withLock { $0.error } }

  /// The inputs, in the order in which they were added.
  ///
  /// Apple: `AVAssetWriter.inputs`.
  open var inputs: [AVAssetWriterInput] { state.withLock { $0.inputs } }

  /// The kinds of media that the file can hold.
  ///
  /// Apple: `AVAssetWriter.availableMediaTypes`.
  open var availableMediaTypes: [AVMediaType] {
    switch container {
    case .appleAudio: [.audio]
    case .quickTime: [.video, .audio, .metadata, .timecode]
    default: [.video, .audio, .metadata]
    }
  }

  /// The metadata of the file; set before writing begins.
  ///
  /// Apple: `AVAssetWriter.metadata`.
  open var metadata: [AVMetadataItem] {
    get { state.withLock { $0.metadata } }
    set { setUp("metadata") { $0.metadata = newValue } }
  }

  /// How long the fragments are that survive a kill; invalid (the default) leaves it to the writer.
  ///
  /// Set before writing begins.
  ///
  /// Apple: `AVAssetWriter.movieFragmentInterval`.
  /// - Note: Unlike AVFoundation, fragments are never longer than a quarter of a second of arriving samples, and half a second of
  ///   media, also with a longer or invalid interval: no setting makes a kill lose more. Shorter intervals are kept.
  open var movieFragmentInterval: CMTime {
    get { state.withLock { $0.fragmentInterval } }
    set { setUp("movieFragmentInterval") { $0.fragmentInterval = newValue } }
  }

  /// Units of time in a second of the movie; 0 (the default) takes a track's.
  ///
  /// Apple: `AVAssetWriter.movieTimeScale`.
  open var movieTimeScale: CMTimeScale {
    get { state.withLock { $0.timescale } }
    set { setUp("movieTimeScale") { $0.timescale = newValue } }
  }

  /// Whether the tables come before the media, so that a player can begin while the file still loads.
  ///
  /// The media is copied once at the end for it. Set before writing begins.
  ///
  /// Apple: `AVAssetWriter.shouldOptimizeForNetworkUse`.
  open var shouldOptimizeForNetworkUse: Bool {
    get { state.withLock { $0.shouldOptimize } }
    set { setUp("shouldOptimizeForNetworkUse") { $0.shouldOptimize = newValue } }
  }

  func setUp(_ name: String, _ change: (inout State) -> Void) {
    let isEarly = state.withLock { state in
      guard state.status == .unknown else { return false }
      change(&state)
      return true
    }
    if !isEarly {
      ProgrammingMistake.report(rule: "AVAssetWriter.\(name) cannot be set after writing has started.")
    }
  }

  // MARK: Inputs

  /// Whether settings suit the file.
  ///
  /// Apple: `AVAssetWriter.canApply(outputSettings:forMediaType:)`.
  open func canApply(outputSettings: [String: Any]?, forMediaType mediaType: AVMediaType) -> Bool {
    availableMediaTypes.contains(mediaType)
      && WriterSettings.refusal(outputSettings, mediaType, in: container) == nil
  }

  /// Whether an input can be added.
  ///
  /// Apple: `AVAssetWriter.canAdd(_:)`.
  open func canAdd(_ input: AVAssetWriterInput) -> Bool {
    refusal(of: input) == nil
  }

  private func refusal(of input: AVAssetWriterInput) -> String? {
    if status != .unknown { return "inputs are added before writing starts." }
    if input.isTaken { return "the input is part of a writer already." }
    guard availableMediaTypes.contains(input.mediaType) else {
      return "the file holds no media of type '\(input.mediaType.rawValue)'."
    }
    if input.outputSettings == nil, input.sourceFormatHint == nil, container != .quickTime {
      return "media is written as it is into this type of file only with a sourceFormatHint."
    }
    return WriterSettings.refusal(input.outputSettings, input.mediaType, in: container)
  }

  /// Adds an input.
  ///
  /// Apple: `AVAssetWriter.add(_:)`.
  open func add(_ input: AVAssetWriterInput) {
    if let refusal = refusal(of: input) {
      ProgrammingMistake.report(rule: "AVAssetWriter.add: \(refusal)")
      return
    }
    input.attach(to: self)
    state.withLock { $0.inputs.append(input) }
  }

  // MARK: Writing

  /// Makes the file, and takes samples from then on.
  ///
  /// - Returns: Whether it could; if not, ``status`` is failed and ``error`` says why (`fileAlreadyExists`, `diskFull`, …).
  ///
  /// Apple: `AVAssetWriter.startWriting()`.
  @discardableResult
  open func startWriting() -> Bool {
    let begun: State? = state.withLock { $0.status == .unknown ? $0 : nil }
    guard let begun else {
      ProgrammingMistake.report(rule: "AVAssetWriter.startWriting is called once.")
      return false
    }
    let isWriting = queue.sync { () -> Bool in
      do { try makeFile(begun) } catch { fail(error) }
      return state.withLock { state in
        if state.status == .unknown { state.status = .writing }
        return state.status == .writing
      }
    }
    guard isWriting else { return false }
    for input in begun.inputs { interleaving.join(input) }
    for input in begun.inputs { input.writingBegan(interleaving) }
    return true
  }

  private func makeFile(_ begun: State) throws {
    if writesSegments { return try makeSegments(begun) }
    var settings = MovieWriter.Settings(container: container)
    if begun.fragmentInterval.isNumeric, begun.fragmentInterval > .zero {
      settings.fragmentInterval = begun.fragmentInterval
    }
    settings.timescale = begun.timescale
    settings.diskFailed = { [weak self] error in
      guard let self else { return }
      queue.async { self.fail(error) }
    }
    settings.putsTablesFirst = begun.shouldOptimize
    settings.metadata = begun.metadata.compactMap(\.fileItem)
    do throws(MovieFileError) {
      let file = try MovieWriter(path: outputURL.path, settings: settings)
      self.file = file
      tracks = begun.inputs.compactMap(\.track)
      for track in tracks { try track.addTrack(to: file) }
      for input in begun.inputs { input.writeAssociations(to: file) }
    } catch {
      throw AVError(writing: error)
    }
    for input in begun.inputs where input.expectsMediaDataInRealTime {
      // Times of captured samples count nanoseconds.
      input.track?.warmUp(isFullRange: false, units: 1_000_000_000)
    }
    wait = SampleWait(on: queue) { [weak self] in self?.writeAll() }
  }

  /// Says which time of the samples is the movie's beginning; once, after ``startWriting()`` and before samples.
  ///
  /// Segments lack what comes before it, but for coded pictures without which the first one behind it cannot be decoded.
  ///
  /// Apple: `AVAssetWriter.startSession(atSourceTime:)`.
  open func startSession(atSourceTime startTime: CMTime) {
    let rule = state.withLock { state -> String? in
      if state.status == .unknown { return "startSession(atSourceTime:) comes after startWriting()." }
      guard startTime.isNumeric else { return "startSession(atSourceTime:) needs a time." }
      guard state.sessionStart == nil else { return "a session has started already." }
      state.sessionStart = startTime
      return nil
    }
    if let rule {
      ProgrammingMistake.report(rule: "AVAssetWriter: \(rule)")
      return
    }
    interleaving.begin(at: startTime)
    queue.async {
      self.file?.begin(at: startTime)
      self.segments?.begin(at: startTime)
    }
  }

  /// Says when the movie ends; samples after it are not shown, and segments that were not handed over lack them.
  ///
  /// Apple: `AVAssetWriter.endSession(atSourceTime:)`.
  open func endSession(atSourceTime endTime: CMTime) {
    let isRight = state.withLock { state in
      guard let start = state.sessionStart, endTime.isNumeric, endTime >= start else { return false }
      state.sessionEnd = endTime
      return true
    }
    if !isRight {
      ProgrammingMistake.report(
        rule:
          "AVAssetWriter.endSession(atSourceTime:) needs a session and a time that is not before its start.")
      return
    }
    queue.async { self.segments?.end(at: endTime) }
  }

  /// Writes what is left and makes the file a plain movie; calls `handler` on another queue when that is done or has failed.
  ///
  /// Apple: `AVAssetWriter.finishWriting(completionHandler:)`.
  open func finishWriting(completionHandler handler: @escaping @Sendable () -> Void) {
    let (rule, inputs) = state.withLock { state -> (String?, [AVAssetWriterInput]) in
      if state.status == .unknown { return ("finishWriting comes after startWriting().", []) }
      if state.isFinishing { return ("finishWriting is called once.", []) }
      state.isFinishing = true
      return (nil, state.inputs)
    }
    if let rule {
      ProgrammingMistake.report(rule: "AVAssetWriter: \(rule)")
      queue.carry(handler)
      return
    }
    for input in inputs { input.close(self) }
    queue.carry {
      self.complete()
      // Behind the last segment.
      self.callbacks.carry { DispatchQueue.global().carry(handler) }
    }
  }

  /// Writes what is left and makes the file a plain movie.
  ///
  /// Apple: `AVAssetWriter.finishWriting()`.
  open func finishWriting() async {
    await withCheckedContinuation { continuation in
      finishWriting { continuation.resume() }
    }
  }

  /// Ends writing and removes the file.
  ///
  /// Apple: `AVAssetWriter.cancelWriting()`.
  open func cancelWriting() {
    let inputs = state.withLock { state -> [AVAssetWriterInput]? in
      guard state.status == .writing else { return nil }
      state.status = .cancelled
      return state.inputs
    }
    guard let inputs else { return }
    for input in inputs { input.close(self) }
    removeFile()
  }
}
