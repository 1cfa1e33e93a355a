internal import CFusion
internal import CoreVideo

/// The planes of one frame: its own memory, or memory of ours that packed samples were unpacked to.
///
/// A class, because the memory ends with it.
final class FusionFrame: @unchecked Sendable {  // Safe: written before it is shared.
  let luma: fusion_plane
  let chroma: fusion_plane
  private let room: UnsafeMutablePointer<UInt8>?

  /// Empty planes of the same sizes as those of `other`, in memory of their own.
  init(like other: FusionFrame) {
    func stride(_ plane: fusion_plane) -> Int {
      (Int(plane.width * plane.step * plane.bytes) + 63) / 64 * 64
    }
    let lumaBytes = stride(other.luma) * Int(other.luma.height)
    let memory = UnsafeMutablePointer<UInt8>.allocate(
      capacity: lumaBytes + stride(other.chroma) * Int(other.chroma.height))
    room = memory
    var (luma, chroma) = (other.luma, other.chroma)
    (luma.base, luma.stride) = (memory, stride(luma))
    (chroma.base, chroma.stride) = (memory + lumaBytes, stride(chroma))
    (self.luma, self.chroma) = (luma, chroma)
  }

  /// The planes of a locked buffer, or `nil` when it has none; packed samples are not filled in (``unpack(_:rows:)``).
  init?(_ buffer: CVPixelBuffer, layout: FusionLayout) {
    let width = CVPixelBufferGetWidth(buffer)
    let height = CVPixelBufferGetHeight(buffer)
    let pairs = (width + 1) / 2
    let chromaHeight = layout.sharesChromaRows ? (height + 1) / 2 : height
    guard let first = buffer.planes.first else { return nil }
    if layout.packing != nil {
      let stride = (2 * pairs + 63) / 64 * 64
      let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * stride * height)
      room = memory
      luma = fusion_plane(
        base: memory, stride: stride, width: Int32(width), height: Int32(height), bytes: 1, step: 1)
      chroma = fusion_plane(
        base: memory + stride * height, stride: stride, width: Int32(pairs), height: Int32(height), bytes: 1,
        step: 2)
      return
    }
    guard buffer.planes.count >= 2 else { return nil }
    let second = buffer.planes[1]
    room = nil
    luma = fusion_plane(
      base: first.baseAddress.assumingMemoryBound(to: UInt8.self), stride: first.bytesPerRow,
      width: Int32(width), height: Int32(height), bytes: Int32(layout.bytes), step: 1)
    chroma = fusion_plane(
      base: second.baseAddress.assumingMemoryBound(to: UInt8.self), stride: second.bytesPerRow,
      width: Int32(pairs), height: Int32(chromaHeight), bytes: Int32(layout.bytes), step: 2)
  }

  /// The part of `other` from pixel (`x`, `y`) on, both even, with the planes' sizes of `model`; `other` keeps the memory.
  init(part other: FusionFrame, x: Int, y: Int, like model: FusionFrame) {
    func part(_ plane: fusion_plane, _ x: Int, _ y: Int, _ size: fusion_plane) -> fusion_plane {
      var part = plane
      part.base += y * plane.stride + x * Int(plane.step * plane.bytes)
      (part.width, part.height) = (size.width, size.height)
      return part
    }
    let sharesRows = other.chroma.height < other.luma.height
    luma = part(other.luma, x, y, model.luma)
    chroma = part(other.chroma, x / 2, sharesRows ? y / 2 : y, model.chroma)
    room = nil
  }

  /// A frame of half the sides, in 8 bits.
  init(halving other: FusionFrame, _ work: RowWork) {
    func stride(_ width: Int32, _ step: Int32) -> Int { (Int(width * step) + 63) / 64 * 64 }
    func halved(_ plane: fusion_plane) -> fusion_plane {
      var half = plane
      (half.width, half.height) = ((plane.width + 1) / 2, (plane.height + 1) / 2)
      (half.bytes, half.stride) = (1, stride(half.width, half.step))
      return half
    }
    var (luma, chroma) = (halved(other.luma), halved(other.chroma))
    let lumaBytes = luma.stride * Int(luma.height)
    let memory = UnsafeMutablePointer<UInt8>.allocate(
      capacity: lumaBytes + chroma.stride * Int(chroma.height))
    (luma.base, chroma.base, room) = (memory, memory + lumaBytes, memory)
    (self.luma, self.chroma) = (luma, chroma)
    for (source, target) in [(other.luma, luma), (other.chroma, chroma)] {
      work.forEachStrip(rows: Int(target.height), height: 64) { rows in
        withUnsafePointer(to: source) { source in
          withUnsafePointer(to: target) {
            fusion_halve(source, $0, Int32(rows.lowerBound), Int32(rows.upperBound))
          }
        }
      }
    }
  }

  deinit { room?.deallocate() }

  /// Fills rows from the packed samples of `buffer`.
  func unpack(_ buffer: CVPixelBuffer, _ packing: FusionLayout.Packing, rows: Range<Int>) {
    guard let plane = buffer.planes.first else { return }
    withUnsafePointers { luma, chroma in
      fusion_unpack(
        plane.baseAddress.assumingMemoryBound(to: UInt8.self), plane.bytesPerRow,
        packing == .lumaFirst ? 1 : 0, luma, chroma, Int32(rows.lowerBound), Int32(rows.upperBound))
    }
  }

  /// Writes rows to the packed samples of `buffer`.
  func pack(_ buffer: CVPixelBuffer, _ packing: FusionLayout.Packing, rows: Range<Int>) {
    guard let plane = buffer.planes.first else { return }
    withUnsafePointers { luma, chroma in
      fusion_pack(
        plane.baseAddress.assumingMemoryBound(to: UInt8.self), plane.bytesPerRow,
        packing == .lumaFirst ? 1 : 0, luma, chroma, Int32(rows.lowerBound), Int32(rows.upperBound))
    }
  }

  private func withUnsafePointers(
    _ body: (UnsafePointer<fusion_plane>, UnsafePointer<fusion_plane>) -> Void
  ) {
    withUnsafePointer(to: luma) { luma in withUnsafePointer(to: chroma) { body(luma, $0) } }
  }
}
