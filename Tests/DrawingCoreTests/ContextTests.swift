import DrawingCore
import Foundation
import FoundationExtras
import GraphicsCore
import Testing

@Suite("Drawing contexts")
struct ContextTests {
  @Test(arguments: [true, false])
  func `a fill lands in the lower left corner, in both orders of bytes`(isRedFirst: Bool) {
    let canvas = Canvas(8, 8, isRedFirst: isRedFirst)
    canvas.context.setFillColor(CGColor(srgbRed: 1, green: 0.5, blue: 0, alpha: 1))
    canvas.context.fill(CGRect(x: 0, y: 0, width: 4, height: 2))
    #expect(canvas[0, 7] == [255, 128, 0, 255] && canvas[3, 6] == [255, 128, 0, 255])
    #expect(canvas[4, 7] == [0, 0, 0, 0] && canvas[0, 5] == [0, 0, 0, 0])
    canvas.context.clear(CGRect(x: 0, y: 0, width: 1, height: 1))
    #expect(canvas[0, 7] == [0, 0, 0, 0])
  }

  @Test func `what cannot be drawn into is refused`() {
    func make(
      _ info: UInt32, bits: Int = 8, row: Int = 0, space: CGColorSpace = CGColorSpaceCreateDeviceRGB(),
      width: Int = 4
    )
      -> CGContext?
    {
      CGContext(
        data: nil, width: width, height: 4, bitsPerComponent: bits, bytesPerRow: row, space: space,
        bitmapInfo: info)
    }
    let last = CGImageAlphaInfo.premultipliedLast.rawValue
    #expect(make(last) != nil && make(last, row: 64)?.bytesPerRow == 64)
    #expect(make(CGImageAlphaInfo.last.rawValue) == nil)
    #expect(make(last, bits: 16) == nil && make(last, row: 8) == nil && make(last, width: 0) == nil)
    #expect(make(last, width: 40_000) == nil)
    #expect(make(last, space: CGColorSpaceCreateDeviceGray()) == nil)
    #expect(make(CGImageAlphaInfo.alphaOnly.rawValue, space: CGColorSpaceCreateDeviceGray()) != nil)
  }

  @Test func `a client's memory is drawn into where it lies`() {
    var memory = [UInt8](repeating: 9, count: 4 * 4 * 2)
    memory.withUnsafeMutableBytes { bytes in
      let context = CGContext(
        data: bytes.baseAddress, width: 4, height: 2, bitsPerComponent: 8, bytesPerRow: 16,
        space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      context?.setFillColor(CGColor(srgbRed: 0, green: 1, blue: 0, alpha: 1))
      context?.fill(CGRect(x: 0, y: 1, width: 1, height: 1))
    }
    #expect(memory.prefix(4) == [0, 255, 0, 255] && memory[4] == 9)
  }

  @Test func `a mask of alpha takes shapes, shadows, pictures and text`() throws {
    let context = try #require(
      CGContext(
        data: nil, width: 60, height: 30, bitsPerComponent: 8, bytesPerRow: 0,
        space: CGColorSpaceCreateDeviceGray(),
        bitmapInfo: CGImageAlphaInfo.alphaOnly.rawValue))
    func alpha(_ x: Int, _ y: Int) -> UInt8 {
      context.data?.load(fromByteOffset: y * context.bytesPerRow + x, as: UInt8.self) ?? 0
    }
    context.setFillColor(CGColor(gray: 1, alpha: 0.5))
    context.setShadow(offset: CGSize(width: 10, height: 0), blur: 0, color: CGColor(gray: 0, alpha: 1))
    context.fill(CGRect(x: 0, y: 0, width: 5, height: 30))
    context.setShadow(offset: .zero, blur: 0, color: nil)
    #expect(abs(Int(alpha(2, 2)) - 128) <= 1 && abs(Int(alpha(12, 2)) - 128) <= 1 && alpha(7, 2) == 0)
    context.draw(.fields([[(9, 9, 9, 255)]]), in: CGRect(x: 20, y: 0, width: 5, height: 30))
    #expect(alpha(22, 15) == 255)
    UIGraphicsPushContext(context)
    "█".draw(at: CGPoint(x: 35, y: 0), withAttributes: [.font: UIFont.systemFont(ofSize: 20)])
    UIGraphicsPopContext()
    #expect((0..<30).contains { alpha(40, $0) == 255 })
    #expect(context.makeImage()?.alphaInfo == .alphaOnly)
  }

  @Test func `an image of what was drawn stays as it was`() throws {
    let canvas = Canvas(4, 4)
    canvas.context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
    let image = try #require(canvas.context.makeImage())
    canvas.context.clear(CGRect(x: 0, y: 0, width: 4, height: 4))
    let copy = Canvas(4, 4)
    copy.context.draw(image, in: CGRect(x: 0, y: 0, width: 4, height: 4))
    #expect(copy[1, 1] == [0, 0, 0, 255] && canvas[1, 1] == [0, 0, 0, 0])
  }

