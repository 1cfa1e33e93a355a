internal import CMosaics
internal import CoreVideo

/// Develops rows of a mosaic in their order, keeping of those above what the next ones need.
///
/// For one thread.
final class MosaicStrip {
  private let mosaic: CVPixelBuffer
  private let pattern: MosaicPattern
  private let code: MosaicCode
  private let matrix: [Float]
  private let width: Int
  private let height: Int
  private let rowFloats: Int
  private let memory: UnsafeMutablePointer<Float>

  /// The rows up to which each kind is there; `nil` before the first.
  private var coded: Int?
  private var changed: Int?
  private var found: Int?

  // Rings of rows: as many as a row's neighbours reach.
  private static let codes = 7
  private static let changes = 3
  private static let greens = 3
  private static let rowCount = codes + 2 * changes + 2 * greens + 3

  init(_ mosaic: CVPixelBuffer, _ pattern: MosaicPattern, _ code: MosaicCode, _ matrix: [Float]) {
    self.mosaic = mosaic
    self.pattern = pattern
    self.code = code
    self.matrix = matrix
    (width, height) = (mosaic.width, mosaic.height)
    rowFloats = (width + 2 * Int(MOSAICS_EDGE) + 15) / 16 * 16
    memory = .allocate(capacity: Self.rowCount * rowFloats)
    memory.initialize(repeating: 0, count: Self.rowCount * rowFloats)
  }

  deinit { memory.deallocate() }

  /// Develops a row, and hands its linear red, green and blue to `finish`.
  func row(_ row: Int, _ finish: (Int, UnsafePointer<UnsafePointer<Float>?>) -> Void) {
    find(upTo: row + 1, from: row - 1)
    let excess = (-1...1).map { UnsafePointer<Float>?(excessRow(row + $0)) }
    let results = (0..<3).map { resultRow($0) }
    let own = pattern.color(x: 0, y: row) == 1 ? pattern.color(x: 1, y: row) : pattern.color(x: 0, y: row)
    mosaics_colors(
      greenRow(row), excess, Int32(own), MosaicCode.offset, matrix,
      results.map { UnsafeMutablePointer<Float>?($0) }, width)
    finish(row, results.map { UnsafePointer<Float>?($0) })
  }

  // MARK: Rows

  private func place(_ index: Int) -> UnsafeMutablePointer<Float> {
    memory + index * rowFloats + Int(MOSAICS_EDGE)
  }

  private func ring(_ row: Int, _ count: Int) -> Int { (row + 16 * count) % count }

  private func codeRow(_ row: Int) -> UnsafeMutablePointer<Float> { place(ring(row, Self.codes)) }
  private func acrossRow(_ row: Int) -> UnsafeMutablePointer<Float> {
    place(Self.codes + ring(row, Self.changes))
  }
  private func downRow(_ row: Int) -> UnsafeMutablePointer<Float> {
    place(Self.codes + Self.changes + ring(row, Self.changes))
  }
  private func greenRow(_ row: Int) -> UnsafeMutablePointer<Float> {
    place(Self.codes + 2 * Self.changes + ring(row, Self.greens))
  }
  private func excessRow(_ row: Int) -> UnsafeMutablePointer<Float> {
    place(Self.codes + 2 * Self.changes + Self.greens + ring(row, Self.greens))
  }
  private func resultRow(_ color: Int) -> UnsafeMutablePointer<Float> {
    place(Self.codes + 2 * Self.changes + 2 * Self.greens + color)
  }

  // MARK: Steps

  private func find(upTo last: Int, from first: Int) {
    for row in (found.map { $0 + 1 } ?? first)..<last + 1 {
      change(upTo: row + 1, from: row - 1)
      let rows = (-2...2).map { UnsafePointer<Float>?(codeRow(row + $0)) }
      let across = (-1...1).map { UnsafePointer<Float>?(acrossRow(row + $0)) }
      let down = (-1...1).map { UnsafePointer<Float>?(downRow(row + $0)) }
      let first = pattern.color(x: 0, y: row) == 1 ? 1 : 0
      mosaics_green(rows, across, down, first, greenRow(row), excessRow(row), width)
      found = row
    }
  }

  private func change(upTo last: Int, from first: Int) {
    for row in (changed.map { $0 + 1 } ?? first)..<last + 1 {
      read(upTo: row + 2, from: row - 2)
      let rows = (-2...2).map { UnsafePointer<Float>?(codeRow(row + $0)) }
      mosaics_changes(rows, acrossRow(row), downRow(row), width)
      changed = row
    }
  }

  private func read(upTo last: Int, from first: Int) {
    let plane = mosaic.planes[0]
    for row in (coded.map { $0 + 1 } ?? first)..<last + 1 {
      let inner = mirrored(row)
      let numbers = (plane.baseAddress + inner * plane.bytesPerRow).assumingMemoryBound(to: UInt16.self)
      let tables = (inner & 1) * 2
      mosaics_code(numbers, code.tables[tables], code.tables[tables + 1], code.limit, codeRow(row), width)
      coded = row
    }
  }

  /// A row beyond an edge as a mirror shows it, which keeps the colours' order.
  private func mirrored(_ row: Int) -> Int {
    let last = height - 1
    let inner = abs(row) % (2 * last)
    return inner > last ? 2 * last - inner : inner
  }
}
