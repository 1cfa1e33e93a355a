import CGTK
import Dispatch
import Testing

@testable import GTKKit

@Suite @MainActor struct LivePaintableTests {
  private final class Bytes {
    let base = UnsafeMutableRawPointer.allocate(byteCount: 64 * 64 * 4, alignment: 16)
    let freed: () -> Void

    init(freed: @escaping () -> Void) {
      self.freed = freed
    }

    deinit {
      base.deallocate()
      freed()
    }
  }

  private final class Count { var value = 0 }

  private func texture(_ side: Int, _ freed: Count) -> Texture {
    let bytes = Bytes { freed.value += 1 }
    return Texture(Pixels(width: side, height: side, bytesPerRow: side * 4, base: bytes.base, owner: bytes))
  }

  private func turn() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }

  @Test func `of pictures that come together the newest is shown, and the others are let go`() async {
    let live = LivePaintable()
    let freed = Count()
    for side in [8, 16, 32] { live.show(texture(side, freed)) }
    await turn()
    #expect(gdk_paintable_get_intrinsic_width(live.pointer) == 32)
    #expect(live.counts == (1, 2))
    #expect(freed.value == 2)
    live.show(texture(64, freed))
    await turn()
    #expect(gdk_paintable_get_intrinsic_height(live.pointer) == 64)
    #expect(freed.value == 2, "the window's last drawing still holds the picture before")
    live.show(texture(64, freed))
    await turn()
    #expect(freed.value == 3)
  }

  @Test func `a paintable that is let go lets its picture go`() async {
    let freed = Count()
    do {
      let live = LivePaintable()
      live.show(texture(8, freed))
      await turn()
      #expect(freed.value == 0)
    }
    await turn()
    #expect(freed.value == 1)
  }
}
