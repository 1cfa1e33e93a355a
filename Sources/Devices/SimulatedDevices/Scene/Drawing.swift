internal import CPainting

/// A drawing that can be painted at any size: a function from place to colour.
///
/// Colours are sRGB-coded and premultiplied, components 0 to 1, alpha last. The functions are C, see `CPainting.h`.
protocol Drawing: Sendable {
  /// Height over width; `nil` fills whatever frame it is given.
  var aspect: Double? { get }

  /// Lays a row of pixels over `count` colours; pure: the same place gives the same colour.
  ///
  /// - Parameter run: Places of the drawing: 0 at the left or top edge, 1 at the right or bottom one, also outside; and how
  ///   wide an output pixel is: what is finer than that is smoothed.
  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int)
}

extension Drawing {
  /// The colour at one place.
  func color(u: Float, v: Float, pixel: Float) -> SIMD4<Float> {
    var color = SIMD4<Float>.zero
    paint(painting_run(u: u, v: v, du: 0, dv: 0, pixel: pixel), over: &color, count: 1)
    return color
  }
}

/// One colour, on a square or everywhere.
struct PlainColor: Drawing {
  var red, green, blue: Float
  /// Whether it has no edges.
  var isEndless = false
  var aspect: Double? { nil }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_plain(run, red, green, blue, isEndless, colors, count)
  }
}

/// A head-sized disc with a soft shade, so that focus and motion have something to hold.
struct Disc: Drawing {
  var aspect: Double? { 1 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_disc(run, colors, count)
  }
}

extension QRCode: Drawing {
  var aspect: Double? { 1 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    modules.withUnsafeBytes {
      var code = painting_modules(
        modules: $0.assumingMemoryBound(to: UInt8.self).baseAddress, columns: Int32(size), rows: Int32(size),
        quiet: Int32(Self.quietZone), is_linear: false)
      painting_code(run, &code, colors, count)
    }
  }
}

/// A picture whose edge colours go on for ever.
struct Endless: Drawing {
  let picture: ScenePicture
  var aspect: Double? { picture.aspect }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    picture.paint(run, over: colors, count: count, goesOn: true)
  }
}
