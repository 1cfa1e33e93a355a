import CoreVideo
import Foundation
import FoundationExtras
import SeededNumbers
import Testing
import VideoEffects

@Suite("Light on a face")
struct StudioLightTests {
  private let face = CGRect(x: 0.42, y: 0.25, width: 0.16, height: 0.36)

  private func lit(
    _ person: DrawnPerson, faces: [CGRect]? = nil, strength: Double = 1, threads: Int = 1
  ) throws -> Pixels {
    let target = try person.target()
    try StudioLight(threads: threads).apply(
      strength: strength, faces: faces ?? [face], mask: person.refined(), at: 0, from: person.picture(),
      to: target)
    return Pixels(target)
  }

  @Test func `a face becomes brighter, most from the upper left, and the background darker by a quarter`()
    throws
  {
    let person = DrawnPerson(person: YCbCr(y: 120, cb: 110, cr: 150))
    let result = try lit(person)
    let (left, right) = (Int(result[295, 130].y), Int(result[345, 190].y))
    #expect(left > 140 && right > 125 && left > right + 3, "\(left) \(right)")
    for (x, y) in [(20, 20), (620, 30), (60, 340)] {
      #expect(abs(Int(result[x, y].y) - 90) <= 1, "\(result[x, y])")
    }
    // Colour grows with it, a little less.
    let chroma = Int(result[295, 130].cr) - 128
    #expect(chroma > 22 && chroma * 120 < 22 * left, "\(chroma)")
  }

  @Test(arguments: [
    (kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, UInt8(0), UInt8(255)),
    (kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, 16, 235),
  ])
  func `black stays black and white stays white`(_ format: OSType, _ black: UInt8, _ white: UInt8) throws {
    for level in [black, white] {
      let person = DrawnPerson(
        format: format, person: YCbCr(y: level, cb: 128, cr: 128),
        background: YCbCr(y: black, cb: 128, cr: 128))
      let result = try lit(person)
      #expect(result[320, 130] == person.person && result[20, 20] == person.background)
    }
  }

  @Test func `without a face the person stays, without strength all does`() throws {
    let person = DrawnPerson()
    #expect(try lit(person, faces: [])[320, 150] == person.person)
    #expect(try lit(person, strength: 0) == Pixels(person.picture()))
  }

  @Test func `the light follows within a second, without a jump`() throws {
    let person = DrawnPerson(person: YCbCr(y: 120, cb: 110, cr: 150))
    let (light, mask, picture) = (StudioLight(), person.refined(), try person.picture())
    var levels: [Int] = []
    for step in 0..<40 {
      let target = try person.target()
      try light.apply(
        strength: 1, faces: step == 0 ? [] : [face], mask: mask, at: Int64(step) * 33_333_333, from: picture,
        to: target)
      levels.append(Int(Pixels(target)[300, 130].y))
    }
    #expect(levels[0] == 120 && levels[39] > 140)
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 - $0 <= 6 && $1 >= $0 }, "\(levels)")
    #expect(levels[9] - 120 > (levels[39] - 120) / 2)
  }

  @Test(arguments: [(2, 2), (5, 3), (333, 187), (815, 811)])
  func `odd sizes, and the same bytes with one thread and two`(_ width: Int, _ height: Int) throws {
    let person = DrawnPerson(width: width, height: height)
    #expect(try lit(person) == lit(person, threads: 2))
  }
}
