import Foundation
import GraphicsCore
import ImageCore
import Testing

/// Tests of the system's pictures by their names.
@Suite struct `Pictures by the system's names` {
  private static let names = [
    "hand.thumbsup.fill", "hand.thumbsdown.fill", "balloon.2.fill", "heart.fill", "fireworks",
    "cloud.rain.fill",
    "party.popper.fill", "laser.burst",
  ]

  private func pixels(_ name: String) throws -> Data {
    let image = try #require(UIImage(systemName: name)?.cgImage)
    return try #require(image.dataProvider?.data)
  }

  @Test
  func `are eight different ones of a size, with nothing in their corners`() throws {
    for name in Self.names {
      let image = try #require(UIImage(systemName: name))
      #expect(image.size == CGSize(width: 24, height: 24) && image.scale == 3)
      #expect(image.cgImage?.width == 72 && image.cgImage?.height == 72)
      let pixels = try pixels(name)
      #expect(pixels.first == 0 && pixels.contains { $0 > 200 })
    }
    #expect(Set(try Self.names.map(pixels)).count == 8)
  }

  @Test(arguments: ["", "heart", "star.fill", "Heart.fill"])
  func `are none for other names`(name: String) {
    #expect(UIImage(systemName: name) == nil)
  }
}
