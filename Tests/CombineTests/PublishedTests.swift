import Combine
import Testing

private final class Model: ObservableObject {
  @Published var count = 0
  @Published var name: String? = "a"
  var silent = 0
}

private class PlainModel: ObservableObject {
  var count = 0 {
    willSet { objectWillChange.send() }
  }
}

private final class DerivedModel: PlainModel {
  @Published var name = "a"
}

private final class OwnModel: ObservableObject {
  let objectWillChange = PassthroughSubject<Int, Never>()
  @Published var count = 0
}

@MainActor private final class MainModel: ObservableObject {
  @Published private(set) var isRunning = false

  func start() {
    isRunning = true
  }
}

private final class Source {
  @Published var value = 1
}

@Suite("Published properties")
struct PublishedTests {
  @Test func `a property publishes its present value first, and each new one before it is set`() {
    let model = Model()
    var seen: [[Int]] = []
    let kept = model.$count.sink { [unowned model] in seen.append([$0, model.count]) }
    model.count = 1
    model.count += 1
    #expect(seen == [[0, 0], [1, 0], [2, 1]])
    #expect(model.count == 2)
    kept.cancel()
    model.count = 3
    #expect(seen.count == 3)
  }

  @Test func `an optional property publishes nil like any value`() {
    let model = Model()
    let listener = model.$name.heard()
    model.name = nil
    model.name = "b"
    #expect(listener.values == ["a", nil, "b"])
  }

  @Test func `an object announces a change before its property publishes and changes`() {
    let model = Model()
    var events: [String] = []
    let kept = [
      model.objectWillChange.sink { [unowned model] in events.append("will change \(model.count)") },
      model.$count.dropFirst().sink { events.append("value \($0)") },
    ]
    model.count = 1
    model.name = "b"
    model.silent = 1
    #expect(events == ["will change 0", "value 1", "will change 1"])
    withExtendedLifetime(kept) {}
  }

  @Test func `an object without published properties has one publisher, too, and so has a derived class`() {
    let (model, other) = (PlainModel(), PlainModel())
    let (listener, foreign) = (model.objectWillChange.heard(), other.objectWillChange.heard())
    model.count = 1
    model.count = 2
    #expect(listener.values.count == 2)
    #expect(foreign.values.isEmpty)
    #expect(model.objectWillChange === model.objectWillChange)
    let derived = DerivedModel()
    let both = derived.objectWillChange.heard()
    derived.count = 1
    derived.name = "b"
    #expect(both.values.count == 2)
  }

  @Test func `a publisher of one's own hears of nothing by itself`() {
    let model = OwnModel()
    let listener = model.objectWillChange.heard()
    model.count = 1
    #expect(listener.values.isEmpty)
    model.objectWillChange.send(5)
    #expect(listener.values == [5])
  }

  @Test func `publishers of objects that went away are not given to others`() {
    for _ in 0..<300 {
      let model = PlainModel()
      let listener = model.objectWillChange.heard()
      model.count = 1
      #expect(listener.values.count == 1)
    }
  }

  @Test @MainActor func `a model of the main actor publishes`() {
    let model = MainModel()
    let listener = model.$isRunning.heard()
    let changes = model.objectWillChange.heard()
    model.start()
    #expect(listener.values == [false, true])
    #expect(changes.values.count == 1)
  }

  @Test func `values are assigned to a property as long as it is there, and pass through it`() {
    let (source, model) = (Source(), Model())
    weak var seen: Source?
    let changes = model.objectWillChange.heard()
    do {
      let target = Source()
      seen = target
      source.$value.assign(to: &target.$value)
      source.value = 2
      #expect(target.value == 2)
      let other = target.$value.heard()
      source.value = 3
      #expect(other.values == [2, 3])
    }
    #expect(seen == nil)
    source.$value.map { $0 * 10 }.assign(to: &model.$count)
    source.value = 4
    #expect(model.count == 40)
    withExtendedLifetime(changes) {}
  }

  @Test func `a property that has its first value in an initializer publishes it`() {
    final class Late {
      @Published var value: Int

      init(_ value: Int) {
        _value = Published(initialValue: value)
      }
    }
    #expect(Late(7).$value.heard().values == [7])
  }
}
