public import CoreMedia
public import Dispatch
public import Foundation
public import FoundationExtras
public import GraphicsCore
internal import Linux
internal import MediaFiles

/// Takes the samples of one track of a file that an ``AVAssetWriter`` writes.
///
/// With settings, pictures and linear PCM are coded; with `nil`, coded samples are written as they are. Samples are pushed
/// (``append(_:)`` while ``isReadyForMoreMediaData``) or pulled (``requestMediaDataWhenReady(on:using:)``). Thread-safe.
/// Apple: `AVAssetWriterInput`.
open class AVAssetWriterInput: NSObject, KeyValueObservable, @unchecked Sendable {
  // Safe because what changes is under a lock.

  /// The kind of media.
  ///
  /// Apple: `AVAssetWriterInput.mediaType`.
  public let mediaType: AVMediaType
  /// How samples are coded; `nil` writes them as they are.
  ///
  /// Apple: `AVAssetWriterInput.outputSettings`.
  public let outputSettings: [String: Any]?
  /// What samples will be.
  ///
  /// Apple: `AVAssetWriterInput.sourceFormatHint`.
  public let sourceFormatHint: CMFormatDescription?
  /// The observers of ``isReadyForMoreMediaData``.
  public let observerTable = ObserverTable()
  let track: WriterTrack
  private let state = Locked(State())

  private struct State {
    weak var writer: AVAssetWriter?
    var isAdded = false
    var isWriting = false
    var isFinished = false
    /// Samples that wait for the writer's queue.
    var waiting = 0
    var wasReady = false
    var request: (queue: DispatchQueue, block: @Sendable () -> Void)?
    var isRequesting = false
    var isRealTime = false
    var transform = CGAffineTransform.identity
    var naturalSize = CGSize.zero
    var timescale: CMTimeScale = 0
    var languageCode: String?
    var extendedLanguageTag: String?
    var volume: Float = 1
    var isEnabled = true
    var metadata: [AVMetadataItem] = []
    var associations: [(type: String, input: AVAssetWriterInput)] = []

    var isReady: Bool { isWriting && !isFinished && waiting < (isRealTime ? 16 : 8) }
  }

