internal import CPainting
internal import CaptureDevice
internal import Dispatch
internal import Foundation

/// The part of a scene that does not move, painted once for a size: full-range luma and 4:2:0 colour differences.
///
/// Memory is 1.5 bytes a pixel. Immutable once made.
final class StaticPicture: @unchecked Sendable {  // Safe because nothing writes after init.
  let width: Int
  let height: Int
  /// Bytes from one row of luma to the next; equal for the interleaved differences.
  let stride: Int
  let luma: UnsafeMutablePointer<UInt8>
  let chroma: UnsafeMutablePointer<UInt8>

  /// A picture that is yet to be painted with ``convert(pair:top:bottom:matrix:)``.
  init(size: FrameSize) {
    width = size.width
    height = size.height
    stride = (size.width + 1) / 2 * 2
    luma = .allocate(capacity: stride * size.height)
    chroma = .allocate(capacity: stride * ((size.height + 1) / 2))
  }

  /// Paints `layers`, the first of which must cover the frame, on all cores.
  convenience init(layers: [PlacedLayer], size: FrameSize, matrix: LumaMatrix) {
    self.init(size: size)
    let chromaRows = (size.height + 1) / 2
    let band = 32
    let bands = (chromaRows + band - 1) / band
    DispatchQueue.concurrentPerform(iterations: bands) { index in
      paint(rowPairs: index * band..<min((index + 1) * band, chromaRows), layers: layers, matrix: matrix)
    }
  }

  deinit {
    luma.deallocate()
    chroma.deallocate()
  }

  private func paint(rowPairs: Range<Int>, layers: [PlacedLayer], matrix: LumaMatrix) {
    let top = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: stride)
    let bottom = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: stride)
    defer {
      top.deallocate()
      bottom.deallocate()
    }
    for pair in rowPairs {
      for (row, colors) in [(pair * 2, top), (min(pair * 2 + 1, height - 1), bottom)] {
        memset(colors, 0, stride * MemoryLayout<SIMD4<Float>>.stride)
        for layer in layers { layer.blend(row: row, over: colors) }
      }
      convert(pair: pair, top: top, bottom: bottom, matrix: matrix)
    }
  }

  /// Writes two rows of colours, which it uses up; each has room for `stride` of them.
  func convert(
    pair: Int, top: UnsafeMutablePointer<SIMD4<Float>>, bottom: UnsafeMutablePointer<SIMD4<Float>>,
    matrix: LumaMatrix
  ) {
    let hasSecond = pair * 2 + 1 < height
    for (row, colors) in [(pair * 2, top), (pair * 2 + 1, bottom)] where row < height {
      if stride > width { colors[width] = colors[width - 1] }
      matrix.planar(colors, count: stride)
      painting_luma(colors, luma + row * stride, stride)
    }
    painting_chroma(top, hasSecond ? bottom : top, chroma + pair * stride, stride)
  }
}
