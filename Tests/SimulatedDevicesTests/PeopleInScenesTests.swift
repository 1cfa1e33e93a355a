import CaptureDevice
import CoreVideo
import Foundation
import FoundationExtras
import PeopleFinding
import SimulatedDevices
import Testing

/// A person before a wall, sitting as before a camera for calls.
func sitting(_ person: ScenePerson, at center: CGPoint = CGPoint(x: 0.5, y: 0.77), height: Double = 1.36)
  -> SceneLayer
{
  var layer = SceneLayer(.person(person), center: center, depth: 0.9)
  layer.height = height
  return layer
}

/// Whether this machine has the models of faces, bodies and hands; tests that need them are skipped where it has not.
private let hasModels = [.faces, .bodies, .hands].allSatisfy { ModelFolder.current.obstacle(to: $0) == nil }

@Suite("People in scenes")
struct PeopleInScenesTests {
  private static let size = FrameSize(width: 320, height: 180)

  private func stage(_ layers: [SceneLayer], size: FrameSize = size, noisy: Bool = false) throws -> Stage {
    try Stage(Scene(isStamped: false, isNoisy: noisy, layers: layers), model: .camera(sizes: [size]))
  }

  private func checksum(_ person: ScenePerson, at seconds: Double) throws -> UInt64 {
    try stage([sitting(person)]).camera.truth(at: seconds, size: Self.size).picture.checksum
  }

  // MARK: Time

