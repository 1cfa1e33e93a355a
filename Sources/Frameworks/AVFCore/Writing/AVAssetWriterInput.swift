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
/// (``append(_:)`` while ``isReadyForMoreMediaData``) or pulled (``requestMediaDataWhenReady(on:using:)``). Once its writer has
/// completed, failed or was cancelled, it can be added to another one. Thread-safe.
///
/// Of several inputs none is ready that is a second ahead of another one's pictures or audio, until these come or ``markAsFinished()``
/// says that none do. An input whose media begins later is waited for, too: append its first sample as soon as it is ready. Inputs of
/// live sources take what comes, and are not waited for.
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
  let state = Locked(State())

  struct State {
    /// Made for each writer.
    var track: WriterTrack?
    weak var writer: AVAssetWriter?
    /// Which writer that is, also while it goes.
    var writerID: ObjectIdentifier?
    weak var adaptor: AnyObject?
    /// From when its writer begins until that has ended.
    var isWriting = false
    /// Whether no more samples come: the client has said so, or the writer has ended.
    var isFinished = false
    /// Samples that wait for the writer's queue.
    var waiting = 0
    /// The writer's, while it writes.
    var interleaving: Interleaving?
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
    var associations: [Association] = []

    /// Whether the writer can hold another sample.
    var hasRoom: Bool { isWriting && !isFinished && waiting < (isRealTime ? 16 : 8) }

    /// Whether another sample may come.
    func isReady(_ input: AVAssetWriterInput) -> Bool { hasRoom && interleaving?.mayGoOn(input) ?? true }
  }

  /// An input.
  ///
  /// - Parameter outputSettings: `nil` writes samples as they are. Else pictures need a codec, width and height, and audio its format,
  ///   rate and channels; to leave one out is a programming mistake, and such an input cannot be added.
  ///
  /// Apple: `AVAssetWriterInput.init(mediaType:outputSettings:sourceFormatHint:)`.
  public init(
    mediaType: AVMediaType, outputSettings: [String: Any]?, sourceFormatHint: CMFormatDescription?
  ) {
    self.mediaType = mediaType
    self.outputSettings = outputSettings
    self.sourceFormatHint = sourceFormatHint
    super.init()
    if let lack = WriterSettings.lack(of: outputSettings, mediaType) {
      ProgrammingMistake.report(rule: "AVAssetWriterInput: \(lack)")
    }
  }

  /// An input whose format is known with its first sample.
  ///
  /// Apple: `AVAssetWriterInput.init(mediaType:outputSettings:)`.
  public convenience init(mediaType: AVMediaType, outputSettings: [String: Any]?) {
    self.init(mediaType: mediaType, outputSettings: outputSettings, sourceFormatHint: nil)
  }

  // MARK: Set up before writing

  /// Whether samples come from a live source: more of them may wait, and this input and others do not wait for each
  /// other.
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
    let association = Association(trackAssociationType, input)
    setUp("addTrackAssociation") { state in
      state.associations.removeAll { $0 == association }
      state.associations.append(association)
    }
  }

  private func setUp(_ name: String, _ change: (inout State) -> Void) {
    let isEarly = state.withLock { state in
      guard !state.isWriting else { return false }
      change(&state)
      return true
    }
    if !isEarly {
      ProgrammingMistake.report(rule: "AVAssetWriterInput.\(name) cannot be set after writing has started.")
    }
  }

  // MARK: Samples

  /// Whether another sample may be appended: the writer can hold it, and the other inputs are not a second behind this one.
  ///
  /// Observable.
  ///
  /// Apple: `AVAssetWriterInput.isReadyForMoreMediaData`.
  open var isReadyForMoreMediaData: Bool {
    observerTable.access(\AVAssetWriterInput.isReadyForMoreMediaData)
    return state.withLock { $0.isReady(self) }
  }

  /// Hands a sample buffer to the writer, which holds it until it is coded and written.
  ///
  /// Linear PCM that is coded may change its rate, channels and samples on the way: it is converted into what the settings say.
  /// Samples that are written as they are keep their format, or the writer fails. It is a programming mistake to append more than the
  /// writer can hold; a sample that ``isReadyForMoreMediaData`` refuses only because another input lags is taken.
  ///
  /// - Returns: Whether it was taken; `false` when writing has failed, was cancelled or finished.
  ///
  /// Apple: `AVAssetWriterInput.append(_:)`.
  @discardableResult
  open func append(_ sampleBuffer: CMSampleBuffer) -> Bool { take(sampleBuffer, withLast: false) }

  /// - Parameter isWithLast: Whether it belongs to the sample that was appended last, for which there was room.
  func take(_ sampleBuffer: CMSampleBuffer, withLast isWithLast: Bool) -> Bool {
    // A writer that has ended may be gone, or on its way.
    let (writer, track, hadWriter) = state.withLock {
      ($0.writer, $0.track, $0.isFinished || $0.writerID != nil)
    }
    guard let writer, let track else {
      if !hadWriter {
        ProgrammingMistake.report(rule: "AVAssetWriterInput.append: the input is not part of a writer.")
      }
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
      guard state.hasRoom || (isWithLast && state.isWriting) else {
        return "a sample is appended only while isReadyForMoreMediaData is true."
      }
      state.waiting += 1
      return nil
    }
    if let rule {
      ProgrammingMistake.report(rule: "AVAssetWriterInput.append: \(rule)")
      return false
    }
    writer.interleaving.note(sampleBuffer, of: self)
    announce()
    writer.announceOthers(than: self)
    writer.queue.async { self.write(sampleBuffer, to: track, writer) }
    return true
  }

  /// On the writer's queue.
  private func write(_ sample: CMSampleBuffer, to track: WriterTrack, _ writer: AVAssetWriter) {
    if writer.status == .writing, let file = writer.sampleFile {
      do {
        try track.append(sample, to: file)
        writer.wait?.note()
      } catch {
        writer.fail(error)
      }
    }
    state.withLock { if $0.track === track { $0.waiting -= 1 } }
    announce()
  }

  /// Calls `block` on `queue` whenever samples may be appended, until ``markAsFinished()`` or the writer's end; it appends as long as
  /// ``isReadyForMoreMediaData`` is true.
  ///
  /// It may come before the input is added to a writer, and is then that writer's: the block is called once that writes, which may be
  /// before its session has begun.
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

  /// Says that no samples come for the track any more; while the writer is writing.
  ///
  /// Apple: `AVAssetWriterInput.markAsFinished()`.
  /// - Note: Unlike AVFoundation, it is no mistake once the writer has failed or was cancelled, which may happen between a client's
  ///   look at the status and this call.
  open func markAsFinished() {
    // A writer that has ended may be gone, or on its way.
    let (known, hadWriter) = state.withLock { ($0.writer, $0.isFinished || $0.writerID != nil) }
    let status = known?.status ?? (hadWriter ? .cancelled : .unknown)
    guard status != .unknown, status != .completed else {
      ProgrammingMistake.report(
        rule:
          "AVAssetWriterInput.markAsFinished: the writer is not writing, its status is \(status.rawValue).")
      return
    }
    let (writer, track, request) = state.withLock { state in
      let request = state.request
      state.isFinished = true
      state.request = nil
      return (state.writer, state.track, request)
    }
    withExtendedLifetime(request) {}
    announce()
    guard let writer, let track else { return }
    writer.interleaving.leave(self)
    writer.announceOthers(than: self)
    writer.queue.async {
      guard writer.status == .writing, let file = writer.file else { return }
      do {
        try track.finish(into: file)
      } catch {
        writer.fail(error)
      }
    }
  }
}
