internal import CaptureDevice
internal import Foundation
internal import StillCodecs

extension ScenePicture {
  /// Reads a PNG or JPEG file that a scene file names.
  ///
  /// - Parameters:
  ///   - path: Relative to `folder`, unless it is absolute.
  ///   - key: Where in the scene file it stands, for messages.
  ///   - object: The part of the scene file, for messages.
  convenience init(_ path: String, key: String, of object: SceneObject, in folder: URL)
    throws(CaptureDeviceError)
  {
    let url = path.hasPrefix("/") ? URL(fileURLWithPath: path) : folder.appendingPathComponent(path)
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      let isThere = FileManager.default.fileExists(atPath: url.path)
      throw object.error(
        "\(key) names \(url.path), which \(isThere ? "cannot be read" : "does not exist"); paths are relative to the scene file"
      )
    }
    do {
      switch StillFormat(detecting: data) {
      case .jpeg: try self.init(try JPEGDecoder.decode(data, isStrict: true))
      case .png: self.init(try PNGDecoder.decode(data))
      default: throw object.error("\(key) names \(url.path), which is neither PNG nor JPEG")
      }
    } catch let error as CaptureDeviceError {
      throw error
    } catch {
      throw object.error("\(key) names \(url.path), which is damaged (\(error))")
    }
  }
}
