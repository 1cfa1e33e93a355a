import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Synchronization
import Testing

/// Gray, and the number of pixels that were asked of it.
private final class Counted: CIImageProcessorKernel {
  final class Pixels: Sendable {
    let count = Atomic(0)
  }
  override class var outputIsOpaque: Bool { true }
  override class func process(
    with inputs: [any CIImageProcessorInput]?, arguments: [String: Any]?, output: any CIImageProcessorOutput
  ) throws {
    let (width, height) = (Int(output.region.width), Int(output.region.height))
    (arguments?["pixels"] as? Pixels)?.count.add(width * height, ordering: .relaxed)
    for y in 0..<height {
      let row = (output.baseAddress + y * output.bytesPerRow).assumingMemoryBound(to: SIMD4<Float>.self)
      row.update(repeating: [0.2, 0.2, 0.2, 1], count: width)
    }
  }
}

@Suite("CIImage: what is cropped away")
struct CropTests {
  private let size = CGSize(width: 1000, height: 800)
  /// What is left of each image.
  private let part = CGRect(x: 300, y: 210, width: 40, height: 30)

  /// An image, and what counts its pixels.
  private func counted() throws -> (image: CIImage, pixels: Counted.Pixels) {
    let pixels = Counted.Pixels()
    let image = try Counted.apply(
      withExtent: CGRect(origin: .zero, size: size), inputs: nil, arguments: ["pixels": pixels])
    return (image, pixels)
  }

  /// Changes, each with how many pixels around a part of 40 × 30 it needs.
  private static let changes:
    [(name: String, reach: (Double, Double), change: @Sendable (CIImage) -> CIImage)] = [
      ("nothing", (0, 0), { $0 }),
      (
        "colours", (0, 0),
        { $0.applyingFilter("CISepiaTone").applyingFilter("CIExposureAdjust", parameters: ["inputEV": 0.5]) }
      ),
      ("a crop within a crop", (0, 0), { $0.cropped(to: CGRect(x: 5, y: 5, width: 900, height: 700)) }),
      ("edges that go on", (0, 0), { $0.clampedToExtent() }),
      ("what lies on something", (0, 0), { $0.composited(over: .red) }),
      (
        "a blend", (0, 0),
        { $0.applyingFilter("CIMultiplyBlendMode", parameters: ["inputBackgroundImage": CIImage.red]) }
      ),
      ("a whole step aside", (0, 0), { $0.transformed(by: CGAffineTransform(translationX: 17, y: -40)) }),
      ("half of one", (2, 1), { $0.transformed(by: CGAffineTransform(translationX: 0.5, y: 0)) }),
      ("twice the size", (0, 0), { $0.transformed(by: CGAffineTransform(scaleX: 2, y: 2)) }),
      // Turned by 30 degrees, 40 × 30 lie within 50 × 46.
      ("a turn", (8, 10), { $0.transformed(by: CGAffineTransform(rotationAngle: .pi / 6)) }),
      ("half the size", (22, 17), { $0.transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5)) }),
      ("a blur", (8, 8), { $0.applyingGaussianBlur(sigma: 2) }),
      ("a wide blur", (50, 50), { $0.applyingGaussianBlur(sigma: 10) }),
      // The picture by itself, and blurred.
      (
        "a sharper picture", (16, 16),
        { $0.applyingFilter("CIUnsharpMask", parameters: ["inputRadius": 2.5]) }
      ),
      ("pixels as blocks", (24, 24), { $0.applyingFilter("CIPixellate", parameters: ["inputScale": 8]) }),
    ]

  @Test(arguments: changes.map(\.name))
  func `what is cropped away is not computed`(name: String) throws {
    let (_, reach, change) = try #require(Self.changes.first { $0.name == name })
    let limit = Int((part.width + 2 * reach.0) * (part.height + 2 * reach.1))
    let (image, pixels) = try counted()
    let cut = change(image).cropped(to: part).applyingFilter("CIColorInvert")
    #expect(try Grid(rendering: cut).width == Int(part.width))
    #expect((1...limit).contains(pixels.count.load(ordering: .relaxed)))
    // Nor is what a context is not asked for.
    let (other, asked) = try counted()
    #expect(try Grid(rendering: change(other), from: part).width == Int(part.width))
    #expect((1...limit).contains(asked.count.load(ordering: .relaxed)))
  }

  @Test func `what lies below something opaque is not computed, and nothing twice`() throws {
    let (image, pixels) = try counted()
    let cover = CIImage.red.cropped(to: CGRect(x: 0, y: 0, width: 500, height: 400))
    #expect(try Grid(rendering: cover.composited(over: image), from: part).width == 40)
    #expect(pixels.count.load(ordering: .relaxed) == 0)
    for format in [kCVPixelFormatType_32BGRA, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange] {
      let (image, pixels) = try counted()
      var made: CVPixelBuffer?
      CVPixelBufferCreate(nil, 640, 480, format, nil, &made)
      let buffer = try #require(made)
      CIContext().render(image.applyingFilter("CIPhotoEffectNoir"), to: buffer)
      #expect(pixels.count.load(ordering: .relaxed) == 640 * 480)
    }
  }
}
