internal import Foundation
internal import FoundationExtras
internal import Linux

/// Reads the files of assets.
///
/// Thread-safe. Handlers are called on a queue of the library. Apple: `PHAssetResourceManager`.
open class PHAssetResourceManager: NSObject, @unchecked Sendable {  // Safe: changes are under locks.
  private static let manager = PHAssetResourceManager()
  private let requests = ImageRequests()
  private let queue = DispatchQueue(label: "obscura.asset-resources")
  private static let pieceSize = 1 << 20

  override init() {}

  /// The manager that programs share.
  open class func `default`() -> PHAssetResourceManager { manager }

  /// Reads a file piece by piece.
  ///
  /// - Parameters:
  ///   - handler: Gets the pieces in their order.
  ///   - completionHandler: Called at the end, with why it failed; `userCancelled` after ``cancelDataRequest(_:)``.
  @discardableResult
  open func requestData(
    for resource: PHAssetResource, options: PHAssetResourceRequestOptions?,
    dataReceivedHandler handler: @escaping @Sendable (Data) -> Void,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) -> PHAssetResourceDataRequestID {
    let id = requests.begin()
    let progress = options?.progressHandler
    queue.carry { [requests] in
      do {
        try Self.read(resource, progress) { piece in
          guard requests.isActive(id) else {
            throw PHPhotosError(.userCancelled, because: "The request was cancelled.")
          }
          handler(piece)
        }
        requests.end(id)
        completionHandler(nil)
      } catch {
        requests.end(id)
        completionHandler(error)
      }
    }
    return id
  }

  /// Writes a file's content to another place: whole, or not at all.
  ///
  /// - Parameter fileURL: A file that is not there yet.
  open func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?,
    completionHandler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    let progress = options?.progressHandler
    queue.carry {
      do throws(PHPhotosError) {
        try Self.write(resource, to: fileURL.path)
        progress?(1)
        completionHandler(nil)
      } catch {
        completionHandler(error)
      }
    }
  }

  /// Writes a file's content to another place: whole, or not at all.
  ///
  /// - Throws: ``PHPhotosError``.
  open func writeData(
    for resource: PHAssetResource, toFile fileURL: URL, options: PHAssetResourceRequestOptions?
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      writeData(for: resource, toFile: fileURL, options: options) { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  /// Ends a request; nothing happens when it has ended.
  open func cancelDataRequest(_ requestID: PHAssetResourceDataRequestID) {
    requests.end(requestID)
  }

  private static func path(_ resource: PHAssetResource) throws(PHPhotosError) -> String {
    try AssetFiles(store: resource.store, resources: []).path(resource.row)
  }

  static func write(_ resource: PHAssetResource, to path: String) throws(PHPhotosError) {
    do throws(SystemError) {
      if let adjustment = resource.adjustment {
        try AtomicFile.write(adjustment, to: path, replacing: false)
        return
      }
    } catch {
      throw PHPhotosError(error)
    }
    let source = try Self.path(resource)
    // Under a name of its own first: no other program sees half a file.
    let part = "\((path as NSString).deletingLastPathComponent)/.obscura-\(UUID().uuidString).part"
    do throws(SystemError) {
      try FileCalls.copy(source, to: part)
      defer { FileCalls.remove(part) }
      guard case .named = try FileCalls.publish(part, as: path) else {
        throw SystemError("write \(path)", errno: 17)
      }
    } catch {
      throw PHPhotosError(error)
    }
  }

  private static func read(
    _ resource: PHAssetResource, _ progress: PHAssetResourceProgressHandler?, _ take: (Data) throws -> Void
  ) throws {
    if let adjustment = resource.adjustment {
      try take(adjustment)
      progress?(1)
      return
    }
    let path = try Self.path(resource)
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw PHPhotosError(.accessUserDenied, because: "The file \(path) may not be read; check its rights.")
    }
    var count = 0
    while let piece = try file.read(upToCount: pieceSize), !piece.isEmpty {
      try take(piece)
      count += piece.count
      progress?(min(1, Double(count) / Double(max(1, resource.row.bytes))))
    }
  }
}
