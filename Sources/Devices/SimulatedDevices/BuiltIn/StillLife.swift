internal import CPainting

// What stands on the table of the built-in scene; `StillLife.c` and `Prints.c` say how each looks.

/// A wall of plaster above a wooden table; goes on in all directions.
///
/// The phone stands upright, so what is up lies to the left of the sensor's frame.
struct Room: Drawing, Relief {
  /// Of the wall in metres; the table comes nearer from there.
  let depth: Double
  var aspect: Double? { 0.75 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_room(run, colors, count)
  }

  func relief(_ run: painting_run, width: Float, into metres: UnsafeMutablePointer<Float>, count: Int) {
    painting_room_relief(run, Float(depth), metres, count)
  }
}

/// A ball in one colour, with a highlight; an apple or an orange when it has a `skin`.
struct Ball: Drawing, Relief {
  var red: Float
  var green: Float
  var blue: Float
  /// The roughness of the skin; 0 is polished.
  var skin: Float = 0
  var hasStalk = false
  var aspect: Double? { 1 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_ball(run, red, green, blue, skin, hasStalk, colors, count)
  }

  func relief(_ run: painting_run, width: Float, into metres: UnsafeMutablePointer<Float>, count: Int) {
    painting_ball_relief(run, metres, count)
    for index in 0..<count { metres[index] *= width }
  }
}

/// A glazed vase with three twigs.
struct Vase: Drawing {
  var aspect: Double? { 2 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_vase(run, colors, count)
  }
}

/// The shadow of an object on the table.
struct Shadow: Drawing {
  var aspect: Double? { 0.3 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_shadow(run, colors, count)
  }
}

/// Twenty-four patches to judge colours by: skin, sky, leaves, primaries, and a scale of greys.
struct ColorChart: Drawing {
  var aspect: Double? { 0.68 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_chart(run, colors, count)
  }
}

/// A framed picture of hills before an evening sky.
struct Landscape: Drawing {
  var aspect: Double? { 1.25 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_landscape(run, colors, count)
  }
}

/// A face of the kind that a child draws: enough to stand before the front cameras.
struct Face: Drawing {
  var aspect: Double? { 1.25 }

  func paint(_ run: painting_run, over colors: UnsafeMutablePointer<SIMD4<Float>>, count: Int) {
    painting_face(run, colors, count)
  }
}
