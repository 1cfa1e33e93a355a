package import CoreVideo

/// A picture as some two thousand means of brightness: enough to see that something moves, and little to compare.
package struct LumaGrid: Sendable, Hashable {
  /// The cells of a row.
  package let width: Int
  /// The rows.
  package let height: Int
  /// The means, from 0 to 255, row by row from the top left.
  package let cells: [Float]

  /// The cells of a row of any picture that is at least so wide.
  package static let standardWidth = 64
  /// The pixels of a cell that are looked at in a row and in a column, at most.
  private static let samples = 8

  /// A grid of given cells.
  package init(width: Int, height: Int, cells: [Float]) {
    precondition(cells.count == width * height)
    (self.width, self.height, self.cells) = (width, height, cells)
  }

  /// The grid of a picture whose first plane, of bytes, is its luma; `nil` for one without pixels that can be read.
  package init?(_ picture: CVPixelBuffer) {
    guard CVPixelBufferLockBaseAddress(picture, .readOnly) == kCVReturnSuccess else { return nil }
    defer { CVPixelBufferUnlockBaseAddress(picture, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(picture, 0) else { return nil }
    let bytesPerRow = CVPixelBufferGetBytesPerRowOfPlane(picture, 0)
    let (pictureWidth, pictureHeight) = (
      CVPixelBufferGetWidthOfPlane(picture, 0), CVPixelBufferGetHeightOfPlane(picture, 0)
    )
    guard pictureWidth > 0, pictureHeight > 0 else { return nil }
    let side = max(1, pictureWidth / Self.standardWidth)
    width = pictureWidth / side
    height = max(1, pictureHeight / side)
    let step = max(1, side / Self.samples)
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    var means: [Float] = []
    means.reserveCapacity(width * height)
    for row in 0..<height {
      for column in 0..<width {
        var (sum, count) = (0, 0)
        var y = row * side
        while y < min((row + 1) * side, pictureHeight) {
          var x = column * side
          while x < (column + 1) * side {
            sum += Int(bytes[y * bytesPerRow + x])
            count += 1
            x += step
          }
          y += step
        }
        means.append(Float(sum) / Float(max(1, count)))
      }
    }
    cells = means
  }
}
