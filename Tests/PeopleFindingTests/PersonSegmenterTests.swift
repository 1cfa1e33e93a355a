import CoreVideo
import Foundation
import FoundationExtras
import PeopleFinding
import PixelTransforms
import Portraits
import Testing

@Suite("Reading a segmentation")
struct PersonSegmentationTests {
  /// What a model of 3 × 2 says: nobody, then more and more, then no number.
  private let said: [Float] = [0, 0.2, 0.4, 0.6, 1, .nan]

  private func segmentation(turnedBy turn: QuarterTurn) -> PersonSegmentation {
    said.withUnsafeBufferPointer {
      PersonSegmentation(
        $0, PixelSize(width: 3, height: 2), turnedBy: turn, part: PixelRect(x: 0, y: 0, width: 30, height: 20)
      )
    }
  }

  @Test func `what is no number is nobody, and more than all is all`() {
    #expect(segmentation(turnedBy: .none).confidence == [0, 51, 102, 153, 255, 0])
    let beyond: [Float] = [-3, 1.5]
    let bytes = beyond.withUnsafeBufferPointer {
      PersonSegmentation(
        $0, PixelSize(width: 2, height: 1), turnedBy: .none, part: PixelRect(x: 0, y: 0, width: 2, height: 1)
      ).confidence
    }
    #expect(bytes == [0, 255])
  }

  @Test func `it lies as the picture does, however that was turned for the model`() {
    let half = segmentation(turnedBy: .half)
    #expect(half.width == 3 && half.height == 2 && half.confidence == [0, 255, 153, 102, 51, 0])
    let right = segmentation(turnedBy: .clockwise90)
    #expect(right.width == 2 && right.height == 3 && right.confidence == [102, 0, 51, 255, 0, 153])
    let left = segmentation(turnedBy: .clockwise270)
    #expect(left.width == 2 && left.height == 3 && left.confidence == [153, 0, 255, 51, 0, 102])
  }
}

@Suite("The part of a picture in which people are segmented")
struct SegmentedPartTests {
  private let picture = CGRect(x: 0, y: 0, width: 480, height: 270)

  @Test func `it lies around the people, inside the picture`() {
    var place = SegmentedPart(of: picture)
    #expect(place.isAll)
    place.follow(CGRect(x: 200, y: 150, width: 80, height: 120))
    #expect(place.part == CGRect(x: 190, y: 135, width: 100, height: 135))
    #expect(!place.isAll)
  }

  @Test func `it stays while people move a little, and follows when they come near its edge`() {
    var place = SegmentedPart(of: picture)
    place.follow(CGRect(x: 200, y: 150, width: 80, height: 120))
    let before = place.part
    place.follow(CGRect(x: 204, y: 152, width: 78, height: 118))
    #expect(place.part == before)
    let moved = CGRect(x: 212, y: 150, width: 80, height: 120)
    place.follow(moved)
    #expect(place.part.contains(moved.insetBy(dx: -10, dy: 0)) && place.part.minX >= 192)
  }

  @Test func `it shrinks when they fill much less of it, and is all again when there is nobody`() {
    var place = SegmentedPart(of: picture)
    place.follow(CGRect(x: 100, y: 50, width: 200, height: 200))
    place.follow(CGRect(x: 150, y: 100, width: 80, height: 80))
    #expect(place.part == CGRect(x: 140, y: 90, width: 100, height: 100))
    place.follow(nil)
    #expect(place.isAll)
  }

  @Test func `the bounds of a segmentation are in pixels of the picture`() {
    let part = PixelRect(x: 100, y: 40, width: 40, height: 20)
    let seen = PersonSegmentation(
      width: 4, height: 2, confidence: [0, 0, 0, 0, 0, 200, 192, 193], part: part)
    #expect(seen.bounds() == CGRect(x: 110, y: 50, width: 30, height: 10))
    #expect(seen.bounds(least: 201) == nil)
  }
}

/// Whether this machine has what tells people from the background.
let hasSegmentationModels = ModelFolder.current.obstacle(to: .segmentation) == nil

@Suite(
  "People apart from the background",
  .enabled(if: hasSegmentationModels, "there are no models here; run scripts/setup --models"))
struct PersonSegmenterTests {
  /// The confidence at a place of the picture.
  private func confidence(_ seen: PersonSegmentation, _ x: Double, _ y: Double) -> Int {
    let column = Int((x - Double(seen.part.x)) * Double(seen.width) / Double(seen.part.width))
    let row = Int((y - Double(seen.part.y)) * Double(seen.height) / Double(seen.part.height))
    return Int(seen.confidence[row * seen.width + column])
  }

