internal import AVFCore
package import CaptureDevice
internal import CoreVideo
package import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import Linux
internal import StillCodecs

/// Frames of photos that are finished later, on the disk: one file for each photo.
///
/// A file is there whole or not at all, whatever happens to the process or the machine. The store is bounded: where a photo has
/// no room any more, ``save(_:for:as:)`` fails and the camera finishes that photo at once; nothing that is stored is ever given
/// up for a newer photo. Thread-safe, and several processes may use one folder.
///
/// The way of a deferred photo: `save` before the proxy is delivered, `finish` as often as wanted, `discard` once the finished
/// file is safe.
package final class DeferredPhotoStore: Sendable {
  /// A photo that waits to be finished.
  package struct Entry: Sendable, Hashable {
    package var identifier: String
    package var byteCount: Int
    /// When it was stored.
    package var date: Date
  }

  private static let suffix = ".frames"
  /// Bytes that all photos may take unless ``init(folder:byteLimit:)`` says otherwise: some hundred of 12 megapixels.
  package static let usualByteLimit = 2 << 30

  /// Where the files are; made with the first photo.
  package let folder: String
  /// Bytes that all photos may take.
  package let byteLimit: Int
  private let processor = PhotoProcessor()

  /// The store in `folder`.
  package init(folder: String, byteLimit: Int = usualByteLimit) {
    self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    self.byteLimit = byteLimit
  }

  /// The store of the library that the environment names.
  package static func user(
    _ environment: [String: String] = LibraryEnvironment.current
  ) -> DeferredPhotoStore {
    DeferredPhotoStore(folder: LibraryFolders(environment: environment).deferredPhotos)
  }

  // MARK: Saving

  /// Whether a photo of so many bytes has room.
  package func hasRoom(for bytes: Int) -> Bool {
    entries().reduce(bytes) { $0 + $1.byteCount } <= byteLimit
  }

  /// Stores a photo's frames, and waits until they are on the disk.
  ///
  /// - Parameters:
  ///   - frames: One picture's, at least one, the one to develop first.
  ///   - request: With ``PhotoProcessingRequest/frame``, which later cannot be known any more, and an encoding that has a file.
  ///   - identifier: From ``PhotoProxy/newIdentifier()``.
  /// - Throws: Everything but ``DeferredPhotoError/unknown(_:)`` and ``DeferredPhotoError/damaged(_:)``; nothing is stored then.
  package func save(
    _ frames: [CapturedFrame], for request: PhotoProcessingRequest, as identifier: String
  ) throws(DeferredPhotoError) {
    if case .pixels = request.encoding { throw .unsuitable }
    guard PhotoProxy.isIdentifier(identifier), request.frame != nil else { throw .unsuitable }
    var request = request
    // Of no use later: the client has had it with the proxy, or never will.
    request.preview = nil
    let file = DeferredPhotoFile(request: request, frames: frames)
    let (head, total) = try file.head()
    guard hasRoom(for: total) else { throw .full(byteLimit: byteLimit) }
    do throws(SystemError) {
      // For this user alone where it is new.
      try Disk.makeFolders(folder, 0o700)
      try AtomicFile.write(to: path(of: identifier), mode: 0o600) { unfinished throws(SystemError) in
        try file.write(head, to: unfinished)
      }
    } catch {
      throw .system(error)
    }
  }

  // MARK: Looking

  /// The photos that wait, the oldest first; empty when the folder cannot be read.
  package func entries() -> [Entry] {
    DeviceTree.names(in: folder).compactMap { name in
      guard name.hasSuffix(Self.suffix) else { return nil }
      let identifier = String(name.dropLast(Self.suffix.count))
      // Gone when another process has discarded it meanwhile.
      guard PhotoProxy.isIdentifier(identifier),
        let facts = try? FileManager.default.attributesOfItem(atPath: path(of: identifier))
      else { return nil }
      return Entry(
        identifier: identifier, byteCount: (facts[.size] as? NSNumber)?.intValue ?? 0,
        date: facts[.modificationDate] as? Date ?? .distantPast)
    }.sorted { ($0.date, $0.identifier) < ($1.date, $1.identifier) }
  }

  /// Whether the frames of a photo are there.
  package func contains(_ identifier: String) -> Bool {
    PhotoProxy.isIdentifier(identifier) && FileManager.default.fileExists(atPath: path(of: identifier))
  }

  /// The identifier in the bytes of a proxy's file, whatever else its metadata says; `nil` for any other file.
  package static func identifier(inProxy file: Data) -> String? {
    PhotoProxy.identifier(in: file)
  }

  // MARK: Finishing

  /// Finishes a photo: the same bytes as if it had been made at once.
  ///
  /// The frames stay until ``discard(_:)``.
  /// Blocks for as long as all processing takes.
  ///
  /// - Throws: ``DeferredPhotoError``, or what the stages throw: no memory.
  package func finish(_ identifier: String) throws -> FinishedPhoto {
    let (stored, negative, result) = try process(identifier)
    guard let file = result.file else { throw DeferredPhotoError.damaged(identifier) }
    return FinishedPhoto(
      file: file, fileType: stored.request.encoding.isHEIC ? .heic : .jpg, size: negative.size,
      orientation: stored.request.orientation, metadata: result.metadata)
  }

  /// As ``finish(_:)``, with all that is known of the photo.
  package func result(_ identifier: String) throws -> PhotoResult {
    try process(identifier).result
  }

  private func process(
    _ identifier: String
  ) throws -> (stored: DeferredPhotoFile, negative: PhotoDeveloper.Negative, result: PhotoResult) {
    let stored = try load(identifier)
    let negative = try processor.develop(stored.frames, for: stored.request)
    return (stored, negative, try processor.encode(negative, for: stored.request))
  }

  /// A picture of three quarters of a photo's sides, without the processing that takes long.
  ///
  /// - Throws: As ``finish(_:)``.
  package func secondaryImage(_ identifier: String) throws -> SecondaryImage {
    var stored = try load(identifier)
    let whole = stored.frames[0].picture.size
    let size = stored.request.pictureSize(of: whole)
    stored.request.prioritization = .speed
    stored.request.thumbnail = nil
    stored.request.preview = PhotoPreviewRequest(
      pixelFormat: kCVPixelFormatType_32BGRA, longerSide: max(size.width, size.height) * 3 / 4)
    let negative = try processor.develop([stored.frames[0]], for: stored.request)
    guard let preview = negative.preview else { throw DeferredPhotoError.damaged(identifier) }
    return SecondaryImage(image: try .make(of: preview), orientation: stored.request.orientation)
  }

  /// Removes a photo's frames; does nothing when there are none.
  ///
  /// - Throws: ``DeferredPhotoError/system(_:)``.
  package func discard(_ identifier: String) throws(DeferredPhotoError) {
    guard PhotoProxy.isIdentifier(identifier) else { return }
    do throws(SystemError) {
      try AtomicFile.remove(path(of: identifier))
    } catch {
      throw .system(error)
    }
  }

  private func load(_ identifier: String) throws(DeferredPhotoError) -> DeferredPhotoFile {
    guard PhotoProxy.isIdentifier(identifier) else { throw .unknown(identifier) }
    let data: Data
    do throws(FileReadError) {
      data = try InputFile.contents(of: path(of: identifier), atMost: byteLimit)
    } catch {
      switch error {
      case .system(let error) where error.reason != .notFound: throw .system(error)
      case _ where error.isMissing: throw .unknown(identifier)
      default: throw .damaged(identifier)
      }
    }
    guard let file = DeferredPhotoFile(data) else { throw .damaged(identifier) }
    return file
  }

  private func path(of identifier: String) -> String { folder + identifier + Self.suffix }
}
