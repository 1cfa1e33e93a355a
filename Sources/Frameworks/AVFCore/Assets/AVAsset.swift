public import CoreMedia
public import Foundation
public import GraphicsCore
internal import FoundationExtras
internal import MediaFiles

/// Timed media: tracks of pictures and audio.
///
/// What is asked for the first time opens the file, which blocks for the disk; ``AVAsynchronousKeyValueLoading/load(_:)`` does
/// it elsewhere. Thread-safe. Apple: `AVAsset`.
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  // Safe because nothing changes after `init`, and `file` guards itself.

  let file: AssetFile?

  /// From when on samples are missing that a file's tables name, because it was cut; `nil` when all are there.
  package var missingFrom: CMTime? { missing.map(\.start).min() }

  /// The times of the asset without samples, because a file was cut.
  var missing: [CMTimeRange] { tracks.flatMap(\.mediaSegments).compactMap(\.missing) }

  init(file: AssetFile?) {
    self.file = file
  }

  var movie: MovieFile? {
    guard let file, case .success(let movie) = file.movie else { return nil }
    return movie
  }

  /// Opens the file, so that nothing else has to wait for it.
  ///
  /// - Throws: `NSError` of `NSURLErrorDomain` when the file is not there (-1100) or may not be read (-1102); ``AVError``:
  ///   `fileFormatNotRecognized`, `unknown`.
  package func open() throws {
    do throws(AVError) { try openFile() } catch { throw error.published }
  }

  /// As ``open()``, with an error that is not what clients get yet.
  func openFile() throws(AVError) {
    if let file { _ = try file.movie.get() }
  }

  /// From zero to the end of the longest track; invalid when the file cannot be read.
  ///
  /// Apple: `AVAsset.duration`.
  open var duration: CMTime { movie?.duration ?? .invalid }

  /// The rate at which it is played.
  ///
  /// Apple: `AVAsset.preferredRate`.
  open var preferredRate: Float { 1 }

  /// The loudness at which it is played.
  ///
  /// Apple: `AVAsset.preferredVolume`.
  open var preferredVolume: Float { 1 }

  /// How all tracks are turned together; tracks have their own.
  ///
  /// Apple: `AVAsset.preferredTransform`.
  open var preferredTransform: CGAffineTransform { .identity }

  /// The size of the first track of pictures.
  ///
  /// Apple: `AVAsset.naturalSize`.
  open var naturalSize: CGSize { tracks(withMediaType: .video).first?.naturalSize ?? .zero }

  /// Whether ``duration`` and seeking are exact.
  ///
  /// Apple: `AVAsset.providesPreciseDurationAndTiming`.
  open var providesPreciseDurationAndTiming: Bool { movie != nil }

  /// The tracks, in the file's order; none when the file cannot be read.
  ///
  /// Apple: `AVAsset.tracks`.
  open var tracks: [AVAssetTrack] { ownTracks }

  /// What ``tracks`` gives: of a subclass whose tracks have a type of their own, too.
  var ownTracks: [AVAssetTrack] { movie?.tracks.map { AVAssetTrack(self, $0) } ?? [] }

  /// The tracks of a kind.
  ///
  /// Apple: `AVAsset.tracks(withMediaType:)`.
  @_disfavoredOverload open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// The track with a number.
  ///
  /// Apple: `AVAsset.track(withTrackID:)`.
  open func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// What the file says about itself.
  ///
  /// Apple: `AVAsset.metadata`.
  open var metadata: [AVMetadataItem] { movie?.metadata.map { AVMetadataItem($0) } ?? [] }

  /// Those of ``metadata`` that have a key in every format.
  ///
  /// Apple: `AVAsset.commonMetadata`.
  open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

  /// The formats of ``metadata``.
  ///
  /// Apple: `AVAsset.availableMetadataFormats`.
  open var availableMetadataFormats: [AVMetadataFormat] {
    let formats: [(AVMetadataKeySpace, AVMetadataFormat)] = [
      (.quickTimeMetadata, .quickTimeMetadata), (.quickTimeUserData, .quickTimeUserData),
      (.iTunes, .iTunesMetadata), (.isoUserData, .isoUserData),
    ]
    let present = Set(metadata.compactMap(\.keySpace))
    return formats.filter { present.contains($0.0) }.map(\.1)
  }

  /// Those of ``metadata`` in one format.
  ///
  /// Apple: `AVAsset.metadata(forFormat:)`.
  open func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    let spaces: [AVMetadataFormat: AVMetadataKeySpace] = [
      .quickTimeMetadata: .quickTimeMetadata, .quickTimeUserData: .quickTimeUserData,
      .iTunesMetadata: .iTunes, .isoUserData: .isoUserData,
    ]
    return metadata.filter { $0.keySpace == spaces[format] && $0.keySpace != nil }
  }

  /// When the movie was taken; `nil` when the file does not say.
  ///
  /// The metadata's date, QuickTime's before others, for these say the place's time; without one that of the movie's header, in UTC, as a
  /// date. A year or a month alone, as albums have it, counts where there is nothing else.
  ///
  /// Apple: `AVAsset.creationDate`.
  open var creationDate: AVMetadataItem? {
    let stated = metadata.filter { $0.commonKey == .commonKeyCreationDate }
    let dated = stated.filter { $0.dateValue != nil }
    let days = dated.filter { item in item.stringValue.flatMap { WrittenDate($0)?.saysDay } ?? true }
    if let item = days.first(where: { $0.keySpace == .quickTimeMetadata }) ?? days.first { return item }
    guard let created = movie?.created else { return dated.first ?? stated.first }
    return AVMetadataItem(
      AVMetadataItem.Content(
        identifier: .commonIdentifierCreationDate, keySpace: .common,
        key: NSString(string: AVMetadataKey.commonKeyCreationDate.rawValue),
        value: NSDate(timeIntervalSinceReferenceDate: created.timeIntervalSinceReferenceDate)))
  }

  /// Whether a player could play it: whether a track can be decoded.
  ///
  /// Apple: `AVAsset.isPlayable`.
  open var isPlayable: Bool { tracks.contains(where: \.isPlayable) }

  /// Whether its samples can be read.
  ///
  /// Apple: `AVAsset.isReadable`.
  open var isReadable: Bool { tracks.contains { !$0.formatDescriptions.isEmpty } }

  /// Whether a track is protected against copying; such tracks cannot be decoded here.
  ///
  /// Apple: `AVAsset.hasProtectedContent`.
  open var hasProtectedContent: Bool { tracks.contains(where: \.isProtected) }

  /// Whether an `AVAssetExportSession` could export it: whether a track can be decoded, and none is protected.
  ///
  /// Apple: `AVAsset.isExportable`.
  open var isExportable: Bool { isPlayable && !hasProtectedContent }

  /// Whether its tracks can go into a composition: whether samples can be read, and none are protected.
  ///
  /// Apple: `AVAsset.isComposable`.
  open var isComposable: Bool { isReadable && !hasProtectedContent }

  /// Ends loading that is under way; nothing here can be ended, and what waits gets its result.
  ///
  /// Apple: `AVAsset.cancelLoading()`.
  open func cancelLoading() {}
}

