import Foundation
import FoundationExtras
import GraphicsCore
import ImageCore
import SeededNumbers
import Testing

@Suite("CIFilter: tables of colours")
struct CubeFilterTests {
  /// Mixes in the numbers as they stand, so that what a table says is what is seen.
  private let plain = CIContext(options: [.workingColorSpace: NSNull(), .outputColorSpace: NSNull()])

  private func data(_ dimension: Int, _ color: (Float, Float, Float) -> (Float, Float, Float)) -> Data {
    let last = Float(dimension - 1)
    var numbers: [Float] = []
    for blue in 0..<dimension {
      for green in 0..<dimension {
        for red in 0..<dimension {
          let color = color(Float(red) / last, Float(green) / last, Float(blue) / last)
          numbers += [color.0, color.1, color.2, 1]
        }
      }
    }
    return numbers.withUnsafeBytes { Data($0) }
  }

  @Test func `red changes first in a table, then green, then blue`() throws {
    let cube = CIFilter.colorCube()
    cube.inputImage = try Grid(width: 1, height: 1) { _, _ in Pixel(red: 255, green: 0, blue: 0) }.image
    cube.cubeDimension = 2
    cube.cubeData = data(2) { red, green, blue in (0.2 * red, 0.4 * red + green, 0.6 * red + blue) }
    #expect(
      try Grid(rendering: try #require(cube.outputImage), in: plain)[0, 0]
        == Pixel(red: 51, green: 102, blue: 153))
  }

  @Test(arguments: [2, 17, 33, 64])
  func `what is linear stays exact between a table's places`(dimension: Int) throws {
    let grid = Grid.asymmetric(60, 40)
    let image = try grid.image.applyingFilter(
      "CIColorCube",
      parameters: [
        "inputCubeDimension": dimension,
        "inputCubeData": data(dimension) { ($2, 1 - $0, 0.25 * $0 + 0.5 * $1 + 0.25 * $2) },
      ])
    let wanted = Grid(width: 60, height: 40) { x, y in
      let pixel = grid[x, y]
      let mixed = 0.25 * Double(pixel.red) + 0.5 * Double(pixel.green) + 0.25 * Double(pixel.blue)
      return Pixel(red: pixel.blue, green: 255 - pixel.red, blue: Int(mixed.rounded()))
    }
    #expect(try Grid(rendering: image, in: plain).isClose(to: wanted))
  }

  @Test func `a curve in a table of 33 is a fraction of a level from the curve`() throws {
    let grid = Grid.asymmetric(64, 64)
    let cube = data(33) { red, green, blue in (red * red, green * (2 - green), blue * green) }
    let image = try grid.image.applyingFilter(
      "CIColorCube", parameters: ["inputCubeDimension": 33, "inputCubeData": cube])
    let wanted = Grid(width: 64, height: 64) { x, y in
      let pixel = grid[x, y]
      let (red, green, blue) = (Double(pixel.red) / 255, Double(pixel.green) / 255, Double(pixel.blue) / 255)
      func level(_ value: Double) -> Int { Int((value * 255).rounded()) }
      return Pixel(red: level(red * red), green: level(green * (2 - green)), blue: level(blue * green))
    }
    #expect(try Grid(rendering: image, in: plain).isClose(to: wanted))
  }

  @Test func `a table of a colour space takes its numbers, without one it takes light`() throws {
    let grid = Grid.asymmetric(32, 20)
    let negative = data(2) { (1 - $0, 1 - $1, 1 - $2) }
    let cube = CIFilter.colorCubeWithColorSpace()
    cube.inputImage = try grid.image
    cube.cubeDimension = 2
    cube.cubeData = negative
    #expect(cube.colorSpace == nil && !cube.extrapolate)
    let inLight = Grid(width: 32, height: 20) { x, y in
      func turned(_ value: Int) -> Int { level(1 - light(value)) }
      let pixel = grid[x, y]
      return Pixel(red: turned(pixel.red), green: turned(pixel.green), blue: turned(pixel.blue))
    }
    #expect(try Grid(rendering: try #require(cube.outputImage)).isClose(to: inLight))
    cube.colorSpace = CGColorSpace(name: CGColorSpace.sRGB)
    let onScreen = Grid(width: 32, height: 20) { x, y in
      let pixel = grid[x, y]
      return Pixel(red: 255 - pixel.red, green: 255 - pixel.green, blue: 255 - pixel.blue)
    }
    #expect(try Grid(rendering: try #require(cube.outputImage)).isClose(to: onScreen))
    // Red of a wide space lies within it, where sRGB's red does not fill the table.
    cube.colorSpace = CGColorSpace(name: CGColorSpace.displayP3)
    cube.cubeData = data(2) { ($0, $1, $2) }
    #expect(try Grid(rendering: try #require(cube.outputImage)).isClose(to: grid, by: 2))
  }

  @Test func `a table with too little data has no output, and says nothing of the picture`() throws {
    let cube = CIFilter.colorCube()
    cube.inputImage = try Grid.asymmetric(4, 4).image
    #expect(cube.outputImage == nil, "there is no table")
    cube.cubeDimension = 3
    cube.cubeData = data(2) { ($0, $1, $2) }
    #expect(cube.outputImage == nil)
    cube.cubeDimension = 2
    #expect(try Grid(rendering: try #require(cube.outputImage)).isClose(to: Grid.asymmetric(4, 4)))
  }

  @Test func `light beyond the table takes its edge, or goes on where that is asked for`() throws {
    let cube = CIFilter.colorCube()
    cube.inputImage = CIImage.white.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1))
      .applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: 1])
    cube.cubeData = data(2) { ($0 / 4, $1 / 4, $2 / 4) }
    func light() throws -> Float {
      var pixel = SIMD4<Float>.zero
      CIContext().render(
        try #require(cube.outputImage), toBitmap: &pixel, rowBytes: 16,
        bounds: CGRect(x: 0, y: 0, width: 1, height: 1), format: .RGBAf,
        colorSpace: CGColorSpace(name: CGColorSpace.extendedLinearSRGB))
      return pixel.x
    }
    #expect(abs(try light() - 0.25) < 1e-4)
    cube.extrapolate = true
    #expect(abs(try light() - 0.5) < 1e-4)
  }

  @Test func `alpha of a table is multiplied in`() throws {
    let numbers = [SIMD4<Float>](repeating: [0.5, 0, 0, 0.5], count: 8)
    let image = try Grid.asymmetric(2, 2).image.applyingFilter(
      "CIColorCube",
      parameters: ["inputCubeDimension": 2, "inputCubeData": numbers.withUnsafeBytes { Data($0) }])
    #expect(try Grid(rendering: image, in: plain)[1, 1] == Pixel(red: 128, green: 0, blue: 0, alpha: 128))
  }
}
