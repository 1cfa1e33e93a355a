import Foundation
import FoundationExtras
import Testing

@Suite("CGFloat and NSNumber")
struct NumberTests {
  @Test func `a number becomes a CGFloat`() {
    #expect(CGFloat(truncating: NSNumber(value: 2.5)) == 2.5)
    #expect(CGFloat(truncating: NSNumber(value: Int64(7))) == 7)
    #expect(CGFloat(exactly: NSNumber(value: 0.1)) == 0.1)
  }

  @Test func `a number that a CGFloat does not hold is cut, or refused`() {
    let large = NSNumber(value: Int64.max)
    #expect(CGFloat(truncating: large) == 9_223_372_036_854_775_807)
    #expect(CGFloat(exactly: large) == nil)
  }
}
