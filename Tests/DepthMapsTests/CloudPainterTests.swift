import DepthMaps
import SeededNumbers
import Testing

@Suite struct `Drawing point clouds` {
  private let background: UInt32 = 0xFF00_0000

  private func drawn(
    _ points: [PointCloud.Point], _ view: CloudView, spacing: Float = 0, focal: Float = 50, width: Int = 100,
    height: Int = 80
  ) -> [UInt32] {
    var painter = CloudPainter()
    var pixels = [UInt32](repeating: 7, count: width * height)
    pixels.withUnsafeMutableBufferPointer { pixels in
      painter.paint(
        PointCloud(points: points, spacing: spacing), from: view, focal: focal, background: background,
        width: width, height: height, into: pixels)
    }
    return pixels
  }

  /// The places of a colour, by columns and rows.
  private func places(_ pixels: [UInt32], _ color: UInt32, width: Int = 100) -> [[Int]] {
    pixels.indices.filter { pixels[$0] == color }.map { [$0 % width, $0 / width] }
  }

  @Test func `the camera's own view shows a point where the camera saw it, on the background`() {
    let pixels = drawn([.init(x: 0.5, y: -0.25, z: 1, color: 1)], CloudView(pivot: 1))
    #expect(places(pixels, 1) == [[75, 27]])
    #expect(pixels.filter { $0 == background }.count == 100 * 80 - 1)
  }

  @Test func `what is nearer hides what is farther, whichever comes first`() {
    let (near, far) = (
      PointCloud.Point(x: 0, y: 0, z: 1, color: 1), PointCloud.Point(x: 0, y: 0, z: 2, color: 2)
    )
    for points in [[near, far], [far, near]] {
      #expect(places(drawn(points, CloudView(pivot: 1)), 1) == [[50, 40]])
      #expect(places(drawn(points, CloudView(pivot: 1)), 2).isEmpty)
    }
  }

  @Test func `seen from behind, the farther one hides the nearer`() {
    var view = CloudView(pivot: 1.5)
    view.yaw = .pi
    // A little beside the middle, so that rounding puts both into one pixel.
    let points = [
      PointCloud.Point(x: 0.005, y: 0.005, z: 1, color: 1), .init(x: 0.005, y: 0.005, z: 2, color: 2),
    ]
    #expect(places(drawn(points, view), 2).count == 1)
    #expect(places(drawn(points, view), 1).isEmpty)
  }

  @Test func `a turn by a quarter around each axis leaves the pivot where it is`() {
    let points = [PointCloud.Point(x: 0, y: 0, z: 1, color: 1), .init(x: 0.2, y: 0, z: 1, color: 2)]
    var roll = CloudView(pivot: 1)
    roll.roll = .pi / 2
    #expect(places(drawn(points, roll), 2) == [[50, 50]])
    var yaw = CloudView(pivot: 1)
    yaw.yaw = .pi / 2
    // The right side is turned away, behind the pivot.
    #expect(yaw.place(x: 0.2, y: 0, z: 1, focal: 50, width: 100, height: 80).distance > 1.19)
    for view in [roll, yaw] {
      let place = view.place(x: 0, y: 0, z: 1, focal: 50, width: 100, height: 80)
      #expect(abs(place.x - 50) < 0.01 && abs(place.y - 40) < 0.01 && place.distance == 1)
    }
  }

  @Test func `zoom comes nearer, a shift moves in heights of the picture`() {
    var view = CloudView(pivot: 1)
    view.zoom = 2
    view.shift = SIMD2(0.125, -0.25)
    // At half a metre 0.1 m are ten pixels, and the shift is 10 to the right and 20 up.
    #expect(places(drawn([.init(x: 0.1, y: 0, z: 1, color: 1)], view), 1) == [[70, 20]])
  }

  @Test func `what is behind the viewer or beside the picture is not drawn`() {
    var view = CloudView(pivot: 1)
    view.zoom = 4
    let points = [
      PointCloud.Point(x: 0, y: 0, z: 0.5, color: 1), .init(x: 5, y: 0, z: 1, color: 1),
      .init(x: 0, y: -5, z: 1, color: 1), .init(x: 0, y: 0, z: 0.75, color: 1),
    ]
    #expect(places(drawn(points, view), 1).isEmpty)
  }

  @Test func `a surface has no holes, turned and near`() {
    var view = CloudView(pivot: 1)
    view.yaw = 0.4
    view.zoom = 1.5
    let spacing: Float = 0.02
    var points: [PointCloud.Point] = []
    for row in -60...60 {
      for column in -60...60 {
        points.append(.init(x: Float(column) * spacing, y: Float(row) * spacing, z: 1, color: 1))
      }
    }
    let pixels = drawn(points, view, spacing: spacing)
    var holes = 0
    for row in 20..<60 { for column in 30..<70 where pixels[row * 100 + column] != 1 { holes += 1 } }
    #expect(holes == 0)
  }

  @Test func `a painter draws each picture anew, also of another size`() {
    var painter = CloudPainter()
    for (width, color) in [(10, UInt32(1)), (10, 2), (6, 3)] {
      var pixels = [UInt32](repeating: 9, count: width * 4)
      pixels.withUnsafeMutableBufferPointer { pixels in
        painter.paint(
          PointCloud(points: [.init(x: 0, y: 0, z: 1, color: color)], spacing: 0), from: CloudView(pivot: 1),
          focal: 5, background: 0, width: width, height: 4, into: pixels)
      }
      #expect(pixels.filter { $0 != 0 } == [color])
    }
  }

  @Test func `random views and points stay within the picture`() {
    var numbers = SeededGenerator(seed: 11)
    func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &numbers) }
    for _ in 0..<200 {
      var view = CloudView(pivot: number(0.1...3))
      (view.yaw, view.pitch, view.roll) = (number(-7...7), number(-7...7), number(-7...7))
      view.zoom = number(0.1...20)
      view.shift = SIMD2(number(-3...3), number(-3...3))
      var points = (0..<100).map { _ in
        PointCloud.Point(x: number(-3...3), y: number(-3...3), z: number(0.01...6), color: 1)
      }
      for far: Float in [1e20, 3e38, .infinity] { points.append(.init(x: 0, y: 0, z: far, color: 1)) }
      let pixels = drawn(points, view, spacing: number(0...0.3))
      #expect(pixels.allSatisfy { $0 == 1 || $0 == background })
    }
  }
}
