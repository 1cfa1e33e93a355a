import CodeReading
import Foundation
import SeededNumbers
import Testing

/// Codes that do not lie flat and upright before the camera.
@Suite("Codes in space")
struct CodePlacementTests {
  /// The corners of a code in the picture, clockwise from its own top left.
  private struct Place {
    var corners: [CGPoint]

    /// A square of `side` pixels around (`x`, `y`), turned clockwise by `angle` degrees, then tilted away from the eye.
    init(x: Double, y: Double, side: Double, angle: Double, tilt: Double) {
      let turn = angle * .pi / 180
      let lean = tilt * .pi / 180
      corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { corner in
        let across = (corner.0 * cos(turn) - corner.1 * sin(turn)) * side / 2
        let along = (corner.0 * sin(turn) + corner.1 * cos(turn)) * side / 2
        let scale = 1 / (1 + along * sin(lean) / (4 * side))
        return CGPoint(x: x + across * scale, y: y + along * cos(lean) * scale)
      }
    }

    /// The place in the square, 0 to 1 each way, that lies at (`x`, `y`); `nil` far outside.
    ///
    /// Source: Heckbert, Fundamentals of Texture Mapping and Image Warping (1989), 2.2.3.
    func unplace(_ x: Double, _ y: Double) -> (Double, Double)? {
      let (a, b, c, d) = (corners[0], corners[1], corners[2], corners[3])
      let sum = CGPoint(x: a.x - b.x + c.x - d.x, y: a.y - b.y + c.y - d.y)
      let first = CGPoint(x: b.x - c.x, y: b.y - c.y)
      let second = CGPoint(x: d.x - c.x, y: d.y - c.y)
      let whole = first.x * second.y - second.x * first.y
      let g = (sum.x * second.y - second.x * sum.y) / whole
      let h = (first.x * sum.y - sum.x * first.y) / whole
      // x (g s + h t + 1) = (b.x - a.x + g b.x) s + (d.x - a.x + h d.x) t + a.x, and so for y.
      let m = (b.x - a.x + g * b.x - g * x, d.x - a.x + h * d.x - h * x, x - a.x)
      let n = (b.y - a.y + g * b.y - g * y, d.y - a.y + h * d.y - h * y, y - a.y)
      let determinant = m.0 * n.1 - m.1 * n.0
      let s = (m.2 * n.1 - m.1 * n.2) / determinant
      let t = (m.0 * n.2 - m.2 * n.0) / determinant
      return s >= -0.2 && s < 1.2 && t >= -0.2 && t < 1.2 ? (s, t) : nil
    }
  }

  /// Paints `code`, whose modules `shift` has moved, at `place`; three by three places a pixel.
  private func paint(
    _ code: DrawnCode, at place: Place, in picture: inout CodePicture,
    shift: (Double, Double) -> (Double, Double) = { _, _ in (0, 0) }
  ) {
    let side = Double(code.width - 8)
    let columns = place.corners.map(\.x).sorted()
    let rows = place.corners.map(\.y).sorted()
    let (left, right) = (Int(columns[0]) - 12, Int(columns[3]) + 12)
    let (top, bottom) = (Int(rows[0]) - 12, Int(rows[3]) + 12)
    for y in top...bottom {
      for x in left...right {
        var sum = 0
        for part in 0..<9 {
          let at = (Double(x) + (Double(part % 3) + 0.5) / 3, Double(y) + (Double(part / 3) + 0.5) / 3)
          guard let (s, t) = place.unplace(at.0, at.1) else {
            sum += 187
            continue
          }
          let moved = shift(s, t)
          let column = Int((s * side + moved.0 + 4).rounded(.down))
          let row = Int((t * side + moved.1 + 4).rounded(.down))
          let isInside = column >= 0 && row >= 0 && column < code.width && row < code.height
          sum += isInside ? Int(code.modules[row * code.width + column] / 2 + 60) : 187
        }
        picture.pixels[y * picture.width + x] = UInt8(sum / 9)
      }
    }
  }

