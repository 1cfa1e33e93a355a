import Combine
import Testing

@Suite("Demands")
struct DemandTests {
  @Test func `demands add up, do not go below zero, and unlimited stays unlimited`() {
    #expect(Subscribers.Demand.max(2) + .max(3) == .max(5))
    #expect(Subscribers.Demand.max(2) + 3 == 5)
    #expect(Subscribers.Demand.max(2) - .max(3) == .none)
    #expect(Subscribers.Demand.max(.max) + .max(1) == .unlimited)
    #expect(Subscribers.Demand.unlimited - .max(3) == .unlimited)
    #expect(Subscribers.Demand.unlimited - .unlimited == .unlimited)
    #expect(Subscribers.Demand.max(3) - .unlimited == .none)
    #expect(Subscribers.Demand.max(3) * 2 == .max(6))
    #expect(Subscribers.Demand.unlimited * 0 == .unlimited)
  }

  @Test func `unlimited is more than any number, and no more than itself`() {
    #expect(Subscribers.Demand.unlimited > .max(.max))
    #expect(Subscribers.Demand.max(3) < .unlimited)
    #expect(!(Subscribers.Demand.unlimited < .unlimited))
    #expect(Subscribers.Demand.max(1) > 0)
    #expect(!(Subscribers.Demand.none > 0))
    #expect(Subscribers.Demand.unlimited > 7)
    #expect(Subscribers.Demand.unlimited.max == nil)
    #expect(Subscribers.Demand.max(7).max == 7)
  }

  @Test func `a sequence delivers what was asked for, and the end right after the last element`() {
    let listener = [1, 2, 3].publisher.heard(asking: .max(2))
    #expect(listener.values == [1, 2])
    #expect(listener.completions.isEmpty)
    listener.subscription?.request(.max(1))
    #expect(listener.values == [1, 2, 3])
    #expect(listener.isFinished)
  }

  @Test func `what a subscriber answers to a value adds to what it asked for`() {
    let listener = (1...9).publisher.heard(asking: .max(1)) { $0 < 4 ? .max(1) : .none }
    #expect(listener.values == [1, 2, 3, 4])
  }

  @Test func `an empty sequence ends without being asked`() {
    let listener = [Int]().publisher.heard(asking: .none)
    #expect(listener.isFinished)
  }

  @Test func `what a filter leaves out is asked for again`() {
    let listener = (1...10).publisher.filter { $0.isMultiple(of: 3) }.heard(asking: .max(2))
    #expect(listener.values == [3, 6])
  }

  @Test func `an endless sequence delivers only what was asked for, also through operators of several`() {
    let numbers = sequence(first: 1) { $0 + 1 }.publisher
    #expect(numbers.map { $0 * 2 }.heard(asking: .max(3)).values == [2, 4, 6])
    #expect(numbers.zip(numbers) { $0 + $1 }.heard(asking: .max(2)).values == [2, 4])
    #expect(numbers.flatMap { Just($0) }.prefix(2).heard(asking: .max(2)).values == [1, 2])
    #expect(numbers.merge(with: numbers).heard(asking: .max(4)).values == [1, 2, 3, 4])
  }

  @Test func `a sequence of many values neither nests calls nor loses any`() {
    let listener = (1...20_000).publisher.map { $0 }.heard(asking: .max(1)) { _ in .max(1) }
    #expect(listener.values.count == 20_000)
    let joined = (1...20_000).publisher.flatMap { Just($0) }.heard(asking: .max(1)) { _ in .max(1) }
    #expect(joined.values.count == 20_000)
    #expect(joined.isFinished)
  }
}
