internal import CoreVideo
internal import Foundation
internal import FoundationExtras
internal import PixelTransforms

extension NeuralModel {
  /// Runs the model on a view of a picture.
  ///
  /// Cost: one reduction of the seen part, and the model.
  ///
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  func infer(_ pixels: CVPixelBuffer, _ view: SquareView, _ transformer: PixelTransformer) throws {
    try withReduced(
      pixels, view.source, turn: view.turn,
      to: PixelSize(width: view.target.width, height: view.target.height), transformer
    ) { bgra, bytesPerRow in
      clear()
      put(
        bgra, bytesPerRow: bytesPerRow, x: view.target.x, y: view.target.y, width: view.target.width,
        height: view.target.height)
    }
    try run()
  }

  /// The detections by `shape` in a part of a picture: each object once, the surest first, in pixels of the input, and
  /// the view that converts them to the picture's; `nil` when the part is empty.
  ///
  /// - Parameter share: The least overlap of two boxes of one object.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  func detections(
    in pixels: CVPixelBuffer, part: CGRect, turn: QuarterTurn = .none, _ shape: DetectorShape, share: Double,
    _ transformer: PixelTransformer
  ) throws -> (found: [Detection], view: SquareView)? {
    let size = PixelSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    guard let view = SquareView(of: part, in: size, turn: turn, side: shape.side) else { return nil }
    try infer(pixels, view, transformer)
    guard let scores = output(of: shape.anchors.count),
      let places = output(of: shape.anchors.count * shape.numbersPerAnchor)
    else { return nil }
    return (shape.detections(places: places, scores: scores).blended(above: share), view)
  }

  /// Runs the model on a turned square of a picture; `false` when it is empty.
  ///
  /// Cost: one reduction of the upright rectangle around the square to the input's scale, and the model.
  ///
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  func infer(
    _ pixels: CVPixelBuffer, _ square: TurnedSquare, _ transformer: PixelTransformer
  ) throws -> Bool {
    guard square.side >= 1, square.side.isFinite, square.center.x.isFinite, square.center.y.isFinite else {
      return false
    }
    let seen = square.outline.intersection(pixels.bounds)
    guard !seen.isNull, seen.width >= 1, seen.height >= 1 else { return false }
    let (left, top) = (Int(seen.minX) & ~1, Int(seen.minY) & ~1)
    let source = PixelRect(
      x: left, y: top, width: Int(seen.maxX.rounded(.up)) - left, height: Int(seen.maxY.rounded(.up)) - top)
    let scale = Double(size.width) / square.side
    let reduced = PixelSize(
      width: max(1, Int((Double(source.width) * scale).rounded())),
      height: max(1, Int((Double(source.height) * scale).rounded())))
    try withReduced(pixels, source, turn: .none, to: reduced, transformer) { bgra, bytesPerRow in
      fill(from: bgra, bytesPerRow: bytesPerRow, width: reduced.width, height: reduced.height) { unit in
        let place = square.picturePoint(unit)
        return CGPoint(
          x: (place.x - Double(source.x)) * Double(reduced.width) / Double(source.width),
          y: (place.y - Double(source.y)) * Double(reduced.height) / Double(source.height))
      }
    }
    try run()
    return true
  }

  /// Runs the model on a part of a picture, turned and stretched to the whole input.
  ///
  /// Cost: one reduction of the part, and the model.
  ///
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  func infer(
    _ pixels: CVPixelBuffer, stretching part: PixelRect, turn: QuarterTurn, _ transformer: PixelTransformer
  ) throws {
    try withReduced(pixels, part, turn: turn, to: size, transformer) { bgra, bytesPerRow in
      put(bgra, bytesPerRow: bytesPerRow, x: 0, y: 0, width: size.width, height: size.height)
    }
    try run()
  }

  /// Lends `source` of a picture, turned and reduced to `size`, as BGRA.
  private func withReduced(
    _ pixels: CVPixelBuffer, _ source: PixelRect, turn: QuarterTurn, to size: PixelSize,
    _ transformer: PixelTransformer, _ body: (UnsafePointer<UInt8>, _ bytesPerRow: Int) -> Void
  ) throws {
    let small = try transformer.apply(
      FrameTransform(
        crop: source, rotation: turn, size: size, pixelFormat: kCVPixelFormatType_32BGRA), to: pixels)
    let locked = CVPixelBufferLockBaseAddress(small, .readOnly)
    guard locked == kCVReturnSuccess, let base = CVPixelBufferGetBaseAddress(small) else {
      throw PixelTransformError.bufferUnavailable(locked)
    }
    defer { CVPixelBufferUnlockBaseAddress(small, .readOnly) }
    body(UnsafePointer(base.assumingMemoryBound(to: UInt8.self)), CVPixelBufferGetBytesPerRow(small))
  }
}

extension CVBuffer {
  /// All of the picture.
  var bounds: CGRect {
    CGRect(x: 0, y: 0, width: CVPixelBufferGetWidth(self), height: CVPixelBufferGetHeight(self))
  }
}
