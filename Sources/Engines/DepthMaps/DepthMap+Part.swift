extension DepthMap {
  /// The middle of the map, so many numbers wide and high, or all where it is no larger.
  ///
  /// Cost: one pass over the part.
  public func middle(width: Int, height: Int) -> DepthMap {
    let (width, height) = (min(width, self.width), min(height, self.height))
    guard width < self.width || height < self.height else { return self }
    let (left, top) = ((self.width - width) / 2, (self.height - height) / 2)
    var part = self
    part.width = width
    part.height = height
    part.values = (0..<height).flatMap { row in
      let start = (top + row) * self.width + left
      return values[start..<start + width]
    }
    return part
  }
}
