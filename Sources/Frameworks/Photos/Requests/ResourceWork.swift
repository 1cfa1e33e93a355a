internal import Foundation
internal import FoundationExtras
internal import Linux
internal import StillCodecs

/// A resource on its way into the library.
final class ResourceWork {
  enum Source {
    case data(Data)
    case file(String)
  }

  let type: PHAssetResourceType
  private let source: Source
  private let originalName: String?
  private let movesFile: Bool
  private var givenType: String?
  /// What the content says about itself.
  private(set) var facts = MediaFacts()
  /// The identifier of a proxy's frames.
  private(set) var proxyIdentifier: String?
  private var staged: String?

  init(_ type: PHAssetResourceType, _ source: Source, _ options: PHAssetResourceCreationOptions?) {
    self.type = type
    self.source = source
    givenType = options?.uniformTypeIdentifier
    movesFile = options?.shouldMoveFile ?? false
    if let name = options?.originalFilename {
      originalName = name
    } else if case .file(let path) = source {
      originalName = (path as NSString).lastPathComponent
    } else {
      originalName = nil
    }
  }

  /// Looks into the content and puts it into the staging area.
  func stage(_ store: LibraryStore) throws(PHPhotosError) {
    try readFacts()
    let area = try store.stagingArea()
    do throws(SystemError) {
      switch source {
      case .data(let data): staged = try area.stage(data)
      case .file(let path): staged = try area.stage(fileAt: path, shares: movesFile)
      }
    } catch {
      throw PHPhotosError(error)
    }
  }

  private func readFacts() throws(PHPhotosError) {
    let found: MediaFacts?
    switch source {
    case .data(let data):
      found = MediaFacts(picture: data)
      if type == .photoProxy {
        proxyIdentifier = DeferredFinishing.finisher?.identifier(inProxy: data)
      }
    case .file(let path):
      do throws(FileReadError) {
        _ = try InputFile(path)
      } catch {
        throw PHPhotosError(error, reading: path)
      }
      found = MediaFacts(path: path, name: originalName)
      if type == .photoProxy, let data = InputFile.contents(of: URL(fileURLWithPath: path)) {
        proxyIdentifier = DeferredFinishing.finisher?.identifier(inProxy: data)
      }
    }
    facts = found ?? rawFacts
    try check(found)
    if let givenType { facts.typeIdentifier = givenType }
  }

  /// What a raw file says of its time; nothing of other files.
  private var rawFacts: MediaFacts {
    guard type == .alternatePhoto else { return MediaFacts() }
    switch source {
    case .data(let data):
      return MediaFacts(raw: { start, count in
        guard start >= 0, count >= 0, start <= data.count - count else { return nil }
        return Data(data[data.startIndex + start..<data.startIndex + start + count])
      })
    case .file(let path):
      guard let file = try? InputFile(path) else { return MediaFacts() }
      return MediaFacts(raw: file.bytes(at:count:))
    }
  }

  private func check(_ found: MediaFacts?) throws(PHPhotosError) {
    let wanted: PHAssetMediaType? =
      switch type {
      case .photo, .photoProxy, .fullSizePhoto, .adjustmentBasePhoto: .image
      case .video, .pairedVideo, .fullSizeVideo, .fullSizePairedVideo, .adjustmentBasePairedVideo,
        .adjustmentBaseVideo:
        .video
      case .audio: .audio
      // Raw files are kept as they are.
      case .alternatePhoto, .adjustmentData: nil
      }
    if let wanted, found?.mediaType != wanted {
      let name: String = if case .file(let path) = source { path } else { "The data" }
      if wanted == .image, let reason = rawRefusal {
        throw PHPhotosError(.invalidResource, because: "\(name) cannot be added as a picture. \(reason)")
      }
      throw PHPhotosError(
        .invalidResource,
        because:
          "\(name) is no \(wanted == .image ? "picture" : wanted == .video ? "video" : "recording") that can be read; add one of a known format."
      )
    }
    if type == .photoProxy, proxyIdentifier == nil {
      throw PHPhotosError(
        .invalidResource,
        because:
          "The data is no proxy of a deferred photo; pass what AVCaptureDeferredPhotoProxy.fileDataRepresentation() returns."
      )
    }
  }

  /// Why a raw file is no picture that is read here; `nil` of other files.
  private var rawRefusal: String? {
    let data: Data? =
      switch source {
      case .data(let data): data
      case .file(let path): InputFile.contents(of: URL(fileURLWithPath: path))
      }
    guard let data, StillFormat(detecting: data) == .dng else { return nil }
    do {
      _ = try StillFacts(data)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Adds it to an asset under a name that begins with `stem`.
  func insert(_ asset: Int, stem: String, _ transaction: LibraryTransaction) throws(PHPhotosError) {
    guard let staged else { return }
    var row = ResourceRow()
    row.asset = asset
    row.type = type
    row.typeIdentifier = facts.typeIdentifier
    row.originalName = originalName
    row.width = facts.width
    row.height = facts.height
    try transaction.insert(row, staged: staged, stem: stem)
  }

  /// Removes the original that was to be moved, or what was written in vain.
  ///
  /// Where it is not known whether the catalogue waits for the file, both stay; the next start removes what is not needed.
  func end(_ store: LibraryStore, _ outcome: ChangeOutcome) {
    switch outcome {
    case .committed: if movesFile, case .file(let path) = source { FileCalls.remove(path) }
    case .refused: if let staged { FileCalls.remove("\(store.place.pictures)/\(staged)") }
    case .unknown: break
    }
  }
}
