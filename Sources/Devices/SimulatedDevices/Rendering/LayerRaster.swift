internal import CaptureDevice
internal import Dispatch

/// One layer painted by itself: premultiplied sRGB-coded colours in bytes, of the part that a canvas can see.
///
/// Immutable once made; 4 bytes a pixel.
final class LayerRaster: @unchecked Sendable {  // Safe because nothing writes after init.
  let columns: Range<Int>
  let rows: Range<Int>
  /// What the layer lies on: beyond its edges, its edge goes on.
  let canvas: FrameSize
  let pixels: UnsafeMutablePointer<SIMD4<UInt8>>

  /// Paints `layer`, whose frame is the canvas, on all cores when it is large.
  init(_ layer: PlacedLayer, canvas: FrameSize) {
    columns = layer.columns
    rows = layer.rows
    self.canvas = canvas
    let count = columns.count * rows.count
    pixels = .allocate(capacity: max(count, 1))
    let bands = count < 100_000 ? 1 : 32
    let target = self
    DispatchQueue.concurrentPerform(iterations: bands) { band in
      target.paint(layer, rows: target.band(band, of: bands))
    }
  }

  deinit {
    pixels.deallocate()
  }

  private func band(_ index: Int, of count: Int) -> Range<Int> {
    rows.lowerBound + rows.count * index / count..<rows.lowerBound + rows.count * (index + 1) / count
  }

  private func paint(_ layer: PlacedLayer, rows: Range<Int>) {
    let line = UnsafeMutablePointer<SIMD4<Float>>.allocate(capacity: canvas.width)
    defer { line.deallocate() }
    for row in rows {
      for column in columns { line[column] = .zero }
      layer.blend(row: row, over: line)
      let target = pixels + (row - self.rows.lowerBound) * columns.count - columns.lowerBound
      for column in columns {
        var color = line[column] * 255 + 0.5
        color.clamp(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        // Lane by lane: the conversion of whole vectors asks each number for its exponent and takes ten times as long.
        target[column] = SIMD4(UInt8(color.x), UInt8(color.y), UInt8(color.z), UInt8(color.w))
      }
    }
  }

  /// The pixels of a row of the canvas from `columns.lowerBound` on; `nil` where the layer is not.
  @inline(__always)
  func row(_ row: Int) -> UnsafeMutablePointer<SIMD4<UInt8>>? {
    rows.contains(row) ? pixels + (row - rows.lowerBound) * columns.count : nil
  }
}

/// How a layer looks in one view.
struct LayerAppearance: Hashable, Sendable {
  /// Its place among the layers; -1 is the background.
  var index: Int
  /// The blur circle's diameter in pixels of the frame.
  var blur: Float
  /// What its linear light is multiplied by.
  var light: Float

  var isPlain: Bool { blur == 0 && light == 1 }
}

/// Where layers are painted before a view is cut out of them.
struct Canvas: Hashable, Sendable {
  /// How much larger than at zoom 1 things appear, were the canvas as wide as the frame.
  var zoom: Double
  /// How many pixels the canvas has for one of the frame's.
  var scale: Double
  var frame: FrameSize

  var width: Double { Double(frame.width) * scale }
  var height: Double { Double(frame.height) * scale }
  var size: FrameSize {
    FrameSize(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
  }

  /// The canvas of a view: fine enough for its crop, but no finer than the sensor.
  init(_ view: FrameView, frame: FrameSize) {
    zoom = view.lensZoom
    self.frame = frame
    let finest = max(Double(view.photosites) / Double(frame.width), 1)
    var scale = 1.0
    while scale < view.crop { scale *= 2 }
    self.scale = min(scale, finest)
  }

  /// A canvas that is the frame.
  init(zoom: Double, frame: FrameSize) {
    self.zoom = zoom
    scale = 1
    self.frame = frame
  }
}
