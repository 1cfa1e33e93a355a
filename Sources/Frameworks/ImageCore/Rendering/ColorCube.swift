internal import Foundation
internal import PixelTransforms

/// Colours by a table of three dimensions: red changes first, then green, then blue.
struct ColorCube: Sendable {
  private let dimension: Int
  private let nodes: [SIMD4<Float>]
  /// Whether the table leaves alpha as it is.
  let isOpaque: Bool
  /// Whether colours beyond the table go on as its outermost cells do, instead of taking its edge.
  private let extrapolates: Bool

  /// - Parameter data: Premultiplied red, green, blue and alpha as 32-bit numbers, at least `dimension`³ of them; `nil` for less.
  init?(dimension: Int, data: Data, extrapolates: Bool) {
    guard dimension >= 2, dimension <= 256 else { return nil }
    let count = dimension * dimension * dimension
    guard data.count >= count * MemoryLayout<SIMD4<Float>>.stride else { return nil }
    var nodes = [SIMD4<Float>](repeating: .zero, count: count)
    _ = nodes.withUnsafeMutableBytes { data.copyBytes(to: $0) }
    // What is computed with is not premultiplied.
    for index in nodes.indices {
      let alpha = nodes[index].w
      if alpha > 0, alpha != 1 { nodes[index] = (nodes[index] / alpha).withAlpha(alpha) }
    }
    self.dimension = dimension
    self.extrapolates = extrapolates
    self.nodes = nodes
    isOpaque = nodes.allSatisfy { $0.w == 1 }
  }

  func change(_ row: UnsafeMutablePointer<SIMD4<Float>>, _ count: Int) {
    nodes.withUnsafeBufferPointer { nodes in
      guard let nodes = nodes.baseAddress else { return }
      PixelRows.lookUp(row, count, inCube: nodes, dimension: dimension, extrapolates: extrapolates)
    }
  }
}
