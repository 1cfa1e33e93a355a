import Foundation
import Photos

/// Keeps what the camera made: in the photo library, or as a plain file where the library refuses or is not wanted.
struct PhotoKeeper: Sendable {
  /// The folder of plain files.
  let folder: PhotoFolder
  /// Whether the library is asked first.
  let usesLibrary: Bool

  /// The result of keeping a photo or video.
  struct Kept: Sendable, Equatable {
    var place: MediaPlace
    /// The reason why the library did not take it, a sentence; `nil` when it did, or was not asked.
    var refusal: String?
  }

  /// Keeps a photo's bytes; `isProxy` for one that the library finishes later.
  ///
  /// - Parameters:
  ///   - film: The file of a Live Photo's movie, which is moved: into the library with the photo, or beside it under its name.
  ///   - raw: What the sensor counted, as DNG: a part of the photo in the library, a file beside it elsewhere.
  /// - Throws: What the system says when neither the library nor the folder takes it.
  func keep(_ data: Data, isProxy: Bool, suffix: String, date: Date, film: URL? = nil, raw: Data? = nil)
    throws
    -> Kept
  {
    var refusal: String?
    if usesLibrary {
      do {
        let name = try Self.add(isProxy ? .photoProxy : .photo, .bytes(data), date, film: film, raw: raw)
        return Kept(place: .asset(name), refusal: nil)
      } catch {
        refusal = error.localizedDescription
      }
    }
    let url = try folder.store(data, suffix: suffix, date: date)
    if let raw {
      do {
        let file = url.deletingPathExtension().appendingPathExtension("dng")
        if try !WholeFile.write(raw, to: file, replacing: false) { throw CocoaError(.fileWriteFileExists) }
      } catch {
        refusal = error.localizedDescription
      }
    }
    if let film {
      let target = url.deletingPathExtension().appendingPathExtension("mov")
      // A photo is none the worse for a movie that has no room.
      try? FileManager.default.moveItem(at: film, to: target)
    }
    return Kept(place: .file(url), refusal: refusal)
  }

  /// Moves a video that was recorded beside the library into it; where that fails the video stays where it is.
  func keep(film url: URL, date: Date?) -> Kept {
    guard usesLibrary else { return Kept(place: .file(url), refusal: nil) }
    do {
      return Kept(place: .asset(try Self.add(.video, .movedFile(url), date)), refusal: nil)
    } catch {
      return Kept(place: .file(url), refusal: error.localizedDescription)
    }
  }

  /// Takes into the library what this program left beside it: recordings that a crash cut short, and what the library once
  /// refused.
  func adoptLeftovers() {
    guard usesLibrary else { return }
    for url in folder.all() {
      let name = url.lastPathComponent
      guard name.hasPrefix("VID_") || name.hasPrefix("IMG_") else { continue }
      let isMovie = PictureReader.isMovie(url)
      // Of what cannot be read the photo stays where it is, too.
      let beside = isMovie ? nil : PhotoFolder.raw(of: url)
      var raw: Data?
      if let beside {
        guard let data = try? Data(contentsOf: beside) else { continue }
        raw = data
      }
      let added = try? Self.add(
        isMovie ? .video : .photo, .movedFile(url), PhotoFolder.date(ofName: name),
        film: isMovie ? nil : PhotoFolder.film(of: url), raw: raw)
      if added != nil, let beside { try? FileManager.default.removeItem(at: beside) }
    }
  }

  private enum Content {
    case bytes(Data)
    case movedFile(URL)
  }

  private static func add(
    _ type: PHAssetResourceType, _ content: Content, _ date: Date?, film: URL? = nil, raw: Data? = nil
  ) throws -> String {
    var identifier = ""
    try PHPhotoLibrary.shared().performChangesAndWait {
      let request = PHAssetCreationRequest.forAsset()
      let options = PHAssetResourceCreationOptions()
      switch content {
      case .bytes(let data): request.addResource(with: type, data: data, options: options)
      case .movedFile(let url):
        options.shouldMoveFile = true
        request.addResource(with: type, fileURL: url, options: options)
      }
      if let raw {
        let options = PHAssetResourceCreationOptions()
        options.uniformTypeIdentifier = "com.adobe.raw-image"
        request.addResource(with: .alternatePhoto, data: raw, options: options)
      }
      if let film {
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = true
        request.addResource(with: .pairedVideo, fileURL: film, options: options)
      }
      if let date { request.creationDate = date }
      identifier = request.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    return identifier
  }
}
