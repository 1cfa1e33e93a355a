internal import GraphicsCore
internal import PixelTransforms

/// Writes working pixels as the bytes of an output bitmap, whose rows go from the top down.
struct BitmapSink: @unchecked Sendable {  // Safe because each tile writes its own pixels.
  enum Layout: Sendable {
    /// One byte for each component at the named place.
    case bytes(red: Int, green: Int, blue: Int, alpha: Int)
    case words
    case halves
    case floats
    case luminance

    var bytesPerPixel: Int {
      switch self {
      case .bytes: 4
      case .words, .halves: 8
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
  /// Whether colours are multiplied by alpha when they are stored.
  var isPremultiplied = true

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
          let pixel = stored(limited(pixels[x].changingColor(exit.stored)))
          for index in 0..<4 { values[4 * x + index] = UInt16((pixel[index] * 65535).rounded()) }
        }
      case .halves:
        let values = row.assumingMemoryBound(to: SIMD4<Float16>.self)
        for x in 0..<part.width {
          values[x] = SIMD4<Float16>(stored(pixels[x].changingColor(exit.stored)))
        }
      case .floats:
        let values = row.assumingMemoryBound(to: SIMD4<Float>.self)
        for x in 0..<part.width { values[x] = stored(pixels[x].changingColor(exit.stored)) }
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
    _ pixels: PixelRows.Row, _ row: UnsafeMutablePointer<UInt8>, _ count: Int, red: Int, green: Int,
    blue: Int,
    alpha: Int
  ) {
    let order = SIMD4(Int32(red), Int32(green), Int32(blue), Int32(alpha))
    guard exit.linear == nil, isPremultiplied else {
      return writeBytes(pixels, nil, row, count, order: order)
    }
    guard let matrix = exit.matrix else { return writeBytes(pixels, pixels, row, count, order: order) }
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { lights in
      guard let lights = lights.baseAddress else { return }
      lights.initialize(from: pixels, count: count)
      PixelRows.multiply(lights, count, by: matrix.columns)
      writeBytes(pixels, lights, row, count, order: order)
    }
  }

  /// - Parameter lights: What is looked up for opaque pixels; `nil` has each pixel computed by itself.
  private func writeBytes(
    _ pixels: PixelRows.Row, _ lights: PixelRows.Row?, _ row: UnsafeMutablePointer<UInt8>, _ count: Int,
    order: SIMD4<Int32>
  ) {
    let isPlain = exit.linear == nil && exit.matrix == nil
    let (red, green, blue, alpha) = (Int(order.x), Int(order.y), Int(order.z), Int(order.w))
    exit.table.withUnsafeBufferPointer { table in
      guard let base = table.baseAddress else { return }
      var x = 0
      while x < count {
        if let lights {
          x += PixelRows.write(lights + x, count - x, by: base, order: order, into: row + 4 * x)
          if x == count { return }
        }
        let bytes = bytes(of: pixels[x], table, isPlain: isPlain)
        (row[4 * x + red], row[4 * x + green]) = (bytes.x, bytes.y)
        (row[4 * x + blue], row[4 * x + alpha]) = (bytes.z, bytes.w)
        x += 1
      }
    }
  }

  /// One pixel of any alpha.
  private func bytes(
    of pixel: SIMD4<Float>, _ table: UnsafeBufferPointer<UInt8>, isPlain: Bool
  ) -> SIMD4<UInt8> {
    let opacity = min(pixel.w, 1)
    guard opacity > 0 else { return .zero }
    let straight = (pixel / pixel.w).withAlpha(pixel.w)
    let light = isPlain ? straight : exit.light(straight)
    let colors = SIMD4(table[index(light.x)], table[index(light.y)], table[index(light.z)], 255)
    if opacity >= PixelRows.opaque { return colors }
    if !isPremultiplied {
      return SIMD4(colors.x, colors.y, colors.z, UInt8((opacity * 255).rounded(.toNearestOrAwayFromZero)))
    }
    return SIMD4<UInt8>((SIMD4<Float>(colors) * opacity).rounded(.toNearestOrAwayFromZero))
  }

  /// A premultiplied pixel as it is stored.
  private func stored(_ pixel: SIMD4<Float>) -> SIMD4<Float> {
    isPremultiplied || pixel.w <= 0 ? pixel : (pixel / pixel.w).withAlpha(pixel.w)
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
    case .ABGR8: .bytes(red: 3, green: 2, blue: 1, alpha: 0)
    case .RGBA16: .words
    case .RGBAh: .halves
    case .RGBAf: .floats
    case .L8: .luminance
    default: nil
    }
  }
}
