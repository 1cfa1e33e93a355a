import CoreVideo
import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import Synchronization
import Testing

/// Swaps red and blue, in bytes.
private final class Swap: CIImageProcessorKernel {
  override class func formatForInput(at inputIndex: Int32) -> CIFormat { .BGRA8 }
  override class var outputFormat: CIFormat { .BGRA8 }
  override class var outputIsOpaque: Bool { true }
  override class func process(
    with inputs: [any CIImageProcessorInput]?, arguments: [String: Any]?, output: any CIImageProcessorOutput
  ) throws {
    let input = try #require(inputs?.first)
    #expect(input.format == .BGRA8 && input.region == output.region && input.pixelBuffer != nil)
    #expect(output.pixelBuffer.map(CVPixelBufferGetWidth) == Int(output.region.width))
    for y in 0..<Int(output.region.height) {
      let from = (input.baseAddress + y * input.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      let to = (output.baseAddress + y * output.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for x in stride(from: 0, to: 4 * Int(output.region.width), by: 4) {
        (to[x], to[x + 1], to[x + 2], to[x + 3]) = (from[x + 2], from[x + 1], from[x], from[x + 3])
      }
    }
  }
}

/// The brightest pixel among those up to `reach` to the right and above, in floats.
private final class Brightest: CIImageProcessorKernel {
  override class func roi(forInput inputIndex: Int32, arguments: [String: Any]?, outputRect: CGRect) -> CGRect
  {
    let reach = arguments?["reach"] as? Double ?? 0
    return CGRect(
      x: outputRect.minX, y: outputRect.minY, width: outputRect.width + reach,
      height: outputRect.height + reach)
  }
  override class func process(
    with inputs: [any CIImageProcessorInput]?, arguments: [String: Any]?, output: any CIImageProcessorOutput
  ) throws {
    let input = try #require(inputs?.first)
    let reach = Int(arguments?["reach"] as? Double ?? 0)
    #expect(input.format == .RGBAf && output.format == .RGBAf)
    let right = Int(output.region.minX - input.region.minX)
    let down = Int(input.region.maxY - output.region.maxY)
    for y in 0..<Int(output.region.height) {
      let to = (output.baseAddress + y * output.bytesPerRow).assumingMemoryBound(to: SIMD4<Float>.self)
      for x in 0..<Int(output.region.width) {
        var best = SIMD4<Float>.zero
        for row in y + down - reach...y + down {
          let from = (input.baseAddress + row * input.bytesPerRow).assumingMemoryBound(to: SIMD4<Float>.self)
          for column in x + right...x + right + reach { best = pointwiseMax(best, from[column]) }
        }
        to[x] = best
      }
    }
  }
}

/// Gives each pixel the mean of all of the input, which each part needs.
private final class Overall: CIImageProcessorKernel {
  /// Counts the calls.
  final class Calls: Sendable {
    let count = Atomic(0)
  }
  override class func roi(forInput inputIndex: Int32, arguments: [String: Any]?, outputRect: CGRect) -> CGRect
  {
    .infinite
  }
  override class func process(
    with inputs: [any CIImageProcessorInput]?, arguments: [String: Any]?, output: any CIImageProcessorOutput
  ) throws {
    let input = try #require(inputs?.first)
    (arguments?["calls"] as? Calls)?.count.add(1, ordering: .relaxed)
    var sum = SIMD4<Float>.zero
    for y in 0..<Int(input.region.height) {
      let row = (input.baseAddress + y * input.bytesPerRow).assumingMemoryBound(to: SIMD4<Float>.self)
      for x in 0..<Int(input.region.width) { sum += row[x] }
    }
    sum /= Float(input.region.width * input.region.height)
    for y in 0..<Int(output.region.height) {
      let row = (output.baseAddress + y * output.bytesPerRow).assumingMemoryBound(to: SIMD4<Float>.self)
      for x in 0..<Int(output.region.width) { row[x] = sum }
    }
  }
}

/// Fails above the middle of a picture 100 high, and draws its columns below.
private final class Columns: CIImageProcessorKernel {
  override class var outputFormat: CIFormat { .RGBA8 }
  override class func process(
    with inputs: [any CIImageProcessorInput]?, arguments: [String: Any]?, output: any CIImageProcessorOutput
  ) throws {
    #expect(inputs == nil && arguments == nil)
    if output.region.maxY > 64 { throw CancellationError() }
    for y in 0..<Int(output.region.height) {
      let row = (output.baseAddress + y * output.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for x in 0..<Int(output.region.width) {
        row[4 * x] = UInt8(Int(output.region.minX) + x)
        row[4 * x + 3] = 255
      }
    }
  }
}

private final class Gray: CIImageProcessorKernel {
  override class var outputFormat: CIFormat { .L8 }
}

@Suite("CIImageProcessorKernel")
struct ImageProcessorTests {
  /// Numbers as they are stored, so that bytes stay bytes.
  private let plain = CIContext(options: [.workingColorSpace: NSNull(), .outputColorSpace: NSNull()])

  @Test func `a processor's own code makes the pixels, tile by tile`() throws {
    let grid = Grid.asymmetric(600, 140)
    let image = try Swap.apply(withExtent: grid.image.extent, inputs: [grid.image], arguments: nil)
    #expect(image.extent == CGRect(x: 0, y: 0, width: 600, height: 140))
    let wanted = Grid(width: 600, height: 140) { x, y in
      Pixel(red: grid[x, y].blue, green: grid[x, y].green, blue: grid[x, y].red)
    }
    #expect(try Grid(rendering: image, in: plain) == wanted)
    #expect(try Swap.apply(withExtent: .zero, inputs: [grid.image], arguments: nil).extent.isNull)
  }

  @Test func `a processor reads as much of its input as it asks for, clear beyond the edge`() throws {
    let grid = Grid.asymmetric(300, 80)
    let image = try Brightest.apply(
      withExtent: grid.image.extent, inputs: [grid.image], arguments: ["reach": 3.0])
    let out = try Grid(rendering: image, in: plain)
    for (x, y) in [(0, 0), (10, 40), (254, 63), (255, 17), (297, 5), (299, 79)] {
      let around = (max(0, y - 3)...y).flatMap { row in (x...min(299, x + 3)).map { grid[$0, row] } }
      let wanted = Pixel(
        red: around.map(\.red).max() ?? 0, green: around.map(\.green).max() ?? 0,
        blue: around.map(\.blue).max() ?? 0)
      #expect(out[x, y].isClose(to: wanted), "\(x) \(y)")
    }
  }

  @Test func `a processor that needs all of its input for each part runs once for a picture`() throws {
    let grid = Grid.asymmetric(600, 400)
    let calls = Overall.Calls()
    let image = try Overall.apply(
      withExtent: grid.image.extent, inputs: [grid.image], arguments: ["calls": calls])
    let out = try Grid(rendering: image, in: plain)
    let mean = Double(grid.pixels.map(\.green).reduce(0, +)) / Double(grid.pixels.count)
    #expect(abs(Double(out[3, 3].green) - mean) <= 1 && Set(out.pixels.map(\.green)).count == 1)
    #expect(calls.count.load(ordering: .relaxed) == 1)
    #expect(try Grid(rendering: image, in: plain) == out)
    #expect(calls.count.load(ordering: .relaxed) == 2, "and nothing is kept behind a render")
    let endless = try Overall.apply(
      withExtent: CGRect(x: 0, y: 0, width: 4, height: 4), inputs: [.red], arguments: nil)
    #expect(try Grid(rendering: endless)[1, 1].alpha == 0)
  }

  @Test func `a processor may see and give the numbers of a colour space`() throws {
    let grid = Grid.asymmetric(40, 20)
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let numbers = try #require(try grid.image.matchedFromWorkingSpace(to: space))
    var bytes = [UInt8](repeating: 0, count: 4 * 800)
    CIContext().render(
      numbers, toBitmap: &bytes, rowBytes: 160, bounds: numbers.extent, format: .RGBA8, colorSpace: nil)
    for (index, pixel) in grid.pixels.enumerated() {
      let seen = Pixel(
        red: Int(bytes[4 * index]), green: Int(bytes[4 * index + 1]), blue: Int(bytes[4 * index + 2]))
      #expect(seen.isClose(to: pixel))
    }
    let swapped = try Swap.apply(withExtent: numbers.extent, inputs: [numbers], arguments: nil)
    let back = try #require(swapped.matchedToWorkingSpace(from: space))
    let wanted = Grid(width: 40, height: 20) { x, y in
      Pixel(red: grid[x, y].blue, green: grid[x, y].green, blue: grid[x, y].red)
    }
    #expect(try Grid(rendering: back).isClose(to: wanted))
    #expect(CIImage.red.matchedFromWorkingSpace(to: CGColorSpaceCreateDeviceGray()) == nil)
  }

  @Test func `a processor without input draws, and a part that fails stays clear`() throws {
    let image = try Columns.apply(
      withExtent: CGRect(x: 0, y: 0, width: 90, height: 100), inputs: nil, arguments: nil)
    let out = try Grid(rendering: image, in: plain)
    for x in [0, 40, 89] {
      #expect(out[x, 99] == Pixel(red: x, green: 0, blue: 0))
      #expect(out[x, 0].alpha == 0)
    }
    #expect(throws: ImageProcessorError.self) {
      try Gray.apply(withExtent: CGRect(x: 0, y: 0, width: 4, height: 4), inputs: nil, arguments: nil)
    }
    let bare = try CIImageProcessorKernel.apply(
      withExtent: CGRect(x: 0, y: 0, width: 4, height: 4), inputs: nil, arguments: nil)
    #expect(try Grid(rendering: bare)[1, 1].alpha == 0)
  }
}
