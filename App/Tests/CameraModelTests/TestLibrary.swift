import Foundation
import Photos
import Testing

@testable import CameraModel

/// The library of the tests' process: in a folder of its own, removed when the process ends.
enum TestLibrary {
  static let folder: String = {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("camera-library-\(getpid())")
      .path
    setenv("OBSCURA_LIBRARY", path, 1)
    atexit { try? FileManager.default.removeItem(atPath: TestLibrary.folder) }
    return path
  }()

  /// Deletes all that an earlier test has left.
  static func empty() throws {
    _ = folder
    let options = LibraryAccess.newestFirst()
    try PHPhotoLibrary.shared().performChangesAndWait {
      PHAssetChangeRequest.deleteAssets(PHAsset.fetchAssets(with: options))
      PHAssetCollectionChangeRequest.deleteAssetCollections(
        PHAssetCollection.fetchAssetCollections(with: .album, subtype: .any, options: nil))
    }
  }

  /// Adds small photos, one for each date; returns their identifiers.
  @discardableResult
  static func add(_ dates: [Date]) throws -> [String] {
    var names: [String] = []
    let files = try dates.indices.map { try jpeg(shade: UInt8($0 * 40 % 256)) }
    try PHPhotoLibrary.shared().performChangesAndWait {
      for (file, date) in zip(files, dates) {
        let request = PHAssetCreationRequest.forAsset()
        request.addResource(with: .photo, data: file, options: nil)
        request.creationDate = date
        names.append(request.placeholderForCreatedAsset?.localIdentifier ?? "")
      }
    }
    return names
  }

  static func jpeg(shade: UInt8, width: Int = 64, height: Int = 48) throws -> Data {
    let bytes = Data((0..<width * height).flatMap { [UInt8($0 % width * 4), shade, 90, 255] })
    let provider = try #require(CGDataProvider(data: bytes))
    let image = try #require(
      CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
    return try #require(UIImage(cgImage: image).jpegData(compressionQuality: 0.9))
  }
}
