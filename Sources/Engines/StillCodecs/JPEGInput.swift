internal import CImageCodecs
internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms

/// A pixel buffer as the JPEG encoder reads it.
struct JPEGInput: @unchecked Sendable {  // Safe because pixels are only read, and kept alive.
  let buffer: CVPixelBuffer
  private let layout: cam_jpeg_layout
  private let planes: [Plane]
  private let chromaStep: Int
  private let chroma: (x: Int, y: Int)
  private let conversion: cam_jpeg_conversion?

  private struct Plane {
    var base: UnsafePointer<UInt8>
    var bytesPerRow: Int
  }

  var height: Int { buffer.height }

  init(_ source: CVPixelBuffer, chroma wanted: JPEGEncoder.ChromaSubsampling) throws {
    switch source.format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
      kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_32BGRA, kCVPixelFormatType_32RGBA, kCVPixelFormatType_32ARGB,
      kCVPixelFormatType_24RGB, kCVPixelFormatType_OneComponent8:
      buffer = source
    default:
      buffer = try PixelTransformer(bufferLimit: 1).apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, matrix: .bt601),
        to: source)
    }
    let all = buffer.planes.map {
      Plane(
        base: UnsafePointer($0.baseAddress.assumingMemoryBound(to: UInt8.self)), bytesPerRow: $0.bytesPerRow)
    }
    let isFullRange: Bool
    switch buffer.format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8PlanarFullRange,
      kCVPixelFormatType_422YpCbCr8BiPlanarFullRange:
      isFullRange = true
    default:
      isFullRange = false
    }
    switch buffer.format {
    case kCVPixelFormatType_420YpCbCr8Planar, kCVPixelFormatType_420YpCbCr8PlanarFullRange:
      (layout, planes, chromaStep, chroma) = (CAM_JPEG_YCBCR, all, 1, (2, 2))
      conversion = .fromBuffer(buffer, isFullRange: isFullRange)
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_422YpCbCr8BiPlanarFullRange:
      let is422 =
        buffer.format == kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
        || buffer.format == kCVPixelFormatType_422YpCbCr8BiPlanarFullRange
      layout = CAM_JPEG_YCBCR
      planes = [all[0], all[1], Plane(base: all[1].base + 1, bytesPerRow: all[1].bytesPerRow)]
      (chromaStep, chroma) = (2, is422 ? (2, 1) : (2, 2))
      conversion = .fromBuffer(buffer, isFullRange: isFullRange)
    case kCVPixelFormatType_OneComponent8:
      (layout, planes, chromaStep, chroma, conversion) = (CAM_JPEG_GRAY, all, 1, (1, 1), nil)
    default:
      let layouts: [OSType: cam_jpeg_layout] = [
        kCVPixelFormatType_32BGRA: CAM_JPEG_BGRA, kCVPixelFormatType_32RGBA: CAM_JPEG_RGBA,
        kCVPixelFormatType_32ARGB: CAM_JPEG_ARGB,
      ]
      layout = layouts[buffer.format] ?? CAM_JPEG_RGB
      (planes, chromaStep, chroma, conversion) = (all, 1, wanted.factors, nil)
    }
  }

  /// Rows of the picture as the codec takes them.
  struct Picture {
    fileprivate let input: JPEGInput
    fileprivate let rows: Range<Int>

    func withUnsafe<Result>(_ body: (UnsafePointer<cam_jpeg_picture>) throws -> Result) rethrows -> Result {
      var picture = cam_jpeg_picture()
      picture.width = Int32(input.buffer.width)
      picture.height = Int32(rows.count)
      picture.layout = input.layout
      picture.chroma_step = Int32(input.chromaStep)
      picture.chroma_x = Int32(input.chroma.x)
      picture.chroma_y = Int32(input.chroma.y)
      func start(_ index: Int) -> (UnsafePointer<UInt8>?, Int) {
        guard index < input.planes.count else { return (nil, 0) }
        let plane = input.planes[index]
        let row = index == 0 ? rows.lowerBound : rows.lowerBound / input.chroma.y
        return (plane.base + row * plane.bytesPerRow, plane.bytesPerRow)
      }
      let (luma, cb, cr) = (start(0), start(1), start(2))
      picture.planes = (luma.0, cb.0, cr.0)
      picture.strides = (luma.1, cb.1, cr.1)
      guard var conversion = input.conversion else { return try body(&picture) }
      return try withUnsafePointer(to: &conversion) {
        picture.convert = $0
        return try body(&picture)
      }
    }
  }

  /// The part of the picture in `rows`, which begin at a multiple of an MCU's height.
  func picture(rows: Range<Int>) -> Picture {
    Picture(input: self, rows: rows)
  }

  private var mcuHeight: Int { 8 * chroma.y }
  private var mcusAcross: Int { (buffer.width + 8 * chroma.x - 1) / (8 * chroma.x) }

  /// The number of MCUs in `rows`.
  func blocks(in rows: Range<Int>) -> Int {
    (rows.count + mcuHeight - 1) / mcuHeight * mcusAcross
  }

  /// Strips of equal height, the last one shorter, at least one for each thread.
  ///
  /// A restart interval counts at most 65535 MCUs, so that a very large picture gets more strips than threads.
  func strips(threads: Int) -> [Range<Int>] {
    let mcuRows = (height + mcuHeight - 1) / mcuHeight
    // Below some 100 000 pixels a strip costs more to hand over than to compress.
    let wanted = min(threads, mcuRows, max(1, buffer.width * height / 100_000))
    guard wanted > 1 else { return [0..<height] }
    let rowsEach = min((mcuRows + wanted - 1) / wanted, max(1, 65535 / mcusAcross))
    return stride(from: 0, to: mcuRows, by: rowsEach).map { first in
      first * mcuHeight..<min((first + rowsEach) * mcuHeight, height)
    }
  }
}

