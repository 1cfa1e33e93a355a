import CoreVideo
import FoundationExtras
import PixelTransforms
import SeededNumbers
import Testing
import VideoEffects

@Suite("A background as a lens blurs it")
struct PortraitBlurTests {
  private func blurred(
    _ person: DrawnPerson, _ picture: CVPixelBuffer, strength: Double = 1, threads: Int = 1
  ) throws -> Pixels {
    let target = try person.target()
    try PortraitBlur(threads: threads).apply(
      strength: strength, mask: person.refined(), from: picture, to: target)
    return Pixels(target)
  }

  @Test(arguments: [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
  ])
  func `nobody's colour glows into the background, nor the background's into them`(_ format: OSType) throws {
    let person = DrawnPerson(format: format)
    let result = try blurred(person, person.picture())
    for y in 0..<360 {
      for x in 0..<640 {
        let span = person.span(y)
        // Four pixels beside the edge: an exact mask is rounded to cells of two.
        let isNear = (-4...4).contains { step in
          (0..<360).contains(y + step)
            && (person.span(y + step).map {
              min(abs(x - $0.lowerBound), abs(x - $0.upperBound)) <= 4
            } ?? false) || (span == nil) != (person.span(min(359, max(0, y + step))) == nil)
        }
        if isNear { continue }
        let (color, expected) = (result[x, y], person.isPerson(x, y) ? person.person : person.background)
        guard color == expected else {
          Issue.record("\(color) instead of \(expected) at \(x), \(y)")
          return
        }
      }
    }
  }

  @Test func `without strength nothing changes, not even a level`() throws {
    var numbers = SeededGenerator(usual: 2)
    let person = DrawnPerson()
    let picture = try person.picture(noise: 20, &numbers)
    #expect(try blurred(person, picture, strength: 0) == Pixels(picture))
  }

  /// A picture without people, with one bright light in the dark.
  private func light(_ person: DrawnPerson) throws -> CVPixelBuffer {
    let picture = try DrawnPerson(person: .gray, background: YCbCr(y: 20, cb: 128, cr: 128)).picture()
    CVPixelBufferLockBaseAddress(picture, [])
    defer { CVPixelBufferUnlockBaseAddress(picture, []) }
    for y in 0..<360 {
      let row = picture.planes[0].row(y)
      for x in 0..<640 { row[x] = (316..<324).contains(x) && (176..<184).contains(y) ? 255 : 20 }
    }
    return picture
  }

  @Test func `a light becomes a disc, brighter than its light spread evenly would be`() throws {
    let person = DrawnPerson()
    let target = try person.target()
    let nobody = RefinedMask(PersonMask(width: 1, height: 1, alpha: [0]), width: 640, height: 360)
    try PortraitBlur().apply(strength: 1, mask: nobody, from: light(person), to: target)
    let result = Pixels(target)
    // The radius is 0.04 of 360 lines.
    let (middle, inside, outside) = (
      Int(result[320, 180].y), Int(result[320 + 8, 180].y), Int(result[320 + 24, 180].y)
    )
    #expect(abs(middle - inside) <= 3 && outside == 20, "\(middle) \(inside) \(outside)")
    #expect(abs(middle - Int(result[320, 180 - 8].y)) <= 3 && abs(middle - Int(result[314, 174].y)) <= 3)
    #expect(middle > 20 + 3 * 235 * 64 / 650, "\(middle)")
  }

  @Test func `the stronger, the more is blurred, and the person stays as they are`() throws {
    var numbers = SeededGenerator(usual: 4)
    let person = DrawnPerson()
    let picture = try person.picture(noise: 40, &numbers)
    let before = Pixels(picture)
    func roughness(_ pixels: Pixels) -> Int {
      (10..<90).reduce(0) { sum, y in
        sum + (10..<150).reduce(0) { $0 + abs(Int(pixels[$1, y].y) - Int(pixels[$1 + 1, y].y)) }
      }
    }
    var last = roughness(before)
    for strength in [0.02, 0.1, 0.4] {
      let result = try blurred(person, picture, strength: strength)
      let now = roughness(result)
      #expect(now < last, "\(strength)")
      last = now
      for y in stride(from: 100, to: 240, by: 3) {
        for x in 300..<340 { #expect(result[x, y] == before[x, y]) }
      }
    }
  }

  @Test(arguments: [(2, 2), (5, 3), (333, 187), (815, 811)])
  func `odd sizes, and the same bytes with one thread and two`(_ width: Int, _ height: Int) throws {
    var numbers = SeededGenerator(usual: 6)
    let person = DrawnPerson(width: width, height: height)
    let picture = try person.picture(noise: 30, &numbers)
    #expect(try blurred(person, picture) == blurred(person, picture, threads: 2))
  }

  @Test func `a target that does not fit is refused`() throws {
    let person = DrawnPerson()
    let picture = try person.picture()
    for target in [picture, try DrawnPerson(width: 320).target()] {
      #expect(throws: PixelTransformError.destinationUnsuitable) {
        try PortraitBlur().apply(strength: 1, mask: person.refined(), from: picture, to: target)
      }
    }
    #expect(throws: PixelTransformError.destinationUnsuitable) {
      try PortraitBlur().apply(
        strength: 1, mask: DrawnPerson(width: 320).refined(), from: picture, to: person.target())
    }
  }
}
