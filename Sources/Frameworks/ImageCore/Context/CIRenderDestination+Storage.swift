internal import CoreVideo
internal import Foundation
internal import GraphicsCore
internal import Linux

extension CIRenderDestination {
  /// All of the destination, from its lower left corner.
  var whole: GridRect { GridRect(x: 0, y: 0, width: width, height: height) }

  /// Whether the format has room for alpha.
  var storesAlpha: Bool {
    switch memory {
    case .buffer(let buffer): !buffer.hasNoAlpha
    case .bitmap(_, _, let format): format != .L8 && format != .RGBX8
    }
  }

  /// Does what the properties ask for beyond the render itself: on premultiplied pixels of `part`, counted from the lower left.
  func finish(_ part: GridRect, _ state: State) {
    let divides = state.alphaMode == .unpremultiplied && storesAlpha
    switch memory {
    case .buffer(let buffer):
      guard divides, let layout = buffer.bytesLayout else { return }
      CVPixelBufferLockBaseAddress(buffer, [])
      defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
      guard let base = CVPixelBufferGetBaseAddress(buffer) else { return }
      change(part, of: base, CVPixelBufferGetBytesPerRow(buffer), layout, divides: true, clamps: false)
    case .bitmap(let base, let bytesPerRow, let format):
      let clamps = state.isClamped && (format == .RGBAf || format == .RGBAh)
      guard divides || clamps, let layout = format.layout else { return }
      change(part, of: base, bytesPerRow, layout, divides: divides, clamps: clamps)
    }
  }

  private func change(
    _ part: GridRect, of base: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ layout: BitmapSink.Layout,
    divides: Bool, clamps: Bool
  ) {
    for y in height - part.maxY..<height - part.y {
      let row = base + y * bytesPerRow + part.x * layout.bytesPerPixel
      switch layout {
      case .bytes(let red, let green, let blue, let alpha):
        let bytes = row.assumingMemoryBound(to: UInt8.self)
        for pixel in stride(from: 0, to: 4 * part.width, by: 4) {
          let opacity = Int(bytes[pixel + alpha])
          if opacity == 0 || opacity == 255 { continue }
          for color in [red, green, blue] {
            bytes[pixel + color] = UInt8(min(255, (Int(bytes[pixel + color]) * 255 + opacity / 2) / opacity))
          }
        }
      case .words:
        let words = row.assumingMemoryBound(to: UInt16.self)
        for pixel in stride(from: 0, to: 4 * part.width, by: 4) {
          let opacity = Int(words[pixel + 3])
          if opacity == 0 || opacity == 65535 { continue }
          for color in 0..<3 {
            words[pixel + color] = UInt16(
              min(65535, (Int(words[pixel + color]) * 65535 + opacity / 2) / opacity))
          }
        }
      case .floats:
        let values = row.assumingMemoryBound(to: SIMD4<Float>.self)
        for x in 0..<part.width { values[x] = changed(values[x], divides: divides, clamps: clamps) }
      case .halves:
        let values = row.assumingMemoryBound(to: SIMD4<Float16>.self)
        for x in 0..<part.width {
          values[x] = SIMD4<Float16>(changed(SIMD4<Float>(values[x]), divides: divides, clamps: clamps))
        }
      case .luminance:
        break
      }
    }
  }

  private func changed(_ pixel: SIMD4<Float>, divides: Bool, clamps: Bool) -> SIMD4<Float> {
    var pixel = pixel
    let alpha = clamps ? min(1, max(0, pixel.w)) : pixel.w
    if clamps { pixel.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: alpha)) }
    if divides, alpha > 0 { pixel /= alpha }
    return pixel.withAlpha(alpha)
  }
}
