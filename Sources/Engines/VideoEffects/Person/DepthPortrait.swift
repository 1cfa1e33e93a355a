package import CoreVideo
package import DepthMaps
package import Foundation
internal import PixelTransforms

/// Blurs what is out of focus, as a lens with a wide aperture does, by how far away it is.
///
/// For 420v and 420f pictures of any size; one stream, one call at a time. What is as far away as the person in focus stays sharp, be it a
/// chair or another person, and the blur grows with the distance from there. The masks get the picture's own edges. Cost at 1080 lines,
/// on one thread: 20 ms.
package final class DepthPortrait {
  private let blur: PortraitBlur
  private let mattes: (slight: PersonMatte, full: PersonMatte)
  private let transformer = PixelTransformer(bufferLimit: 4, threads: 1)
  private var focus: (metres: Double, time: Int64)?

  /// How long the focus takes to go two thirds of the way to another plane, in nanoseconds.
  private static let focusing = 200_000_000.0

  /// A portrait of one stream, which works on up to so many threads; the pictures are the same with any number.
  package init(threads: Int = 1) {
    blur = PortraitBlur(threads: threads)
    mattes = (
      PersonMatte(threads: threads, confidence: 0...1), PersonMatte(threads: threads, confidence: 0...1)
    )
  }

  /// Writes the picture with what is out of focus blurred into `target`; attachments stay as they are.
  ///
  /// - Parameters:
  ///   - strength: As of ``PortraitBlur``.
  ///   - depth: Shows what the picture shows, edge to edge, or more.
  ///   - part: What of the map the picture shows, in the map's width and height from its top left.
  ///   - faces: In the picture's width and height from its top left, largest first: the first is in focus. Without any the nearest
  ///     things in the middle are.
  ///   - nanoseconds: When the picture was taken, on any clock.
  ///   - target: Another buffer of the same size and format.
  /// - Returns: `false` where the map says nothing, and nothing was written.
  /// - Throws: `PixelTransformError`.
  package func apply(
    strength: Double, depth: DepthMap, part: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1),
    faces: [CGRect], at nanoseconds: Int64, from source: CVPixelBuffer, to target: CVPixelBuffer
  ) throws -> Bool {
    let shown = faces.map { face in
      CGRect(
        x: part.minX + face.minX * part.width, y: part.minY + face.minY * part.height,
        width: face.width * part.width, height: face.height * part.height)
    }
    guard let metres = FocusMasks.focus(of: depth, faces: shown),
      let masks = FocusMasks(depth, part: part, focus: focused(on: metres, at: nanoseconds))
    else { return false }
    let between = try transformer.makeBuffer(
      size: PixelSize(width: CVPixelBufferGetWidth(source), height: CVPixelBufferGetHeight(source)),
      pixelFormat: CVPixelBufferGetPixelFormatType(source))
    let slight = try mattes.slight.mask(from: masks.slight, of: source, at: nanoseconds)
    let full = try mattes.full.mask(from: masks.full, of: source, at: nanoseconds)
    try blur.apply(strength: strength / 2, mask: slight, from: source, to: between)
    try blur.apply(strength: strength, mask: full, from: between, to: target)
    return true
  }

  /// The plane in focus, which follows the one wanted without jumps.
  private func focused(on metres: Double, at time: Int64) -> Double {
    guard let focus, time >= focus.time, time - focus.time < PersonMatte.longestGap else {
      self.focus = (metres, time)
      return metres
    }
    let share = 1 - exp(-Double(time - focus.time) / Self.focusing)
    let new = 1 / (1 / focus.metres + (1 / metres - 1 / focus.metres) * share)
    self.focus = (new, time)
    return new
  }
}
