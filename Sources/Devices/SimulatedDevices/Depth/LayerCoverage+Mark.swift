extension LayerCoverage {
  /// Writes `owner` over a run of places of a row wherever the drawing is more than half opaque.
  ///
  /// - Parameters:
  ///   - layer: The drawing as it lies in the frame.
  ///   - places: Of the run, in pixels of the frame.
  func mark(
    _ layer: PlacedLayer, at places: UnsafeBufferPointer<SIMD2<Float>>, as owner: UInt32,
    in owners: UnsafeMutablePointer<UInt32>, relief: UnsafeMutablePointer<Float>
  ) {
    let map = layer.map
    let cells = self.cells
    let limit = Float(Self.count + 1)
    cells.withUnsafeBufferPointer { cells in
      for index in 0..<places.count {
        let place = map.origin + map.perColumn * places[index].x + map.perRow * places[index].y
        let column = min(max(place.x * Float(Self.count) + 1, 0), limit)
        let row = min(max(place.y * Float(Self.count) + 1, 0), limit)
        let cell = cells[Int(row) * Self.stride + Int(column)]
        if cell == Cell.clear.rawValue { continue }
        if cell == Cell.opaque.rawValue || layer.isOpaque(at: place) {
          owners[index] = owner
          relief[index] = 0
        }
      }
    }
  }
}