  private func gray(width: Int, height: Int) throws -> CVPixelBuffer {
    let pixels = try CVPixelBuffer(
      format: kCVPixelFormatType_32BGRA, width: width, height: height, attributes: [:])
    CVPixelBufferLockBaseAddress(pixels, [])
    defer { CVPixelBufferUnlockBaseAddress(pixels, []) }
    let count = CVPixelBufferGetBytesPerRow(pixels) * height
    try #require(CVPixelBufferGetBaseAddress(pixels)).initializeMemory(
      as: UInt8.self, repeating: 190, count: count)
    return pixels
  }

  @Test(arguments: Portrait.all) func `a face is a person, the corner beside the head is not`(
    _ portrait: Portrait
  )
    throws
  {
    let seen = try #require(try PersonSegmenter().segmentation(of: portrait.picture()))
    #expect(confidence(seen, portrait.face.midX, portrait.face.midY) > 200)
    let width = Double(seen.part.width)
    #expect(min(confidence(seen, 4, 4), confidence(seen, width - 4, 4)) < 50)
  }

  @Test(arguments: QuarterTurn.allCases) func `people on their side are found when the picture is turned`(
    _ turn: QuarterTurn
  ) throws {
    // What stands after a turn lies before it.
    let back = try #require(QuarterTurn(degrees: (360 - turn.rawValue) % 360))
    let center = CGPoint(x: 320, y: 240)
    let (pixels, face) = try Portrait.astronaut.picture(
      width: 640, height: 480, side: 470, center: center, turn: back)
    let seen = try #require(try PersonSegmenter().segmentation(of: pixels, turn: turn))
    #expect(seen.part == PixelRect(x: 0, y: 0, width: 640, height: 480))
    #expect(confidence(seen, face.midX, face.midY) > 200)
    // Beside the photograph is nobody, but for what a model doubts in the dark.
    let beside = stride(from: 10.0, to: 80, by: 10).flatMap { x in
      stride(from: 10.0, to: 480, by: 10).flatMap { y in
        [confidence(seen, x, y), confidence(seen, 640 - x, y)]
      }
    }
    #expect(beside.reduce(0, +) / beside.count < 60)
  }

  @Test func `wide parts go to the model of 16 to 9, others to the square one`() throws {
    let (pixels, _) = try Portrait.astronaut.picture(
      width: 640, height: 360, side: 340, center: CGPoint(x: 320, y: 180))
    let segmenter = try PersonSegmenter()
    let wide = try #require(try segmenter.segmentation(of: pixels))
    #expect(wide.width == 256 && wide.height == 144)
    let part = CGRect(x: 141, y: -50, width: 360, height: 600)
    let square = try #require(try segmenter.segmentation(of: pixels, part: part))
    #expect(square.width == 256 && square.height == 256)
    #expect(square.part == PixelRect(x: 140, y: 0, width: 361, height: 360))
    let upright = try #require(try segmenter.segmentation(of: pixels, part: part, turn: .clockwise90))
    #expect(upright.part == square.part)
    #expect(try segmenter.segmentation(of: pixels, part: CGRect(x: 700, y: 0, width: 50, height: 50)) == nil)
  }

  @Test func `in a stream it looks closely at a person, and at all when they have left`() throws {
    let live = try LivePersonSegmenter()
    let pixels = try gray(width: 960, height: 512)
    let photographer = try #require(Portrait.all.first { $0.name == "photographer" })
    try PixelTransformer().draw(
      photographer.picture(), over: PixelPlace(x: 300, y: 0, width: 512, height: 512), of: pixels)
    let near = try #require(try live.segmentation(of: pixels))
    #expect(near.part.width < 700 && near.part.x > 150, "\(near.part)")
    #expect(confidence(near, 300 + photographer.face.midX, photographer.face.midY) > 200)
    let empty = try gray(width: 960, height: 512)
    for _ in 0..<2 { _ = try live.segmentation(of: empty) }
    let all = try #require(try live.segmentation(of: empty))
    #expect(all.part == PixelRect(x: 0, y: 0, width: 960, height: 512))
  }

  @Test func `without its models it says what is missing`() {
    let folder = ModelFolder(path: "/nonexistent")
    #expect(throws: ModelError.self) { _ = try PersonSegmenter(folder) }
    #expect(folder.obstacle(to: .segmentation)?.description.contains("selfie_segmentation.tflite") == true)
  }
}
