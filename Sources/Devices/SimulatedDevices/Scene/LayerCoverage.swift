/// A grid of cells over a drawing that says where it is more than half opaque: one cell answers for most places.
///
/// A cell near an edge says that it does not know, and the drawing is asked. Edges are found where a drawing of that many
/// cells shows them: a crack that is narrower and leaves no trace in neighbouring cells is overlooked. Immutable.
struct LayerCoverage: Sendable {
  enum Cell: UInt8 {
    case clear, opaque, edge
  }

  /// Cells in a row and in a column.
  static let count = 128
  /// Around the drawing lies a ring of cells that do not know.
  static let stride = count + 2
  let cells: [UInt8]

  init(_ drawing: any Drawing) {
    let count = Self.count
    let nodes = count + 1
    let step = 1 / Float(count)
    var isOpaque = [Bool](repeating: false, count: nodes * nodes)
    for row in 0..<nodes {
      for column in 0..<nodes {
        isOpaque[row * nodes + column] =
          drawing.color(u: Float(column) * step, v: Float(row) * step, pixel: step).w > 0.5
      }
    }
    var cells = [UInt8](repeating: Cell.edge.rawValue, count: Self.stride * Self.stride)
    for row in 0..<count {
      for column in 0..<count {
        // All nodes of the cell and of those around it must agree.
        let rows = max(row - 1, 0)...min(row + 2, count)
        let columns = max(column - 1, 0)...min(column + 2, count)
        let first = isOpaque[row * nodes + column]
        let isCertain = rows.allSatisfy { y in columns.allSatisfy { isOpaque[y * nodes + $0] == first } }
        // At the drawing's own end a pixel may lie half outside.
        let isInside = row > 0 && column > 0 && row < count - 1 && column < count - 1
        guard isCertain, isInside else { continue }
        cells[(row + 1) * Self.stride + column + 1] = (first ? Cell.opaque : .clear).rawValue
      }
    }
    self.cells = cells
  }
}
