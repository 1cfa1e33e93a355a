import CoreVideo
import Foundation
import PeopleFinding
import PixelTransforms
import Portraits
import Testing

@Suite("Reading a body")
struct BodyReadingTests {
  /// A person made of points from (100, 40) to (149, 219), hips at 130 and knees at 180, in a view of 256.
  private func reading(hips: Float = 130, knees: Float = 180) throws -> BodyReading {
    var marks = [Float](repeating: 0, count: BodyReading.markCount * BodyReading.numbersPerMark)
    func set(_ mark: Int, _ x: Float, _ y: Float) {
      marks[mark * BodyReading.numbersPerMark] = x
      marks[mark * BodyReading.numbersPerMark + 1] = y
    }
    set(23, 140, hips)
    set(24, 110, hips - 2)
    set(25, 140, knees)
    set(26, 110, knees + 3)
    set(33, 125, 130)
    set(34, 125, 50)
    var mask = [Float](repeating: -5, count: BodyReading.side * BodyReading.side)
    for y in 40..<220 { for x in 100..<150 { mask[y * BodyReading.side + x] = 5 } }
    return try #require(
      marks.withUnsafeBufferPointer { marks in
        mask.withUnsafeBufferPointer { BodyReading(marks: marks, mask: $0) }
      })
  }

  private let all = CGRect(x: 0, y: 0, width: 256, height: 256)

  @Test func `the upper body ends at the hips, the full body where the person ends`() throws {
    let body = try #require(try reading().body(in: all, score: 0.9))
    #expect(body.fullBody == CGRect(x: 100, y: 40, width: 50, height: 180))
    #expect(body.upperBody == CGRect(x: 100, y: 40, width: 50, height: 90))
    #expect(body.score == 0.9)
  }

  @Test func `where the picture ends above the knees there is no full body`() throws {
    let toThighs = CGRect(x: 0, y: 0, width: 256, height: 170)
    let body = try #require(try reading().body(in: toThighs, score: 1))
    #expect(body.fullBody == nil && body.upperBody.maxY == 130)
    let toChest = CGRect(x: 0, y: 0, width: 256, height: 100)
    let bust = try #require(try reading().body(in: toChest, score: 1))
    #expect(bust.fullBody == nil && bust.upperBody == CGRect(x: 100, y: 40, width: 50, height: 60))
  }

  @Test func `beside the person there is no other`() throws {
    #expect(try reading().body(in: CGRect(x: 160, y: 0, width: 96, height: 256), score: 1) == nil)
  }

  @Test func `the next look is around the hips, with room for the whole body`() throws {
    #expect(try reading().neighbourhood == CGRect(x: 25, y: 30, width: 200, height: 200))
  }

  @Test func `outputs of another size, or that are no numbers, are no body`() {
    let few: [Float] = [1, 2]
    let mask = [Float](repeating: 1, count: BodyReading.side * BodyReading.side)
    let broken = [Float](repeating: .nan, count: BodyReading.markCount * BodyReading.numbersPerMark)
    for marks in [few, broken] {
      let reading = marks.withUnsafeBufferPointer { marks in
        mask.withUnsafeBufferPointer { BodyReading(marks: marks, mask: $0) }
      }
      #expect(reading == nil)
    }
  }
}

/// Whether this machine has what finds people.
let hasBodyModels = ModelFolder.current.obstacle(to: .bodies) == nil

@Suite(
  "People in photographs", .enabled(if: hasBodyModels, "there are no models here; run scripts/setup --models")
)
struct PeopleTests {
  @Test(
    arguments: zip(
      Portrait.all,
      [
        CGRect(x: 24, y: 12, width: 340, height: 500), CGRect(x: 18, y: 18, width: 419, height: 494),
        CGRect(x: 20, y: 12, width: 360, height: 500), CGRect(x: 8, y: 22, width: 218, height: 262),
        CGRect(x: 0, y: 62, width: 330, height: 340),
      ]))
  func `the upper body is where it was marked by hand`(_ portrait: Portrait, place: CGRect) throws {
    let body = try #require(try BodyFinder().bodies(in: portrait.picture()).first)
    let overlap = body.upperBody.overlap(with: place)
    #expect(overlap >= 0.6, "\(body.upperBody) for \(place): \(overlap)")
  }

  @Test func `a person keeps the number while moving, and one on the side is found after a few pictures`()
    throws
  {
    for turn in [QuarterTurn.none, .clockwise270] {
      let live = try LiveBodyFinder()
      let whole = CGRect(x: 0, y: 0, width: 640, height: 480)
      var numbers: [[Int]] = []
      for step in 0..<10 {
        let (pixels, _) = try Portrait.astronaut.picture(
          width: 640, height: 480, side: 400, center: CGPoint(x: 220 + Double(step) * 20, y: 250), turn: turn)
        numbers.append(try live.bodies(in: pixels, part: whole).map(\.id))
      }
      #expect(numbers.suffix(6).allSatisfy { $0 == [1] }, "\(turn): \(numbers)")
    }
  }
}
