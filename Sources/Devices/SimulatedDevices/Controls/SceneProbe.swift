internal import CaptureDevice
internal import CoreVideo
internal import Foundation

/// Sees the scene of one moment as a camera's automatics do: depth at a place, and a thumbnail without a sensor's faults.
struct SceneProbe: Sendable {
  let painter: FramePainter
  let seconds: Double
  let size: FrameSize

  /// Pixels in a row of the thumbnail.
  private static let width = 64

  /// A painter of thumbnails with the shape of `frame`.
  static func makePainter(_ frame: FrameSize, model: SimulatedDeviceModel, world: SimulatedWorld)
    -> FramePainter
  {
    let key = PainterKey(
      size: size(frame), format: FourCharacterCodes.fullRange420, usesP3: false, isPicture: true)
    return FramePainter(key, model: model, world: world)
  }

  private static func size(_ frame: FrameSize) -> FrameSize {
    FrameSize(width: width, height: max(width * frame.height / max(frame.width, 1), 2) / 2 * 2)
  }

  init(painter: FramePainter, frame: FrameSize, seconds: Double) {
    self.painter = painter
    self.seconds = seconds
    size = Self.size(frame)
  }

  /// Metres to what is seen at a place.
  func depth(at point: FramePoint, view: FrameView) -> Double {
    painter.depth(at: point, view: view, seconds: seconds)
  }

  /// The middle of the largest face in view; `nil` where none is.
  func face(view: FrameView) -> FramePoint? {
    painter.face(view: view, seconds: seconds)
  }

  /// The mean linear reflectance, 0 to 1, of a tenth of the picture's width around a place.
  func reflectance(at point: FramePoint, view: FrameView) -> Double {
    let column = Int((Double(point.x) * Double(size.width)).rounded())
    let row = Int((Double(point.y) * Double(size.height)).rounded())
    let columns = max(min(column - 3, size.width - 6), 0)..<min(max(column + 3, 6), size.width)
    let rows = max(min(row - 3, size.height - 6), 0)..<min(max(row + 3, 6), size.height)
    var sum = 0.0
    var count = 0.0
    each(view) { y, luma, _ in
      guard rows.contains(y) else { return }
      for x in columns { sum += Double(SRGB.linear(Float(luma[x]) / 255)) }
      count += Double(columns.count)
    }
    return count > 0 ? sum / count : 0.18
  }

  /// The gains with which the whole picture would average to grey; the least is 1.
  func greyWorld(_ optics: CameraOptics, view: FrameView) -> WhiteBalanceGains {
    let parts = LumaMatrix(uses709: false, usesP3: false).toColors
    var sum = SIMD3<Double>.zero
    each(view) { _, luma, chroma in
      for x in 0..<size.width {
        let y = Float(luma[x])
        let cb = Float(chroma[x & ~1]) - 128
        let cr = Float(chroma[x | 1]) - 128
        func linear(_ value: Float) -> Double { Double(SRGB.linear(min(max(value / 255, 0), 1))) }
        sum += SIMD3(
          linear(y + parts.redFromCr * cr), linear(y + parts.greenFromCb * cb + parts.greenFromCr * cr),
          linear(y + parts.blueFromCb * cb))
      }
    }
    return optics.greyGains(mean: sum / Double(size.width * size.height))
  }

  /// Luma of the middle quarter of the picture.
  func middle(view: FrameView) -> [UInt8] {
    let columns = size.width / 4..<size.width * 3 / 4
    let rows = size.height / 4..<size.height * 3 / 4
    var result: [UInt8] = []
    result.reserveCapacity(columns.count * rows.count)
    each(view) { y, luma, _ in
      if rows.contains(y) { for x in columns { result.append(luma[x]) } }
    }
    return result
  }

  /// Calls with each row's luma and colour differences.
  private func each(
    _ view: FrameView, _ body: (Int, UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Void
  ) {
    // Sharp and evenly lit, and zoomed by painting: thumbnails are cheap enough.
    var plain = FrameView()
    plain.lensZoom = view.zoom
    let rows = painter.rows(plain, at: seconds)
    var scratch = rows.makeScratch()
    defer { scratch.free() }
    for pair in 0..<size.height / 2 {
      let source = rows.pair(pair, scratch: &scratch)
      body(pair * 2, source.luma, source.chroma)
      body(pair * 2 + 1, source.nextLuma, source.chroma)
    }
  }
}
