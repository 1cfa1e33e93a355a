internal import CoreVideo

/// One application of a transform to memory: decides the order of the steps and runs them.
struct TransformRun {
  let transform: FrameTransform
  let scratch: ScratchMemory
  let threads: Int
  let sourceEncoding: YCbCrEncoding
  let targetEncoding: YCbCrEncoding

  /// Writes `source` under the transform to `target`; returns the bytes written, steps in between included.
  func write(_ source: PixelView, to target: PixelView) throws -> Int {
    let rect = transform.crop ?? PixelRect(source.size)
    guard rect.x >= 0, rect.y >= 0, rect.width > 0, rect.height > 0,
      rect.x + rect.width <= source.width, rect.y + rect.height <= source.height
    else { throw PixelTransformError.cropOutside(rect, of: source.size) }

    let cut = transform.cut(of: source.size, for: target.size)
    var place = PixelRect(target.size)
    var bytes = 0
    switch transform.scaling {
    case .stretch, .fill:
      break
    case .fit:
      let shape = transform.rotation.isTransposing ? rect.size.transposed : rect.size
      place = PixelRect.center(of: target.size, aspect: shape)
      if place.size != target.size {
        // Whole colour samples, or the bars' edge would tint the picture.
        place.x &= ~1
        place.y &= ~1
        target.fillBlack(targetEncoding)
        bytes += target.byteCount
      }
    }
    return bytes + steps(source.cropped(to: cut), to: target.cropped(to: place))
  }

  /// Turn, scale and convert, each only when it changes something; every one reads a picture and writes the next.
  private func steps(_ source: PixelView, to target: PixelView) -> Int {
    let isTurning = transform.rotation != .none || transform.isMirrored
    let turned = transform.rotation.isTransposing ? source.size.transposed : source.size
    let isScaling = turned != target.size
    guard isTurning || isScaling else { return convert(source, to: target) }

    // Geometry happens in a layout whose planes hold whole samples.
    let kind = source.layout.geometryKind
    if source.layout.kind != kind {
      return through(kind, size: source.size, isFullRange: source.layout.isFullRange) { picture in
        RowConversion(
          source: source, target: picture, sourceEncoding: sourceEncoding, targetEncoding: sourceEncoding
        ).run(threads: threads)
        return picture.byteCount + steps(picture, to: target)
      }
    }

    let isSameLayout = target.layout == source.layout && sourceEncoding.matrix == targetEncoding.matrix
    let isShrinking = target.width * target.height < source.width * source.height
    switch (isTurning, isScaling) {
    case (true, true) where isShrinking:
      let small = transform.rotation.isTransposing ? target.size.transposed : target.size
      return through(kind, size: small, isFullRange: source.layout.isFullRange) { picture in
        PictureGeometry.scale(source, to: picture, threads: threads)
        return picture.byteCount + steps(picture, to: target)
      }
    case (true, true):
      return through(kind, size: turned, isFullRange: source.layout.isFullRange) { picture in
        turn(source, to: picture)
        return picture.byteCount + untransformed.steps(picture, to: target)
      }
    case (true, false) where isSameLayout:
      turn(source, to: target)
      return target.byteCount
    case (false, _) where isSameLayout:
      PictureGeometry.scale(source, to: target, threads: threads)
      return target.byteCount
    default:
      return through(kind, size: target.size, isFullRange: source.layout.isFullRange) { picture in
        if isTurning {
          turn(source, to: picture)
        } else {
          PictureGeometry.scale(source, to: picture, threads: threads)
        }
        return picture.byteCount + convert(picture, to: target)
      }
    }
  }

  /// The same run for a picture that is turned already.
  private var untransformed: TransformRun {
    TransformRun(
      transform: .identity, scratch: scratch, threads: threads, sourceEncoding: sourceEncoding,
      targetEncoding: targetEncoding)
  }

  private func turn(_ source: PixelView, to target: PixelView) {
    PictureGeometry.turn(
      source, to: target, rotation: transform.rotation, isMirrored: transform.isMirrored, threads: threads)
  }

  private func convert(_ source: PixelView, to target: PixelView) -> Int {
    if source.layout.kind == .biplanar420Deep || source.layout.kind == .grayDeep,
      target.layout == source.layout, sourceEncoding == targetEncoding
    {
      // Through 8-bit rows it would lose the lower bits.
      PictureGeometry.turn(source, to: target, rotation: .none, isMirrored: false, threads: threads)
    } else {
      RowConversion(
        source: source, target: target, sourceEncoding: sourceEncoding, targetEncoding: targetEncoding
      ).run(threads: threads)
    }
    return target.byteCount
  }

  private func through(
    _ kind: PixelLayout.Kind, size: PixelSize, isFullRange: Bool, _ body: (PixelView) -> Int
  ) -> Int {
    scratch.lend(PixelView.bytes(kind, size: size)) { memory in
      body(PixelView(kind, isFullRange: isFullRange, size: size, memory: memory))
    }
  }
}
