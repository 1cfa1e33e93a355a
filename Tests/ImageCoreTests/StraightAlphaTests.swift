import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Testing

@Suite("CIContext: colours that are not multiplied by alpha")
struct StraightAlphaTests {
  private let bounds = CGRect(x: 0, y: 0, width: 4, height: 4)
  private var image: CIImage {
    CIImage(color: CIColor(red: 1, green: 0.5, blue: 0, alpha: 0.5)).cropped(to: bounds)
  }
  private let plain: [CIContextOption: Any] = [.workingColorSpace: NSNull(), .outputColorSpace: NSNull()]
  private var straight: [CIContextOption: Any] {
    plain.merging([.outputPremultiplied: false]) { $1 }
  }

  private func pixel(_ options: [CIContextOption: Any], _ format: CIFormat) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 64)
    CIContext(options: options).render(
      image, toBitmap: &bytes, rowBytes: 16, bounds: bounds, format: format, colorSpace: nil)
    return Array(bytes[0..<4])
  }

  private func isNear(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
    zip(bytes, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }

  @Test func `a context stores colours beside alpha where it is asked to`() {
    #expect(isNear(pixel(plain, .RGBA8), [128, 64, 0, 128]))
    #expect(isNear(pixel(straight, .RGBA8), [255, 128, 0, 128]))
    #expect(isNear(pixel(straight, .BGRA8), [0, 128, 255, 128]))
    // Over black, as there is no alpha to divide by.
    #expect(isNear(Array(pixel(straight, .RGBX8).prefix(3)), [128, 64, 0]))
  }

  @Test func `words and floating-point numbers follow, too`() {
    let context = CIContext(options: straight)
    var words = [UInt16](repeating: 0, count: 64)
    context.render(
      image, toBitmap: &words, rowBytes: 32, bounds: bounds, format: .RGBA16, colorSpace: nil)
    #expect(words[0] == 65535 && abs(Int(words[1]) - 32768) < 40 && abs(Int(words[3]) - 32768) < 40)
    var numbers = [Float](repeating: 0, count: 64)
    context.render(
      image, toBitmap: &numbers, rowBytes: 64, bounds: bounds, format: .RGBAf, colorSpace: nil)
    #expect(abs(numbers[0] - 1) < 0.01 && abs(numbers[1] - 0.5) < 0.01 && abs(numbers[3] - 0.5) < 0.01)
  }

  @Test func `an image says that its alpha is straight, and an opaque one that it has none`() throws {
    let context = CIContext(options: [.outputPremultiplied: false])
    let made = try #require(context.createCGImage(image, from: bounds))
    #expect(made.alphaInfo == .last)
    let opaque = CIImage(color: CIColor(red: 1, green: 0, blue: 0)).cropped(to: bounds)
    #expect(try #require(context.createCGImage(opaque, from: bounds)).alphaInfo == .noneSkipLast)
    #expect(try #require(CIContext().createCGImage(image, from: bounds)).alphaInfo == .premultipliedLast)
  }

  @Test func `a pixel buffer gets them, too`() throws {
    let buffer = try CVPixelBuffer(format: kCVPixelFormatType_32BGRA, width: 4, height: 4)
    CIContext(options: straight).render(image, to: buffer, bounds: bounds, colorSpace: nil)
    #expect(isNear(Array(buffer.planes[0].row(0).prefix(4)), [0, 128, 255, 128]))
  }
}