extension cam_jpeg_conversion {
  /// The conversion of the buffer's YCbCr to JFIF's; `nil` when it is that already.
  fileprivate static func fromBuffer(_ buffer: CVPixelBuffer, isFullRange: Bool) -> cam_jpeg_conversion? {
    let matrix = YCbCrMatrix(of: buffer)
    if isFullRange, matrix == .bt601 { return nil }
    return YCbCrChange(from: matrix, isFullRange: isFullRange).fixedPoint
  }
}

/// The linear map from one YCbCr to full-range BT.601 through the same red, green and blue.
struct YCbCrChange {
  var lumaScale: Double
  var lumaFromCb, lumaFromCr: Double
  var cbFromCb, cbFromCr, crFromCb, crFromCr: Double
  var lumaOffset: Int

  init(from matrix: YCbCrMatrix, isFullRange: Bool) {
    let (kr, kb) = (matrix.red, matrix.blue)
    let kg = 1 - kr - kb
    let (jr, jb) = (YCbCrMatrix.bt601.red, YCbCrMatrix.bt601.blue)
    let jg = 1 - jr - jb
    lumaScale = isFullRange ? 1 : 255.0 / 219
    lumaOffset = isFullRange ? 0 : 16
    let chromaScale = isFullRange ? 1 : 255.0 / 224
    // With luma 0 a chroma of (b, r) means red = 2(1-kr)·r, blue = 2(1-kb)·b and green what keeps luma 0.
    func change(_ b: Double, _ r: Double) -> (y: Double, cb: Double, cr: Double) {
      let red = 2 * (1 - kr) * r
      let blue = 2 * (1 - kb) * b
      let green = -(kr * red + kb * blue) / kg
      let luma = jr * red + jg * green + jb * blue
      return (luma, (blue - luma) / (2 * (1 - jb)), (red - luma) / (2 * (1 - jr)))
    }
    let fromCb = change(chromaScale, 0)
    let fromCr = change(0, chromaScale)
    (lumaFromCb, cbFromCb, crFromCb) = fromCb
    (lumaFromCr, cbFromCr, crFromCr) = fromCr
  }

  fileprivate var fixedPoint: cam_jpeg_conversion {
    func fixed(_ value: Double) -> Int32 { Int32((value * 16384).rounded()) }
    return cam_jpeg_conversion(
      luma_offset: Int32(lumaOffset), luma_scale: fixed(lumaScale), luma_from_cb: fixed(lumaFromCb),
      luma_from_cr: fixed(lumaFromCr), cb_from_cb: fixed(cbFromCb), cb_from_cr: fixed(cbFromCr),
      cr_from_cb: fixed(crFromCb), cr_from_cr: fixed(crFromCr))
  }
}
