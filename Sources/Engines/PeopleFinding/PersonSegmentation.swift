package import Foundation
package import PixelTransforms

/// A segmentation model's output: the confidence, for each cell of a grid, that it shows a person.
///
/// The grid is stretched over ``part`` of the picture, in the picture's own orientation. It is coarse: a cell covers several pixels.
package struct PersonSegmentation: Sendable, Hashable {
  /// The number of columns.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// `width` × `height` bytes, rows from the top: 0 for background, 255 for a person.
  package let confidence: [UInt8]
  /// The part of the picture that the grid covers, in pixels.
  package let part: PixelRect

  /// A segmentation of `width` × `height` bytes, rows from the top.
  package init(width: Int, height: Int, confidence: [UInt8], part: PixelRect) {
    precondition(
      width > 0 && height > 0 && confidence.count == width * height,
      "A segmentation has a byte for each cell.")
    (self.width, self.height, self.confidence, self.part) = (width, height, confidence, part)
  }

  /// Converts a model's output for a part that was turned clockwise by `turn`.
  ///
  /// - Parameters:
  ///   - output: Confidences from 0 to 1, rows from the top; values outside are clamped, and NaN counts as background.
  ///   - size: The model's size, in cells.
  package init(
    _ output: UnsafeBufferPointer<Float>, _ size: PixelSize, turnedBy turn: QuarterTurn, part: PixelRect
  ) {
    let isSideways = turn == .clockwise90 || turn == .clockwise270
    let back = isSideways ? size.transposed : size
    let confidence = [UInt8](unsafeUninitializedCapacity: size.width * size.height) { bytes, count in
      count = size.width * size.height
      for row in 0..<back.height {
        for column in 0..<back.width {
          let place =
            switch turn {
            case .none: row * size.width + column
            case .clockwise90: column * size.width + (size.width - 1 - row)
            case .half: count - 1 - (row * size.width + column)
            case .clockwise270: (size.height - 1 - column) * size.width + row
            }
          // In this order NaN becomes 0.
          bytes[row * back.width + column] = UInt8(min(255, max(0, output[place] * 255)) + 0.5)
        }
      }
    }
    self.init(width: back.width, height: back.height, confidence: confidence, part: part)
  }

  /// The bounding box of all people, in pixels of the picture; `nil` without people.
  ///
  /// Rows and columns with few confident cells are ignored, because the models report small spots of the background.
  ///
  /// - Parameter least: The least confidence of a cell that counts.
  package func bounds(least: UInt8 = 192) -> CGRect? {
    var (columns, rows) = ([Int](repeating: 0, count: width), [Int](repeating: 0, count: height))
    for y in 0..<height {
      for x in 0..<width where confidence[y * width + x] >= least {
        columns[x] += 1
        rows[y] += 1
      }
    }
    func reach(_ counts: [Int]) -> ClosedRange<Int>? {
      let fewest = max(1, (counts.max() ?? 0) / Self.speck)
      guard let first = counts.firstIndex(where: { $0 >= fewest }),
        let last = counts.lastIndex(where: { $0 >= fewest })
      else { return nil }
      return first...last
    }
    guard let across = reach(columns), let down = reach(rows) else { return nil }
    let scale = (x: Double(part.width) / Double(width), y: Double(part.height) / Double(height))
    return CGRect(
      x: Double(part.x) + Double(across.lowerBound) * scale.x,
      y: Double(part.y) + Double(down.lowerBound) * scale.y,
      width: Double(across.count) * scale.x, height: Double(down.count) * scale.y)
  }

  /// Rows and columns are ignored that have less than a sixteenth of the cells of the fullest one.
  private static let speck = 16
}
