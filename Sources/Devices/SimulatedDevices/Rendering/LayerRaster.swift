internal import CPainting
internal import CaptureDevice
internal import Dispatch
internal import Foundation

/// One layer painted by itself: premultiplied sRGB-coded colours in bytes, of the part that a canvas can see.
///
/// Immutable once made; 4 bytes a pixel.
final class LayerRaster: @unchecked Sendable {  // Safe because nothing writes after init.
  let columns: Range<Int>
  let rows: Range<Int>
  /// The size of the canvas: beyond its edges, its edge pixels go on.
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
      memset(line + columns.lowerBound, 0, columns.count * MemoryLayout<SIMD4<Float>>.stride)
      layer.blend(row: row, over: line)
      painting_pack(
        line + columns.lowerBound, pixels + (row - self.rows.lowerBound) * columns.count, columns.count)
    }
  }

  /// The pixels of a row of the canvas from `columns.lowerBound` on; `nil` where the layer is not.
  @inline(__always)
  func row(_ row: Int) -> UnsafeMutablePointer<SIMD4<UInt8>>? {
    rows.contains(row) ? pixels + (row - rows.lowerBound) * columns.count : nil
  }
}

extension LayerRaster {
  /// Runs `body` on the layer as C reads it, in the light of `tones`.
  func withTones(_ tones: [Float]?, _ body: (inout painting_raster) -> Void) {
    func run(_ tones: UnsafePointer<Float>?) {
      var raster = painting_raster(
        pixels: pixels, left: columns.lowerBound, top: rows.lowerBound, width: columns.count,
        height: rows.count, canvas_width: canvas.width, canvas_height: canvas.height, tones: tones)
      body(&raster)
    }
    guard let tones else { return run(nil) }
    tones.withUnsafeBufferPointer { run($0.baseAddress) }
  }
}

/// The appearance of a layer in one view.
struct LayerAppearance: Hashable, Sendable {
  /// Its place among the layers; -1 is the background.
  var index: Int
  /// The blur circle's diameter in pixels of the frame.
  var blur: Float
  /// The factors of its linear red, green and blue.
  var light: SIMD3<Float>

  var isPlain: Bool { blur == 0 && light == .one }
}

/// The canvas on which layers are painted before a view is cut out of it.
struct LayerCanvas: Hashable, Sendable {
  /// The magnification of things against zoom 1, were the canvas as wide as the frame.
  var zoom: Double
  /// The canvas's pixels for one of the frame's.
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
