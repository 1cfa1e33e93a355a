import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import ImageIO
import Testing

@Suite("CIImage: what files hold beside their pictures")
struct AuxiliaryImageTests {
  private static let disparities: [Float] = [0.5, 1, 1.5, 2, 2.5, 3]
  private static let matte: [UInt8] = [0, 51, 102, 153, 204, 255]

  /// A HEIC file, turned by a quarter, with disparity and a matte of 3 by 2.
  private func file() throws -> Data {
    let image = try Grid(width: 48, height: 32) { x, y in Pixel(red: 4 * x, green: 5 * y, blue: 90) }.image
    let picture = try #require(CIContext().createCGImage(image, from: image.extent))
    let data = NSMutableData()
    let destination = try #require(CGImageDestinationCreateWithData(data, "public.heic", 1, nil))
    CGImageDestinationAddImage(destination, picture, [kCGImagePropertyOrientation: 6])
    func info(_ data: Data, _ format: OSType) -> CFDictionary {
      let description: CFDictionary = [
        kCGImagePropertyWidth: 3, kCGImagePropertyHeight: 2, kCGImagePropertyPixelFormat: format,
      ]
      return [
        kCGImageAuxiliaryDataInfoData: data, kCGImageAuxiliaryDataInfoDataDescription: description,
      ]
    }
    let map = Self.disparities.withUnsafeBytes { Data($0) }
    CGImageDestinationAddAuxiliaryDataInfo(
      destination, kCGImageAuxiliaryDataTypeDisparity as CFString,
      info(map, kCVPixelFormatType_DisparityFloat32))
    CGImageDestinationAddAuxiliaryDataInfo(
      destination, kCGImageAuxiliaryDataTypePortraitEffectsMatte as CFString,
      info(Data(Self.matte), kCVPixelFormatType_OneComponent8))
    try #require(CGImageDestinationFinalize(destination))
    return Data(referencing: data)
  }

  /// The reds of an image, row by row from the top.
  private func numbers(_ image: CIImage) -> [Float] {
    let (width, height) = (Int(image.extent.width), Int(image.extent.height))
    var pixels = [Float](repeating: -1, count: 4 * width * height)
    CIContext(options: [.workingColorSpace: NSNull()]).render(
      image, toBitmap: &pixels, rowBytes: 16 * width, bounds: image.extent, format: .RGBAf, colorSpace: nil)
    return stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] }
  }

  @Test func `depth and disparity are what the options ask for, whichever the file has`() throws {
    let file = try file()
    let disparity = try #require(CIImage(data: file, options: [.auxiliaryDisparity: true]))
    #expect(disparity.extent == CGRect(x: 0, y: 0, width: 3, height: 2))
    for (seen, written) in zip(numbers(disparity), Self.disparities) { #expect(abs(seen - written) < 0.01) }
    let depth = try #require(CIImage(data: file, options: [.auxiliaryDepth: true]))
    for (seen, written) in zip(numbers(depth), Self.disparities) { #expect(abs(seen - 1 / written) < 0.02) }
    #expect(depth.pixelBuffer.map(CVPixelBufferGetPixelFormatType) == kCVPixelFormatType_DepthFloat16)
  }

  @Test func `a matte's numbers are shares of white`() throws {
    let image = try #require(CIImage(data: file(), options: [.auxiliaryPortraitEffectsMatte: true]))
    for (seen, written) in zip(numbers(image), Self.matte) {
      #expect(abs(seen - Float(written) / 255) < 0.003)
    }
  }

  @Test func `it is turned upright as the picture is`() throws {
    let image = try #require(
      CIImage(data: file(), options: [.auxiliaryDisparity: true, .applyOrientationProperty: true]))
    #expect(image.extent.size == CGSize(width: 2, height: 3))
    // Turned clockwise by a quarter the lower left corner comes to the upper left.
    let expected: [Float] = [2, 0.5, 2.5, 1, 3, 1.5]
    for (seen, written) in zip(numbers(image), expected) { #expect(abs(seen - written) < 0.01) }
  }

  @Test func `what the file does not hold is no image`() throws {
    let file = try file()
    let others: [CIImageOption] = [
      .auxiliarySemanticSegmentationSkinMatte, .auxiliarySemanticSegmentationHairMatte,
      .auxiliarySemanticSegmentationTeethMatte, .auxiliarySemanticSegmentationGlassesMatte,
      .auxiliarySemanticSegmentationSkyMatte, .auxiliaryHDRGainMap,
    ]
    for option in others { #expect(CIImage(data: file, options: [option: true]) == nil) }
    // Not asked for, it is the picture.
    #expect(CIImage(data: file, options: [.auxiliaryDepth: false])?.extent.width == 48)
  }
}
