import CoreVideo
import Foundation
import FoundationExtras
import PeopleFinding
import PixelTransforms
import Portraits
import Testing

/// Whether this machine has what finds faces; tests that need it are skipped where it has not.
let hasModels = ModelFolder.current.obstacle(to: .faces) == nil

/// Real models on photographs; nothing of this runs where there are none.
@Suite(
  "Faces in photographs",
  .enabled(if: hasModels, "there are no models here; run scripts/setup --models"))
struct PortraitTests {
  @Test(arguments: Portrait.all)
  func `the face is where it was marked by hand`(_ portrait: Portrait) throws {
    let faces = try FaceFinder().faces(in: portrait.picture())
    #expect(faces.count == 1)
    let face = try #require(faces.first)
    let overlap = face.bounds.overlap(with: portrait.face)
    #expect(overlap >= 0.6, "\(face.bounds) for \(portrait.face): \(overlap)")
  }

  @Test(arguments: QuarterTurn.allCases)
  func `a turned face is found, with its roll`(turn: QuarterTurn) throws {
    for portrait in Portrait.all.prefix(4) {
      let (pixels, place) = try portrait.picture(
        width: 960, height: 720, side: 700, center: CGPoint(x: 480, y: 360), turn: turn)
      let faces = try FaceFinder().faces(in: pixels)
      let face = try #require(faces.first, "\(portrait)")
      #expect(faces.count == 1, "\(portrait): \(faces)")
      #expect(face.bounds.overlap(with: place) >= 0.5, "\(portrait): \(face.bounds) for \(place)")
      let roll = FoundFace.turn(face.rollDegrees - Double(turn.rawValue) + 180) - 180
      #expect(abs(roll) < 20, "\(portrait): \(face.rollDegrees)")
    }
  }

  @Test func `who looks at the camera has a small yaw, who looks away a large one`() throws {
    let front = try #require(try FaceFinder().faces(in: Portrait.astronaut.picture()).first?.yawDegrees)
    #expect(front < 25 || front > 335)
    let aside = try #require(Portrait.all.first { $0.name == "photographer" })
    let yaw = try #require(try FaceFinder().faces(in: aside.picture()).first?.yawDegrees)
    #expect(yaw > 290 && yaw < 340, "he looks to the picture's right: \(yaw)")
  }

  @Test func `a picture without people has no faces`() throws {
    let pixels = try CVPixelBuffer(
      format: kCVPixelFormatType_32BGRA, width: 640, height: 480, attributes: [:])
    #expect(try FaceFinder().faces(in: pixels).isEmpty)
  }

  @Test func `only the part that is asked for is looked at`() throws {
    let (pixels, place) = try Portrait.astronaut.picture(
      width: 960, height: 540, side: 500, center: CGPoint(x: 260, y: 270))
    let live = try LiveFaceFinder()
    let left = CGRect(x: 0, y: 0, width: 480, height: 540)
    #expect(try live.faces(in: pixels, part: left).first?.face.bounds.overlap(with: place) ?? 0 > 0.5)
    live.forget()
    let right = CGRect(x: 480, y: 0, width: 480, height: 540)
    #expect(try live.faces(in: pixels, part: right).isEmpty)
  }

  @Test func `a small face in a large picture is found within a few pictures, and then in each`() throws {
    let (pixels, place) = try Portrait.astronaut.picture(
      width: 1280, height: 720, side: 200, center: CGPoint(x: 1000, y: 460))
    #expect(place.width < 40)
    let live = try LiveFaceFinder()
    let whole = CGRect(x: 0, y: 0, width: 1280, height: 720)
    var found: [Int?] = []
    for _ in 0..<30 { found.append(try live.faces(in: pixels, part: whole).first?.id) }
    let first = try #require(found.firstIndex { $0 != nil })
    #expect(first <= 20)
    #expect(found[first...].allSatisfy { $0 == 1 }, "\(found)")
  }

  @Test(arguments: [QuarterTurn.clockwise90, .half, .clockwise270])
  func `how faces stand is known after a few pictures`(turn: QuarterTurn) throws {
    let (pixels, place) = try Portrait.astronaut.picture(
      width: 640, height: 480, side: 460, center: CGPoint(x: 320, y: 240), turn: turn)
    let live = try LiveFaceFinder()
    let whole = CGRect(x: 0, y: 0, width: 640, height: 480)
    var faces: [LiveFaceFinder.Tracked] = []
    for _ in 0..<6 { faces = try live.faces(in: pixels, part: whole) }
    let face = try #require(faces.first)
    #expect(faces.count == 1)
    #expect(try live.faces(in: pixels, part: whole).map(\.id) == [face.id])
    #expect(face.face.bounds.overlap(with: place) >= 0.6, "\(face.face.bounds) for \(place)")
    #expect(abs(FoundFace.turn(face.face.rollDegrees - Double(turn.rawValue) + 180) - 180) < 12)
  }

  @Test func `a number stays with its face across the picture, beside another`() throws {
    let live = try LiveFaceFinder()
    let whole = CGRect(x: 0, y: 0, width: 960, height: 540)
    var numbers: Set<Int> = []
    for step in 0..<20 {
      let (pixels, place) = try Portrait.astronaut.picture(
        width: 960, height: 540, side: 400, center: CGPoint(x: 200 + Double(step) * 30, y: 250))
      let faces = try live.faces(in: pixels, part: whole)
      #expect(faces.count == 1)
      numbers.formUnion(faces.map(\.id))
      #expect(faces.first?.face.bounds.overlap(with: place) ?? 0 > 0.5, "picture \(step)")
    }
    #expect(numbers == [1])
  }
}
