internal import Foundation
internal import FoundationExtras
internal import GraphicsCore
internal import ImageCore
internal import ImageIO

/// Makes a picture of a file in the size that was asked for.
struct PictureSizing: Sendable {
  var target: CGSize
  var mode: PHImageContentMode
  var resize: PHImageRequestOptionsResizeMode
  /// From 0 to 1 from the top left of the upright picture; empty for the whole.
  var crop: CGRect

  init(_ target: CGSize, _ mode: PHImageContentMode, _ options: PHImageRequestOptions?) {
    self.target = target
    self.mode = mode
    resize = options?.resizeMode ?? .fast
    crop = resize == .exact ? (options?.normalizedCropRect ?? .zero) : .zero
  }

  /// Whether the whole original is wanted.
  var isOriginal: Bool {
    resize == .none || target.width <= 0 || target.height <= 0 || !target.width.isFinite
      || !target.height.isFinite
  }

  /// The longer edge of the whole picture, so that the part that is wanted fills the target.
  func edge(width: Int, height: Int) -> Int {
    guard !isOriginal, width > 0, height > 0 else { return max(width, height) }
    let shown = crop.isEmpty ? CGSize(width: 1, height: 1) : crop.size
    let scales = (
      target.width / (Double(width) * shown.width), target.height / (Double(height) * shown.height)
    )
    let scale = mode == .aspectFill ? max(scales.0, scales.1) : min(scales.0, scales.1)
    return max(1, Int((Double(max(width, height)) * min(1, scale)).rounded()))
  }

  /// The upright picture of a file; `nil` when it cannot be read.
  func picture(ofFile path: String) -> CGImage? {
    guard let source = CGImageSourceCreateWithURL(URL(fileURLWithPath: path), nil),
      let properties = CGImageSourceCopyPropertiesAtIndex(source, 0, nil),
      let width = LooseNumber.integer(properties[kCGImagePropertyPixelWidth]),
      let height = LooseNumber.integer(properties[kCGImagePropertyPixelHeight])
    else { return nil }
    let isTurned = (LooseNumber.integer(properties[kCGImagePropertyOrientation]) ?? 1) >= 5
    let upright = isTurned ? (height, width) : (width, height)
    let wanted: [String: Any] = [
      kCGImageSourceThumbnailMaxPixelSize: edge(width: upright.0, height: upright.1),
      kCGImageSourceCreateThumbnailWithTransform: true, kCGImageSourceCreateThumbnailFromImageAlways: true,
    ]
    return CGImageSourceCreateThumbnailAtIndex(source, 0, wanted).flatMap(cropped)
  }

  /// The picture smaller, if it is larger than asked for, and the part that is wanted.
  func sized(_ image: CGImage, orientation: Int = 1) -> CGImage? {
    var picture = CIImage(cgImage: image)
    if orientation != 1 { picture = picture.oriented(forExifOrientation: Int32(orientation)) }
    let (width, height) = (Int(picture.extent.width), Int(picture.extent.height))
    let edge = edge(width: width, height: height)
    if edge < max(width, height) {
      let scale = Double(edge) / Double(max(width, height))
      picture = picture.transformed(by: CGAffineTransform(scaleX: scale, y: scale))
    } else if orientation == 1 {
      return cropped(image)
    }
    return CIContext().createCGImage(picture, from: picture.extent.integral).flatMap(cropped)
  }

  private func cropped(_ image: CGImage) -> CGImage? {
    let size = CGSize(width: image.width, height: image.height)
    var part = CGRect(origin: .zero, size: size)
    if !crop.isEmpty {
      part = CGRect(
        x: crop.minX * size.width, y: crop.minY * size.height, width: crop.width * size.width,
        height: crop.height * size.height)
    }
    // Exactly the target, where the picture would cover more.
    if resize == .exact, mode == .aspectFill, !isOriginal {
      let (width, height) = (min(target.width, part.width), min(target.height, part.height))
      part = CGRect(x: part.midX - width / 2, y: part.midY - height / 2, width: width, height: height)
    }
    part = CGRect(
      x: part.minX.rounded(), y: part.minY.rounded(), width: part.width.rounded(),
      height: part.height.rounded())
    return part.size == size ? image : image.cropping(to: part)
  }
}
