import CoreVideo
import Foundation
import FrameFusion
import Testing

@Suite("Light of a flash alone")
struct FlashLightTests {
  /// A picture of one linear colour; red, green and blue from 0 to 1.
  private func picture(_ color: SIMD3<Double>, width: Int = 10, height: Int = 6) throws -> CVPixelBuffer {
    var buffer: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
    let picture = try #require(buffer)
    for y in 0..<height {
      let row = picture.planes[0].row(y)
      for x in 0..<width {
        for (index, light) in [color.z, color.y, color.x].enumerated() { row[4 * x + index] = code(light) }
        row[4 * x + 3] = 255
      }
    }
    return picture
  }

  private func code(_ light: Double) -> UInt8 {
    UInt8(((light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255).rounded())
  }

  private func pixel(_ picture: CVPixelBuffer, _ x: Int, _ y: Int) -> [Int] {
    (0..<4).map { Int(picture.planes[0].row(y)[4 * x + $0]) }
  }

  @Test func `light adds up, so that the difference is what the flash gave`() throws {
    let flash = SIMD3(0.3, 0.2, 0.1)
    for ambient in [SIMD3(0.02, 0.03, 0.04), SIMD3(0.4, 0.2, 0.05)] {
      let target = try picture(.zero)
      let found = try FlashLight.separate(
        picture(flash + ambient), .one, from: picture(ambient), .one, into: target)
      #expect(found != nil)
      for place in [(0, 0), (9, 5)] {
        let pixel = pixel(target, place.0, place.1)
        let wanted = [flash.z, flash.y, flash.x].map { Int(code($0)) }
        #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(pixel), \(wanted)")
        #expect(pixel[3] == 255)
      }
    }
  }

  @Test func `factors take white balance and exposure back before`() throws {
    let target = try picture(.zero)
    // Balanced otherwise, and half as long.
    _ = try FlashLight.separate(
      picture(SIMD3(0.4, 0.3, 0.2)), SIMD3(1, 1, 2), from: picture(SIMD3(0.05, 0.05, 0.025)), SIMD3(2, 2, 4),
      into: target)
    let pixel = pixel(target, 5, 3)
    let wanted = [0.3, 0.2, 0.3].map { Int(code($0)) }
    #expect(zip(pixel, wanted).allSatisfy { abs($0 - $1) <= 3 }, "\(pixel), \(wanted)")
  }

  @Test
  func
    `confidence is full in the flash's light, and none in other light, in the dark and where the sensor was full`()
    throws
  {
    func mean(_ flash: Double, _ ambient: Double) throws -> Float {
      let found = try FlashLight.separate(
        picture(SIMD3(repeating: flash + ambient)), .one, from: picture(SIMD3(repeating: ambient)), .one,
        into: picture(.zero))
      let confidence = try #require(found)
      #expect(confidence.map.width == 3 && confidence.map.height == 2)
      let corner = confidence.map.planes[0].row(1)[2]
      #expect(abs(Float(corner) / 255 - confidence.mean) < 0.01)
      return confidence.mean
    }
    #expect(try mean(0.4, 0.05) > 0.99)
    #expect(try mean(0, 0.4) < 0.01)
    #expect(try mean(0.001, 0) < 0.2)
    #expect(try mean(1, 0) == 0)
    let (less, more) = try (mean(0.05, 0.4), mean(0.15, 0.4))
    #expect(less > 0.05 && less < more && more < 0.9, "\(less), \(more)")
  }

  @Test func `what is brighter than the limit is not trusted`() throws {
    func mean(_ light: Double) throws -> Float? {
      try FlashLight.separate(
        picture(SIMD3(repeating: light)), .one, from: picture(.zero), .one, limit: 0.5, into: picture(.zero)
      )?.mean
    }
    let (below, above) = try (mean(0.45), mean(0.55))
    #expect(try #require(below) > 0.99 && above == 0)
  }

  @Test func `the middle counts most`() throws {
    /// The mean where one third of the picture's width is lit.
    func mean(_ columns: Range<Int>) throws -> Float {
      let lit = try picture(SIMD3(repeating: 0.1), width: 48, height: 24)
      for y in 0..<24 {
        let row = lit.planes[0].row(y)
        for x in columns { for index in 0..<3 { row[4 * x + index] = code(0.5) } }
      }
      let dark = try picture(SIMD3(repeating: 0.1), width: 48, height: 24)
      let found = try FlashLight.separate(
        lit, .one, from: dark, .one, into: picture(.zero, width: 48, height: 24))
      return try #require(found).mean
    }
    let (left, middle) = try (mean(0..<16), mean(16..<32))
    #expect(middle > 1.5 * left && middle < 1, "\(left), \(middle)")
  }

  @Test func `pictures that do not fit each other are left alone`() throws {
    let target = try picture(SIMD3(repeating: 0.2))
    let before = pixel(target, 0, 0)
    let other = try picture(.zero, width: 8)
    #expect(try FlashLight.separate(target, .one, from: other, .one, into: target) == nil)
    #expect(pixel(target, 0, 0) == before)
  }
}
