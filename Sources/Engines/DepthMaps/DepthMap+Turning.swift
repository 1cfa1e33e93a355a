extension DepthMap {
  /// The map turned clockwise by so many quarters, and then mirrored left to right.
  ///
  /// Cost: one pass.
  public func turned(quarters: Int, isMirrored: Bool) -> DepthMap {
    let quarters = quarters & 3
    if quarters == 0, !isMirrored { return self }
    let isUpright = quarters % 2 == 0
    var map = self
    map.width = isUpright ? width : height
    map.height = isUpright ? height : width
    // Where the first number of the target comes from, and how far apart neighbours of a row and of a column are there.
    var (start, right, down) =
      switch quarters {
      case 1: ((height - 1) * width, -width, 1)
      case 2: (width * height - 1, -1, -width)
      case 3: (width - 1, width, -1)
      default: (0, 1, width)
      }
    if isMirrored {
      start += (map.width - 1) * right
      right = -right
    }
    values.withUnsafeBufferPointer { source in
      map.values.withUnsafeMutableBufferPointer { target in
        var index = 0
        for row in 0..<map.height {
          var from = start + row * down
          for _ in 0..<map.width {
            target[index] = source[from]
            index += 1
            from += right
          }
        }
      }
    }
    return map
  }
}
