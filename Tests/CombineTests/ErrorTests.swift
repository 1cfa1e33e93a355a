import Combine
import Testing

@Suite("Errors")
struct ErrorTests {
  private func failing(after count: Int) -> some Publisher<Int, Fault> {
    (1...count).publisher.setFailureType(to: Fault.self).append(Fail(error: .first))
  }

  @Test func `an error is replaced by another, by a value, or by a publisher`() {
    #expect(failing(after: 1).mapError { _ in Fault.second }.heard().error == .second)
    let replaced = failing(after: 2).replaceError(with: 0).heard()
    #expect(replaced.values == [1, 2, 0] && replaced.isFinished)
    let caught = failing(after: 2).catch { _ in [8, 9].publisher }.heard(asking: .max(3))
    #expect(caught.values == [1, 2, 8])
    caught.subscription?.request(.max(1))
    #expect(caught.values == [1, 2, 8, 9] && caught.isFinished)
    let thrown = failing(after: 1).tryCatch { _ -> Just<Int> in throw Fault.second }.heard()
    #expect(thrown.error as? Fault == .second)
  }

  @Test func `a retry subscribes anew so many times`() {
    var subscriptions = 0
    let publisher = Deferred { () -> AnyPublisher<Int, Fault> in
      subscriptions += 1
      return self.failing(after: 1).eraseToAnyPublisher()
    }
    let listener = publisher.retry(2).heard()
    #expect(subscriptions == 3)
    #expect(listener.values == [1, 1, 1])
    #expect(listener.error == .first)
  }

  @Test func `an error of one of several ends all`() {
    var cancelled = 0
    let (a, b) = (PassthroughSubject<Int, Fault>(), PassthroughSubject<Int, Fault>())
    let counted = b.handleEvents(receiveCancel: { cancelled += 1 })
    let all = [
      a.merge(with: counted).heard(), a.combineLatest(counted) { $0 + $1 }.heard(),
      a.zip(counted) { $0 + $1 }.heard(),
      a.flatMap { _ in counted }.heard(),
    ]
    a.send(1)
    b.send(2)
    a.send(completion: .failure(.second))
    b.send(3)
    #expect(all.allSatisfy { $0.error == .second })
    #expect(all.map(\.values) == [[1, 2], [3], [3], [2]])
    #expect(cancelled == 4)
  }
}
