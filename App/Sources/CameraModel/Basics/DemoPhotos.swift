import Foundation
import ImageIO
import Photos

/// Photos for measuring the library where there are not enough.
package enum DemoPhotos {
  /// Adds small photos, of many days, until the library has so many; returns how many it added.
  ///
  /// Blocks.
  ///
  /// - Throws: What the library says when it does not take one.
  package static func fill(to count: Int) throws -> Int {
    let there = PHAsset.fetchAssets(with: nil).count
    guard there < count else { return 0 }
    let pictures = (0..<16).compactMap(picture)
    guard !pictures.isEmpty else { return 0 }
    let first = Date(timeIntervalSinceReferenceDate: 700_000_000)
    var next = there
    while next < count {
      let batch = next..<min(next + 500, count)
      try PHPhotoLibrary.shared().performChangesAndWait {
        for number in batch {
          let request = PHAssetCreationRequest.forAsset()
          request.addResource(with: .photo, data: pictures[number % pictures.count], options: nil)
          // Some thirty a day.
          request.creationDate = first.addingTimeInterval(Double(number) * 2711)
        }
      }
      next = batch.upperBound
    }
    return next - there
  }

  /// A picture with some detail, as JPEG.
  private static func picture(_ number: Int) -> Data? {
    let (width, height) = (512, 384)
    var bytes = Data(capacity: width * height * 4)
    for y in 0..<height {
      for x in 0..<width {
        let wave = Int(20 * sin(Double(x * (number + 3)) / 40) * cos(Double(y) / 23))
        let shade = { (value: Int) in UInt8(clamping: value + wave) }
        bytes.append(contentsOf: [
          shade(x * 200 / width + number * 3), shade(y * 200 / height), shade(60 + number * 11), 255,
        ])
      }
    }
    guard let provider = CGDataProvider(data: bytes),
      let image = CGImage(
        width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: width * 4,
        space: CGColorSpaceCreateDeviceRGB(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.noneSkipLast.rawValue), provider: provider,
        decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    else { return nil }
    return UIImage(cgImage: image).jpegData(compressionQuality: 0.85)
  }
}
