package import CoreVideo
package import Foundation
package import FoundationExtras
internal import Linux
package import PixelTransforms

/// Reads codes in a stream of pictures, at a cost that the stream bears.
///
/// Every picture gets the light attempt. Each one saves a fifth of its cost, which pays for harder attempts: at most one in a
/// picture, within that picture's budget; each time another where there is no code, and else the one for codes beside those that
/// are read. So what the light attempt misses is found a moment later, and a view without codes costs little. Costs are CPU time of the calling thread, so
/// that other programs do not make attempts look expensive; in a simulated world, where the same pictures get the same attempts each time, each costs a
/// quarter of the budget. One call at a time.
package final class LiveCodeReader {
  private let reader: CodeReader
  private let budgetNanoseconds: Int64
  private let isSimulated: Bool
  private var watch = RegionWatch()
  /// The time that may be spent on harder attempts; below zero after one that cost more.
  private var savings: Int64 = 0
  private var lightCost: Int64 = 0
  private var harderCost: Int64 = 0

  /// With the light attempt at less than 0.6 of what the library's own settings cost, the whole stays below 0.75 of that.
  private static let savedShare: Int64 = 5

  /// A reader for one stream.
  ///
  /// - Parameters:
  ///   - kinds: What to look for.
  ///   - budgetNanoseconds: The CPU time that one picture may take, at best; the light attempt is made anyway.
  ///   - time: The time of the world of the pictures.
  package init(kinds: Set<CodeKind>, budgetNanoseconds: Int64, time: WorldTime = .current) {
    isSimulated = time.isSimulated
    reader = CodeReader(kinds: kinds)
    self.budgetNanoseconds = budgetNanoseconds
  }

  /// The codes that touch `region`, in pixels of the picture; see ``CodeReader/codes(in:part:effort:)`` and ``RegionWatch``.
  package func codes(in pixels: CVPixelBuffer, touching region: CGRect) throws -> [RecognizedCode] {
    let size = PixelSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    let part = watch.part(touching: region, of: size)
    return watch.touching(try codes(in: pixels, part: part), of: size, isWhole: part == nil)
  }

  /// See ``CodeReader/codes(in:part:effort:)``.
  package func codes(in pixels: CVPixelBuffer, part: PixelRect?) throws -> [RecognizedCode] {
    let isDue = savings > 0 && lightCost + harderCost <= budgetNanoseconds
    // What did not fit once is tried again: the next picture may cost less.
    if !isDue { harderCost -= harderCost / 16 }
    let start = ThreadTime.nanoseconds
    let codes = try reader.codes(in: pixels, part: part, effort: isDue ? .next : .light)
    let cost = isSimulated ? budgetNanoseconds / 4 : ThreadTime.nanoseconds - start
    guard isDue else {
      lightCost = cost
      savings += cost / Self.savedShare
      return codes
    }
    harderCost = max(0, cost - lightCost)
    savings -= harderCost
    return codes
  }
}
