import CEffects
import CoreVideo
import FoundationExtras
import PixelTransforms
import SeededNumbers
import Testing
import VideoEffects

@Suite("People before another picture")
struct BackgroundReplacementTests {
  private let person = DrawnPerson(person: .red, background: .green)

  /// A picture of one colour.
  private func scenery(_ person: DrawnPerson, _ color: YCbCr) throws -> CVPixelBuffer {
    var all = person
    (all.person, all.background) = (color, color)
    return try all.picture()
  }

  private func replaced(_ person: DrawnPerson, _ mask: RefinedMask, threads: Int = 1) throws -> Pixels {
    let target = try person.target()
    try BackgroundReplacement(threads: threads).apply(
      scenery: scenery(person, .blue), mask: mask, from: person.picture(), to: target)
    return Pixels(target)
  }

  @Test func `the background is the new picture, and the person is the old one`() throws {
    let result = try replaced(person, person.refined())
    for (x, y) in [(10, 10), (600, 100), (320, 20), (30, 300)] { #expect(result[x, y] == .blue) }
    for (x, y) in [(320, 150), (300, 180), (320, 340), (250, 355)] { #expect(result[x, y] == .red) }
  }

  @Test func `no colour of the old background is left at the edge`() throws {
    var numbers = SeededGenerator(usual: 8)
    let picture = try person.picture(noise: 3, &numbers)
    let mask = try PersonMatte.mask(from: person.coarse(), of: picture)
    let target = try person.target()
    try BackgroundReplacement().apply(scenery: scenery(person, .blue), mask: mask, from: picture, to: target)
    let result = Pixels(target)
    // Green is the only one of the three that has little of both differences.
    let green = (0..<180).reduce(0) { sum, y in
      sum + (0..<320).count { result[2 * $0, 2 * y].cb < 85 && result[2 * $0, 2 * y].cr < 90 }
    }
    #expect(green == 0)
  }

  @Test(arguments: [(2, 2), (5, 3), (333, 187), (815, 811)])
  func `odd sizes, and the same bytes with one thread and two`(_ width: Int, _ height: Int) throws {
    let person = DrawnPerson(width: width, height: height, background: .green)
    #expect(try replaced(person, person.refined()) == replaced(person, person.refined(), threads: 2))
  }

  @Test func `a picture of another size is refused`() throws {
    let small = try scenery(DrawnPerson(width: 320), .blue)
    #expect(throws: PixelTransformError.destinationUnsuitable) {
      try BackgroundReplacement().apply(
        scenery: small, mask: person.refined(), from: person.picture(), to: person.target())
    }
  }
}
