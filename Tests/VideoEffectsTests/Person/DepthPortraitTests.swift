import CoreVideo
import DepthMaps
import Foundation
import FoundationExtras
import SeededNumbers
import Testing
import VideoEffects

@Suite("A background as a lens blurs it, by its depth")
struct DepthPortraitTests {
  private let person = DrawnPerson()

  /// Where the person stands at one metre, and what is behind at another depth; every fourth place of the picture.
  private func depth(
    behind: Float, person metres: Float = 1, quantity: DepthMap.Quantity = .depth,
    hole: (Int, Int) -> Bool = { _, _ in false }
  ) -> DepthMap {
    let values = (0..<90).flatMap { y in
      (0..<160).map { x -> Float in
        if hole(4 * x, 4 * y) { return .nan }
        let value = person.isPerson(4 * x + 2, 4 * y + 2) ? metres : behind
        return quantity == .depth ? value : 1 / value
      }
    }
    return DepthMap(width: 160, height: 90, quantity: quantity, values: values)
  }

  private func blurred(
    _ picture: CVPixelBuffer, _ depth: DepthMap, part: CGRect = CGRect(x: 0, y: 0, width: 1, height: 1),
    strength: Double = 1, threads: Int = 1
  ) throws -> Pixels {
    let target = try person.target()
    let face = CGRect(x: 0.42, y: 0.3, width: 0.16, height: 0.25)
    let isDrawn = try DepthPortrait(threads: threads).apply(
      strength: strength, depth: depth, part: part, faces: [face], at: 0, from: picture, to: target)
    #expect(isDrawn)
    return Pixels(target)
  }

  private func noisy() throws -> CVPixelBuffer {
    var numbers = SeededGenerator(usual: 3)
    return try person.picture(noise: 20, &numbers)
  }

  /// How much neighbours differ in a part of the background, far from the person, or in the middle of the face.
  private func detail(_ pixels: Pixels, ofPerson: Bool = false) -> Int {
    let columns = ofPerson ? 300..<340 : 20..<100
    return (120..<170).reduce(0) { sum, y in
      sum + columns.reduce(0) { $0 + abs(Int(pixels[$1, y].y) - Int(pixels[$1 + 1, y].y)) }
        / columns.count
    }
  }

  @Test func `what is farther is blurred more, and the person not at all`() throws {
    let picture = try noisy()
    let sharp = detail(Pixels(picture))
    let details = try [1.1, 1.3, 1.4, 4].map { try detail(blurred(picture, depth(behind: $0))) }
    #expect(details[0] == sharp)
    #expect(details[1] < sharp && details[2] < details[1] && details[3] == 0, "\(details) of \(sharp)")
    let person = try detail(blurred(picture, depth(behind: 4)), ofPerson: true)
    #expect(person == detail(Pixels(picture), ofPerson: true))
  }

  @Test func `what is nearer than the person is blurred, too`() throws {
    let picture = try noisy()
    let result = try blurred(picture, depth(behind: 0.5))
    #expect(detail(result) < detail(Pixels(picture)) / 2)
    #expect(detail(result, ofPerson: true) == detail(Pixels(picture), ofPerson: true))
  }

  @Test func `disparity says the same as depth, and as many threads as there are give the same bytes`() throws
  {
    let picture = try noisy()
    let result = try blurred(picture, depth(behind: 3))
    #expect(try blurred(picture, depth(behind: 3), threads: 3) == result)
    let other = try blurred(picture, depth(behind: 3, quantity: .disparity))
    #expect(abs(detail(other) - detail(result)) <= 1)
  }

  @Test func `what the sensor does not see beside the person is background`() throws {
    let picture = try noisy()
    // The shadow of the projector, which stands at the right of the lens.
    let holes = depth(behind: 3) { x, y in
      guard let span = person.span(y) else { return false }
      return (span.lowerBound - 40..<span.lowerBound).contains(x)
    }
    let whole = try blurred(picture, depth(behind: 3)), filled = try blurred(picture, holes)
    let differing = (0..<360).reduce(0) { sum, y in
      sum + (0..<640).count { abs(Int(whole[$0, y].y) - Int(filled[$0, y].y)) > 12 }
    }
    #expect(differing < 640 * 360 / 200, "\(differing)")
  }

  @Test func `rows of which nothing is known are as their neighbours`() throws {
    let picture = try noisy()
    let cut = depth(behind: 3) { _, y in y < 60 }
    #expect(try detail(blurred(picture, cut)) == detail(blurred(picture, depth(behind: 3))))
  }

  @Test func `a part of the map is laid upon the picture, and a map of nothing leaves it alone`() throws {
    let masks = FocusMasks(
      DepthMap(width: 4, height: 1, quantity: .depth, values: [1, 1, 9, 9]),
      part: CGRect(x: 0.25, y: 0, width: 0.5, height: 1), focus: 1)
    #expect(masks?.slight.alpha == [255, 0] && masks?.full.alpha == [255, 0])
    let beyond = FocusMasks(
      DepthMap(width: 2, height: 1, quantity: .depth, values: [1, 9]),
      part: CGRect(x: -0.5, y: 0, width: 2, height: 1), focus: 1)
    #expect(beyond?.slight.alpha == [255, 255, 0, 0])
    let unknown = DepthMap(width: 2, height: 2, quantity: .depth, values: [0, 0, 0, 0])
    let isDrawn = try DepthPortrait().apply(
      strength: 1, depth: unknown, faces: [], at: 0, from: person.picture(), to: person.target())
    #expect(!isDrawn)
  }

  @Test func `without a face the nearest thing in the middle is in focus`() {
    #expect(FocusMasks.focus(of: depth(behind: 4, person: 1.5), faces: []) == 1.5)
    #expect(
      FocusMasks.focus(
        of: depth(behind: 4, person: 1.5), faces: [CGRect(x: 0, y: 0, width: 0.1, height: 0.1)])
        == 4)
  }
}
