internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import FoundationExtras
internal import StreamParts

/// The layout of one stream's pictures in buffers; what it is told comes from drivers, and is checked.
struct FrameLayout: Sendable {
  private let stream: CameraStream
  private let encoding: FrameEncoding
  private let bytesPerRow: Int

  /// `nil` for pictures that are not read here.
  init?(_ stream: CameraStream) {
    guard let encoding = stream.code.encoding(isFullRange: stream.isFullRange) else { return nil }
    self.stream = stream
    self.encoding = encoding
    bytesPerRow = max(stream.bytesPerRow, Self.leastRow(of: stream))
  }

  private static func leastRow(of stream: CameraStream) -> Int {
    let pairs = (stream.size.width + 1) / 2
    if let mosaic = stream.code.mosaic { return mosaic.rowBytes(width: stream.size.width) }
    switch stream.code.letters {
    case "NV12", "YU12", "YV12": return 2 * pairs
    case "YUYV", "UYVY": return 4 * pairs
    case "BG24": return 3 * stream.size.width
    case "XR24", "AR24": return 4 * stream.size.width
    default: return stream.size.width
    }
  }

  /// One plane of pixels.
  private struct Shape {
    var width: Int
    var height: Int
    /// From one row to the next.
    var row: Int
    /// How many bytes of a row are pixels.
    var rowBytes: Int

    /// How many bytes it takes: its last row may end with its pixels.
    var size: Int { row * (height - 1) + rowBytes }
  }

  private var shapes: [Shape] {
    let (width, height) = (stream.size.width, stream.size.height)
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    switch stream.code.letters {
    case "NV12":
      return [
        Shape(width: width, height: height, row: bytesPerRow, rowBytes: width),
        Shape(width: columns, height: rows, row: bytesPerRow, rowBytes: 2 * columns),
      ]
    case "YU12", "YV12":
      let chroma = Shape(width: columns, height: rows, row: bytesPerRow / 2, rowBytes: columns)
      return [Shape(width: width, height: height, row: bytesPerRow, rowBytes: width), chroma, chroma]
    default:
      return [Shape(width: width, height: height, row: bytesPerRow, rowBytes: Self.leastRow(of: stream))]
    }
  }

  /// The memory that shows a buffer's pixels; `nil` where they do not fit, and for other pictures.
  func shown(in memory: FrameMemory) -> PictureMemory? {
    guard case .pixels(let format) = encoding else { return nil }
    var planes: [PixelPlane] = []
    // Drivers give each plane a part of its own, or all of them one.
    var offset = 0
    for (index, shape) in shapes.enumerated() {
      let isApart = memory.planes.count >= shapes.count
      guard let part = isApart ? memory.planes[index] : memory.planes.first, let base = part.baseAddress
      else { return nil }
      let begin = isApart ? 0 : offset
      guard begin + shape.size <= part.count else { return nil }
      planes.append(
        PixelPlane(
          baseAddress: base + begin, width: shape.width, height: shape.height, bytesPerRow: shape.row))
      offset += shape.row * shape.height
    }
    // Core Video's second plane is the blue difference, wherever it lies.
    if stream.code.letters == "YV12" { planes.swapAt(1, 2) }
    return PictureMemory(
      planes: planes, format: format, width: stream.size.width, height: stream.size.height,
      attachments: colors)
  }

  private var colors: BufferAttachments {
    let hasMatrix = ["NV12", "YU12", "YV12", "YUYV", "UYVY"].contains(stream.code.letters)
    return .colors(hasMatrix ? PictureMatrix(rawValue: stream.matrix) ?? .rec709 : nil)
  }

  /// The bytes of a JPEG picture, or of a sensor's numbers; `nil` where they are not whole, and for pixels.
  ///
  /// - Parameter used: How many bytes the driver wrote; 0 where it does not say.
  func bytes(in memory: FrameMemory, used: Int, _ check: inout MotionJPEGCheck)
    -> UnsafeMutableRawBufferPointer?
  {
    guard let part = memory.planes.first else { return nil }
    switch encoding {
    case .motionJPEG:
      let bytes = UnsafeMutableRawBufferPointer(rebasing: part.prefix(used > 0 ? used : part.count))
      return check.accepts(UnsafeRawBufferPointer(bytes)) ? bytes : nil
    case .mosaic:
      return leastBytes <= part.count && (used == 0 || used >= leastBytes) ? part : nil
    default: return nil
    }
  }

  /// The bytes of a sensor's numbers.
  private var leastBytes: Int { bytesPerRow * (stream.size.height - 1) + Self.leastRow(of: stream) }

  /// Whether a buffer's memory can hold a picture.
  func fits(_ memory: FrameMemory) -> Bool {
    switch encoding {
    case .pixels: shown(in: memory) != nil
    case .mosaic: memory.planes.first.map { leastBytes <= $0.count } ?? false
    default: !memory.planes.isEmpty
    }
  }

  /// Whether its pictures are a sensor's numbers.
  var isMosaic: Bool {
    if case .mosaic = encoding { true } else { false }
  }

  /// A frame's picture of such bytes.
  func picture(_ block: CMBlockBuffer, blackLevels: [Double]?) -> CapturedFrame.Picture {
    mosaic(block, blackLevels: blackLevels).map { .mosaic($0) } ?? .jpeg(block, stream.size)
  }

  /// The sensor's numbers; `nil` for pictures.
  ///
  /// - Parameter blackLevels: As the library tells them, in sixteen bits.
  func mosaic(_ block: CMBlockBuffer, blackLevels: [Double]?) -> SensorMosaic? {
    guard case .mosaic(let layout) = encoding else { return nil }
    let scale = Double(1 << layout.bits) / 65536
    return SensorMosaic(
      data: block, size: stream.size, bytesPerRow: bytesPerRow, layout: layout,
      blackLevels: blackLevels.flatMap { $0.count == 4 ? $0.map { $0 * scale } : nil } ?? [0])
  }
}
