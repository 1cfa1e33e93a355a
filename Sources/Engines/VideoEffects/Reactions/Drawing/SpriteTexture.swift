/// The pixels of a shape at one size, ready to be drawn into pictures of one encoding.
///
/// All is multiplied by alpha already, so that a value between two pixels is their mean. Around the shape lies a border of
/// ``border`` transparent pixels. Light has no alpha in luma: it adds.
struct SpriteTexture: Sendable {
  static let border = 2

  /// Pixels from edge to edge of the shape, without the border; even.
  let size: SIMD2<Int>
  /// Luma in the lower byte, alpha in the upper one.
  let luma: [UInt16]
  /// Of half as many rows and columns: Cb from bit 0 on, Cr from bit 8 on (128 is no colour), alpha from bit 16 on.
  let chroma: [UInt32]

  /// A transparent pixel of ``chroma``.
  private static let clearChroma: UInt32 = 128 | 128 << 8

  /// Bytes of memory.
  var byteCount: Int { luma.count * 2 + chroma.count * 4 }

  /// A texture of as many colours as `size` says, rows from the top.
  init(_ pixels: [SIMD4<Float>], size: SIMD2<Int>, isLight: Bool, encoding: SpriteEncoding) {
    self.size = size
    let pitch = size.x + 2 * Self.border
    var luma = [UInt16](repeating: 0, count: pitch * (size.y + 2 * Self.border))
    let half = SIMD2(size.x / 2, size.y / 2)
    let halfPitch = half.x + 2 * Self.border
    var chroma = [UInt32](repeating: Self.clearChroma, count: halfPitch * (half.y + 2 * Self.border))
    func byte(_ value: Float) -> UInt32 { UInt32(clamp(value.rounded(), 0, 255)) }
    for y in 0..<size.y {
      for x in 0..<size.x {
        let pixel = pixels[y * size.x + x]
        let level = encoding.levels(SIMD3(pixel.x, pixel.y, pixel.z)).x
        luma[(y + Self.border) * pitch + x + Self.border] = UInt16(
          isLight ? byte(level) : byte(level + encoding.black * pixel.w) | byte(pixel.w * 255) << 8)
      }
    }
    for y in 0..<half.y {
      for x in 0..<half.x {
        let corner = 2 * y * size.x + 2 * x
        let below = corner + size.x
        let pixel = (pixels[corner] + pixels[corner + 1] + pixels[below] + pixels[below + 1]) / 4
        let levels = encoding.levels(SIMD3(pixel.x, pixel.y, pixel.z))
        let alpha = isLight ? pixel.w * Self.lightCover : pixel.w
        chroma[(y + Self.border) * halfPitch + x + Self.border] =
          byte(levels.y + 128) | byte(levels.z + 128) << 8 | byte(alpha * 255) << 16
      }
    }
    self.luma = luma
    self.chroma = chroma
  }

  /// The share of light's strength by which the colour below it goes: light over a coloured wall keeps its own colour.
  private static let lightCover: Float = 0.6
}
