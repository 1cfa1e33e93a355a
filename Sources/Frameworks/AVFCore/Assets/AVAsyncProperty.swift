public import CoreMedia
public import Foundation

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
  /// How far loading is.
  ///
  /// Apple: `AVAsyncProperty.Status`.
  public enum Status {
    /// It was not asked for.
    case notYetLoaded
    /// It is being loaded.
    case loading
    /// It is there.
    case loaded(Value)
    /// It cannot be loaded.
    case failed(NSError)
  }

  let value: @Sendable (Root) -> Value

  init(_ value: @escaping @Sendable (Root) -> Value) {
    self.value = value
  }
}

/// An object whose properties are loaded without blocking: an asset, a track or an item of metadata.
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

extension AVMetadataItem: AVAsynchronousKeyValueLoading {
  /// None: an item has its values from the beginning.
  public var loadingAsset: AVAsset? { nil }
}

private let loadingQueue = DispatchQueue(label: "obscura.asset-loading", attributes: .concurrent)

extension AVAsynchronousKeyValueLoading {
  /// Loads a property.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.load(_:)`.
  ///
  /// - Throws: When the file cannot be read: ``AVError`` with the code that says why; an error of `NSURLErrorDomain`, -1100, when
  ///   there is none.
  public func load<Value>(
    _ property: AVAsyncProperty<Self, Value>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Value {
    let asset = loadingAsset
    asset?.file?.noteLoading()
    let loaded: Loaded<Value> = try await withCheckedThrowingContinuation { continuation in
      loadingQueue.async {
        continuation.resume(
          with: Result {
            try asset?.open()
            return Loaded(value: property.value(self))
          })
      }
    }
    return loaded.value
  }

  /// Loads two properties or more.
  ///
  /// - Throws: As ``load(_:isolation:)`` of the first that cannot be loaded.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.load(_:_:)`.
  public func load<A, B, each Other>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>,
    _ properties: repeat AVAsyncProperty<Self, each Other>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, repeat each Other) {
    (try await load(propertyA), try await load(propertyB), repeat try await load(each properties))
  }

  /// Whether a property is loaded, and its value, without loading it.
  ///
  /// What one of an asset's properties needs is the open file, so that all of them are loaded at once.
  ///
  /// Apple: `AVAsynchronousKeyValueLoading.status(of:)`.
  public func status<Value>(of property: AVAsyncProperty<Self, Value>) -> AVAsyncProperty<Self, Value>.Status
  {
    guard let file = loadingAsset?.file else { return .loaded(property.value(self)) }
    guard file.isOpened else { return file.isLoading ? .loading : .notYetLoaded }
    guard case .failure(let error) = file.movie else { return .loaded(property.value(self)) }
    return .failed(error.published)
  }
}

/// A value on its way from the queue that loads.
private struct Loaded<Value>: @unchecked Sendable {  // Safe because one task makes it and another takes it.
  let value: Value
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

  func loaded<Value: Sendable>(_ value: @escaping @Sendable (AVAsset) -> Value) async throws -> Value {
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
