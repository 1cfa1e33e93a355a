import Foundation
import FoundationExtras
import Linux
import Testing

/// A camera service as third-party code writes it: an actor that a delegate's protocol demands to be an object.
private actor Service: NSObject {
  private let gone: Locked<Int>
  private(set) var count = 0

  init(_ gone: Locked<Int>) {
    self.gone = gone
    super.init()
  }

  deinit { gone.withLock { $0 += 1 } }

  func add() -> Int {
    count += 1
    return count
  }

  nonisolated override var description: String { "a service" }
}

@Suite("Actors that derive from NSObject")
struct ActorObjectTests {
  @Test("Such an actor is an object and an actor")
  func both() async {
    let gone = Locked(0)
    do {
      let service = Service(gone)
      let any: Any = service
      #expect(any is NSObject && (any as? any Actor) != nil && any as? Service === service)
      #expect(service.isEqual(service) && !service.isEqual(NSObject()) && service.isKind(of: NSObject.self))
      #expect(service.description == "a service" && String(describing: type(of: service)) == "Service")
      #expect(Set<NSObject>([service, service]).count == 1)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 { group.addTask { _ = await service.add() } }
      }
      #expect(await service.count == 100)
    }
    #expect(gone.withLock { $0 } == 1)
  }
}
