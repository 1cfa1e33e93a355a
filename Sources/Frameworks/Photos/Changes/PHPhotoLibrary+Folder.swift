public import Foundation
internal import Linux

extension PHPhotoLibrary {
  /// The folder of the library's photos and videos, for programs that show where they are, or look first whether it can be written.
  ///
  /// The first photo makes it; to ask opens no library. It is another one once the environment names another, or simulated devices
  /// are installed. Reads a small file, and does not block otherwise.
  ///
  /// - Note: Unlike PhotoKit, whose library names no folder.
  public var picturesFolder: URL { URL(fileURLWithPath: SharedLibrary.place.pictures, isDirectory: true) }
}
