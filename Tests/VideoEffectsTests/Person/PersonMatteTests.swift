import CEffects
import CoreVideo
import Foundation
import FoundationExtras
import PixelTransforms
import SeededNumbers
import Testing
import VideoEffects

@Suite("A mask with the picture's own edges")
struct PersonMatteTests {
  private let frame: Int64 = 33_333_333

  /// The common share of a mask and the exact one, over both.
  private func overlap(_ mask: PersonMask, _ person: DrawnPerson) -> Double {
    let exact = person.exact().alpha
    var (both, either) = (0, 0)
    for (one, other) in zip(mask.alpha, exact) {
      if one > 127 && other > 127 { both += 1 }
      if one > 127 || other > 127 { either += 1 }
    }
    return Double(both) / Double(either)
  }

  @Test(arguments: [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
  ])
  func `a coarse mask gets the picture's edges`(_ format: OSType) throws {
    var numbers = SeededGenerator(usual: 1)
    let person = DrawnPerson(format: format)
    let picture = try person.picture(noise: 4, &numbers)
    let mask = try PersonMatte.mask(from: person.coarse(), of: picture)
    let full = mask.matte
    #expect(full.width == 640 && full.height == 360)
    #expect(overlap(full, person) > 0.99)
    // Farther than three pixels from the edge hardly anything is unsure.
    var unsure = 0
    for y in 0..<360 {
      guard let span = person.span(y), span.count > 8 else { continue }
      for x in 0..<640 where min(abs(x - span.lowerBound), abs(x - span.upperBound)) > 3 {
        let alpha = full.alpha[y * 640 + x]
        if alpha > 25 && alpha < 230 { unsure += 1 }
      }
    }
    #expect(unsure < 640 * 360 / 1000, "\(unsure)")
  }

  @Test func `persons that differ in colour alone have an edge, too`() throws {
    let person = DrawnPerson(
      person: YCbCr(y: 120, cb: 100, cr: 170), background: YCbCr(y: 120, cb: 150, cr: 110))
    let picture = try person.picture()
    let full = try PersonMatte.mask(from: person.coarse(), of: picture).matte
    #expect(overlap(full, person) > 0.985)
  }

  /// The pixels whose side changes from frame to frame while nobody moves, as a share of the edge's pixels.
  private func flicker(_ person: DrawnPerson, averaged: Bool) throws -> Double {
    var numbers = SeededGenerator(usual: 3)
    let matte = PersonMatte()
    var (before, changes): ([UInt8]?, Int) = (nil, 0)
    let coarse = person.coarse()
    for step in 0..<14 {
      // Even noise of up to six levels twice: a standard deviation of three and a half.
      let picture = try person.picture(noise: 6, &numbers)
      let raw = PersonMask(
        width: coarse.width, height: coarse.height,
        alpha: coarse.alpha.map { alpha in
          alpha == 0 || alpha == 255 ? alpha : UInt8(clamping: Int(alpha) + Int(numbers.next() % 41) - 20)
        })
      if !averaged { matte.forget() }
      let mask = try matte.mask(from: raw, of: picture, at: Int64(step) * frame)
      let now = mask.matte.alpha
      if let before, step > 6 { changes += zip(before, now).count { ($0 > 127) != ($1 > 127) } }
      before = now
    }
    let edge = (0..<person.height).count { person.span($0) != nil } * 2
    return Double(changes) / 7 / Double(edge)
  }

  @Test func `the edge does not flicker while nobody moves`() throws {
    let person = DrawnPerson(
      person: YCbCr(y: 90, cb: 120, cr: 150), background: YCbCr(y: 130, cb: 125, cr: 128))
    let steady = try flicker(person, averaged: true)
    #expect(steady < 0.01, "\(steady)")
    #expect(try flicker(person, averaged: false) > 2 * steady)
  }

  @Test func `who moves leaves nothing behind`() throws {
    let matte = PersonMatte()
    var person = DrawnPerson()
    for step in 0..<8 {
      person.shift = step < 6 ? 0 : 60
      let picture = try person.picture()
      let mask = try matte.mask(from: person.coarse(), of: picture, at: Int64(step) * frame)
      #expect(overlap(mask.matte, person) > 0.985, "\(step)")
    }
  }

  @Test func `the reduced picture is averaged where nothing moves`() throws {
    var numbers = SeededGenerator(usual: 5)
    let (matte, person) = (PersonMatte(), DrawnPerson())
    func noise(of pixels: CVPixelBuffer) -> Double {
      let read = Pixels(pixels)
      let corner = (0..<40).flatMap { y in (0..<40).map { Double(read[$0, y].y) } }
      let mean = corner.reduce(0, +) / Double(corner.count)
      return (corner.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(corner.count)).squareRoot()
    }
    let first = noise(of: try matte.reduced(try person.picture(noise: 12, &numbers), at: 0))
    var last = first
    for step in 1..<12 {
      let reduced = try matte.reduced(try person.picture(noise: 12, &numbers), at: Int64(step) * frame)
      #expect(CVPixelBufferGetWidth(reduced) == 320 && CVPixelBufferGetHeight(reduced) == 180)
      last = noise(of: reduced)
    }
    #expect(last < 0.6 * first, "\(first) \(last)")
  }

  @Test func `a mask of a part leaves the rest to nobody`() throws {
    let person = DrawnPerson()
    let picture = try person.picture()
    let all = PersonMask(width: 2, height: 2, alpha: [255, 255, 255, 255])
    let mask = try PersonMatte.mask(
      from: all, part: CGRect(x: 320, y: 0, width: 320, height: 360), of: picture
    ).mask
    let row = mask.alpha[..<mask.width]
    #expect(row.first == 0 && row.last == 255)
    #expect(mask.alpha.count { $0 > 127 } > mask.alpha.count * 2 / 5)
  }

  @Test func `a photo's mask is a stream's first, and after a gap it begins anew`() throws {
    let (matte, person) = (PersonMatte(), DrawnPerson())
    var other = person
    other.shift = 3
    let (one, two) = (try person.picture(), try other.picture())
    let photo = try PersonMatte.mask(from: other.coarse(), of: two).mask
    for gap in [-5 * frame, 2_000_000_000] {
      matte.forget()
      #expect(
        try matte.mask(from: person.coarse(), of: one, at: 10 * frame).mask
          == PersonMatte.mask(from: person.coarse(), of: one).mask)
      #expect(try matte.mask(from: other.coarse(), of: two, at: 10 * frame + gap).mask == photo)
    }
  }

  @Test(arguments: [(2, 2), (3, 5), (17, 9), (331, 187), (811, 813)])
  func `pictures of odd sizes have a mask, and threads do not change it`(_ width: Int, _ height: Int) throws {
    let person = DrawnPerson(width: width, height: height)
    let picture = try person.picture()
    let one = try PersonMatte.mask(from: person.coarse(), of: picture)
    let two = try PersonMatte.mask(from: person.coarse(), of: picture, threads: 2)
    #expect(one.mask == two.mask)
    let full = one.matte
    #expect(full.width == width && full.height == height && full == two.matte)
    if width > 100 { #expect(overlap(full, person) > 0.97) }
  }

  @Test func `other formats are refused`() throws {
    let pixels = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 64, height: 64, attributes: [:])
    #expect(throws: PixelTransformError.formatUnsupported(kCVPixelFormatType_32BGRA)) {
      _ = try PersonMatte.mask(from: PersonMask(width: 1, height: 1, alpha: [0]), of: pixels)
    }
  }
}
