import CoreVideo
import Dispatch
import Foundation
import PixelTransforms
import SeededNumbers
import Testing

import VideoEffects

/// Reactions as pictures: what is drawn, where, and when.
struct ReactionTests {
  private var renderer: ReactionRenderer { .shared }

  private func drawn(_ scene: ReactionScene, width: Int = 320, height: Int = 180) throws -> ReactionPicture {
    let picture = try ReactionPicture(width: width, height: height)
    try renderer.draw(scene, into: picture.buffer)
    return picture
  }

  @Test(arguments: ReactionKind.allCases)
  func `a reaction is seen, and gone after its duration`(kind: ReactionKind) throws {
    let empty = try ReactionPicture().bytes
    let duration = Double(kind.durationNanoseconds) / 1e9
    #expect(try drawn(ReactionScene(kind, after: duration / 2)).bytes != empty)
    #expect(try drawn(ReactionScene(kind, after: duration)).bytes == empty)
    #expect(try drawn(ReactionScene(kind, after: -0.001)).bytes == empty)
    #expect(ReactionScene(kind, after: duration - 0.001).isVisible)
    #expect(!ReactionScene(kind, after: duration).isVisible)
  }

  @Test(arguments: ReactionKind.allCases)
  func `a reaction begins and ends without a jump`(kind: ReactionKind) throws {
    let duration = Double(kind.durationNanoseconds) / 1e9
    let empty = try ReactionPicture().bytes
    for time in [0.0, 0.016, duration - 0.016, duration - 0.000_001] {
      let bytes = try drawn(ReactionScene(kind, after: time)).bytes
      let change = zip(bytes, empty).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(Double(change) / Double(bytes.count) < 0.6, "at \(time) s")
    }
  }

  @Test(arguments: ReactionKind.allCases)
  func `the same reaction and time give the same bytes, in any order and on any thread`(kind: ReactionKind)
    throws
  {
    let times = [1.9, 0.4, 2.6, 0.4]
    let expected = try times.map { try drawn(ReactionScene(kind, after: $0)).bytes }
    #expect(expected[1] == expected[3])
    let pictures = try times.map { _ in try ReactionPicture() }
    // A second renderer, so that the threads make their shapes at once.
    let other = ReactionRenderer()
    DispatchQueue.concurrentPerform(iterations: times.count) { index in
      let index = times.count - 1 - index
      try? other.draw(ReactionScene(kind, after: times[index]), into: pictures[index].buffer)
    }
    for (picture, bytes) in zip(pictures, expected) { #expect(picture.bytes == bytes) }
  }

  @Test(arguments: [ReactionKind.balloons, .heart, .fireworks, .rain, .confetti, .lasers])
  func `another seed gives another picture`(kind: ReactionKind) throws {
    #expect(
      try drawn(ReactionScene(kind, after: 1.5, seed: 1)).bytes
        != drawn(ReactionScene(kind, after: 1.5, seed: 2)).bytes)
  }

  @Test(arguments: ReactionKind.allCases)
  func `nothing is written beside the pixels of odd sizes`(kind: ReactionKind) throws {
    for (width, height) in [(161, 121), (90, 160), (33, 17), (2, 2), (1, 1)] {
      let picture = try ReactionPicture(width: width, height: height)
      let padding = picture.padding
      for time in [0.3, 1.2, 2.4] {
        var scene = ReactionScene(kind, after: time)
        scene.mask = .columns(4..<9)
        try renderer.draw(scene, into: picture.buffer)
      }
      #expect(picture.padding == padding)
    }
  }

  @Test(arguments: [ReactionKind.balloons, .fireworks, .lasers])
  func `a person is in front of what is behind`(kind: ReactionKind) throws {
    var scene = ReactionScene(kind, after: 2)
    scene.mask = PersonMask(width: 2, height: 2, alpha: [255, 255, 255, 255])
    let list = SpriteList(of: scene, view: ViewerSpace(stored: SIMD2(320, 180), turn: .none))
    #expect(!list.behind.isEmpty)
    // Over a person who fills the picture nothing is drawn but what is in front.
    let covered = try drawn(scene).bytes
    scene.mask = nil
    let open = try drawn(scene).bytes
    func change(_ bytes: [UInt8]) throws -> Int {
      try zip(bytes, ReactionPicture().bytes).filter { abs(Int($0) - Int($1)) > 40 }.count
    }
    // A third of the balloons is in front, and larger.
    #expect(try change(covered) * 4 < change(open) * (kind == .balloons ? 3 : 1))
  }

  @Test func `the background is dimmed and the person less`() throws {
    var scene = ReactionScene(.fireworks, after: 0.7)
    scene.mask = .columns(0..<8)
    let luma = try drawn(scene).plane(0)
    let (person, background) = (luma[170 * 320 + 20], luma[170 * 320 + 300])
    #expect(background < 75)
    #expect(person > 95 && person < 120)
  }

  @Test func `two reactions are drawn together`() throws {
    var both = ReactionScene(.thumbsUp, after: 1)
    both.reactions += ReactionScene(.confetti, after: 1).reactions
    let bytes = try drawn(both).bytes
    #expect(try bytes != drawn(ReactionScene(.thumbsUp, after: 1)).bytes)
    #expect(try bytes != drawn(ReactionScene(.confetti, after: 1)).bytes)
    let list = SpriteList(of: both, view: ViewerSpace(stored: SIMD2(320, 180), turn: .none))
    #expect(list.front.contains { $0.shape == .bubble(isUp: true) })
    #expect(list.front.contains { if case .confetti = $0.shape { true } else { false } })
  }

  @Test(arguments: ReactionKind.allCases)
  func `the number of shapes is bounded`(kind: ReactionKind) {
    for time in stride(from: 0.05, to: 5, by: 0.25) {
      let list = SpriteList(
        of: ReactionScene(kind, after: time), view: ViewerSpace(stored: SIMD2(1920, 1080), turn: .none))
      #expect(list.behind.count + list.front.count + list.light.count < 700)
    }
  }

  @Test func `shapes that were prepared are not made again`() throws {
    let picture = try ReactionPicture()
    let prepared = ReactionRenderer()
    prepared.prepare([.thumbsUp, .confetti], for: picture.buffer)
    let count = prepared.shapeCount
    #expect(count > 10)
    for time in [0.2, 1, 2.5] {
      try prepared.draw(ReactionScene(.thumbsUp, after: time, seed: 9), into: picture.buffer)
      try prepared.draw(ReactionScene(.confetti, after: time, seed: 0), into: picture.buffer)
    }
    #expect(prepared.shapeCount == count)
  }

  @Test func `another format is refused with its name`() throws {
    let picture = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 64, height: 48)
    #expect(throws: PixelTransformError.formatUnsupported(kCVPixelFormatType_32BGRA)) {
      try renderer.draw(ReactionScene(.heart, after: 1), into: picture)
    }
  }
}
