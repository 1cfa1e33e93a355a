import CoreVideo
import Foundation
import GraphicsCore
import ImageCore
import Testing

@Suite("CIImage: changes")
struct ChangeTests {
  @Test func `a picture comes out as it went in, both ways`() throws {
    let grid = Grid.asymmetric(300, 70)
    #expect(try Grid(rendering: grid.image) == grid)
    // An overlay of nothing that is not known to be nothing keeps the short way shut.
    let veil = CIImage(color: .clear).cropped(to: CGRect(x: 0, y: 0, width: 300, height: 70))
    #expect(try Grid(rendering: veil.composited(over: grid.image)) == grid)
  }

  @Test func `every level of gray survives the way through light`() throws {
    let grid = Grid(width: 256, height: 2) { x, _ in Pixel(red: x, green: x, blue: x) }
    let veil = CIImage(color: .clear).cropped(to: CGRect(x: 0, y: 0, width: 256, height: 2))
    #expect(try Grid(rendering: veil.composited(over: grid.image)) == grid)
  }

  @Test func `cropping keeps the place and cuts from the lower left`() throws {
    let grid = Grid.asymmetric(10, 8)
    let cut = try grid.image.cropped(to: CGRect(x: 2, y: 1, width: 5, height: 4))
    #expect(cut.extent == CGRect(x: 2, y: 1, width: 5, height: 4))
    // One row above the bottom is row 6 from the top; four rows up is row 3.
    #expect(try Grid(rendering: cut) == Grid(width: 5, height: 4) { x, y in grid[x + 2, y + 3] })
    #expect(cut.cropped(to: CGRect(x: 20, y: 0, width: 3, height: 3)).extent.isNull)
    let wider = try Grid(rendering: cut, from: CGRect(x: 1, y: 1, width: 2, height: 1))
    #expect(wider[0, 0] == Pixel(red: 0, green: 0, blue: 0, alpha: 0) && wider[1, 0] == grid[2, 6])
  }

  @Test(arguments: 1...8)
  func `every EXIF orientation turns the picture upright`(number: Int) throws {
    let grid = Grid.asymmetric(9, 6)
    let upright = try grid.image.oriented(forExifOrientation: Int32(number))
    let isLying = number >= 5
    let (width, height) = isLying ? (6, 9) : (9, 6)
    #expect(upright.extent == CGRect(x: 0, y: 0, width: width, height: height))
    let wanted = Grid(width: width, height: height) { x, y in
      switch number {
      case 1: grid[x, y]
      case 2: grid[8 - x, y]
      case 3: grid[8 - x, 5 - y]
      case 4: grid[x, 5 - y]
      case 5: grid[y, x]
      case 6: grid[y, 5 - x]
      case 7: grid[8 - y, 5 - x]
      default: grid[8 - y, x]
      }
    }
    #expect(try Grid(rendering: upright) == wanted)
    // The same through tiles and light.
    let veil = CIImage(color: .clear).cropped(to: upright.extent)
    #expect(try Grid(rendering: veil.composited(over: upright)) == wanted)
  }

