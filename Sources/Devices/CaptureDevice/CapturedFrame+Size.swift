internal import CoreMedia
internal import CoreVideo

extension CapturedFrame.Picture {
  /// The picture's size in pixels.
  package var size: FrameSize {
    switch self {
    case .pixels(let pixels): FrameSize(width: pixels.width, height: pixels.height)
    case .jpeg(_, let size): size
    case .mosaic(let mosaic): mosaic.size
    case .coded(let coded):
      FrameSize(width: Int(coded.format.dimensions.width), height: Int(coded.format.dimensions.height))
    }
  }
}
