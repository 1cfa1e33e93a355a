import CoreVideo
import Foundation
import GraphicsCore
import Testing

@testable import ImageCore

@Suite("CIContext: tiles")
struct TileTests {
  /// Quarter turns and mirror images of them, and what they are called in files.
  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8])
  func `tiles lie along the rows of the file that they are read from`(number: Int32) throws {
    let image = try Grid.asymmetric(40, 30).image.oriented(forExifOrientation: number)
      .transformed(by: CGAffineTransform(scaleX: 0.5, y: 0.5)).applyingFilter("CISepiaTone")
    let rect = GridRect(x: 3, y: 5, width: 700, height: 600)
    let tiles = rect.tiles(for: image.recipe)
    let isLying = number >= 5
    #expect(tiles[0] == GridRect(x: 3, y: 5, width: isLying ? 64 : 256, height: isLying ? 256 : 64))
    #expect(tiles.reduce(0) { $0 + $1.area } == rect.area)
    #expect(tiles.allSatisfy { $0.intersection(rect) == $0 && !$0.isEmpty })
    for (index, tile) in tiles.enumerated() {
      #expect(tiles[..<index].allSatisfy { $0.intersection(tile).isEmpty })
    }
  }

  @Test func `two quarter turns lie as none, and the lowest of several pictures counts`() throws {
    let picture = try Grid.asymmetric(4, 3).image
    let lying = picture.oriented(forExifOrientation: 6)
    #expect(lying.recipe.liesOnItsSide && !lying.oriented(forExifOrientation: 6).recipe.liesOnItsSide)
    let changed = lying.clampedToExtent().cropped(to: lying.extent).settingAlphaOne(in: lying.extent)
    #expect(changed.recipe.liesOnItsSide)
    #expect(picture.composited(over: lying).recipe.liesOnItsSide)
    #expect(!lying.composited(over: picture).recipe.liesOnItsSide && !CIImage.red.recipe.liesOnItsSide)
  }
}
