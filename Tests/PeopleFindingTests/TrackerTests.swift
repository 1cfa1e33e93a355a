import Foundation
import PeopleFinding
import Testing

@Suite("Tracking from picture to picture")
struct TrackerTests {
  private func box(_ x: Double, _ y: Double = 100, size: Double = 50) -> CGRect {
    CGRect(x: x, y: y, width: size, height: size)
  }

  @Test func `a number stays while its thing moves, trembles and grows`() {
    var tracker = Tracker(timeout: 3)
    var numbers: Set<Int> = []
    for step in 0..<60 {
      let tremble = Double(step % 3) * 2
      numbers.formUnion(
        tracker.update([box(Double(step) * 20 + tremble, 100 - tremble, size: 50 + Double(step))]))
    }
    #expect(numbers == [1])
  }

  @Test func `a thing that moves by more than its own size is expected where it goes`() {
    var tracker = Tracker(timeout: 3)
    #expect(tracker.update([box(0)]) == [1])
    #expect(tracker.update([box(40)]) == [1])
    #expect(tracker.update([box(90)]) == [1])
    #expect(tracker.update([box(150)]) == [1])
    #expect(tracker.update([box(215)]) == [1])
  }

  @Test func `two that pass each other keep their numbers`() {
    var tracker = Tracker(timeout: 3)
    for step in 0..<30 {
      let right = box(Double(step) * 10, 100)
      let left = box(300 - Double(step) * 10, 125)
      // The order in which things are seen says nothing.
      let numbers = tracker.update(step % 2 == 0 ? [right, left] : [left, right])
      #expect(numbers == (step % 2 == 0 ? [1, 2] : [2, 1]), "picture \(step)")
    }
  }

  @Test func `what is not seen for a moment keeps its number, what is lost gets a new one`() {
    var tracker = Tracker(timeout: 3)
    for step in 0..<5 { _ = tracker.update([box(Double(step) * 10)]) }
    for _ in 0..<3 { #expect(tracker.update([]).isEmpty) }
    #expect(tracker.update([box(80)]) == [1])
    for _ in 0..<4 { _ = tracker.update([]) }
    #expect(tracker.tracks.isEmpty)
    #expect(tracker.update([box(80)]) == [2])
  }

  @Test func `what appears elsewhere, or is of another size, is another thing`() {
    var tracker = Tracker(timeout: 3)
    #expect(tracker.update([box(0)]) == [1])
    #expect(tracker.update([box(0), box(500)]) == [1, 2])
    #expect(tracker.update([box(0, size: 50), box(515, 115, size: 12)]) == [1, 3])
  }

  @Test func `after forgetting, numbers go on`() {
    var tracker = Tracker(timeout: 3)
    #expect(tracker.update([box(0), box(200)]) == [1, 2])
    tracker.reset()
    #expect(tracker.update([box(0)]) == [3])
  }
}
