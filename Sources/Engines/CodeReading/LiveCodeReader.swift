package import CoreVideo
internal import Linux
package import PixelTransforms

/// Reads codes in a stream of pictures, at a cost that the stream bears.
///
/// Every picture gets the light attempt. Of those in which it finds nothing, every third gets one harder attempt, another
/// each time, as long as both together stay within the budget; so that what a light look misses is found a moment later, and
/// a view without any code costs little. One call at a time.
package final class LiveCodeReader {
  private let reader: CodeReader
  private let budgetNanoseconds: Int64
  private var failures = 0
  private var lightCost: Int64 = 0
  private var harderCost: Int64 = 0

  /// Of so many pictures without a code one gets a harder attempt: costs stay below three quarters of the library's own.
  private static let stride = 3

  /// - Parameters:
  ///   - kinds: What to look for.
  ///   - budgetNanoseconds: What one picture may take, at best; the light attempt is made anyway.
  package init(kinds: Set<CodeKind>, budgetNanoseconds: Int64) {
    reader = CodeReader(kinds: kinds)
    self.budgetNanoseconds = budgetNanoseconds
  }

  /// See ``CodeReader/codes(in:part:effort:)``.
  package func codes(in pixels: CVPixelBuffer, part: PixelRect?) throws -> [RecognizedCode] {
    let isDue = failures % Self.stride == Self.stride - 1 && lightCost + harderCost <= budgetNanoseconds
    // What did not fit once is tried again: a machine is not always as busy.
    if !isDue { harderCost -= harderCost / 16 }
    let start = MonotonicInstant.now.nanoseconds
    let codes = try reader.codes(in: pixels, part: part, effort: isDue ? .next : .light)
    let cost = MonotonicInstant.now.nanoseconds - start
    if isDue, codes.isEmpty { harderCost = max(0, cost - lightCost) } else if !isDue { lightCost = cost }
    failures = codes.isEmpty ? failures + 1 : 0
    return codes
  }
}
