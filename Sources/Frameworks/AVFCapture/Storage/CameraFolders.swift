internal import AVFCore
internal import Foundation
internal import Linux

/// The folders and names that cameras give their files on a disk, as the Design rule for Camera File system (DCF) has them.
struct CameraFolders {
  let root: URL

  private static let folders = 100...999
  private static let names = 1...9999

  /// The next name that no file has with any extension, without an extension; its folder is there.
  func nextName() throws -> URL {
    let images = root.appendingPathComponent("DCIM", isDirectory: true)
    let own = ((try? FileManager.default.contentsOfDirectory(atPath: images.path)) ?? []).compactMap { name in
      name.hasSuffix("OBSCU") && name.count == 8 ? Int(name.prefix(3)) : nil
    }
    let newest = own.filter(Self.folders.contains).max() ?? Self.folders.lowerBound
    for number in newest...Self.folders.upperBound {
      let folder = images.appendingPathComponent("\(number)OBSCU", isDirectory: true)
      do throws(SystemError) {
        try Disk.makeFolders(folder.path)
      } catch {
        throw AVError(.unknown, because: "There is no place in \(folder.path): \(error.description)")
      }
      let used = try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap(Self.number)
      let next = (used.max() ?? 0) + 1
      if Self.names.contains(next) {
        return folder.appendingPathComponent("IMG_" + String("0000\(next)".suffix(4)))
      }
    }
    throw AVError(
      .diskFull, because: "All names for photos and movies are used up in \(images.path); remove some there.")
  }

  private static func number(_ name: String) -> Int? {
    let base = (name as NSString).deletingPathExtension
    return base.uppercased().hasPrefix("IMG_") && base.count == 8 ? Int(base.suffix(4)) : nil
  }
}
