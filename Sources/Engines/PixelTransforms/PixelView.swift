internal import CoreVideo
internal import FoundationExtras

/// Borrowed memory of a picture: up to three planes with their strides.
///
/// The caller keeps the memory alive.
struct PixelView: @unchecked Sendable {  // Safe because strips of one view are written by one thread each.
  struct Plane {
    var base: UnsafeMutablePointer<UInt8>
    var stride: Int
  }

  var layout: PixelLayout
  var width: Int
  var height: Int
  var plane0: Plane
  var plane1: Plane
  var plane2: Plane

  var size: PixelSize { PixelSize(width: width, height: height) }

  /// Chroma samples in a row: half the width, rounded up.
  var chromaWidth: Int { (width + 1) / 2 }
  var chromaHeight: Int { (height + 1) / 2 }

  /// The memory of a locked buffer, or `nil` when it has none.
  init?(_ buffer: CVPixelBuffer, layout: PixelLayout) {
    self.layout = layout
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    func plane(_ index: Int) -> Plane? {
      guard index < buffer.planes.count else { return nil }
      let plane = buffer.planes[index]
      return Plane(base: plane.baseAddress.assumingMemoryBound(to: UInt8.self), stride: plane.bytesPerRow)
    }
    guard let first = plane(0) else { return nil }
    plane0 = first
    plane1 = first
    plane2 = first
    switch layout.kind {
    case .biplanar420, .biplanar420Deep:
      guard let second = plane(1) else { return nil }
      plane1 = second
    case .planar420:
      guard let second = plane(1), let third = plane(2) else { return nil }
      plane1 = second
      plane2 = third
    case .packed422, .rgb32, .rgb24, .gray, .grayDeep:
      break
    }
  }

  /// A picture inside `memory`, rows padded to 64 bytes; see ``bytes(_:_:)``.
  ///
  /// Not for three planes.
  init(_ kind: PixelLayout.Kind, isFullRange: Bool, size: PixelSize, memory: UnsafeMutablePointer<UInt8>) {
    layout = PixelLayout(kind, isFullRange: isFullRange)
    width = size.width
    height = size.height
    let stride = PixelView.stride(kind, width: size.width)
    plane0 = Plane(base: memory, stride: stride)
    plane1 = Plane(base: memory + stride * size.height, stride: stride)
    plane2 = plane0
  }

  private static func stride(_ kind: PixelLayout.Kind, width: Int) -> Int {
    let row: Int
    switch kind {
    case .biplanar420, .planar420: row = (width + 1) / 2 * 2
    case .biplanar420Deep: row = (width + 1) / 2 * 4
    case .packed422: row = (width + 1) / 2 * 4
    case .rgb32: row = width * 4
    case .rgb24: row = width * 3
    case .gray: row = width
    case .grayDeep: row = width * 2
    }
    return (row + 63) / 64 * 64
  }

  /// The bytes of memory that a picture made by ``init(_:isFullRange:size:memory:)`` needs.
  static func bytes(_ kind: PixelLayout.Kind, size: PixelSize) -> Int {
    let rows: Int
    switch kind {
    case .biplanar420, .biplanar420Deep, .planar420: rows = size.height + (size.height + 1) / 2
    case .packed422, .rgb32, .rgb24, .gray, .grayDeep: rows = size.height
    }
    return stride(kind, width: size.width) * rows
  }

  /// The bytes of pixels in the picture, without padding.
  var byteCount: Int {
    switch layout.kind {
    case .biplanar420, .planar420: width * height + chromaWidth * chromaHeight * 2
    case .biplanar420Deep: 2 * (width * height + chromaWidth * chromaHeight * 2)
    case .packed422: chromaWidth * 4 * height
    case .rgb32: width * height * 4
    case .rgb24: width * height * 3
    case .gray: width * height
    case .grayDeep: width * height * 2
    }
  }

  /// The part `rect` of the picture, its origin rounded down to whole colour samples.
  ///
  /// Shares the memory.
  func cropped(to rect: PixelRect) -> PixelView {
    var view = self
    view.width = rect.width
    view.height = rect.height
    let evenX = rect.x & ~1
    let evenY = rect.y & ~1
    switch layout.kind {
    case .biplanar420:
      view.plane0.base += evenY * plane0.stride + evenX
      view.plane1.base += evenY / 2 * plane1.stride + evenX
    case .biplanar420Deep:
      view.plane0.base += evenY * plane0.stride + 2 * evenX
      view.plane1.base += evenY / 2 * plane1.stride + 2 * evenX
    case .planar420:
      view.plane0.base += evenY * plane0.stride + evenX
      view.plane1.base += evenY / 2 * plane1.stride + evenX / 2
      view.plane2.base += evenY / 2 * plane2.stride + evenX / 2
    case .packed422:
      view.plane0.base += rect.y * plane0.stride + 2 * evenX
    case .rgb32:
      view.plane0.base += rect.y * plane0.stride + 4 * rect.x
    case .rgb24:
      view.plane0.base += rect.y * plane0.stride + 3 * rect.x
    case .gray:
      view.plane0.base += rect.y * plane0.stride + rect.x
    case .grayDeep:
      view.plane0.base += rect.y * plane0.stride + 2 * rect.x
    }
    return view
  }

  /// Fills the whole picture with black.
  func fillBlack(_ encoding: YCbCrEncoding) {
    func fill(_ plane: Plane, rows: Int, bytes: Int, _ value: UInt8) {
      for y in 0..<rows { (plane.base + y * plane.stride).update(repeating: value, count: bytes) }
    }
    let black = UInt8(encoding.black)
    switch layout.kind {
    case .biplanar420:
      fill(plane0, rows: height, bytes: width, black)
      fill(plane1, rows: chromaHeight, bytes: chromaWidth * 2, 128)
    case .planar420:
      fill(plane0, rows: height, bytes: width, black)
      fill(plane1, rows: chromaHeight, bytes: chromaWidth, 128)
      fill(plane2, rows: chromaHeight, bytes: chromaWidth, 128)
    case .biplanar420Deep:
      fillPairs(plane0, rows: height, pairs: width, 0, black)
      fillPairs(plane1, rows: chromaHeight, pairs: chromaWidth * 2, 0, 128)
    case .packed422(let lumaFirst):
      fillPairs(
        plane0, rows: height, pairs: chromaWidth * 2, lumaFirst ? black : 128, lumaFirst ? 128 : black)
    case .rgb32(let order):
      fill(plane0, rows: height, bytes: width * 4, 0)
      let alpha = order.bytes.firstIndex(of: 3) ?? 3
      for y in 0..<height {
        for x in 0..<width { plane0.base[y * plane0.stride + 4 * x + alpha] = 255 }
      }
    case .rgb24:
      fill(plane0, rows: height, bytes: width * 3, 0)
    case .gray:
      fill(plane0, rows: height, bytes: width, 0)
    case .grayDeep:
      fill(plane0, rows: height, bytes: width * 2, 0)
    }
  }

  private func fillPairs(_ plane: Plane, rows: Int, pairs: Int, _ first: UInt8, _ second: UInt8) {
    for y in 0..<rows {
      let row = plane.base + y * plane.stride
      for x in 0..<pairs {
        row[2 * x] = first
        row[2 * x + 1] = second
      }
    }
  }
}
