import Foundation
import GraphicsCore
import ImageCore
import SeededNumbers
import Testing

@Suite("CIFilter: every one of them")
struct EveryFilterTests {
  /// Filters whose results other tests read: codes by a reader of codes, text by its letters.
  private let readElsewhere: Set = [
    "CIQRCodeGenerator", "CIPDF417BarcodeGenerator", "CICode128BarcodeGenerator", "CITextImageGenerator",
    "CIAttributedTextImageGenerator",
  ]

  @Test func `every filter has been computed by other programs, too`() throws {
    let computed = Set(try FilterTruth().cases.map(\.filter))
    #expect(Set(CIFilter.filterNames(inCategories: nil)).subtracting(readElsewhere) == computed)
  }

  @Test func `a filter is within a level of its definition in double precision`() throws {
    let truth = try FilterTruth()
    let pictures = try truth.pictures.mapValues { try $0.image }
    let rect = CGRect(x: 0, y: 0, width: FilterTruth.cell.width, height: FilterTruth.cell.height)
    for (example, wanted) in zip(truth.cases, truth.results) {
      let seen = try Grid(rendering: try example.output(pictures), from: rect)
      let off = zip(seen.pixels, wanted.pixels).map { $0.distance(to: $1) }
      let mean = Double(off.reduce(0, +)) / Double(4 * off.count)
      // How much of a pixel an edge covers that crosses it aslant is not computed exactly.
      let most = example.filter == "CIAffineTransform" ? 60 : 12
      #expect(
        mean <= 0.25 && off.max() ?? 0 <= most, "\(example): \(mean) on average, \(off.max() ?? 0) at most")
    }
  }

  /// More pixels than a tile has.
  @Test func `any part of what a filter makes has the bytes of the whole`() throws {
    let truth = try FilterTruth()
    var random = SeededGenerator(seed: 34)
    let (width, height) = (290, 90)
    let pictures = try truth.pictures.mapValues { picture in
      // The cell side by side with its mirror images.
      func folded(_ place: Int, _ length: Int) -> Int {
        let place = place % (2 * length)
        return place < length ? place : 2 * length - 1 - place
      }
      return try Grid(width: width, height: height) { x, y in
        picture[folded(x, picture.width), folded(y, picture.height)]
      }.image
    }
    let all = CGRect(x: -9, y: -7, width: width + 20, height: height + 12)
    for example in truth.cases {
      let image = try example.output(pictures)
      let whole = try Grid(rendering: image, from: all)
      for _ in 0..<4 {
        let (w, h) = (Int.random(in: 1...120, using: &random), Int.random(in: 1...60, using: &random))
        let x = Int.random(in: 0...(whole.width - w), using: &random)
        let y = Int.random(in: 0...(whole.height - h), using: &random)
        let part = try Grid(
          rendering: image,
          from: CGRect(x: x - 9, y: whole.height - y - h - 7, width: w, height: h))
        let same = Grid(width: w, height: h) { whole[x + $0, y + $1] }
        #expect(part == same, "\(example) at \(x) \(y), \(w)x\(h)")
      }
    }
  }
}

extension Pixel {
  /// The sum of the distances of red, green, blue and alpha.
  fileprivate func distance(to other: Pixel) -> Int {
    abs(red - other.red) + abs(green - other.green) + abs(blue - other.blue) + abs(alpha - other.alpha)
  }
}
