internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import MediaFiles

/// The writer's side of an input.
extension AVAssetWriterInput {
  /// An association of this input's track with another input's; the other input is held weakly.
  struct Association: Equatable {
    let type: String
    private let id: ObjectIdentifier
    /// The other input, if it is still there.
    let find: @Sendable () -> AVAssetWriterInput?

    init(_ type: String, _ input: AVAssetWriterInput) {
      self.type = type
      id = ObjectIdentifier(input)
      find = { [weak input] in input }
    }

    static func == (left: Association, right: Association) -> Bool {
      left.type == right.type && left.id == right.id
    }
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

  /// The track in the writer's file; `nil` before it is added to a writer.
  var track: WriterTrack? { state.withLock { $0.track } }

  /// Whether a writer that has not ended has it.
  var isTaken: Bool {
    let writer = state.withLock { $0.writer }
    return writer?.status == .unknown || writer?.status == .writing
  }

  var isWriting: Bool { state.withLock { $0.isWriting && !$0.isFinished } }

  /// Begins anew with a writer; what was set stays.
  func attach(to writer: AVAssetWriter) {
    let track = WriterTrack(mediaType, outputSettings, sourceFormatHint)
    track.description = { [weak self] in self?.trackSettings ?? MovieTrackSettings(mediaType: 0) }
    let old = state.withLock { state in
      let old = state.track
      state.track = track
      (state.writer, state.writerID) = (writer, ObjectIdentifier(writer))
      (state.isWriting, state.isFinished, state.wasReady, state.isRequesting) = (false, false, false, false)
      state.waiting = 0
      state.interleaving = nil
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Writes the associations with inputs of the same writer; on its queue, once every input has its track.
  func writeAssociations(to file: any SampleFile) {
    let (writer, track, associations) = state.withLock { ($0.writer, $0.track, $0.associations) }
    guard let number = track?.number else { return }
    for association in associations {
      guard let input = association.find() else { continue }
      let (owner, track) = input.state.withLock { ($0.writer, $0.track) }
      // One that was left out this time still has the track of an earlier writer.
      guard owner === writer, let other = track?.number else { continue }
      file.associate(other, with: number, as: association.type)
    }
  }

  /// Takes samples, unless the writer has ended already.
  func writingBegan(_ interleaving: Interleaving) {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isWriting = true
      state.interleaving = interleaving
    }
    announce()
  }

  /// Takes no more samples of a writer that has finished, failed, was cancelled, or goes; what is set up then is for the next one.
  func close(_ writer: AVAssetWriter) {
    let request = state.withLock { state -> (queue: DispatchQueue, block: @Sendable () -> Void)? in
      guard state.writerID == ObjectIdentifier(writer) else { return nil }
      (state.isWriting, state.isFinished, state.writerID) = (false, true, nil)
      defer { state.request = nil }
      return state.request
    }
    withExtendedLifetime(request) {}
    announce()
  }
}
