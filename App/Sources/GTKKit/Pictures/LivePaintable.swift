import CGTK
import Dispatch
import Foundation

/// What a picture widget shows while pictures keep coming: always the newest, never a queue.
///
/// Pictures come on any thread; the main thread is woken once for however many have come since, and asks for a redraw. A picture
/// that was replaced before the main thread took it is counted as replaced. The first picture, and one of another size, changes
/// the widget's natural size.
package final class LivePaintable: Sendable {
  private struct State: @unchecked Sendable {  // Safe because textures never change.
    var waiting: Texture?
    var isWaking = false
    var shown = 0
    var replaced = 0
  }

  /// The paintable; on the main thread.
  private let paintable: PaintableReference
  private let state = Guarded(State())

  /// Called once on the main thread, when the first picture is shown.
  @MainActor
  package var onFirstPicture: (@MainActor () -> Void)?

  /// A paintable without a picture.
  @MainActor
  package init() {
    paintable = PaintableReference()
  }

  /// For `gtk_picture_set_paintable`.
  @MainActor
  package var pointer: OpaquePointer { paintable.pointer }

  /// Shows a picture from now on, or nothing; from any thread.
  package func show(_ texture: Texture?) {
    let wakes = state.change { state -> Bool in
      if state.waiting != nil { state.replaced += 1 }
      state.waiting = texture
      defer { state.isWaking = true }
      return !state.isWaking
    }
    guard wakes else { return }
    DispatchQueue.main.async { MainActor.assumeIsolated { self.take() } }
  }

  /// How many pictures were shown, and how many were replaced before.
  package var counts: (shown: Int, replaced: Int) { state.change { ($0.shown, $0.replaced) } }

  @MainActor
  private func take() {
    let texture = state.change { state -> Texture? in
      state.isWaking = false
      state.shown += state.waiting == nil ? 0 : 1
      defer { state.waiting = nil }
      return state.waiting
    }
    paintable.show(texture)
    guard texture != nil, let first = onFirstPicture else { return }
    onFirstPicture = nil
    first()
  }
}

/// A value under a lock.
final class Guarded<Value>: @unchecked Sendable {  // Safe because the value is used under the lock alone.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) {
    self.value = value
  }

  func change<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}