  @Test(arguments: 2...8)
  func `a picture that is laid upright and made smaller is the small one, laid upright`(number: Int) throws {
    // More than a tile, no multiple of it, and pixels that are parts of two.
    let picture = try Grid.asymmetric(610, 930).image
    let scale = CGAffineTransform(scaleX: 0.3, y: 0.3)
    let shrunk = picture.transformed(by: scale)
    let small = CIImage(cgImage: try #require(CIContext().createCGImage(shrunk, from: shrunk.extent)))
    let upright = picture.oriented(forExifOrientation: Int32(number)).transformed(by: scale)
    let wanted = try Grid(rendering: small.oriented(forExifOrientation: Int32(number)))
    #expect(try Grid(rendering: upright).isClose(to: wanted))
  }

  @Test func `an orientation keeps a crop's picture and moves it to the origin`() throws {
    let grid = Grid.asymmetric(12, 10)
    let cut = try grid.image.cropped(to: CGRect(x: 4, y: 2, width: 6, height: 4))
    let turned = cut.oriented(forExifOrientation: 6)
    #expect(turned.extent == CGRect(x: 0, y: 0, width: 4, height: 6))
    // The crop's rows from the top are 4…7, its columns 4…9.
    #expect(try Grid(rendering: turned) == Grid(width: 4, height: 6) { x, y in grid[4 + y, 4 + 3 - x] })
  }

  @Test func `whole steps move pixels and nothing else`() throws {
    let grid = Grid.asymmetric(5, 4)
    let moved = try grid.image.transformed(by: CGAffineTransform(translationX: -3, y: 7))
    #expect(moved.extent == CGRect(x: -3, y: 7, width: 5, height: 4))
    #expect(try Grid(rendering: moved) == grid)
  }

  @Test func `half a step lies between two pixels, in light`() throws {
    let grid = Grid(width: 2, height: 1) { x, _ in
      x == 0 ? Pixel(red: 0, green: 0, blue: 0) : Pixel(red: 255, green: 255, blue: 255)
    }
    let moved = try grid.image.transformed(by: CGAffineTransform(translationX: 0.5, y: 0))
    let pixel = try Grid(rendering: moved, from: CGRect(x: 1, y: 0, width: 1, height: 1))[0, 0]
    #expect(pixel.isClose(to: Pixel(red: level(0.5), green: level(0.5), blue: level(0.5))))
    // Without colour matching the numbers themselves are mixed.
    let plain = CIContext(options: [.workingColorSpace: NSNull()])
    let number = try Grid(rendering: moved, from: CGRect(x: 1, y: 0, width: 1, height: 1), in: plain)[0, 0]
    #expect(number.isClose(to: Pixel(red: 128, green: 128, blue: 128)))
  }

  @Test func `growing interpolates about pixel centres and keeps the edges`() throws {
    let grid = Grid(width: 2, height: 1) { x, _ in
      x == 0 ? Pixel(red: 0, green: 0, blue: 0) : Pixel(red: 255, green: 255, blue: 255)
    }
    let plain = CIContext(options: [.workingColorSpace: NSNull()])
    let grown = try grid.image.transformed(by: CGAffineTransform(scaleX: 4, y: 4))
    #expect(grown.extent == CGRect(x: 0, y: 0, width: 8, height: 4))
    let reds = try Grid(rendering: grown, in: plain).pixels[0..<8].map(\.red)
    #expect(reds == [0, 0, 32, 96, 159, 223, 255, 255])
    #expect(try Grid(rendering: grown, in: plain).pixels.allSatisfy { $0.alpha == 255 })
    let nearest = try grid.image.samplingNearest().transformed(by: CGAffineTransform(scaleX: 4, y: 4))
    #expect(
      try Grid(rendering: nearest, in: plain).pixels[0..<8].map(\.red) == [0, 0, 0, 0, 255, 255, 255, 255])
  }

  @Test func `shrinking takes the mean of what a pixel covers`() throws {
    let grid = Grid.asymmetric(12, 8)
    let small = try grid.image.transformed(by: CGAffineTransform(scaleX: 0.25, y: 0.25))
    let held = try Grid(rendering: small)
    for y in 0..<2 {
      for x in 0..<3 {
        func mean(_ part: (Pixel) -> Int) -> Int {
          var sum = 0.0
          for j in 0..<4 { for i in 0..<4 { sum += light(part(grid[4 * x + i, 4 * y + j])) } }
          return level(sum / 16)
        }
        let wanted = Pixel(red: mean(\.red), green: mean(\.green), blue: mean(\.blue))
        #expect(held[x, y].isClose(to: wanted), "\(held[x, y]) is not \(wanted)")
      }
    }
  }

