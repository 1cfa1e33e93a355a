internal import CoreVideo
internal import FoundationExtras
internal import PixelTransforms
internal import StillCodecs

/// The replacement background of a stream, decoded and scaled once; one call at a time.
final class Scenery {
  private struct Key: Hashable {
    var path: String
    var size: PixelSize
    var format: OSType
    var turn: QuarterTurn
  }

  private let transformer = PixelTransformer(bufferLimit: 4)
  private var made: (key: Key, picture: CVPixelBuffer?)?

  /// The picture at `path`, scaled to fill the size of `like`, in its pixel format; the same buffer each time.
  ///
  /// - Parameter turn: The clockwise turn with which viewers see the stream: the picture is upright for them.
  /// - Returns: `nil` when it cannot be read, which is logged once.
  func picture(at path: String, like: CVPixelBuffer, turn: QuarterTurn) -> CVPixelBuffer? {
    let size = PixelSize(width: CVPixelBufferGetWidth(like), height: CVPixelBufferGetHeight(like))
    let key = Key(path: path, size: size, format: CVPixelBufferGetPixelFormatType(like), turn: turn)
    if let made, made.key == key { return made.picture }
    var picture: CVPixelBuffer?
    do {
      let data = try StillFile.read(path)
      let facts = try StillFacts(data)
      let decoded = try facts.decode(data, scale: facts.scale(atLeast: max(size.width, size.height)))
      picture = try transformer.apply(
        FrameTransform(
          rotation: turn.inverse, size: size, scaling: .fill, pixelFormat: key.format,
          matrix: YCbCrMatrix(of: like)), to: decoded)
    } catch {
      Log.note(
        "The picture \(path) is not used as the background, because it cannot be read (\(error)); choose another."
      )
    }
    made = (key, picture)
    return picture
  }
}

extension QuarterTurn {
  /// The inverse turn.
  fileprivate var inverse: QuarterTurn {
    switch self {
    case .none, .half: self
    case .clockwise90: .clockwise270
    case .clockwise270: .clockwise90
    }
  }
}
