import CaptureDevice
import CoreVideo
import Foundation
import PeopleFinding
import SeededNumbers
import SimulatedDevices
import Testing

/// Real models on drawn people; nothing of this runs where there are none.
@Suite(
  "Gestures in scenes",
  .enabled(
    if: ModelFolder.current.obstacle(to: .hands) == nil,
    "there are no models of hands here; run scripts/setup --models"))
struct GesturesInScenesTests {
  private static let size = FrameSize(width: 640, height: 360)

  /// The gestures that are recognised in a scene, of which a picture is read each tenth of a second.
  fileprivate static func gestures(_ layers: [SceneLayer], from start: Double = 0, seconds: Double) throws
    -> [(
      sign: HandSign, at: Double
    )]
  {
    let scene = Scene(isStamped: false, layers: layers)
    let camera = try Stage(scene, model: .camera(sizes: [Self.size])).camera
    let finder = try LiveGestureFinder()
    let whole = CGRect(x: 0, y: 0, width: Self.size.width, height: Self.size.height)
    // The head of someone who sits before the camera.
    let face = CGRect(x: 284, y: 40, width: 72, height: 105)
    return try (0...Int(seconds * 10)).compactMap { step in
      let time = start + Double(step) / 10
      let picture = try camera.truth(at: time, size: Self.size).picture
      let gesture = try finder.gesture(in: picture, part: whole, faces: [face], at: Int64(time * 1e9))
      return gesture.map { ($0.sign, time) }
    }
  }

  private static let signs: [(PersonPose, HandSign)] = [
    (.thumbsUp, .thumbsUp), (.thumbsDown, .thumbsDown), (.victory, .victory), (.horns, .horns),
    (.twoThumbsUp, .twoThumbsUp), (.twoThumbsDown, .twoThumbsDown), (.twoVictory, .twoVictory),
    (.twoHorns, .twoHorns), (.heart, .heart),
  ]

  @Test(arguments: signs)
  func `a sign is recognised about a second after the hands are there`(pose: PersonPose, sign: HandSign)
    throws
  {
    let look = PersonLook(seed: UInt64(HandSign.allCases.firstIndex(of: sign) ?? 0))
    let person = sitting(ScenePerson(look, poses: [.init(at: 0.4, pose)]))
    let seen = try Self.gestures([person], seconds: 2.4)
    #expect(seen.map(\.sign) == [sign])
    #expect(seen.first?.at ?? 9 <= 2, "\(seen)")
  }

  @Test func `signs that pass and hands that wave are none`() throws {
    let fleeting = PersonPose.allCases.enumerated().map { index, pose in
      ScenePerson.PoseChange(at: Double(index) * 0.5, pose)
    }
    #expect(try Self.gestures([sitting(ScenePerson(poses: fleeting))], seconds: 6).isEmpty)
    #expect(try Self.gestures([sitting(ScenePerson(pose: .wave))], seconds: 2).isEmpty)
    #expect(try Self.gestures([sitting(ScenePerson(pose: .openHand))], seconds: 2).isEmpty)
  }

  @Test func `an empty room has none`() throws {
    #expect(try Self.gestures([], seconds: 1.5).isEmpty)
  }
}

/// What hands do in a long call that is no sign; ten minutes of it with `OBSCURA_STRESS=1`.
@Suite(
  "Gesture Stress",
  .enabled(
    if: ModelFolder.current.obstacle(to: .hands) == nil,
    "there are no models of hands here; run scripts/setup --models"))
struct GestureStressTests {
  private static let isLong = ProcessInfo.processInfo.environment["OBSCURA_STRESS"] != nil
  private static let seconds = 50.0

  @Test(arguments: 0..<(isLong ? 12 : 1))
  func `hands that wave, rest and pass through signs are none`(seed: Int) throws {
    var numbers = SeededGenerator(seed: UInt64(seed) + 35)
    let quiet: [PersonPose] = [.wave, .openHand, .armsDown]
    let signs = PersonPose.allCases.filter { !quiet.contains($0) }
    let length = Self.isLong ? Self.seconds : 10
    var changes: [ScenePerson.PoseChange] = []
    var time = 0.5
    while time < length {
      // For half a second at most, of which the arms take a part to get there; what is held longer is a sign.
      changes.append(.init(at: time, signs[Int.random(in: signs.indices, using: &numbers)]))
      time += Double.random(in: 0.3...0.5, using: &numbers)
      changes.append(.init(at: time, quiet[Int.random(in: quiet.indices, using: &numbers)]))
      time += Double.random(in: 0.5...4, using: &numbers)
    }
    let person = ScenePerson(PersonLook(seed: UInt64(seed)), poses: changes)
    let seen = try GesturesInScenesTests.gestures([sitting(person)], seconds: length)
    #expect(seen.isEmpty, "\(seen)")
  }
}