  @Test(arguments: 5...8)
  func `a picture that is turned and made smaller is the turned one, made smaller`(number: Int) throws {
    let image = try Grid.asymmetric(60, 44).image
    let scale = CGAffineTransform(scaleX: 0.3, y: 0.45)
    let turned = image.oriented(forExifOrientation: Int32(number))
    let stored = CIImage(cgImage: try #require(CIContext().createCGImage(turned, from: turned.extent)))
    let wanted = try Grid(rendering: stored.transformed(by: scale))
    #expect(try Grid(rendering: turned.transformed(by: scale)).isClose(to: wanted))
  }

  @Test func `a shrunk picture much larger than a tile keeps its mean`() throws {
    let grid = Grid(width: 512, height: 384) { x, y in
      let value = (x + y) % 2 == 0 ? 0 : 255
      return Pixel(red: value, green: value, blue: value)
    }
    let small = try grid.image.transformed(by: CGAffineTransform(scaleX: 1.0 / 128, y: 1.0 / 128))
    let held = try Grid(rendering: small)
    #expect(held.width == 4 && held.height == 3)
    #expect(
      held.pixels.allSatisfy { $0.isClose(to: Pixel(red: level(0.5), green: level(0.5), blue: level(0.5))) })
  }

  @Test func `transforms one after the other are sampled once`() throws {
    let grid = Grid.asymmetric(16, 16)
    let there = CGAffineTransform(rotationAngle: 0.4).scaledBy(x: 1.3, y: 0.8).translatedBy(x: 3, y: 5)
    let back = try grid.image.transformed(by: there).transformed(by: there.inverted())
    let held = try Grid(rendering: back, from: CGRect(x: 0, y: 0, width: 16, height: 16))
    #expect(held.isClose(to: grid, by: 2))
  }

  @Test func `a turned square has soft edges and a full middle`() throws {
    let square = CIImage(color: .white).cropped(to: CGRect(x: -8, y: -8, width: 16, height: 16))
    let turned = square.transformed(by: CGAffineTransform(rotationAngle: .pi / 4))
    let held = try Grid(rendering: turned)
    #expect(held.width == 24 && held.height == 24)
    #expect(held[12, 12] == Pixel(red: 255, green: 255, blue: 255))
    #expect(held[0, 0].alpha == 0)
    #expect(held.pixels.contains { $0.alpha > 20 && $0.alpha < 235 })
    let area = held.pixels.reduce(0) { $0 + $1.alpha }
    #expect(abs(Double(area) / 255 - 256) < 8)
  }

  @Test func `clamping repeats the outermost pixels for ever`() throws {
    let grid = Grid.asymmetric(4, 3)
    let clamped = try grid.image.clampedToExtent()
    #expect(clamped.extent.isInfinite)
    let held = try Grid(rendering: clamped, from: CGRect(x: -2, y: -1, width: 8, height: 6))
    #expect(held == Grid(width: 8, height: 6) { x, y in grid[min(max(x - 2, 0), 3), min(max(y - 2, 0), 2)] })
    let inner = try grid.image.clamped(to: CGRect(x: 1, y: 1, width: 1, height: 1))
    #expect(try Grid(rendering: inner, from: CGRect(x: 9, y: 9, width: 1, height: 1))[0, 0] == grid[1, 1])
    #expect(CIImage.red.clampedToExtent().extent.isInfinite)
  }

  @Test func `an opaque picture hides what it lies on`() throws {
    let grid = Grid.asymmetric(6, 6)
    let held = try Grid(
      rendering: try grid.image.composited(over: .white), from: CGRect(x: 0, y: 0, width: 6, height: 6))
    #expect(held == grid)
    let both = try grid.image.transformed(by: CGAffineTransform(translationX: 2, y: 0))
      .composited(over: CIImage.white.cropped(to: CGRect(x: 0, y: 0, width: 6, height: 6)))
    #expect(both.extent == CGRect(x: 0, y: 0, width: 8, height: 6))
    let row = try Grid(rendering: both)
    #expect(row[1, 3] == Pixel(red: 255, green: 255, blue: 255) && row[2, 3] == grid[0, 3])
  }

