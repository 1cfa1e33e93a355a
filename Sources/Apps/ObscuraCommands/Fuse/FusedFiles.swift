internal import CameraTasks
internal import CoreVideo
internal import Foundation
internal import FrameFusion
internal import GraphicsCore
internal import PixelTransforms
internal import StillCodecs

/// Reads, fuses and writes the files of `obscura fuse`, without converting JPEG and HEIC to RGB.
enum FusedFiles {
  struct Picture {
    var name: String
    var facts: StillFacts
    var pixels: CVPixelBuffer
  }

  /// More pixels than these are refused: eight such pictures take 1.2 GB.
  private static let pixelLimit = 100_000_000

  /// The picture in a file, in 4:2:0 of the full range.
  ///
  /// - Throws: ``CameraTaskError/Code/badFile``.
  static func picture(at path: String) throws -> Picture {
    let name = path.isEmpty ? "''" : path
    do {
      let data = try StillFile.read(path)
      let facts = try StillFacts(data)
      guard facts.width * facts.height <= pixelLimit else {
        throw CameraTaskError(
          .badFile, "\(name) has more than \(pixelLimit / 1_000_000) megapixels; scale the pictures down.")
      }
      let whole = FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
      let pixels = try PixelTransformer(bufferLimit: 1).apply(whole, to: facts.decode(data, scale: .full))
      return Picture(name: name, facts: facts, pixels: pixels)
    } catch let error as FileReadError {
      throw CameraTaskError(.badFile, "\(name) cannot be read: \(error).")
    } catch let error as CameraTaskError {
      throw error
    } catch {
      throw CameraTaskError(.badFile, "\(name): \(error)")
    }
  }

  /// - Throws: ``CameraTaskError/Code/badFile`` for pictures that differ in size.
  static func fuse(_ pictures: [Picture], _ development: Development, wantsWeights: Bool) throws -> FusedFrame
  {
    let first = pictures[0]
    if let other = pictures.first(where: {
      $0.pixels.width != first.pixels.width || $0.pixels.height != first.pixels.height
    }) {
      throw CameraTaskError(
        .badFile,
        "\(other.name) is \(other.pixels.width)×\(other.pixels.height), and \(first.name) is \(first.pixels.width)×\(first.pixels.height); fuse pictures of one size."
      )
    }
    return try FrameFuser().fuse(
      pictures.map(\.pixels),
      options: FusionOptions(development: development, wantsWeights: wantsWeights))
  }

  /// The file of the fused picture, with the metadata of the reference's file.
  static func data(of fused: FusedFrame, as format: FuseCommand.Format, like facts: StillFacts) throws -> Data
  {
    switch format {
    case .jpeg:
      var options = JPEGEncoder.Options()
      options.quality = 0.95
      options.threads = 2
      options.exif = facts.exif
      options.profile = facts.profile
      return try JPEGEncoder.encode(fused.picture, options: options)
    case .heic:
      var options = HEICEncoder.Options()
      options.quality = 0.95
      options.threads = 2
      options.orientation = facts.orientation
      options.exif = facts.exif
      options.profile = facts.profile
      return try HEICEncoder.encode(fused.picture, options: options)
    }
  }

  /// A map of grey: black is the reference alone, white all pictures.
  static func png(of map: FusionWeights, most: Int) throws -> Data {
    let scale = 255 / Float(max(most - 1, 1))
    let bytes = Data(map.values.map { UInt8(max(0, min(255, ($0 - 1) * scale)).rounded()) })
    guard let provider = CGDataProvider(data: bytes as CFData),
      let image = CGImage(
        width: map.columns, height: map.rows, bitsPerComponent: 8, bitsPerPixel: 8, bytesPerRow: map.columns,
        space: CGColorSpaceCreateDeviceGray(),
        bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue),
        provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent)
    else { throw CommandError(.otherFailure, "There is no memory for the map of weights; close programs.") }
    return try PNGEncoder.encode(image)
  }
}
