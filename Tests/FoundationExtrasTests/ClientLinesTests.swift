import Foundation
import FoundationExtras
import Linux
import Testing
import Waiting

/// Lines as camera programs for Apple's systems write them; that they compile is half of the test.
@Suite("Core Foundation names in client code")
struct ClientLinesTests {
  private let widthKey: CFString = "Width"
  private let formatKey: CFString = "PixelFormatType"

  private func received(_ dictionary: CFDictionary?) -> [String: Any] {
    dictionary ?? [:]
  }

  @Test func `dictionaries of attributes go through`() {
    let spelledOut: [String: Any] = [widthKey as String: 640, formatKey as String: OSType(0x4247_5241)]
    #expect(LooseNumber.integer(received(spelledOut as CFDictionary)["Width"]) == 640)

    let byKey = [widthKey: kCFBooleanTrue!, formatKey: kCFBooleanFalse!] as CFDictionary
    #expect(received(byKey)["Width"] as? Bool == true)

    let mixed: [CFString: Any] = [widthKey: NSNumber(value: 3), formatKey: [String: Any]() as CFDictionary]
    #expect(LooseNumber.integer(received(mixed as CFDictionary)["Width"]) == 3)
    #expect(received(nil).isEmpty)
    #expect(received([:] as CFDictionary).isEmpty)
  }

  @Test func `an implicitly unwrapped truth inside Any is still a truth`() {
    let dictionary = [widthKey as String: kCFBooleanTrue as Any] as CFDictionary
    #expect(dictionary["Width"] as? Bool == true)
    #expect(LooseNumber.truth(dictionary["Width"]) == true)
  }

  @Test func `texts, numbers, urls, and data cast both ways`() throws {
    let text = "public.jpeg" as CFString
    #expect(text as String == "public.jpeg")
    let number = 5 as CFNumber
    #expect(number.intValue == 5)
    let url = URL(fileURLWithPath: "/tmp/a") as CFURL
    #expect((url as URL).path == "/tmp/a")
    let data = NSMutableData() as CFMutableData
    #expect(data.length == 0)
    let anything: CFTypeRef = text
    #expect(anything as? String == "public.jpeg")
    #expect(CFGetTypeID(anything) == CFGetTypeID("other"))
    #expect(CFGetTypeID(anything) != CFGetTypeID(5))
  }

  @Test func `the default allocator is absent and the others differ`() {
    #expect(kCFAllocatorDefault == nil)
    #expect(kCFAllocatorMalloc != kCFAllocatorNull)
    #expect(kCFAllocatorSystemDefault == kCFAllocatorSystemDefault)
  }

  @Test func `the wall clock is Foundation's`() {
    #expect(abs(CFAbsoluteTimeGetCurrent() - Date().timeIntervalSinceReferenceDate) < 1)
    #expect(CFRangeMake(2, 3) == CFRange(location: 2, length: 3))
  }
}

@Suite("FourCharacterCode")
struct FourCharacterCodeTests {
  @Test func `text and number go both ways`() {
    #expect(FourCharacterCode("420v")?.rawValue == 0x3432_3076)
    #expect(FourCharacterCode(rawValue: 0x4247_5241).description == "BGRA")
  }

  @Test(arguments: ["", "abc", "abcde", "äbc", "ä1"])
  func `other texts are refused`(text: String) {
    #expect(FourCharacterCode(text) == nil)
  }

  @Test func `what cannot be printed is shown as a number`() {
    #expect(FourCharacterCode(rawValue: 32).description == "32")
  }
}