  /// An input.
  ///
  /// Apple: `AVAssetWriterInput.init(mediaType:outputSettings:sourceFormatHint:)`.
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?
  ) {
    self.mediaType = mediaType
    self.outputSettings = outputSettings
    self.sourceFormatHint = sourceFormatHint
    track = WriterTrack(mediaType, outputSettings, sourceFormatHint)
    super.init()
    track.description = { [unowned self] in self.trackSettings }
  }

  /// An input whose format is known with its first sample.
  ///
  /// Apple: `AVAssetWriterInput.init(mediaType:outputSettings:)`.
  public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
    self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
  }

  private var trackSettings: MovieTrackSettings {
    let (state, metadata) = state.withLock { ($0, $0.metadata) }
    var settings = MovieTrackSettings(mediaType: FourCharacterCode(mediaType.rawValue)?.rawValue ?? 0)
    settings.transform = state.transform
    settings.size = state.naturalSize == .zero ? nil : state.naturalSize
    settings.timescale = mediaType == .audio ? 0 : state.timescale
    settings.language = state.languageCode
    settings.isEnabled = state.isEnabled
    settings.volume = state.volume
    settings.metadata = metadata.compactMap(\.fileItem)
    return settings
  }

  // MARK: Set up before writing

  /// Whether samples come from a live source, for which more of them may wait.
  ///
  /// Apple: `AVAssetWriterInput.expectsMediaDataInRealTime`.
  open var expectsMediaDataInRealTime: Bool {
    get { state.withLock { $0.isRealTime } }
    set { setUp("expectsMediaDataInRealTime") { $0.isRealTime = newValue } }
  }

  /// How players turn the pictures.
  ///
  /// Apple: `AVAssetWriterInput.transform`.
  open var transform: CGAffineTransform {
    get { state.withLock { $0.transform } }
    set { setUp("transform") { $0.transform = newValue } }
  }

  /// The size in which pictures are shown before they are turned; zero is that of the pictures.
  ///
  /// Apple: `AVAssetWriterInput.naturalSize`.
  open var naturalSize: CGSize {
    get { state.withLock { $0.naturalSize } }
    set { setUp("naturalSize") { $0.naturalSize = newValue } }
  }

  /// Units of time in a second of the track; 0 (the default) chooses one that fits the first sample.
  ///
  /// Audio has its rate.
  ///
  /// Apple: `AVAssetWriterInput.mediaTimeScale`.
  open var mediaTimeScale: CMTimeScale {
    get { state.withLock { $0.timescale } }
    set { setUp("mediaTimeScale") { $0.timescale = newValue } }
  }

  /// A language by ISO 639-2, such as `eng`.
  ///
  /// Apple: `AVAssetWriterInput.languageCode`.
  open var languageCode: String? {
    get { state.withLock { $0.languageCode } }
    set { setUp("languageCode") { $0.languageCode = newValue } }
  }

  /// The loudness at which it is played, from 0 to 1.
  ///
  /// Apple: `AVAssetWriterInput.preferredVolume`.
  open var preferredVolume: Float {
    get { state.withLock { $0.volume } }
    set { setUp("preferredVolume") { $0.volume = newValue } }
  }

  /// Whether players begin with the track.
  ///
  /// Apple: `AVAssetWriterInput.marksOutputTrackAsEnabled`.
  open var marksOutputTrackAsEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set { setUp("marksOutputTrackAsEnabled") { $0.isEnabled = newValue } }
  }

  /// What the track says about itself.
  ///
  /// Apple: `AVAssetWriterInput.metadata`.
  open var metadata: [AVMetadataItem] {
    get { state.withLock { $0.metadata } }
    set { setUp("metadata") { $0.metadata = newValue } }
  }

  /// Whether the track of another input can be said to belong to this one's: time codes to what they count.
  ///
  /// - Parameter trackAssociationType: An `AVAssetTrack.AssociationType`; of time codes only ``AVAssetTrack/AssociationType/timecode``.
  ///
  /// Apple: `AVAssetWriterInput.canAddTrackAssociation(withTrackOf:type:)`.
  open func canAddTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String)
    -> Bool
  {
    guard input !== self, FourCharacterCode(trackAssociationType) != nil else { return false }
    let isTimeCode = trackAssociationType == AVAssetTrack.AssociationType.timecode.rawValue
    return isTimeCode == (input.mediaType == .timecode) && mediaType != .timecode
  }

  /// Says that the track of another input belongs to this one's; before writing begins.
  ///
  /// Apple: `AVAssetWriterInput.addTrackAssociation(withTrackOf:type:)`.
  open func addTrackAssociation(withTrackOf input: AVAssetWriterInput, type trackAssociationType: String) {
    guard canAddTrackAssociation(withTrackOf: input, type: trackAssociationType) else {
      ProgrammingMistake.report(
        rule: "AVAssetWriterInput.addTrackAssociation: a track of \(mediaType.rawValue) has none of type "
          + "'\(trackAssociationType)' with one of \(input.mediaType.rawValue).")
      return
    }
    setUp("addTrackAssociation") { $0.associations.append((trackAssociationType, input)) }
  }

  /// Writes the associations and lets the other inputs go; on the writer's queue, once every input has its track.
  func writeAssociations(to file: MovieWriter) {
    guard let number = track.number else { return }
    var associations: [(type: String, input: AVAssetWriterInput)] = []
    state.withLock { swap(&associations, &$0.associations) }
    for (type, input) in associations {
      if let other = input.track.number { file.associate(other, with: number, as: type) }
    }
  }

  private func setUp(_ name: String, _ change: (inout State) -> Void) {
    let isEarly = state.withLock { state in
      guard !state.isWriting, !state.isFinished else { return false }
      change(&state)
      return true
    }
    if !isEarly {
      ProgrammingMistake.report(rule: "AVAssetWriterInput.\(name) cannot be set after writing has started.")
    }
  }

  // MARK: The writer

  var isAdded: Bool { state.withLock { $0.isAdded } }

  var isWriting: Bool { state.withLock { $0.isWriting && !$0.isFinished } }

  func attach(to writer: AVAssetWriter) {
    state.withLock {
      $0.isAdded = true
      $0.writer = writer
    }
  }

  func writingBegan() {
    state.withLock { $0.isWriting = true }
    announce()
  }

  /// Takes no more samples: the writer has finished, failed, or was cancelled.
  func close() {
    state.withLock { $0.isFinished = true }
    announce()
  }

  // MARK: Samples

  /// Whether another sample may be appended.
  ///
  /// Observable.
  ///
  /// Apple: `AVAssetWriterInput.isReadyForMoreMediaData`.
  open var isReadyForMoreMediaData: Bool {
    observerTable.access(\AVAssetWriterInput.isReadyForMoreMediaData)
    return state.withLock { $0.isReady }
  }

  /// Hands a sample buffer to the writer, which holds it until it is coded and written.
  ///
  /// - Returns: Whether it was taken; `false` when writing has failed, was cancelled or finished.
  ///
  /// Apple: `AVAssetWriterInput.append(_:)`.
  @discardableResult
  open func append(_ sampleBuffer: CMSampleBuffer) -> Bool {
    let writer = state.withLock { $0.writer }
    guard let writer else {
      ProgrammingMistake.report(rule: "AVAssetWriterInput.append: the input is not part of a writer.")
      return false
    }
    let (status, hasSession) = writer.state.withLock { ($0.status, $0.sessionStart != nil) }
    guard status == .writing else {
      if status == .unknown {
        ProgrammingMistake.report(
          rule: "AVAssetWriterInput.append: call AVAssetWriter.startWriting() before samples come.")
      }
      return false
    }
    guard hasSession else {
      ProgrammingMistake.report(
        rule: "AVAssetWriterInput.append: call AVAssetWriter.startSession(atSourceTime:) before samples come."
      )
      return false
    }
    let rule = state.withLock { state -> String? in
      if state.isFinished { return "no samples come after markAsFinished()." }
      guard state.isReady else { return "a sample is appended only while isReadyForMoreMediaData is true." }
      state.waiting += 1
      return nil
    }
    if let rule {
      ProgrammingMistake.report(rule: "AVAssetWriterInput.append: \(rule)")
      return false
    }
    announce()
    writer.queue.async { self.write(sampleBuffer, writer) }
    return true
  }

  /// On the writer's queue.
  private func write(_ sample: CMSampleBuffer, _ writer: AVAssetWriter) {
    if writer.status == .writing, let file = writer.file {
      do {
        try track.append(sample, to: file)
      } catch {
        writer.fail(error)
      }
    }
    state.withLock { $0.waiting -= 1 }
    announce()
  }

  /// Calls `block` on `queue` whenever samples may be appended, until ``markAsFinished()``; it appends as long as
  /// ``isReadyForMoreMediaData`` is true.
  ///
  /// Apple: `AVAssetWriterInput.requestMediaDataWhenReady(on:using:)`.
  open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      guard state.request == nil else { return false }
      state.request = (queue, block)
      return true
    }
    guard isFirst else {
      ProgrammingMistake.report(rule: "AVAssetWriterInput.requestMediaDataWhenReady is called once.")
      return
    }
    requestIfReady()
  }

  /// Says that no samples come for the track any more.
  ///
  /// Apple: `AVAssetWriterInput.markAsFinished()`.
  open func markAsFinished() {
    let (writer, request) = state.withLock { state in
      let request = state.request
      state.isFinished = true
      state.request = nil
      return (state.writer, request)
    }
    withExtendedLifetime(request) {}
    announce()
    guard let writer else { return }
    writer.queue.async {
      guard writer.status == .writing, let file = writer.file else { return }
      do {
        try self.track.finish(into: file)
      } catch {
        writer.fail(error)
      }
    }
  }

  /// Notifies observers, and the client's block, of changed readiness.
  private func announce() {
    let change = state.withLock { state -> (Bool, Bool)? in
      let isReady = state.isReady
      guard isReady != state.wasReady else { return nil }
      defer { state.wasReady = isReady }
      return (state.wasReady, isReady)
    }
    guard let (old, new) = change else { return }
    observerTable.changed(\AVAssetWriterInput.isReadyForMoreMediaData, of: self, from: old, to: new)
    if new { requestIfReady() }
  }

  private func requestIfReady() {
    let request = state.withLock { state -> (queue: DispatchQueue, block: @Sendable () -> Void)? in
      guard state.isReady, !state.isRequesting, let request = state.request else { return nil }
      state.isRequesting = true
      return request
    }
    guard let request else { return }
    request.queue.async {
      request.block()
      self.state.withLock { $0.isRequesting = false }
      self.requestIfReady()
    }
  }
}