  @Test func `state is saved and restored, the path is not`() {
    let canvas = Canvas(10, 10)
    let context = canvas.context
    context.saveGState()
    context.translateBy(x: 5, y: 5)
    context.setFillColor(CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
    context.setLineWidth(7)
    context.clip(to: CGRect(x: 0, y: 0, width: 1, height: 1))
    context.addRect(CGRect(x: 0, y: 0, width: 3, height: 3))
    context.restoreGState()
    #expect(context.boundingBoxOfPath == CGRect(x: 5, y: 5, width: 3, height: 3))
    #expect(
      context.ctm == .identity && context.boundingBoxOfClipPath == CGRect(x: 0, y: 0, width: 10, height: 10))
    context.fillPath()
    #expect(canvas[6, 3] == [0, 0, 0, 255] && context.isPathEmpty)
    #expect(ProgrammingMistake.collect { context.restoreGState() }.count == 1)
    #expect(ProgrammingMistake.collect { context.endTransparencyLayer() }.count == 1)
    #expect(ProgrammingMistake.collect { context.addLine(to: .zero) }.count == 1)
  }

  @Test func `a stretch to nothing, endless numbers and far places draw nothing and harm nothing`() {
    let canvas = Canvas(8, 8)
    let context = canvas.context
    context.saveGState()
    context.scaleBy(x: 0, y: 1)
    context.fill(CGRect(x: 0, y: 0, width: 8, height: 8))
    context.setShadow(offset: CGSize(width: 1, height: 1), blur: 2)
    context.draw(.fields([[(255, 0, 0, 255)]]), in: CGRect(x: 0, y: 0, width: 1, height: 1))
    context.restoreGState()
    context.fill(CGRect(x: CGFloat.nan, y: 0, width: 1, height: 1))
    context.fill(CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 1))
    context.setLineDash(phase: 0, lengths: [0, -1])
    context.setLineWidth(.nan)
    #expect(canvas.inkCount == 0)
    context.fill(CGRect(x: -1e12, y: -1e12, width: 2e12, height: 2e12))
    #expect(canvas.inkCount == 64)
  }

  @Test func `lines have their width, caps, joins and dashes`() {
    let canvas = Canvas(20, 20)
    let context = canvas.context
    context.setLineWidth(4)
    context.setStrokeColor(CGColor(gray: 0, alpha: 1))
    context.strokeLineSegments(between: [CGPoint(x: 4, y: 10), CGPoint(x: 16, y: 10)])
    #expect(
      canvas[4, 8][3] == 255 && canvas[4, 11][3] == 255 && canvas[4, 12][3] == 0 && canvas[3, 10][3] == 0)
    context.clear(CGRect(x: 0, y: 0, width: 20, height: 20))
    context.setLineCap(.square)
    context.strokeLineSegments(between: [CGPoint(x: 4, y: 10), CGPoint(x: 16, y: 10)])
    #expect(canvas[2, 10][3] == 255 && canvas[17, 10][3] == 255)
    context.clear(CGRect(x: 0, y: 0, width: 20, height: 20))
    context.setLineCap(.butt)
    context.setLineDash(phase: 0, lengths: [4, 4])
    context.strokeLineSegments(between: [CGPoint(x: 0, y: 10), CGPoint(x: 20, y: 10)])
    #expect(canvas[1, 10][3] == 255 && canvas[5, 10][3] == 0 && canvas[9, 10][3] == 255)
    context.setLineDash(phase: 0, lengths: [])
    context.addRect(CGRect(x: 5, y: 5, width: 10, height: 10))
    #expect(context.pathContains(CGPoint(x: 6, y: 10), mode: .stroke))
    #expect(!context.pathContains(CGPoint(x: 10, y: 10), mode: .stroke))
    #expect(context.pathContains(CGPoint(x: 10, y: 10), mode: .fill))
  }

  @Test func `rings are filled by the even-odd rule and their lines are drawn over them`() {
    let canvas = Canvas(20, 20)
    let context = canvas.context
    context.setFillColor(CGColor(srgbRed: 1, green: 0, blue: 0, alpha: 1))
    context.setStrokeColor(CGColor(srgbRed: 0, green: 0, blue: 1, alpha: 1))
    context.setLineWidth(2)
    context.addEllipse(in: CGRect(x: 1, y: 1, width: 18, height: 18))
    context.addEllipse(in: CGRect(x: 6, y: 6, width: 8, height: 8))
    context.drawPath(using: .eoFillStroke)
    #expect(
      canvas[10, 10][3] == 0 && canvas[4, 10] == [255, 0, 0, 255] && canvas[1, 10] == [0, 0, 255, 255])
  }

  @Test func `clips cut, add up, and are taken off`() {
    let canvas = Canvas(10, 10)
    let context = canvas.context
    context.clip(to: CGRect(x: 0, y: 0, width: 6, height: 10))
    context.addEllipse(in: CGRect(x: 2, y: 2, width: 6, height: 6))
    context.clip()
    context.fill(CGRect(x: 0, y: 0, width: 10, height: 10))
    #expect(canvas[4, 5][3] == 255 && canvas[7, 5][3] == 0 && canvas[0, 5][3] == 0)
    context.resetClip()
    context.fill(CGRect(x: 9, y: 0, width: 1, height: 1))
    #expect(canvas[9, 9][3] == 255)
  }
}