@Suite("LooseNumber")
struct LooseNumberTests {
  @Test func `whole numbers of any type are read`() {
    let values: [Any] = [
      7, UInt8(7), Int64(7), UInt32(7), 7.0, Float(7), NSNumber(value: 7), NSNumber(value: 7.0),
      Optional(7) as Any,
      CGFloat(7),
    ]
    for value in values { #expect(LooseNumber.integer(value) == 7, "\(type(of: value))") }
  }

  @Test func `what is no whole number is refused`() {
    let values: [Any?] = [
      nil, "7", 7.5, Double.nan, Double.infinity, UInt64.max, [7], Optional<Int>.none as Any,
    ]
    for value in values { #expect(LooseNumber.integer(value) == nil, "\(String(describing: value))") }
  }

  @Test func `codes must fit in 32 bits`() {
    #expect(LooseNumber.code(UInt32.max) == UInt32.max)
    #expect(LooseNumber.code(NSNumber(value: UInt32(0x4247_5241))) == 0x4247_5241)
    #expect(LooseNumber.code(-1) == nil)
    #expect(LooseNumber.code(1 << 32) == nil)
  }

  @Test func `large numbers keep every digit`() {
    #expect(LooseNumber.integer(NSNumber(value: Int64.max - 1)) == Int.max - 1)
  }

  @Test func `truths are read from truths and numbers`() {
    #expect(LooseNumber.truth(true) == true)
    #expect(LooseNumber.truth(NSNumber(value: false)) == false)
    #expect(LooseNumber.truth(2) == true)
    #expect(LooseNumber.truth("yes") == nil)
  }
}

@Suite("BoxedNumbers")
struct BoxedNumbersTests {
  @Test func `numbers and truths in lists and dictionaries cast to every number that they fit`() throws {
    let boxed = BoxedNumbers.boxed(
      ["a": 6, "b": [1, 2.5], "c": ["d": true, "e": UInt8(3)] as [String: Any], "f": "6"] as CFDictionary)
    #expect(boxed["a"] as? UInt32 == 6 && boxed["a"] as? Double == 6 && boxed["a"] as? Int == 6)
    #expect(boxed["b"] as? [Float] == [1, 2.5])
    let inner = try #require(boxed["c"] as? [String: Any])
    #expect(inner["d"] as? Bool == true && inner["e"] as? Int64 == 3)
    #expect(boxed["f"] as? String == "6" && boxed["f"] as? NSNumber == nil)
  }

  @Test func `objects and what is no number stay as they are`() {
    let object = NSMutableDictionary()
    #expect(BoxedNumbers.boxed(object) as? NSMutableDictionary === object)
    #expect(BoxedNumbers.boxed(Data([1])) as? Data == Data([1]))
    #expect(BoxedNumbers.boxed(NSNull()) is NSNull)
  }
}

/// A client's mistake.
private func breakARule() {
  ProgrammingMistake.report(rule: "Do not.", file: "A/B.swift")
}

private let lineOfMistake = UInt(#line) - 3

/// A client's mistake, so many calls deep.
private func breakARule(depth: Int, deepest: inout Int) {
  if depth > 0 { breakARule(depth: depth - 1, deepest: &deepest) } else { breakARule() }
  // After the call, so that each call is one of the stack.
  deepest = max(deepest, depth)
}

@Suite("ProgrammingMistake")
struct ProgrammingMistakeTests {
  @Test func `reports are collected in order`() {
    let mistakes = ProgrammingMistake.collect {
      ProgrammingMistake.report(rule: "First.")
      ProgrammingMistake.report(rule: "Second.")
    }
    #expect(mistakes.map(\.rule) == ["First.", "Second."])
  }

  @Test func `a report names the file and the line of the client's call`() {
    let mistakes = ProgrammingMistake.collect(notesCalls: true) { breakARule() }
    #expect(mistakes.first?.file == #filePath)
    #expect(mistakes.first?.line == lineOfMistake)
    #expect(mistakes.first?.description == "Programming mistake at \(#filePath):\(lineOfMistake): Do not.")
  }

  @Test func `a mistake is reported while another thread maps and unmaps files`() async {
    await #expect(processExitsWith: .success) {
      let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
      let file = open(path, O_RDWR | O_CREAT, 0o600)
      unlink(path)
      try #require(file >= 0 && ftruncate(file, 1 << 16) == 0)
      Thread.detachNewThread {
        while true { munmap(mmap(nil, 1 << 16, PROT_READ, MAP_SHARED, file, 0), 1 << 16) }
      }
      var deepest = 0
      for depth in 0..<4 {
        let mistakes = ProgrammingMistake.collect(notesCalls: true) {
          breakARule(depth: depth, deepest: &deepest)
        }
        #expect(mistakes.first?.line == lineOfMistake)
      }
      #expect(deepest == 3)
    }
  }

  @Test func `while mistakes are collected, those of every thread are`() {
    let recording = ProgrammingMistake.Recording()
    ProgrammingMistake.record(into: recording)
    let isReported = Monitor(false)
    Thread.detachNewThread {
      ProgrammingMistake.report(rule: "On a thread.")
      isReported.withLock { $0 = true }
    }
    #expect(isReported.wait(for: true))
    #expect(recording.mistakes.contains { $0.rule == "On a thread." })
  }

  @Test func `strict mode traps`() async {
    await #expect(processExitsWith: .failure) {
      setenv("OBSCURA_STRICT", "1", 1)
      ProgrammingMistake.report(rule: "Never.")
    }
  }

  @Test func `without strict mode the program goes on and says so`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("OBSCURA_STRICT", "0", 1)
      breakARule()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("obscura: Programming mistake at "))
    #expect(text.contains("ClientLinesTests.swift:\(lineOfMistake): Do not."))
  }

  @Test func `unless the environment decides, a debug build stops and a release build goes on`() async {
    #if DEBUG
      let expected = ExitTest.Condition.failure
    #else
      let expected = ExitTest.Condition.success
    #endif
    await #expect(processExitsWith: expected) {
      unsetenv("OBSCURA_STRICT")
      ProgrammingMistake.report(rule: "Never.")
    }
  }
}
