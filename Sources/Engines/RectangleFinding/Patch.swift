/// Pixels of one shade that hang together, as the outermost of them in each row and column.
struct Patch {
  /// The first and the last column in each row from ``top`` on.
  var rows: [(first: Int, last: Int)]
  /// The first and the last row in each column from ``left`` on.
  var columns: [(first: Int, last: Int)]
  var left: Int
  var top: Int
  /// The number of its pixels.
  var count: Int

  var width: Int { columns.count }
  var height: Int { rows.count }
}

/// A picture of two shades.
struct TwoShades {
  let width: Int
  let height: Int
  private let isInside: [Bool]

  init(width: Int, height: Int, isInside: [Bool]) {
    self.width = width
    self.height = height
    self.isInside = isInside
  }

  /// The patches of the inner shade that do not touch the picture's edge and are `least` pixels wide or high.
  ///
  /// A patch that touches the edge may go on beyond it.
  func patches(least: Int) -> [Patch] {
    var isSeen = [Bool](repeating: false, count: width * height)
    var result: [Patch] = []
    var stack: [Int] = []
    for start in isSeen.indices where isInside[start] && !isSeen[start] {
      isSeen[start] = true
      stack.append(start)
      var members: [Int] = []
      while let place = stack.popLast() {
        members.append(place)
        let x = place % width
        for (next, isThere) in [
          (place - 1, x > 0), (place + 1, x + 1 < width), (place - width, place >= width),
          (place + width, place + width < isSeen.count),
        ] where isThere && isInside[next] && !isSeen[next] {
          isSeen[next] = true
          stack.append(next)
        }
      }
      if let patch = patch(members), max(patch.width, patch.height) >= least { result.append(patch) }
    }
    return result
  }

  private func patch(_ members: [Int]) -> Patch? {
    var (left, right, top, bottom) = (width, -1, height, -1)
    for place in members {
      let (x, y) = (place % width, place / width)
      (left, right) = (min(left, x), max(right, x))
      (top, bottom) = (min(top, y), max(bottom, y))
    }
    guard left > 0, top > 0, right + 1 < width, bottom + 1 < height, right > left, bottom > top else {
      return nil
    }
    var rows = [(first: Int, last: Int)](repeating: (width, -1), count: bottom - top + 1)
    var columns = [(first: Int, last: Int)](repeating: (height, -1), count: right - left + 1)
    for place in members {
      let (x, y) = (place % width, place / width)
      rows[y - top] = (min(rows[y - top].first, x), max(rows[y - top].last, x))
      columns[x - left] = (min(columns[x - left].first, y), max(columns[x - left].last, y))
    }
    return Patch(rows: rows, columns: columns, left: left, top: top, count: members.count)
  }
}
