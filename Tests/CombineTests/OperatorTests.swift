import Combine
import Testing

@Suite("Operators on values")
struct OperatorTests {
  private func number(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw Fault.first }
    return number
  }

  @Test func `values are changed, left out and taken apart`() {
    let words = ["1", "two", "3"].publisher
    #expect(words.map(\.count).heard().values == [1, 3, 1])
    #expect(words.compactMap(Int.init).heard().values == [1, 3])
    #expect(words.filter { $0.count == 1 }.heard().values == ["1", "3"])
    #expect(words.map(\.count, \.first).map { "\($0)\($1 ?? " ")" }.heard().values == ["11", "3t", "13"])
    #expect([1, nil, 3].publisher.replaceNil(with: 0).heard().values == [1, 0, 3])
  }

  @Test func `a closure that throws ends the values with its error`() {
    let mapped = ["1", "two", "3"].publisher.tryMap(number).heard()
    #expect(mapped.values == [1])
    #expect(mapped.error as? Fault == .first)
    let filtered = ["1", "two"].publisher.tryFilter { try number($0) > 0 }.heard()
    #expect(filtered.values == ["1"])
    #expect(filtered.error as? Fault == .first)
    let compacted = ["1", "two"].publisher.tryCompactMap { try number($0) }.heard()
    #expect(compacted.values == [1])
    #expect(compacted.error as? Fault == .first)
  }

  @Test func `repetitions are left out one after the other`() {
    #expect([1, 1, 2, 2, 1].publisher.removeDuplicates().heard().values == [1, 2, 1])
    #expect([1, 3, 2].publisher.removeDuplicates { $0 % 2 == $1 % 2 }.heard().values == [1, 2])
  }

  @Test func `results grow with each value, or come at the end`() {
    #expect((1...4).publisher.scan(0, +).heard().values == [1, 3, 6, 10])
    let sum = (1...4).publisher.reduce(0, +).heard(asking: .max(1))
    #expect(sum.values == [10] && sum.isFinished)
    #expect((1...4).publisher.count().heard().values == [4])
    #expect((1...4).publisher.last().heard().values == [4])
    #expect((1...4).publisher.contains(3).heard().values == [true])
    #expect((1...4).publisher.contains { $0 > 4 }.heard().values == [false])
    #expect((1...4).publisher.allSatisfy { $0 < 4 }.heard().values == [false])
    let nothing = (1...4).publisher.ignoreOutput().heard()
    #expect(nothing.values.isEmpty && nothing.isFinished)
  }

  @Test func `a result waits until it is asked for`() {
    let listener = (1...4).publisher.collect().heard(asking: .none)
    #expect(listener.values.isEmpty && listener.completions.isEmpty)
    listener.subscription?.request(.max(1))
    #expect(listener.values == [[1, 2, 3, 4]] && listener.isFinished)
  }

  @Test func `arrays of a number of values are filled one after the other`() {
    var asked: [Subscribers.Demand] = []
    let listener = (1...5).publisher.handleEvents(receiveRequest: { asked.append($0) }).collect(2)
      .heard(asking: .max(2))
    #expect(listener.values == [[1, 2], [3, 4]])
    #expect(asked == [.max(4)])
    listener.subscription?.request(.max(1))
    #expect(listener.values == [[1, 2], [3, 4], [5]] && listener.isFinished)
  }

  @Test func `values are chosen by their place`() {
    #expect((1...9).publisher.dropFirst(2).prefix(3).heard().values == [3, 4, 5])
    #expect((1...9).publisher.output(at: 2).heard().values == [3])
    #expect((1...9).publisher.output(in: 1...2).heard().values == [2, 3])
    #expect((1...9).publisher.output(in: 7...).heard().values == [8, 9])
    #expect((1...9).publisher.drop { $0 < 8 }.heard().values == [8, 9])
    let none = PassthroughSubject<Int, Never>().prefix(0).heard()
    #expect(none.isFinished)
  }

  @Test func `values come before, after and in place of none`() {
    #expect([3].publisher.prepend(1, 2).append(4).heard().values == [1, 2, 3, 4])
    #expect([3].publisher.append([5].publisher).heard().values == [3, 5])
    #expect(Empty<Int, Never>().replaceEmpty(with: 7).heard().values == [7])
    #expect(Just(1).replaceEmpty(with: 7).heard().values == [1])
  }

  @Test func `events are seen in their order`() {
    var log = ""
    let listener = [1, 2].publisher.print("numbers", to: Log { log += $0 }).heard(asking: .max(1)) { _ in
      .max(1)
    }
    #expect(listener.isFinished)
    let lines = log.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("numbers: receive subscription: (") == true)
    #expect(
      Array(lines.dropFirst()) == [
        "numbers: request max: (1)", "numbers: receive value: (1)", "numbers: request max: (1)",
        "numbers: receive value: (2)", "numbers: request max: (1)", "numbers: receive finished",
      ])
  }

  @Test func `a publisher of one value, of none, of an error and of a result`() {
    #expect(Just(1).heard().values == [1])
    #expect(Empty<Int, Never>().heard().isFinished)
    #expect(Empty<Int, Never>(completeImmediately: false).heard().completions.isEmpty)
    #expect(Fail<Int, Fault>(error: .second).heard().error == .second)
    #expect(Optional(3).publisher.heard().values == [3])
    #expect(Optional<Int>.none.publisher.heard().isFinished)
    #expect(Result<Int, Fault>.success(3).publisher.heard().values == [3])
    #expect(Result<Int, Fault>.failure(.first).publisher.heard().error == .first)
    var made = 0
    let deferred = Deferred { () -> Just<Int> in
      made += 1
      return Just(made)
    }
    #expect(made == 0)
    #expect(deferred.heard().values + deferred.heard().values == [1, 2])
  }

  @Test func `a future runs at once, once, and keeps its value`() async {
    var (runs, promise): (Int, Future<Int, Never>.Promise?) = (0, nil)
    let future = Future<Int, Never> {
      runs += 1
      promise = $0
    }
    let early = future.heard()
    #expect(runs == 1 && early.values.isEmpty)
    promise?(.success(5))
    promise?(.success(6))
    #expect(early.values == [5] && early.isFinished)
    #expect(future.heard().values == [5])
    #expect(runs == 1)
    #expect(await future.value == 5)
  }
}

private struct Log: TextOutputStream {
  let add: (String) -> Void

  mutating func write(_ string: String) {
    add(string)
  }
}
