internal import CReactions
internal import CoreVideo
internal import PixelTransforms

/// The memory of a picture of two planes in which reactions are drawn.
///
/// The caller keeps it alive and locked. Places are pixels of the stored picture.
struct ReactionCanvas {
  let width: Int
  let height: Int
  let luma: UnsafeMutablePointer<UInt8>
  let lumaPitch: Int
  let chroma: UnsafeMutablePointer<UInt8>
  let chromaPitch: Int
  let encoding: SpriteEncoding

  var lumaBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: luma, count: lumaPitch * height) }
  var chromaBytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: chroma, count: chromaPitch * chromaHeight)
  }
  var chromaWidth: Int { (width + 1) / 2 }
  var chromaHeight: Int { (height + 1) / 2 }

  /// The memory of a locked buffer of 8 bits in two planes; `nil` when it has none.
  init?(_ buffer: CVPixelBuffer, encoding: SpriteEncoding) {
    guard buffer.planes.count == 2 else { return nil }
    width = CVPixelBufferGetWidth(buffer)
    height = CVPixelBufferGetHeight(buffer)
    luma = buffer.planes[0].baseAddress.assumingMemoryBound(to: UInt8.self)
    lumaPitch = buffer.planes[0].bytesPerRow
    chroma = buffer.planes[1].baseAddress.assumingMemoryBound(to: UInt8.self)
    chromaPitch = buffer.planes[1].bytesPerRow
    self.encoding = encoding
  }

  /// A black picture in memory of its own, in which light is added up; the caller gives it back (``deallocate()``).
  ///
  /// Its luma is what is added to a picture's, so black is 0 in every range.
  init(lightOf picture: ReactionCanvas, shrunkBy divisor: Int) {
    width = (picture.width + divisor - 1) / divisor
    height = (picture.height + divisor - 1) / divisor
    lumaPitch = width
    chromaPitch = (width + 1) / 2 * 2
    let chromaBytes = chromaPitch * ((height + 1) / 2)
    luma = .allocate(capacity: lumaPitch * height)
    luma.initialize(repeating: 0, count: lumaPitch * height)
    chroma = .allocate(capacity: chromaBytes)
    chroma.initialize(repeating: 128, count: chromaBytes)
    encoding = picture.encoding
  }

  func deallocate() {
    luma.deallocate()
    chroma.deallocate()
  }

  /// Draws a sprite; where `person` is 255 nothing of it is seen.
  func draw(_ sprite: ReactionSprite, _ texture: SpriteTexture, behind person: WidenedRows?) {
    let weight = Int32((clamp(sprite.opacity) * 256).rounded())
    guard weight > 0 else { return }
    var mask = person?.rows ?? reactions_mask()
    texture.luma.withUnsafeBytes { texels in
      var plane = reactions_plane(bytes: luma, pitch: lumaPitch, width: Int32(width), height: Int32(height))
      guard var place = place(of: sprite, texels, texture.size, in: plane, scale: 1) else { return }
      reactions_draw_luma(&plane, &place, weight, Int32(encoding.white), &mask)
    }
    texture.chroma.withUnsafeBytes { texels in
      var plane = reactions_plane(
        bytes: chroma, pitch: chromaPitch, width: Int32(chromaWidth), height: Int32(chromaHeight))
      let size = SIMD2(texture.size.x / 2, texture.size.y / 2)
      guard var place = place(of: sprite, texels, size, in: plane, scale: 0.5) else { return }
      reactions_draw_chroma(&plane, &place, weight, &mask)
    }
  }

  /// Where a texture lies in a plane that has `scale` pixels for one of the picture; `nil` where it has no area.
  private func place(
    of sprite: ReactionSprite, _ texels: UnsafeRawBufferPointer, _ size: SIMD2<Int>,
    in plane: reactions_plane,
    scale: Float
  ) -> reactions_sprite? {
    let (right, down, center) = (sprite.right * scale, sprite.down * scale, sprite.center * scale)
    let area = right.x * down.y - right.y * down.x
    guard abs(area) > 1e-4 else { return nil }
    let half = SIMD2(Float(size.x), Float(size.y)) / 2
    let reach = abs(right.y) * (1 + 1 / half.x) + abs(down.y) * (1 + 1 / half.y)
    func row(_ y: Float) -> Int32 { Int32(clamp(y.rounded(.up), 0, Float(plane.height))) }
    return reactions_sprite(
      texels: texels.baseAddress, pitch: Int32(size.x + 2 * SpriteTexture.border), half_x: half.x,
      half_y: half.y,
      center_x: center.x, center_y: center.y, across_x: down.y / area, across_y: -right.y / area,
      down_x: -down.x / area, down_y: right.x / area, first_row: row(center.y - reach - 0.5),
      end_row: row(center.y + reach + 0.5))
  }
}
