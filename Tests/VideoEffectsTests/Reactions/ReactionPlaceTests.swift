import CoreVideo
import Foundation
import PixelTransforms
import Testing

import VideoEffects

/// Where reactions are, in which colours, and how they turn with the picture.
struct ReactionPlaceTests {
  private var renderer: ReactionRenderer { .shared }

  /// The middle of the bubble with the thumb, as a share of the picture as it is seen.
  private func bubble(_ scene: ReactionScene, in size: SIMD2<Float> = SIMD2(320, 180)) throws -> SIMD2<Float>
  {
    let view = ViewerSpace(stored: size, turn: scene.turn)
    let sprite = try #require(
      SpriteList(of: scene, view: view).front.first {
        if case .bubble = $0.shape { true } else { false }
      })
    return sprite.center / view.size
  }

  @Test func `a thumb stands on the hand's side of the face`() throws {
    var scene = ReactionScene(.thumbsUp, after: 1)
    scene.face = CGRect(x: 0.42, y: 0.3, width: 0.16, height: 0.3)
    scene.reactions[0].hand = CGPoint(x: 0.2, y: 0.6)
    #expect(try bubble(scene).x < 0.40)
    scene.reactions[0].hand = CGPoint(x: 0.8, y: 0.6)
    #expect(try bubble(scene).x > 0.60)
  }

  @Test func `a thumb at the picture's edge changes to the side with room`() throws {
    var scene = ReactionScene(.thumbsDown, after: 1)
    scene.face = CGRect(x: 0.84, y: 0.3, width: 0.16, height: 0.3)
    scene.reactions[0].hand = CGPoint(x: 0.99, y: 0.6)
    #expect(try bubble(scene).x < 0.84)
  }

  @Test func `a thumb without a face is above on the right`() throws {
    let place = try bubble(ReactionScene(.thumbsUp, after: 1))
    #expect(place.x > 0.6 && place.y < 0.4)
  }

  @Test func `hearts begin at the hands`() {
    var scene = ReactionScene(.heart, after: 0.15)
    scene.reactions[0].hand = CGPoint(x: 0.25, y: 0.75)
    let list = SpriteList(of: scene, view: ViewerSpace(stored: SIMD2(320, 180), turn: .none))
    let hearts = list.front.filter { if case .heart = $0.shape { true } else { false } }
    #expect(!hearts.isEmpty)
    #expect(hearts.allSatisfy { length($0.center - SIMD2(80, 135)) < 40 })
  }

  @Test(arguments: [QuarterTurn.clockwise90, .half, .clockwise270])
  func `what is drawn is upright for viewers of a turned picture`(turn: QuarterTurn) throws {
    // The picture as viewers see it, once drawn as it is, once drawn turned and turned afterwards.
    let seen = try ReactionPicture(width: 320, height: 180)
    var scene = ReactionScene(.balloons, after: 2.2)
    try renderer.draw(scene, into: seen.buffer)
    let stored = try turn.isTransposing ? ReactionPicture(width: 180, height: 320) : ReactionPicture()
    scene.turn = turn
    try renderer.draw(scene, into: stored.buffer)
    let turned = try PixelTransformer().apply(FrameTransform(rotation: turn), to: stored.buffer)
    let (one, other) = (seen.plane(0), luma(of: turned))
    let difference = zip(one, other).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    #expect(Double(difference) / Double(one.count) < 0.5)
  }

  private func luma(of buffer: CVPixelBuffer) -> [UInt8] {
    let plane = buffer.planes[0]
    return (0..<plane.height).flatMap { y in
      UnsafeRawBufferPointer(start: plane.baseAddress + y * plane.bytesPerRow, count: plane.width)
    }
  }

  @Test(arguments: [YCbCrMatrix.bt601, .bt709])
  func `a balloon has the same colour in every matrix and range`(matrix: YCbCrMatrix) throws {
    let formats = [
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
    ]
    let scene = ReactionScene(.balloons, after: 2.2)
    let list = SpriteList(of: scene, view: ViewerSpace(stored: SIMD2(320, 180), turn: .none))
    let balloon = try #require(
      list.front.last {
        if case .balloon = $0.shape { $0.center.y > 30 && $0.center.y < 150 } else { false }
      })
    guard case .balloon(let color) = balloon.shape else { return }
    for format in formats {
      let picture = try ReactionPicture(format: format, matrix: matrix)
      try renderer.draw(scene, into: picture.buffer)
      // A little below the middle, where no shine lies.
      let seen = try picture.color(
        x: Int(balloon.center.x), y: Int(balloon.center.y + length(balloon.down) * 0.1))
      let shape = BalloonShape.color(Palette.party[color], SIMD2(0, 0.1), pixel: 0.01)
      let expected = SIMD3<Double>(Double(shape.x), Double(shape.y), Double(shape.z))
      let difference = seen - expected
      #expect((difference * difference).max().squareRoot() < 0.09)
    }
  }

  @Test func `light saturates at white and leaves no overflow`() throws {
    let picture = try ReactionPicture(luma: 235)
    for time in [1.0, 1.3, 1.6] {
      try renderer.draw(ReactionScene(.lasers, after: time), into: picture.buffer)
    }
    #expect(picture.plane(0).allSatisfy { $0 <= 235 })
  }

  @Test(arguments: ReactionKind.allCases)
  func `an icon is drawn whole, with a clear edge`(kind: ReactionKind) {
    let icon = kind.icon(side: 32)
    #expect(icon.rgba.count == 32 * 32 * 4)
    let alphas = stride(from: 3, to: icon.rgba.count, by: 4).map { icon.rgba[$0] }
    #expect(alphas.contains { $0 > 200 })
    #expect(alphas[0] == 0 && alphas[31] == 0)
    for pixel in stride(from: 0, to: icon.rgba.count, by: 4) {
      #expect(icon.rgba[pixel..<pixel + 3].allSatisfy { $0 <= icon.rgba[pixel + 3] })
    }
  }
}

private func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }
