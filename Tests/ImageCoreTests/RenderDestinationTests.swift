import CoreVideo
import Foundation
import GraphicsCore
import ImageCore
import Testing

@Suite("CIRenderDestination")
struct RenderDestinationTests {
  private let context = CIContext()
  private let rose = Pixel(red: 200, green: 60, blue: 90)

  private func buffer(
    _ width: Int, _ height: Int, _ format: OSType = kCVPixelFormatType_32BGRA
  ) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, format, nil, &made)
    return try #require(made)
  }

  @Test func `a task fills a pixel buffer, as render does`() throws {
    let grid = Grid.asymmetric(20, 12)
    let image = try grid.image.applyingFilter("CIColorInvert")
    let (target, other) = (try buffer(20, 12), try buffer(20, 12))
    let destination = CIRenderDestination(pixelBuffer: target)
    #expect(destination.width == 20 && destination.height == 12 && destination.alphaMode == .premultiplied)
    #expect(destination.isFlipped && destination.isClamped && destination.colorSpace != nil)
    let info = try context.startTask(toRender: image, to: destination).waitUntilCompleted()
    context.render(image, to: other)
    #expect(Grid(target) == Grid(other))
    #expect(info.passCount == 1 && info.pixelsProcessed == 240 && info.kernelExecutionTime > 0)
    destination.isFlipped = false
    try context.startTask(toRender: image, to: destination)
    let upsideDown = Grid(target)
    #expect(upsideDown == Grid(width: 20, height: 12) { x, y in Grid(other)[x, 11 - y] })
    try context.startTask(toClear: destination)
    #expect(Grid(target).pixels.allSatisfy { $0.alpha == 0 })
  }

  @Test func `a part of an image goes to its place, and the rest of the destination stays`() throws {
    let grid = Grid.asymmetric(20, 12)
    let back = Grid(width: 16, height: 10) { _, _ in rose }
    let target = try back.buffer
    let destination = CIRenderDestination(pixelBuffer: target)
    let task = try context.startTask(
      toRender: grid.image, from: CGRect(x: 4, y: 2, width: 5, height: 3), to: destination,
      at: CGPoint(x: 10, y: 6))
    #expect(try task.waitUntilCompleted().pixelsProcessed == 15)
    let wanted = Grid(width: 16, height: 10) { x, y in
      // Rows 6 to 8 from the bottom are 1 to 3 from the top; there rows 2 to 4 of the image, 7 to 9 from its top.
      (10..<15).contains(x) && (1..<4).contains(y) ? grid[x - 6, y + 6] : rose
    }
    #expect(Grid(target) == wanted)
    // Upside down, the same part lies as far from the first row as it lay from the last.
    let mirrored = try back.buffer
    let flipped = CIRenderDestination(pixelBuffer: mirrored)
    flipped.isFlipped = false
    try context.startTask(
      toRender: grid.image, from: CGRect(x: 4, y: 2, width: 5, height: 3), to: flipped,
      at: CGPoint(x: 10, y: 6))
    #expect(Grid(mirrored) == Grid(width: 16, height: 10) { x, y in wanted[x, 9 - y] })
    try context.startTask(toRender: .blue, from: .infinite, to: destination, at: CGPoint(x: 3, y: 3))
    #expect(Grid(target).pixels.allSatisfy { $0 == Pixel(red: 0, green: 0, blue: 255) })
    let outside = try context.startTask(
      toRender: .red, from: CGRect(x: 0, y: 0, width: 2, height: 2), to: destination, at: CGPoint(x: 40, y: 0)
    )
    #expect(try outside.waitUntilCompleted().pixelsProcessed == 0)
  }

  @Test func `alpha is stored as the destination asks`() throws {
    let half = CIImage(color: CIColor(red: 1, green: 0.5, blue: 0, alpha: 0.5))
    var bytes = [UInt8](repeating: 7, count: 3 * 20)
    func stored(_ mode: CIRenderDestinationAlphaMode) throws -> [UInt8] {
      try bytes.withUnsafeMutableBytes { memory in
        let destination = CIRenderDestination(
          bitmapData: try #require(memory.baseAddress), width: 4, height: 3, bytesPerRow: 20, format: .RGBA8)
        destination.alphaMode = mode
        try context.startTask(toRender: half, to: destination)
      }
      return Array(bytes[24..<28])
    }
    #expect(try stored(.premultiplied) == [128, 64, 0, 128])
    let plain = try stored(.unpremultiplied)
    #expect(plain[0] == 255 && abs(Int(plain[1]) - 128) <= 1 && plain[3] == 128)
    let opaque = try stored(.none)
    #expect(opaque[3] == 255 && abs(Int(opaque[0]) - level(0.5)) <= 1, "as on black")
    #expect(bytes[16..<20] == [7, 7, 7, 7], "bytes between rows stay")
  }

  @Test
  func `floats keep what lies beyond white unless they are clamped, and the space is the destination's`()
    throws
  {
    let bright = CIImage(color: CIColor(red: 0.5, green: 0.5, blue: 0.5))
      .applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: 3])
    var values = [Float](repeating: 0, count: 4)
    func stored(_ change: (CIRenderDestination) -> Void) throws -> Float {
      try values.withUnsafeMutableBytes { memory in
        let destination = CIRenderDestination(
          bitmapData: try #require(memory.baseAddress), width: 1, height: 1, bytesPerRow: 16, format: .RGBAf)
        #expect(!destination.isClamped)
        change(destination)
        try context.startTask(toRender: bright, to: destination)
      }
      return values[0]
    }
    #expect(try stored { _ in } > 1.2)
    #expect(try stored { $0.isClamped = true } == 1)
    let linear = try stored { $0.colorSpace = nil }
    #expect(abs(Double(linear) - 8 * light(128)) < 0.02)
  }

  @Test func `half floats keep colours beyond 1, as whole ones do, unless they are clamped`() throws {
    let bright = CIImage(color: CIColor(red: 0.5, green: 0.5, blue: 0.5))
      .applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: 3])
    var values = [Float16](repeating: 0, count: 4)
    func stored(_ change: (CIRenderDestination) -> Void) throws -> Float16 {
      try values.withUnsafeMutableBytes { memory in
        let destination = CIRenderDestination(
          bitmapData: try #require(memory.baseAddress), width: 1, height: 1, bytesPerRow: 8, format: .RGBAh)
        #expect(!destination.isClamped)
        change(destination)
        try context.startTask(toRender: bright, to: destination)
      }
      return values[0]
    }
    #expect(try stored { _ in } > 1.2)
    #expect(try stored { $0.isClamped = true } == 1)
  }

  @Test func `a destination that cannot be written is an error, and other formats are converted to`() throws {
    let video = try buffer(8, 8, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    let destination = CIRenderDestination(pixelBuffer: video)
    #expect(destination.alphaMode == .none)
    try context.startTask(toRender: .white, to: destination)
    #expect(video.planes[0].row(3)[3] == 255)
    let depth = CIRenderDestination(pixelBuffer: try buffer(8, 8, kCVPixelFormatType_DepthFloat32))
    #expect(throws: RenderDestinationError.self) { try context.startTask(toRender: .white, to: depth) }
    var bytes = [UInt8](repeating: 0, count: 16)
    try bytes.withUnsafeMutableBytes { memory in
      let short = CIRenderDestination(
        bitmapData: try #require(memory.baseAddress), width: 4, height: 1, bytesPerRow: 12, format: .BGRA8)
      #expect(throws: RenderDestinationError.self) { try context.startTask(toRender: .white, to: short) }
    }
  }
}
