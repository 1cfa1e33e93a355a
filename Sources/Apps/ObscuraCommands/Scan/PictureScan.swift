internal import AVFoundation
internal import CameraTasks
internal import CodeReading
internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import ImageIO
internal import PixelTransforms
internal import StillCodecs

/// Reading codes in picture files, with all the time that it takes.
enum PictureScan {
  /// The codes in the picture at `path`.
  /// - Throws: ``CommandError`` when it is no picture that can be read.
  static func answers(inPictureAt path: String, _ request: ScanRequest) throws -> [ScanAnswer] {
    let picture = try PictureReading.picture(at: path, atMostPixels: 40_000_000)
    let size = CGSize(width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture))
    let region = request.look.region
    let part = PixelRect(
      x: Int(region.minX * size.width), y: Int(region.minY * size.height),
      width: Int((region.width * size.width).rounded(.up)),
      height: Int((region.height * size.height).rounded(.up)))
    let wanted = Set(request.types)
    let reader = CodeReader(kinds: Set(wanted.compactMap(\.codeKind)))
    return try reader.codes(in: picture, part: part, effort: .thorough).compactMap { code in
      AVMetadataObject.ObjectType(code, among: wanted).map { type in
        ScanAnswer(
          type: type, text: code.text, bytes: Data(code.bytes),
          corners: code.appleCorners.map { CGPoint(x: $0.x / size.width, y: $0.y / size.height) }, path: path)
      }
    }
  }
}
