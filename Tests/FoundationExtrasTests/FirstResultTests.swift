import FoundationExtras
import Testing

@Suite("The first result of a sequence")
struct FirstResultTests {
  @Test func `no element is asked twice, and none after the first result`() {
    var asked: [Int] = []
    let result = [1, 2, 3, 4].firstResult { number -> String? in
      asked.append(number)
      return number < 3 ? nil : "\(number)"
    }
    #expect(result == "3")
    #expect(asked == [1, 2, 3])
  }

  @Test func `without a result there is none`() {
    #expect([1, 2].firstResult { _ -> Int? in nil } == nil)
  }
}