  @Test func `corners of turned and tilted codes are within two pixels at 1080p`() throws {
    var picture = CodePicture(width: 1920, height: 1080, ground: 187)
    var places: [String: Place] = [:]
    for index in 0..<12 {
      let text = index % 2 == 0 ? "code \(index)" : "a longer one, of version 3: code \(index)"
      let place = Place(
        x: 240 + Double(index % 4) * 480, y: 180 + Double(index / 4) * 360, side: 110 + 12 * Double(index),
        angle: Double(index) * 40, tilt: Double(index % 5) * 10)
      paint(try DrawnCode(.qr, text), at: place, in: &picture)
      places[text] = place
    }
    let found = try CodeReader(kinds: [.qr]).codes(in: picture.buffer(), effort: .light)
    #expect(Set(found.compactMap(\.text)) == Set(places.keys))
    #expect(found.count == places.count)
    for code in found {
      let place = try #require(code.text.flatMap { places[$0] })
      for (corner, expected) in zip(code.corners, place.corners) {
        let apart = hypot(corner.x - expected.x, corner.y - expected.y)
        #expect(apart <= 2, "\(code.text ?? ""): \(corner) is not \(expected)")
      }
    }
  }

  @Test func `a mirrored code's corners are its own`() throws {
    var picture = CodePicture(width: 200, height: 200, ground: 187)
    let code = try DrawnCode(.qr, "mirror")
    picture.paint(code, x: 20, y: 30, scale: 5)
    for row in 0..<200 { picture.pixels[row * 200..<(row + 1) * 200].reverse() }
    let read = try #require(try CodeReader(kinds: [.qr]).codes(in: picture.buffer(), effort: .light).first)
    #expect(read.text == "mirror")
    let (right, top) = (200.0 - 40, 50.0)
    let side = 5 * Double(code.width - 8)
    let expected = [(right, top), (right - side, top), (right - side, top + side), (right, top + side)]
    for (corner, place) in zip(read.corners, expected) {
      #expect(abs(corner.x - place.0) <= 1 && abs(corner.y - place.1) <= 1, "\(corner) is not \(place)")
    }
  }

  @Test func `a code on cloth is read at a light look`() throws {
    var picture = CodePicture(width: 300, height: 300, ground: 187)
    paint(
      try DrawnCode(.qr, "printed on a shirt, and worn by somebody"),
      at: Place(x: 150, y: 150, side: 200, angle: 5, tilt: 10), in: &picture
    ) { s, t in
      // Nowhere near the squares, and more than a module in between.
      let wave = sin(s * .pi) * sin(t * .pi)
      return (0.9 * wave, 0.9 * wave * cos(2 * s))
    }
    let found = try CodeReader(kinds: [.qr]).codes(in: picture.buffer(), effort: .light)
    #expect(found.map(\.text) == ["printed on a shirt, and worn by somebody"])
  }

  @Test(arguments: [2, 4, 6, 8, 12, 24])
  func `of many codes in one picture none is overlooked`(count: Int) throws {
    var picture = CodePicture(width: 600, height: 480, ground: 187)
    for index in 0..<count {
      let code = try DrawnCode(.qr, "\(index)")
      picture.paint(code, x: 4 + index % 6 * 99, y: 6 + index / 6 * 117, scale: 2 + index % 2)
    }
    let found = try CodeReader(kinds: [.qr]).codes(in: picture.buffer(), effort: .light)
    #expect(found.compactMap(\.text).sorted() == (0..<count).map(String.init).sorted())
  }

  @Test func `a code that is lost in noise is read at a light look`() throws {
    var picture = CodePicture(width: 640, height: 480, ground: 187)
    paint(
      try DrawnCode(.qr, "noise"), at: Place(x: 420, y: 330, side: 110, angle: 28, tilt: 25), in: &picture)
    var numbers = SeededGenerator(seed: 1)
    for index in picture.pixels.indices {
      let even = numbers.next()
      // The sum of four even spreads: near enough to a bell, with a deviation of 10.
      var noise = -510
      for shift: UInt64 in [24, 32, 40, 48] { noise += Int((even >> shift) & 0xFF) }
      picture.pixels[index] = UInt8(clamping: Int(picture.pixels[index]) + noise * 10 / 148)
    }
    let found = try CodeReader(kinds: [.qr]).codes(in: picture.buffer(), effort: .light)
    #expect(found.map(\.text) == ["noise"])
  }
}
