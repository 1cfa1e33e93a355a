import DrawingCore
import Foundation
import GraphicsCore
import ImageCore
import Testing

@Suite("Filters that draw text")
struct TextFilterTests {
  private func pixels(_ image: CIImage) throws -> (width: Int, [UInt8]) {
    let width = Int(image.extent.width)
    let height = Int(image.extent.height)
    var bytes = [UInt8](repeating: 0, count: 4 * width * height)
    CIContext().render(
      image, toBitmap: &bytes, rowBytes: 4 * width, bounds: image.extent, format: .RGBA8,
      colorSpace: CGColorSpace(name: CGColorSpace.sRGB))
    return (width, bytes)
  }

  @Test(arguments: ["Booth", "사진관"])
  func `a text is white letters on nothing, as large as its font and scale say`(text: String) throws {
    let filter = CIFilter.textImageGenerator()
    filter.text = text
    filter.fontSize = 24
    let image = try #require(filter.outputImage)
    let (_, bytes) = try pixels(image)
    let places = stride(from: 0, to: bytes.count, by: 4)
    #expect(places.contains { bytes[$0] == 255 && bytes[$0 + 1] == 255 && bytes[$0 + 3] == 255 })
    #expect(places.contains { bytes[$0 + 3] == 0 })
    #expect(image.extent.origin == .zero && image.extent.height > 24 && image.extent.height < 60)
    filter.scaleFactor = 2
    filter.padding = 10
    let larger = try #require(filter.outputImage).extent
    #expect(
      abs(larger.width - 2 * image.extent.width - 40) <= 3
        && abs(larger.height - 2 * image.extent.height - 40) <= 3)
  }

  @Test func `an attributed text keeps its colours, and lies over a picture like any image`() throws {
    let filter = CIFilter.attributedTextImageGenerator()
    #expect(filter.outputImage == nil)
    filter.text = NSAttributedString(
      string: "█", attributes: [.font: UIFont.systemFont(ofSize: 40), .foregroundColor: UIColor.red])
    filter.padding = 10
    let text = try #require(filter.outputImage)
    let wall = CIImage(color: CIColor(red: 0, green: 0, blue: 1)).cropped(to: text.extent)
    let (width, bytes) = try pixels(text.composited(over: wall))
    let row = bytes.count / 4 / width / 2
    let middle = 4 * (row * width + width / 2)
    #expect(Array(bytes[middle..<middle + 3]) == [255, 0, 0])
    #expect(Array(bytes[0..<3]) == [0, 0, 255])
  }

  @Test func `the filters are found by name, with Apple's inputs`() throws {
    let filter = try #require(CIFilter(name: "CITextImageGenerator"))
    #expect(
      filter.inputKeys == ["inputText", "inputFontName", "inputFontSize", "inputScaleFactor", "inputPadding"])
    #expect(filter.outputImage == nil)
    filter.setValue("x", forKey: "inputText")
    filter.setValue("No Such Font", forKey: "inputFontName")
    #expect(filter.outputImage != nil)
    filter.setValue(1e9, forKey: "inputFontSize")
    filter.setValue(1e9, forKey: "inputScaleFactor")
    #expect(filter.outputImage == nil)
  }
}