  @Test func `the same person at the same second is the same picture, and another at another`() throws {
    let person = ScenePerson(poses: [.init(at: 1, .victory)])
    #expect(try checksum(person, at: 2.5) == checksum(person, at: 2.5))
    #expect(try checksum(person, at: 2.5) != checksum(person, at: 2.6))
    #expect(
      try checksum(person, at: 2.5)
        != checksum(ScenePerson(PersonLook(seed: 9), poses: person.poses), at: 2.5))
  }

  @Test func `a stream of a person replays to the byte`() throws {
    func frames() throws -> [UInt64] {
      let layer = sitting(ScenePerson(pose: .wave))
      return try stage([layer], noisy: true).frames(seconds: 0.3).compactMap { $0.buffer?.checksum }
    }
    let first = try frames()
    #expect(first.count == 9 && Set(first).count == 9)
    #expect(try frames() == first)
  }

  @Test func `who is not idle stands still, but for scripted poses, which take 0.3 seconds`() throws {
    let person = ScenePerson(poses: [.init(at: 1, .thumbsUp)], isIdle: false)
    let before = try checksum(person, at: 0)
    #expect(try checksum(person, at: 1) == before)
    let (early, late, after) = (
      try checksum(person, at: 1.1), try checksum(person, at: 1.2), try checksum(person, at: 1.3)
    )
    #expect(Set([before, early, late, after]).count == 4)
    #expect(try checksum(person, at: 60) == after)
  }

  @Test func `head and eyes follow their script`() throws {
    let person = ScenePerson(turns: [.init(at: 1, turn: 20)], blinks: [2], isIdle: false)
    let ahead = try checksum(person, at: 0)
    let aside = try checksum(person, at: 1.5)
    #expect(ahead != aside)
    #expect(try checksum(person, at: 2.09) != aside && checksum(person, at: 2.5) == aside)
  }

  @Test func `a layer goes along its way and rests at its end`() throws {
    var layer = SceneLayer(.color(red: 1, green: 1, blue: 1), center: CGPoint(x: 0.2, y: 0.5), width: 0.1)
    layer.way = [
      SceneWayPoint(at: 1, center: CGPoint(x: 0.2, y: 0.5)),
      SceneWayPoint(at: 2, center: CGPoint(x: 0.8, y: 0.5)),
    ]
    let camera = try stage([layer]).camera
    func isLight(_ x: Double, at seconds: Double) throws -> Bool {
      try camera.truth(at: seconds, size: Self.size).picture.luma(Int(x * 320), 90) > 200
    }
    #expect(try isLight(0.2, at: 0) && isLight(0.2, at: 1) && isLight(0.5, at: 1.5) && isLight(0.8, at: 2))
    #expect(try isLight(0.8, at: 9) && !isLight(0.2, at: 1.5))
  }

  // MARK: Masks and depth

  @Test func `the share of people is exact: what it covers changes with the background, and nothing else`()
    throws
  {
    let person = sitting(ScenePerson(pose: .openHand))
    var front = SceneLayer(
      .color(red: 0.2, green: 0.6, blue: 0.3), center: CGPoint(x: 0.5, y: 0.9), width: 0.3)
    front.velocity = CGPoint(x: 1e-9, y: 0)
    func luma(_ grey: Double) throws -> (CVPixelBuffer, [UInt8]) {
      var scene = Scene(isStamped: false, isNoisy: false, layers: [person, front])
      scene.background = SceneBackground(.color(red: grey, green: grey, blue: grey))
      let camera = try Stage(scene, model: .camera(sizes: [Self.size])).camera
      return (try camera.truth(at: 0, size: Self.size).picture, camera.peopleAlpha(at: 0, size: Self.size))
    }
    let (dark, alpha) = try luma(0.1)
    let (light, same) = try luma(0.9)
    #expect(alpha == same && alpha.count == 320 * 180)
    #expect(alpha.filter { $0 == 255 }.count > 8000 && alpha.filter { $0 == 0 }.count > 20_000)
    for y in 0..<180 {
      for x in 0..<320 where !(110..<210 ~= x && y > 110) {
        let shown = Double(light.luma(x, y)) - Double(dark.luma(x, y))
        let share = Double(alpha[y * 320 + x]) / 255
        #expect(abs(shown / 204 - (1 - share)) < 0.03, "(\(x), \(y)): \(shown) for \(share)")
      }
    }
    #expect(alpha[175 * 320 + 160] == 0, "what stands in front is no person")
  }

  @Test
  func `a person stands out towards the camera: the nose before the cheeks, a raised hand before the chest`()
    throws
  {
    let person = ScenePerson(pose: .heart, isIdle: false)
    let depth = try stage([sitting(person)]).camera.truth(at: 0, size: Self.size).depth
    // From the middle of the head down, in metres of the figure; a metre is 255 pixels.
    func metres(_ x: Double, _ y: Double) -> Float {
      depth.metres(Int(160 + x * 255), Int(0.77 * 180 + (y - 0.48) * 255))
    }
    let (nose, cheek, temple) = (metres(0, 0.143), metres(0.04, 0.15), metres(0.07, 0.1))
    #expect(nose < cheek && cheek < temple && temple < 0.9, "\(nose), \(cheek), \(temple)")
    #expect((0.76...0.84).contains(nose))
    let (hand, chest, arm) = (metres(-0.07, 0.45), metres(0.0, 0.36), metres(0.2, 0.45))
    #expect(hand < chest - 0.1 && arm < 0.95, "\(hand), \(chest), \(arm)")
    #expect(depth.metres(5, 5) == 3)
  }

  @Test func `a person out of focus has the same place, softer`() throws {
    let stage = try stage([sitting(ScenePerson(isIdle: false))])
    let sharp = try stage.camera.truth(at: 0, size: Self.size).picture
    _ = try stage.camera.apply([.lensPosition(0)])
    let soft = try #require(try stage.frames(seconds: 0.3).last?.buffer)
    func edge(_ picture: CVPixelBuffer) -> Int {
      (1..<320).map { abs(Int(picture.luma($0, 40)) - Int(picture.luma($0 - 1, 40))) }.max() ?? 0
    }
    #expect(edge(soft) * 3 < edge(sharp) * 2, "\(edge(soft)) of \(edge(sharp))")
  }

  // MARK: Models

  @Test(
    .enabled(if: hasModels, "there are no models here; run scripts/setup --models"),
    arguments: PersonPose.allCases)
  func `models find the face, the body and each raised hand`(pose: PersonPose) throws {
    let size = FrameSize(width: 1280, height: 720)
    let look = PersonLook(seed: UInt64(pose.rawValue.utf8.reduce(0) { Int($0) + Int($1) }))
    let camera = try stage([sitting(ScenePerson(look, pose: pose))], size: size).camera
    let picture = try camera.truth(at: 1, size: size).picture
    let faces = try FaceFinder().detections(in: picture, part: CGRect(x: 0, y: 0, width: 1280, height: 720))
    #expect(faces.count == 1)
    #expect(faces.first?.box.contains(CGPoint(x: 640, y: 190)) == true)
    #expect(try BodyFinder().bodies(in: picture).count == 1)
    let hands = try HandFinder().hands(in: picture)
    let isTwo = pose.rawValue.hasPrefix("two") || pose == .heart
    let sides: Set<FoundHand.Side> = pose == .armsDown ? [] : isTwo ? [.left, .right] : [.right]
    #expect(Set(hands.map(\.side)) == sides && hands.count == sides.count, "\(hands)")
  }
}
