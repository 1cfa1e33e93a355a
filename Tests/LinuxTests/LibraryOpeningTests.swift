import CLibraries
import Glibc
import Testing

@Suite("Libraries that a machine may lack")
struct LibraryOpeningTests {
  /// Opens the first of `files` and finds `names` in it: their addresses, or why it cannot be used.
  private func open(_ files: [String], _ names: [String]) -> (functions: [UnsafeRawPointer?], reason: String)
  {
    let texts = (files + names).map { strdup($0) }
    defer { for text in texts { free(text) } }
    let pointers = texts.map { UnsafePointer<CChar>($0) }
    var functions = [UnsafeRawPointer?](repeating: nil, count: names.count)
    var reason = [CChar](repeating: 0, count: 300)
    let found = cam_library_open(
      Array(pointers.prefix(files.count)) + [nil], Array(pointers.suffix(names.count)) + [nil], &functions,
      &reason, reason.count)
    let text = String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #expect((found == 1) == text.isEmpty)
    return (functions, text)
  }

  @Test func `functions are found in their order`() throws {
    let (functions, _) = open(["libm.so.6"], ["cos", "sin"])
    typealias OfOne = @convention(c) (Double) -> Double
    let cosine = unsafeBitCast(try #require(functions[0]), to: OfOne.self)
    let sine = unsafeBitCast(try #require(functions[1]), to: OfOne.self)
    #expect(cosine(0) == 1 && sine(0) == 0)
  }

  @Test func `the first name that is there serves`() {
    #expect(open(["libnowhere.so.9", "libm.so.6"], ["cos"]).functions[0] != nil)
  }

  @Test func `a library that is missing is named, the preferred one`() {
    let reason = open(["libnowhere.so.9", "libnowhere.so.8"], ["cos"]).reason
    #expect(reason.contains("libnowhere.so.9") && !reason.contains("libnowhere.so.8"))
  }

  @Test func `a library that lacks a function is not used, and the function is named`() {
    let (functions, reason) = open(["libm.so.6"], ["cos", "cos_of_nothing"])
    #expect(reason == "it has no cos_of_nothing")
    #expect(functions[1] == nil)
  }
}
