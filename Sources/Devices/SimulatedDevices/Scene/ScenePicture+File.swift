internal import CaptureDevice
internal import Foundation
internal import FoundationExtras
internal import StillCodecs

/// The pictures that a scene file names, each read once.
final class ScenePictures {
  private let folder: URL
  private var known: [String: ScenePicture] = [:]
  private var pixels = 0

  /// - Parameter folder: What paths are relative to.
  init(folder: URL) {
    self.folder = folder
  }

  /// Reads a PNG or JPEG file.
  ///
  /// - Parameters:
  ///   - path: Relative to the folder, unless it is absolute.
  ///   - key: Where in the scene file it stands, for messages.
  ///   - object: The part of the scene file, for messages.
  func picture(_ path: String, key: String, of object: SceneObject) throws(CaptureDeviceError) -> ScenePicture
  {
    let file = path.hasPrefix("/") ? path : folder.appendingPathComponent(path).path
    if let picture = known[file] { return picture }
    let place = "\(key) names \(file.oneLine)"
    let picture: ScenePicture
    do {
      let data = try StillFile.read(file, atMost: SceneLimits.pictureBytes)
      let facts = try StillFacts(data)
      guard facts.format != .heic else { throw StillCodecError.noPicture }
      let scale = facts.scale(atMostPixels: SceneLimits.picturePixels)
      let size = scale.size(width: facts.width, height: facts.height)
      pixels += size.width * size.height
      guard pixels <= SceneLimits.allPixels else {
        throw object.error(
          "\(place), with which its pictures have \(pixels / 1_000_000) megapixels; \(SceneLimits.allPixels / 1_000_000) is the most"
        )
      }
      picture = try ScenePicture(data, facts, scale)
    } catch let error as CaptureDeviceError {
      throw error
    } catch let error as FileReadError {
      let reason = error.isMissing ? "does not exist" : "cannot be read (\(error))"
      throw object.error("\(place), which \(reason); paths are relative to the scene file")
    } catch let error as StillCodecError where error.code == .unsupported {
      throw object.error("\(place), which is neither PNG nor JPEG")
    } catch let error as StillCodecError where error.code == .tooLarge {
      throw object.error("\(place), which is too large (\(error))")
    } catch {
      throw object.error("\(place), which is damaged (\(error))")
    }
    known[file] = picture
    return picture
  }
}

extension ScenePicture {
  fileprivate convenience init(_ file: Data, _ facts: StillFacts, _ scale: StillScale) throws {
    switch facts.format {
    case .png: self.init(premultiplied: try PNGDecoder.decode(file, scale: scale))
    default: try self.init(try JPEGDecoder.decode(file, scale: scale, isStrict: true))
    }
  }
}
