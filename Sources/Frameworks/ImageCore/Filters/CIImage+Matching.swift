internal import Foundation
public import GraphicsCore

extension CIImage {
  /// The image, its working numbers turned into those of a color space: for a processor that wants such.
  ///
  /// - Parameter colorSpace: Of red, green and blue.
  /// - Returns: `nil` for a space of another model.
  ///
  /// Apple: `CIImage.matchedFromWorkingSpace(to:)`.
  public func matchedFromWorkingSpace(to colorSpace: CGColorSpace) -> CIImage? {
    matched(.fromWorking(colorSpace), colorSpace)
  }

  /// The image, its numbers those of a color space, turned into working numbers: for what a processor has made.
  ///
  /// - Parameter colorSpace: Of red, green and blue.
  /// - Returns: `nil` for a space of another model.
  ///
  /// Apple: `CIImage.matchedToWorkingSpace(from:)`.
  public func matchedToWorkingSpace(from colorSpace: CGColorSpace) -> CIImage? {
    matched(.toWorking(colorSpace), colorSpace)
  }

  private func matched(_ way: MatchWork.Way, _ colorSpace: CGColorSpace) -> CIImage? {
    guard colorSpace.model == .rgb else { return nil }
    return changed(.work(MatchWork(source: recipe, way: way), extent: extent))
  }
}

/// Numbers that go from the working space to another, or come from there.
private struct MatchWork: PictureWork {
  enum Way: Sendable {
    case fromWorking(CGColorSpace)
    case toWorking(CGColorSpace)
  }

  var source: Recipe
  let way: Way

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  var isOpaque: Bool { source.isOpaque }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let tile = renderer.tile(source, rect)
    let count = rect.width * rect.height
    switch way {
    case .fromWorking(let space):
      let exit = renderer.color.exit(to: space)
      for index in 0..<count { tile.pixels[index] = tile.pixels[index].changingColor(exit.stored) }
    case .toWorking(let space):
      let entry = renderer.color.entry(from: space)
      for index in 0..<count { tile.pixels[index] = tile.pixels[index].changingColor(entry.working) }
    }
    return tile
  }
}
