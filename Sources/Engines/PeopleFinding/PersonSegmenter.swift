package import CoreVideo
package import Foundation
internal import FoundationExtras
package import PixelTransforms

/// Segments the people in a picture.
///
/// Accepts every pixel format; a picture may be reduced down to 256×144 pixels. Results are best for people from head to chest who fill a
/// quarter of the part or more; for smaller ones pass a part that is a quarter wider than they are. Parts that are wide after the turn
/// are segmented by a model of 256×144 cells, others by one of 256×256; each is loaded on first use. One call at a time; no state
/// between calls.
///
/// Source: MediaPipe's selfie segmentation.
package final class PersonSegmenter {
  private let folder: ModelFolder
  private var models: [ModelFolder.File: NeuralModel] = [:]
  private let transformer = PixelTransformer(bufferLimit: 2, threads: 1)

  /// The least aspect ratio for the model of 16:9, the geometric mean of that and a square.
  private static let wide = 4.0 / 3

  /// A segmenter with the models of `folder`.
  ///
  /// - Throws: `ModelError` when one is missing or cannot be used.
  package init(_ folder: ModelFolder = .current) throws(ModelError) {
    if let obstacle = folder.obstacle(to: .segmentation) { throw obstacle }
    self.folder = folder
  }

  /// The segmentation of a picture or of a part of it; `nil` when the part lies outside of the picture.
  ///
  /// Cost: one reduction of the part, then 2 ms where it is wide and 3.5 ms where it is not, on one thread; the first call of each
  /// kind loads its model, which takes some ten milliseconds.
  ///
  /// - Parameters:
  ///   - part: In pixels of the picture, to which it is clipped; `nil` is the whole picture.
  ///   - turn: The clockwise turn that makes people upright. The result is turned back.
  /// - Throws: `ModelError`, or `PixelTransformError` when the picture cannot be read.
  package func segmentation(
    of pixels: CVPixelBuffer, part: CGRect? = nil, turn: QuarterTurn = .none
  ) throws -> PersonSegmentation? {
    let seen = (part ?? pixels.bounds).intersection(pixels.bounds)
    guard !seen.isNull, seen.width >= 2, seen.height >= 2 else { return nil }
    let (left, top) = (Int(seen.minX) & ~1, Int(seen.minY) & ~1)
    let source = PixelRect(
      x: left, y: top, width: Int(seen.maxX.rounded(.up)) - left, height: Int(seen.maxY.rounded(.up)) - top)
    let isSideways = turn == .clockwise90 || turn == .clockwise270
    let upright = isSideways ? source.size.transposed : source.size
    let isWide = Double(upright.width) > Self.wide * Double(upright.height)
    let model = try model(isWide ? .wideSegmentation : .segmentation)
    try model.infer(pixels, stretching: source, turn: turn, transformer)
    guard let output = model.output(of: model.size.width * model.size.height) else { return nil }
    return PersonSegmentation(output, model.size, turnedBy: turn, part: source)
  }

  private func model(_ file: ModelFolder.File) throws(ModelError) -> NeuralModel {
    if let known = models[file] { return known }
    let model = try NeuralModel(file, in: folder, black: 0)
    models[file] = model
    return model
  }
}
