internal import GraphicsCore

/// Writes working pixels as the bytes of an output bitmap, whose rows go from the top down.
struct BitmapSink: @unchecked Sendable {  // Safe because each tile writes its own pixels.
  enum Layout: Sendable {
    /// One byte for each component at the named place.
    case bytes(red: Int, green: Int, blue: Int, alpha: Int)
    case words
    case floats
    case luminance

    var bytesPerPixel: Int {
      switch self {
      case .bytes: 4
      case .words: 8
      case .floats: 16
      case .luminance: 1
      }
    }
  }

  let layout: Layout
  let base: UnsafeMutableRawPointer
  let rowBytes: Int
  /// What the bitmap shows, in Core Image's coordinates.
  let bounds: GridRect
  let exit: WorkingColor.Exit

  /// Writes the part of the bitmap that `tile` holds.
  func write(_ tile: Tile) {
    let part = tile.rect.intersection(bounds)
    if part.isEmpty { return }
    for y in part.y..<part.maxY {
      let pixels = tile.row(y) + part.x - tile.rect.x
      let row = base + (bounds.maxY - 1 - y) * rowBytes + (part.x - bounds.x) * layout.bytesPerPixel
      switch layout {
      case .bytes(let red, let green, let blue, let alpha):
        writeBytes(
          pixels, row.assumingMemoryBound(to: UInt8.self), part.width, red: red, green: green, blue: blue,
          alpha: alpha)
      case .words:
        let values = row.assumingMemoryBound(to: UInt16.self)
        for x in 0..<part.width {
          let pixel = limited(pixels[x].changingColor(exit.stored))
          for index in 0..<4 { values[4 * x + index] = UInt16((pixel[index] * 65535).rounded()) }
        }
      case .floats:
        let values = row.assumingMemoryBound(to: SIMD4<Float>.self)
        for x in 0..<part.width { values[x] = pixels[x].changingColor(exit.stored) }
      case .luminance:
        let values = row.assumingMemoryBound(to: UInt8.self)
        for x in 0..<part.width {
          let light = exit.light(pixels[x])
          let gray = light.x * exit.luminance.x + light.y * exit.luminance.y + light.z * exit.luminance.z
          values[x] = exit.table[index(gray)]
        }
      }
    }
  }

  private func writeBytes(
    _ pixels: UnsafeMutablePointer<SIMD4<Float>>, _ row: UnsafeMutablePointer<UInt8>, _ count: Int, red: Int,
    green: Int, blue: Int, alpha: Int
  ) {
    let isPlain = exit.linear == nil && exit.matrix == nil
    exit.table.withUnsafeBufferPointer { table in
      for x in 0..<count {
        let to = row + 4 * x
        var pixel = pixels[x]
        let opacity = pixel.w
        if opacity >= 1 {
          if !isPlain { pixel = exit.light(pixel) }
          to[red] = table[index(pixel.x)]
          to[green] = table[index(pixel.y)]
          to[blue] = table[index(pixel.z)]
          to[alpha] = 255
        } else if opacity > 0 {
          pixel /= opacity
          pixel.w = opacity
          if !isPlain { pixel = exit.light(pixel) }
          let share = opacity
          to[red] = UInt8((Float(table[index(pixel.x)]) * share).rounded())
          to[green] = UInt8((Float(table[index(pixel.y)]) * share).rounded())
          to[blue] = UInt8((Float(table[index(pixel.z)]) * share).rounded())
          to[alpha] = UInt8((share * 255).rounded())
        } else {
          to[0] = 0
          to[1] = 0
          to[2] = 0
          to[3] = 0
        }
      }
    }
  }

  @inline(__always)
  private func index(_ light: Float) -> Int {
    // NaN compares false to everything and becomes 0.
    light > 0 ? (light < 1 ? Int(light * 65535 + 0.5) : 65535) : 0
  }

  private func limited(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
    var result = SIMD4<Float>.zero
    for index in 0..<4 where pixel[index] > 0 { result[index] = min(1, pixel[index]) }
    return result
  }
}

extension CIFormat {
  /// What the renderer writes; `nil` for an unknown format.
  var layout: BitmapSink.Layout? {
    switch self {
    case .ARGB8: .bytes(red: 1, green: 2, blue: 3, alpha: 0)
    case .BGRA8: .bytes(red: 2, green: 1, blue: 0, alpha: 3)
    case .RGBA8, .RGBX8: .bytes(red: 0, green: 1, blue: 2, alpha: 3)
    case .RGBA16: .words
    case .RGBAf: .floats
    case .L8: .luminance
    default: nil
    }
  }
}
