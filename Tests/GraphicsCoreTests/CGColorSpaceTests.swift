import Foundation
import FoundationExtras
import GraphicsCore
import SeededNumbers
import Testing

@Suite("CGColorSpace")
struct CGColorSpaceTests {
  private static let all = [
    CGColorSpace.sRGB, CGColorSpace.linearSRGB, CGColorSpace.displayP3, CGColorSpace.linearDisplayP3,
    CGColorSpace.itur_709, CGColorSpace.itur_2020, CGColorSpace.linearITUR_2020, CGColorSpace.adobeRGB1998,
    CGColorSpace.dcip3, CGColorSpace.genericGrayGamma2_2, CGColorSpace.linearGray,
  ]

  @Test(arguments: all)
  func `a profile brings the space back by name`(name: String) throws {
    let space = try #require(CGColorSpace(name: name as CFString))
    let profile = try #require(space.copyICCData())
    let back = try #require(CGColorSpace(iccData: profile))
    #expect(back.name == name)
    #expect(back == space)
    #expect(back.copyICCData() == profile)
    #expect(
      profile.count == Int(profile[0]) << 24 | Int(profile[1]) << 16 | Int(profile[2]) << 8 | Int(profile[3]))
  }

  @Test func `unknown names and broken profiles give nothing`() throws {
    #expect(CGColorSpace(name: "kCGColorSpaceNonsense" as CFString) == nil)
    #expect(CGColorSpace(iccData: Data()) == nil)
    let profile = try #require(CGColorSpace(name: CGColorSpace.displayP3)?.copyICCData())
    for count in stride(from: 0, to: profile.count - 4, by: 5) {
      #expect(CGColorSpace(iccData: profile.prefix(count)) == nil)
    }
    var dice = SeededGenerator(usual: 8)
    for _ in 0..<3000 {
      var broken = profile
      broken[Int.random(in: 0..<broken.count, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      _ = CGColorSpace(iccData: broken).map { ColorConversion(from: $0, to: $0).convert([0.5, 0.5, 0.5]) }
    }
  }

  @Test func `the colorants of sRGB are the published ones`() throws {
    // IEC 61966-2-1 adapted to D50, as in every sRGB profile (ICC's own, v4 appearance beside).
    let space = try #require(CGColorSpace(name: CGColorSpace.sRGB))
    let expected = ColorMatrix(
      [0.4361, 0.3851, 0.1431], [0.2225, 0.7169, 0.0606], [0.0139, 0.0971, 0.7141])
    for (a, b) in [
      (space.toXYZ.first, expected.first), (space.toXYZ.second, expected.second),
      (space.toXYZ.third, expected.third),
    ] {
      #expect((a - b).max() < 0.0003 && (b - a).max() < 0.0003)
    }
  }

  @Test func `full red of Display P3 is beyond sRGB`() throws {
    let (p3, srgb) = try (
      #require(CGColorSpace(name: CGColorSpace.displayP3)), #require(CGColorSpace(name: CGColorSpace.sRGB))
    )
    let extended = try #require(CGColorSpace(name: CGColorSpace.extendedSRGB))
    // The figures that colour pickers show for (1, 0, 0) in Display P3.
    let red = ColorConversion(from: p3, to: extended).convert([1, 0, 0])
    #expect(abs(red.x - 1.093) < 0.002 && abs(red.y + 0.2267) < 0.002 && abs(red.z + 0.1501) < 0.002)
    #expect(ColorConversion(from: p3, to: srgb).convert([1, 0, 0]) == [1, 0, 0])
    #expect(p3.isWideGamutRGB && !srgb.isWideGamutRGB)
  }

  @Test(arguments: all, all)
  func `white stays white and there and back is the same`(from: String, to: String) throws {
    let (a, b) = try (
      #require(CGColorSpace(name: from as CFString)), #require(CGColorSpace(name: to as CFString))
    )
    let white = ColorConversion(from: a, to: b).convert([1, 1, 1])
    #expect((white - [1, 1, 1]).max() < 0.002 && (white - [1, 1, 1]).min() > -0.002)
    let gray: SIMD3<Double> = [0.4, 0.4, 0.4]
    let back = ColorConversion(from: b, to: a).convert(ColorConversion(from: a, to: b).convert(gray))
    #expect((back - gray).max() < 0.003 && (back - gray).min() > -0.003)
  }

  @Test func `curves and their inverses agree`() {
    for curve in [
      TransferFunction.sRGB, .rec709, .linear, .gamma(2.2), .table([0, 5000, 20000, 42000, 65535]),
    ] {
      for step in -10...20 {
        let value = Double(step) / 20
        #expect(abs(curve.stored(curve.linear(value)) - value) < 1e-3)
      }
    }
    #expect(abs(TransferFunction.sRGB.linear(0.5) - 0.21404) < 1e-5)
  }

  @Test func `equality is by name and definition`() {
    #expect(CGColorSpace(name: CGColorSpace.sRGB) == CGColorSpace(name: CGColorSpace.sRGB))
    #expect(CGColorSpace(name: CGColorSpace.sRGB) != CGColorSpace(name: CGColorSpace.displayP3))
    #expect(CGColorSpaceCreateDeviceRGB() == CGColorSpaceCreateDeviceRGB())
    #expect(CGColorSpaceCreateDeviceGray().numberOfComponents == 1)
    #expect(CGColorSpaceCreateDeviceRGB().model == .rgb)
  }
}
