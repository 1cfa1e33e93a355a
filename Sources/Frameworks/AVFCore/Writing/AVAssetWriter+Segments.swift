public import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles

/// The wishes of a client for segments.
struct SegmentChoices {
  weak var delegate: (any AVAssetWriterDelegate)?
  var profile: AVFileTypeProfile?
  var interval = CMTime.invalid
  var start = CMTime.invalid
}

extension AVAssetWriter {
  /// Gets the segments; not retained.
  ///
  /// Set before writing begins.
  ///
  /// Apple: `AVAssetWriter.delegate`.
  public weak var delegate: (any AVAssetWriterDelegate)? {
    get { state.withLock { $0.segments.delegate } }
    set { setUp("delegate") { $0.segments.delegate = newValue } }
  }

  /// The structure of segments; `nil` (the default) for a file.
  ///
  /// Set before writing begins.
  ///
  /// Apple: `AVAssetWriter.outputFileTypeProfile`.
  public var outputFileTypeProfile: AVFileTypeProfile? {
    get { state.withLock { $0.segments.profile } }
    set { setUp("outputFileTypeProfile") { $0.segments.profile = newValue } }
  }

  /// How long segments shall be; indefinite where ``flushSegment()`` says when one ends.
  ///
  /// Set before writing begins.
  /// A segment begins with the first key frame at or behind a multiple of the interval from ``initialSegmentStartTime`` on; pictures that the
  /// writer codes are key frames there. Without pictures, sound begins it. An interval that is neither above zero nor indefinite is
  /// a programming mistake, and is not set.
  ///
  /// Apple: `AVAssetWriter.preferredOutputSegmentInterval`.
  public var preferredOutputSegmentInterval: CMTime {
    get { state.withLock { $0.segments.interval } }
    set {
      guard newValue.isIndefinite || (newValue.isNumeric && newValue > .zero) else {
        ProgrammingMistake.report(
          rule: "AVAssetWriter.preferredOutputSegmentInterval is above zero, or CMTime.indefinite.")
        return
      }
      setUp("preferredOutputSegmentInterval") { $0.segments.interval = newValue }
    }
  }

  /// When the first segment begins, in the samples' time: what ``preferredOutputSegmentInterval`` counts from.
  ///
  /// Needed with a numeric interval. Set before writing begins; a time that is not numeric is a programming mistake.
  ///
  /// Apple: `AVAssetWriter.initialSegmentStartTime`.
  public var initialSegmentStartTime: CMTime {
    get { state.withLock { $0.segments.start } }
    set {
      guard newValue.isNumeric else {
        ProgrammingMistake.report(rule: "AVAssetWriter.initialSegmentStartTime is a numeric time.")
        return
      }
      setUp("initialSegmentStartTime") { $0.segments.start = newValue }
    }
  }

  /// Ends the present segment, of a writer whose ``preferredOutputSegmentInterval`` is indefinite; otherwise it is a programming mistake.
  ///
  /// It comes with the next sample that another segment can begin with: the next picture, of those that the writer codes.
  ///
  /// Apple: `AVAssetWriter.flushSegment()`.
  public func flushSegment() {
    let rule = state.withLock { state -> String? in
      guard state.segments.interval.isIndefinite, state.segments.profile != nil else {
        return "needs a profile, and a preferredOutputSegmentInterval that is indefinite."
      }
      return state.status == .writing ? nil : "comes while the writer writes."
    }
    if let rule {
      ProgrammingMistake.report(rule: "AVAssetWriter.flushSegment() \(rule)")
      return
    }
    queue.async {
      self.segments?.cutNext()
      for track in self.tracks { track.wantsKeyFrame = true }
    }
  }

  // MARK: On the writer's queue

  /// What takes the tracks' samples; `nil` before writing and behind its end.
  var sampleFile: (any SampleFile)? { file ?? segments }

  func makeSegments(_ begun: State) throws {
    let choices = begun.segments
    guard outputFileType == .mp4 else {
      throw AVError(
        .fileFormatNotRecognized,
        because: "Segments of type \(outputFileType.rawValue) cannot be written; choose UTType.mpeg4Movie.")
    }
    guard let profile = choices.profile, choices.delegate != nil, choices.interval.isValid,
      choices.interval.isIndefinite || choices.start.isNumeric
    else {
      throw AVError(
        .unknown,
        because:
          "Segments need a delegate, an outputFileTypeProfile, a preferredOutputSegmentInterval and an initialSegmentStartTime; set them before startWriting()."
      )
    }
    guard profile == .mpeg4AppleHLS || begun.inputs.count == 1 else {
      throw AVError(
        .unknown, because: "Segments of this profile have one track; use a writer for each of the inputs.")
    }
    let boundaries = SegmentBoundaries(start: choices.start, interval: choices.interval)
    let made = SegmentWriter(
      profile == .mpeg4AppleHLS ? .liveStreaming : .commonMedia,
      metadata: begun.metadata.compactMap(\.fileItem), timescale: begun.timescale, boundaries: boundaries
    ) { [weak self] segment in self?.hand(segment) }
    segments = made
    tracks = begun.inputs.compactMap(\.track)
    do throws(MovieFileError) {
      for track in tracks { try track.addTrack(to: made) }
      for input in begun.inputs { input.writeAssociations(to: made) }
    } catch {
      throw AVError(writing: error)
    }
    for track in tracks {
      var boundaries = boundaries
      track.beginsSegment = { boundaries.pass($0) }
    }
  }

  private func hand(_ segment: MovieSegment) {
    let report = AVAssetSegmentReport(segment)
    callbacks.async {
      self.delegate?.assetWriter(
        self, didOutputSegmentData: segment.data, segmentType: report.segmentType, segmentReport: report)
    }
  }
}
