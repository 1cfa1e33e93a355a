import CoreVideo
import Foundation
import ObscuraCommands
import SeededNumbers
import Testing

@Suite("Motion")
struct MotionFinderTests {
  private static let whole = CGRect(x: 0, y: 0, width: 1, height: 1)
  private static let size = (width: 64, height: 36)

  /// A wall with some texture, at ten pictures a second.
  private func grid(_ change: (_ x: Int, _ y: Int) -> Float = { _, _ in 0 }) -> LumaGrid {
    let (width, height) = Self.size
    return LumaGrid(
      width: width, height: height,
      cells: (0..<width * height).map { index in
        let (x, y) = (index % width, index / width)
        return 90 + Float((x * 7 + y * 13) % 40) + change(x, y)
      })
  }

  private func square(at left: Int, _ top: Int, side: Int = 6, change: Float = 60) -> LumaGrid {
    grid { x, y in
      (left..<left + side).contains(x) && (top..<top + side).contains(y) ? change : 0
    }
  }

  /// A finder that knows the wall.
  private func acquainted(
    _ sensitivity: MotionFinder.Sensitivity = .medium, in region: CGRect = Self.whole
  ) -> MotionFinder {
    var finder = MotionFinder(sensitivity, in: region)
    for number in -30...0 { _ = finder.motion(in: grid(), at: Double(number) / 10) }
    return finder
  }

  @Test func `what moves is found where it is, and a still picture is still`() {
    var finder = MotionFinder(.medium, in: Self.whole)
    for number in 0..<20 { #expect(finder.motion(in: grid(), at: Double(number) / 10) == nil) }
    let box = finder.motion(in: square(at: 32, 18), at: 2)
    #expect(box == CGRect(x: 0.5, y: 0.5, width: 6.0 / 64, height: 6.0 / 36))
  }

  @Test func `a thing that has stopped is no motion after a while, and its going away is one`() {
    var finder = acquainted()
    for number in 1..<100 { _ = finder.motion(in: square(at: 32, 18), at: Double(number) / 10) }
    #expect(finder.motion(in: square(at: 32, 18), at: 10) == nil)
    #expect(finder.motion(in: grid(), at: 10.1) != nil)
  }

  @Test(arguments: MotionFinder.Sensitivity.allCases)
  func `noise is no motion`(sensitivity: MotionFinder.Sensitivity) {
    var finder = MotionFinder(sensitivity, in: Self.whole)
    var generator = SeededGenerator(seed: 5)
    for number in 0..<300 {
      let noisy = grid { _, _ in Float.random(in: -2.5...2.5, using: &generator) }
      #expect(finder.motion(in: noisy, at: Double(number) / 10) == nil, "picture \(number)")
    }
  }

  @Test func `slow changes of the light are no motion, and what moves in them is`() {
    var finder = MotionFinder(.medium, in: Self.whole)
    for number in 0..<200 {
      let light = Float(number) * 0.4
      #expect(finder.motion(in: grid { _, _ in light }, at: Double(number) / 10) == nil)
    }
    let light: Float = 80
    let picture = grid { x, y in
      light + ((10..<16).contains(x) && (10..<16).contains(y) ? 50 : 0)
    }
    #expect(finder.motion(in: picture, at: 20) != nil)
  }

  @Test func `a lamp that is switched on is no motion`() {
    var finder = acquainted()
    // Brighter on one side than on the other, so that the median is not the whole of it.
    let lit = grid { x, _ in 20 + Float(x) * 2 }
    for number in 1..<10 { #expect(finder.motion(in: lit, at: Double(number) / 10) == nil) }
  }

  @Test func `motion outside of the region does not count`() {
    var finder = acquainted(.high, in: CGRect(x: 0, y: 0, width: 0.5, height: 1))
    #expect(finder.motion(in: square(at: 40, 10), at: 0.1) == nil)
    #expect(finder.motion(in: square(at: 10, 10), at: 0.2) != nil)
  }

  @Test func `less sensitive is what needs more change`() {
    func finds(_ sensitivity: MotionFinder.Sensitivity, change: Float) -> Bool {
      var finder = acquainted(sensitivity)
      return finder.motion(in: square(at: 10, 10, change: change), at: 0.1) != nil
    }
    #expect(finds(.high, change: 6) && !finds(.medium, change: 6))
    #expect(finds(.medium, change: 12) && !finds(.low, change: 12))
    #expect(finds(.low, change: 30))
  }

  @Test func `the exposure's factor is no motion, and the first pictures are none`() {
    var finder = acquainted()
    for number in 1..<10 {
      let factor = number % 2 == 0 ? Float(1.4) : 0.8
      let (width, height) = Self.size
      let plain = grid()
      let picture = LumaGrid(width: width, height: height, cells: plain.cells.map { $0 * factor })
      #expect(finder.motion(in: picture, at: Double(number) / 10) == nil, "picture \(number)")
    }
    var newcomer = MotionFinder(.medium, in: Self.whole)
    #expect(newcomer.motion(in: grid(), at: 0) == nil)
    #expect(newcomer.motion(in: square(at: 32, 18), at: 0.2) == nil)
  }

  @Test func `after a pause the picture is a new beginning`() {
    var finder = acquainted()
    #expect(finder.motion(in: square(at: 10, 10), at: 60) == nil)
  }

  @Test func `a picture's cells are the means of its luma`() throws {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 640, 360, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    let picture = try #require(made)
    CVPixelBufferLockBaseAddress(picture, [])
    let base = try #require(CVPixelBufferGetBaseAddressOfPlane(picture, 0))
    let row = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
    for y in 0..<360 {
      for x in 0..<640 { base.storeBytes(of: x < 320 ? 40 : 200, toByteOffset: y * row + x, as: UInt8.self) }
    }
    CVPixelBufferUnlockBaseAddress(picture, [])
    let grid = try #require(LumaGrid(picture))
    #expect(grid.width == 64 && grid.height == 36)
    #expect(grid.cells[0] == 40 && grid.cells[31] == 40 && grid.cells[32] == 200 && grid.cells[63] == 200)
  }
}
