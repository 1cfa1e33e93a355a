public import CoreMedia
public import Foundation
public import GraphicsCore

/// A property of an asset or track that is loaded without blocking.
///
/// Apple: `AVPartialAsyncProperty`.
public class AVPartialAsyncProperty<Root: AVAsynchronousKeyValueLoading>: @unchecked Sendable {
  // Safe because nothing changes after `init`.
  init() {}
}

/// A property with the type of its value.
///
/// Apple: `AVAsyncProperty`.
public final class AVAsyncProperty<Root: AVAsynchronousKeyValueLoading, Value>: AVPartialAsyncProperty<Root>,
  @unchecked Sendable
{  // Safe because nothing changes after `init`.
  let value: @Sendable (Root) -> Value

  init(_ value: @escaping @Sendable (Root) -> Value) {
    self.value = value
  }
}

/// An object whose properties are loaded without blocking: an asset or a track.
///
/// Apple: `AVAsynchronousKeyValueLoading`.
public protocol AVAsynchronousKeyValueLoading: AnyObject, Sendable {
  /// The asset whose file must be open.
  var loadingAsset: AVAsset? { get }
}

extension AVAsset {
  /// Itself.
  public var loadingAsset: AVAsset? { self }
}

extension AVAssetTrack {
  /// The track's asset, which is open.
  public var loadingAsset: AVAsset? { asset }
}

private let loadingQueue = DispatchQueue(label: "obscura.asset-loading", attributes: .concurrent)

extension AVAsynchronousKeyValueLoading {
  /// Loads a property.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.load(_:)`.
  ///
  /// - Throws: When the file cannot be read: ``AVError`` with the code that says why; an error of `NSURLErrorDomain`, -1100, when
  ///   there is none.
  public func load<Value: Sendable>(
    _ property: AVAsyncProperty<Self, Value>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value {
    let asset = loadingAsset
    return try await withCheckedThrowingContinuation { continuation in
      loadingQueue.async {
        continuation.resume(
          with: Result {
            try asset?.open()
            return property.value(self)
          })
      }
    }
  }

  /// Loads two properties.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.load(_:_:)`.
  public func load<A: Sendable, B: Sendable>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B) {
    (try await load(propertyA), try await load(propertyB))
  }

  /// Loads three properties.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.load(_:_:_:)`.
  public func load<A: Sendable, B: Sendable, C: Sendable>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>,
    _ propertyC: AVAsyncProperty<Self, C>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, C) {
    (try await load(propertyA), try await load(propertyB), try await load(propertyC))
  }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// `AVAsset.duration`.
  public static var duration: AVAsyncProperty<Root, CMTime> { AVAsyncProperty { $0.duration } }
  /// `AVAsset.tracks`.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> { AVAsyncProperty { $0.tracks } }
  /// `AVAsset.metadata`.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty { $0.metadata } }
  /// `AVAsset.commonMetadata`.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { $0.commonMetadata }
  }
  /// `AVAsset.availableMetadataFormats`.
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    AVAsyncProperty { $0.availableMetadataFormats }
  }
  /// `AVAsset.creationDate`.
  public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
    AVAsyncProperty { $0.creationDate }
  }
  /// `AVAsset.preferredTransform`.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }
  /// `AVAsset.isPlayable`.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// `AVAsset.isReadable`.
  public static var isReadable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isReadable } }
}

extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// `AVAssetTrack.formatDescriptions`, typed.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty { $0.formatDescriptions.compactMap { $0 as? CMFormatDescription } }
  }
  /// `AVAssetTrack.timeRange`.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { AVAsyncProperty { $0.timeRange } }
  /// `AVAssetTrack.naturalTimeScale`.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty { $0.naturalTimeScale }
  }
  /// `AVAssetTrack.naturalSize`.
  public static var naturalSize: AVAsyncProperty<Root, CGSize> { AVAsyncProperty { $0.naturalSize } }
  /// `AVAssetTrack.preferredTransform`.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }
  /// `AVAssetTrack.nominalFrameRate`.
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.nominalFrameRate } }
  /// `AVAssetTrack.minFrameDuration`.
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty { $0.minFrameDuration }
  }
  /// `AVAssetTrack.estimatedDataRate`.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> {
    AVAsyncProperty { $0.estimatedDataRate }
  }
  /// `AVAssetTrack.isEnabled`.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isEnabled } }
  /// `AVAssetTrack.isPlayable`.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// `AVAssetTrack.languageCode`.
  public static var languageCode: AVAsyncProperty<Root, String?> { AVAsyncProperty { $0.languageCode } }
}

extension AVAsset {
  /// Loads the tracks of a kind.
  ///
  /// Apple: `AVAsset.loadTracks(withMediaType:)`.
  public func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try await loaded { $0.tracks(withMediaType: mediaType) }
  }

  /// Loads the track with a number.
  ///
  /// Apple: `AVAsset.loadTrack(withTrackID:)`.
  public func loadTrack(withTrackID trackID: CMPersistentTrackID) async throws -> AVAssetTrack? {
    try await loaded { $0.track(withTrackID: trackID) }
  }

  /// Loads metadata of a format.
  ///
  /// Apple: `AVAsset.loadMetadata(for:)`.
  public func loadMetadata(for format: AVMetadataFormat) async throws -> [AVMetadataItem] {
    try await loaded { $0.metadata(forFormat: format) }
  }

  private func loaded<Value: Sendable>(_ value: @escaping @Sendable (AVAsset) -> Value) async throws -> Value
  {
    try await withCheckedThrowingContinuation { continuation in
      loadingQueue.async {
        continuation.resume(
          with: Result {
            try self.open()
            return value(self)
          })
      }
    }
  }

  /// Opens the file, then calls `handler` on another queue; the keys make no difference: with the file, all are loaded.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.loadValuesAsynchronously(forKeys:completionHandler:)`.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    loadingQueue.async {
      try? self.open()
      handler?()
    }
  }

  /// Whether a property is loaded, without loading it.
  ///
  /// - Parameter outError: Gets why it cannot be loaded.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.statusOfValue(forKey:error:)`.
  public func statusOfValue(
    forKey key: String, error outError: UnsafeMutablePointer<NSError?>?
  ) -> AVKeyValueStatus {
    outError?.pointee = nil
    guard let file else { return .loaded }
    guard file.isOpened else { return .unknown }
    guard case .failure(let error) = file.movie else { return .loaded }
    outError?.pointee = error.published
    return .failed
  }
}

/// The status of a property that is loaded without blocking.
///
/// Apple: `AVKeyValueStatus`.
public enum AVKeyValueStatus: Int, Sendable {
  /// It was not asked for.
  case unknown = 0
  /// It is being loaded.
  case loading = 1
  /// It is there.
  case loaded = 2
  /// It cannot be loaded.
  case failed = 3
  /// Loading was cancelled.
  case cancelled = 4
}
