internal import CaptureDevice

/// The row of a map that is being painted: where its pixels lie in the frame, and what they see.
struct MapRows {
  private let geometry: SceneGeometry
  private let map: FrameSize
  /// The middles of the row's pixels, in pixels of the frame as a straight lens shows it; left to right.
  private let places: UnsafeMutablePointer<SIMD2<Float>>
  /// From the topmost to the lowest of them.
  private var heights: ClosedRange<Float> = 0...0
  /// Whether they lie in a row at even distances.
  private var isEven = true
  /// The layer that each pixel shows.
  let owners: UnsafeMutablePointer<UInt32>
  /// How far it stands out there, in metres.
  let relief: UnsafeMutablePointer<Float>
  /// The distance of that layer.
  let metres: UnsafeMutablePointer<Float>

  init(geometry: SceneGeometry, map: FrameSize) {
    self.geometry = geometry
    self.map = map
    places = .allocate(capacity: map.width)
    places.initialize(repeating: .zero, count: map.width)
    owners = .allocate(capacity: map.width)
    owners.initialize(repeating: 0, count: map.width)
    relief = .allocate(capacity: map.width)
    relief.initialize(repeating: 0, count: map.width)
    metres = .allocate(capacity: map.width)
    metres.initialize(repeating: 0, count: map.width)
  }

  func free() {
    places.deallocate()
    owners.deallocate()
    relief.deallocate()
    metres.deallocate()
  }

  private func height(_ row: Int) -> Double {
    (Double(row) + 0.5) * Double(geometry.size.height) / Double(map.height)
  }

  /// Whether a layer may show in a row of a frame that is neither bent nor shifted.
  func touches(_ layer: PlacedLayer, _ row: Int) -> Bool {
    let y = height(row)
    return Double(layer.rows.lowerBound) <= y && y <= Double(layer.rows.upperBound)
  }

  /// Goes to a row, for what lies in the frame where it is seen.
  mutating func place(_ row: Int) {
    place(row, view: FrameView(), shift: (0, 0))
  }

  /// Goes to a row, for what a lens bends and a hand shifts.
  mutating func place(_ row: Int, view: FrameView, shift: (x: Double, y: Double)) {
    let step = Double(geometry.size.width) / Double(map.width)
    // Beyond the edge of what stands still, the edge goes on.
    let (right, bottom) = (Double(geometry.size.width) - 0.5, Double(geometry.size.height) - 0.5)
    let y = min(max(height(row) + shift.y, 0.5), bottom)
    isEven = view.bending == 0 && shift.x == 0
    var lowest = y
    var highest = y
    if view.bending == 0 {
      for column in 0..<map.width {
        places[column] = SIMD2(Float(min(max((Double(column) + 0.5) * step + shift.x, 0.5), right)), Float(y))
      }
    } else {
      let straighten = geometry.straightening(view)
      for column in 0..<map.width {
        let x = min(max((Double(column) + 0.5) * step + shift.x, 0.5), right)
        let place = straighten(SIMD2(x, y))
        lowest = min(lowest, place.y)
        highest = max(highest, place.y)
        places[column] = SIMD2(Float(place.x), Float(place.y))
      }
    }
    heights = Float(lowest)...Float(highest)
  }

  /// Lays a layer over the row.
  func mark(_ part: DepthPainter.Part) {
    let (rows, columns) = (part.placed.rows, part.placed.columns)
    guard !rows.isEmpty, !columns.isEmpty, Float(rows.lowerBound) <= heights.upperBound,
      heights.lowerBound <= Float(rows.upperBound)
    else { return }
    let first = firstPlace { $0 >= Float(columns.lowerBound) }
    let end = firstPlace { $0 > Float(columns.upperBound) }
    guard first < end else { return }
    let run = UnsafeBufferPointer(start: places + first, count: end - first)
    switch part.surface {
    case .flat(let coverage):
      coverage.mark(part.placed, at: run, as: part.owner, in: owners + first, relief: relief + first)
    case .relief(let drawing, let width):
      // Room for the distances is free until all layers are marked.
      let heights = metres + first
      part.placed.relief(drawing, at: run, isEven: isEven, width: width, into: heights)
      for index in 0..<run.count where !heights[index].isNaN {
        owners[first + index] = part.owner
        relief[first + index] = heights[index]
      }
    }
  }

  /// The first place whose column satisfies `condition`, which all to its right do as well.
  private func firstPlace(where condition: (Float) -> Bool) -> Int {
    var low = 0
    var high = map.width
    while low < high {
      let middle = (low + high) / 2
      if condition(places[middle].x) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