  @Test(arguments: [0, 64, 128, 200, 255])
  func `half-clear colours mix in light by their alpha`(alpha: Int) throws {
    let share = CGFloat(alpha) / 255
    let top = CIImage(color: CIColor(red: 1, green: 0, blue: 0, alpha: share))
    let both = top.composited(over: CIImage(color: CIColor(red: 0, green: 0, blue: 1)))
    let pixel = try Grid(rendering: both, from: CGRect(x: 5, y: 5, width: 1, height: 1))[0, 0]
    let wanted = Pixel(red: level(Double(share)), green: 0, blue: level(1 - Double(share)))
    #expect(pixel.isClose(to: wanted), "\(pixel) is not \(wanted)")
    let plain = CIContext(options: [.workingColorSpace: NSNull()])
    let number = try Grid(rendering: both, from: CGRect(x: 0, y: 0, width: 1, height: 1), in: plain)[0, 0]
    #expect(number.isClose(to: Pixel(red: alpha, green: 0, blue: 255 - alpha)))
  }

  @Test func `alpha is set, multiplied in and divided out`() throws {
    let plain = CIContext(options: [.workingColorSpace: NSNull()])
    let one = CGRect(x: 0, y: 0, width: 1, height: 1)
    let half = CIImage(color: CIColor(red: 1, green: 0.5, blue: 0, alpha: 0.5))
    let opaque = try Grid(rendering: half.settingAlphaOne(in: one), in: plain)[0, 0]
    #expect(opaque.isClose(to: Pixel(red: 128, green: 64, blue: 0)))
    let twice = try Grid(rendering: half.premultiplyingAlpha(), from: one, in: plain)[0, 0]
    #expect(twice.isClose(to: Pixel(red: 64, green: 32, blue: 0, alpha: 128)))
    let straight = half.unpremultiplyingAlpha().settingAlphaOne(in: one)
    #expect(try Grid(rendering: straight, in: plain)[0, 0].isClose(to: Pixel(red: 255, green: 128, blue: 0)))
  }

  @Test func `pixels of a buffer keep their premultiplied alpha`() throws {
    let grid = Grid(width: 16, height: 16) { x, y in
      let alpha = x * 17
      return Pixel(red: alpha * y / 15, green: alpha / 2, blue: 0, alpha: alpha)
    }
    #expect(try Grid(rendering: grid.image) == grid)
    let veil = CIImage(color: .clear).cropped(to: CGRect(x: 0, y: 0, width: 16, height: 16))
    #expect(try Grid(rendering: veil.composited(over: grid.image)).isClose(to: grid))
  }

  @Test func `a changed image forgets where it came from and keeps its properties`() throws {
    let grid = Grid.asymmetric(4, 4)
    let buffer = try grid.buffer
    let image = CIImage(cvPixelBuffer: buffer, options: [.properties: ["Orientation": 6, "Note": "x"]])
    #expect(image.pixelBuffer === buffer && image.colorSpace != nil)
    let cut = image.cropped(to: CGRect(x: 0, y: 0, width: 2, height: 2))
    #expect(cut.pixelBuffer == nil && cut.colorSpace == nil && cut.properties["Note"] as? String == "x")
    #expect(image.cropped(to: image.extent) === image)
    #expect(image.settingProperties(["a": 1]).properties["a"] as? Int == 1)
    let upright = CIImage(
      cvPixelBuffer: try Grid.asymmetric(6, 4).buffer,
      options: [.properties: ["Orientation": 6], .applyOrientationProperty: true])
    #expect(upright.extent == CGRect(x: 0, y: 0, width: 4, height: 6))
    #expect(upright.properties["Orientation"] as? Int == 1)
  }

  @Test func `an empty image stays empty whatever is done to it`() throws {
    let empty = CIImage.empty()
    #expect(empty.extent.isNull)
    #expect(empty.transformed(by: CGAffineTransform(scaleX: 2, y: 2)).extent.isNull)
    #expect(empty.cropped(to: CGRect(x: 0, y: 0, width: 1, height: 1)).extent.isNull)
    #expect(empty.oriented(forExifOrientation: 6).extent.isNull)
    let grid = Grid.asymmetric(3, 3)
    #expect(try Grid(rendering: empty.composited(over: grid.image)) == grid)
    #expect(CIContext().createCGImage(empty, from: empty.extent) == nil)
    #expect(CIContext().createCGImage(.white, from: CIImage.white.extent) == nil)
  }
}
