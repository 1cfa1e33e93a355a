import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Synchronization
import Testing

/// Notes the parts that it is asked for, and leaves them clear.
private final class Parts: CIImageProcessorKernel {
  final class Found: Sendable {
    let regions = Mutex<[CGRect]>([])
  }

  override class var outputFormat: CIFormat { .BGRA8 }
  override class func process(
    with inputs: [any CIImageProcessorInput]?, arguments: [String: Any]?, output: any CIImageProcessorOutput
  ) throws {
    let region = output.region
    (arguments?["found"] as? Found)?.regions.withLock { $0.append(region) }
  }

  /// The parts that `image` is rendered in, from the lower left.
  static func of(_ image: CIImage) throws -> [CGRect] {
    let found = Found()
    let noted = try apply(withExtent: image.extent, inputs: [image], arguments: ["found": found])
    _ = try #require(CIContext().createCGImage(noted, from: noted.extent))
    return found.regions.withLock { $0 }.sorted { ($0.minY, $0.minX) < ($1.minY, $1.minX) }
  }
}

@Suite("CIContext: tiles")
struct TileTests {
  private let picture = CIImage.red.cropped(to: CGRect(x: 0, y: 0, width: 700, height: 600))

  @Test(arguments: 1...8)
  func `tiles lie along the rows of the file that they are read from`(number: Int32) throws {
    let image = picture.oriented(forExifOrientation: number)
      .transformed(by: CGAffineTransform(scaleX: 0.9, y: 0.9))
    let parts = try Parts.of(image)
    let (width, height) = number >= 5 ? (64, 256) : (256, 64)
    #expect(parts.first == CGRect(x: 0, y: 0, width: width, height: height))
    #expect(parts.reduce(0) { $0 + $1.width * $1.height } == image.extent.width * image.extent.height)
    for (index, part) in parts.enumerated() {
      #expect(image.extent.intersection(part) == part)
      #expect(parts[..<index].allSatisfy { $0.intersection(part).isEmpty })
    }
  }

  @Test func `a gray picture that is laid upright is as bright in a buffer of luma and chroma`() throws {
    let gray = Grid(width: 620, height: 940) { x, y in
      let level = (3 * x + 7 * y) % 256
      return Pixel(red: level, green: level, blue: level)
    }
    let upright = try gray.image.oriented(forExifOrientation: 6)
      .transformed(by: CGAffineTransform(scaleX: 0.3, y: 0.3))
    #expect(upright.extent.size == CGSize(width: 282, height: 186))
    let seen = try Grid(rendering: upright)
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, 282, 186, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &made)
    let buffer = try #require(made)
    CIContext().render(upright, to: buffer)
    for y in 0..<186 {
      let row = buffer.planes[0].row(y)
      #expect((0..<282).allSatisfy { abs(Int(row[$0]) - seen[$0, y].green) <= 1 }, "row \(y)")
    }
  }

  @Test func `two quarter turns lie as none, and the lowest of several pictures counts`() throws {
    let lying = picture.oriented(forExifOrientation: 6)
    func isLying(_ image: CIImage) throws -> Bool { try Parts.of(image).first?.height == 256 }
    #expect(try isLying(lying))
    #expect(try !isLying(lying.oriented(forExifOrientation: 6)))
    #expect(try isLying(lying.clampedToExtent().cropped(to: lying.extent).settingAlphaOne(in: lying.extent)))
    #expect(try isLying(lying.applyingFilter("CISepiaTone")))
    let veil = CIImage.clear.cropped(to: lying.extent)
    #expect(try isLying(veil.composited(over: lying)) && !isLying(lying.composited(over: veil)))
  }
}