/// Lets `AVAsset(url:)` be an ``AVURLAsset``, as on Apple; a class alone cannot choose its subclass in `init`.
protocol AssetFactory {}

extension AssetFactory {
  fileprivate init(made: () -> Self) {
    self = made()
  }
}

extension AVAsset: AssetFactory {
  /// The asset of a file: an ``AVURLAsset``.
  ///
  /// Apple: `AVAsset.init(url:)`.
  public convenience init(url URL: URL) {
    self.init(made: {
      guard let asset = AVURLAsset(url: URL, options: nil) as? Self else {
        preconditionFailure("an AVURLAsset is an AVAsset")
      }
      return asset
    })
  }
}

/// The media of a file.
///
/// Files of this machine: QuickTime, MP4, and what FFmpeg reads besides. Apple: `AVURLAsset`.
open class AVURLAsset: AVAsset, @unchecked Sendable {  // Safe because nothing changes after `init`.
  /// The file's place.
  ///
  /// Apple: `AVURLAsset.url`.
  public let url: URL

  /// The asset of a file; nothing is opened yet.
  ///
  /// - Parameter options: ``AVURLAssetPreferPreciseDurationAndTimingKey`` changes nothing: durations and times are exact.
  ///
  /// Apple: `AVURLAsset.init(url:options:)`.
  public init(url URL: URL, options: [String: Any]? = nil) {
    url = URL
    super.init(file: AssetFile(URL))
  }
}

/// Whether exact durations and times are wanted, in the options of an asset: a Boolean.
///
/// Apple: `AVURLAssetPreferPreciseDurationAndTimingKey`.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
