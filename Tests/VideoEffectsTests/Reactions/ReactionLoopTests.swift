import CReactions
import CoreVideo
import Testing

import VideoEffects

/// The loops for every processor and those for this one.
@Suite(.serialized) struct ReactionLoopTests {
  @Test(arguments: [ReactionKind.thumbsUp, .fireworks, .rain, .lasers])
  func `all variants of the loops give the same bytes`(kind: ReactionKind) throws {
    defer { reactions_use_plain_loops(0) }
    var scene = ReactionScene(kind, after: 1.4)
    scene.mask = .columns(5..<10)
    let pictures = try [Int32(1), 0].map { isPlain in
      reactions_use_plain_loops(isPlain)
      let picture = try ReactionPicture(width: 334, height: 187)
      try ReactionRenderer.shared.draw(scene, into: picture.buffer)
      return picture.bytes
    }
    #expect(pictures[0] == pictures[1])
  }
}
