internal import CPainting

/// Turns noise-free rows into what the sensor puts out: one look-up for each luma, some integers for each difference.
struct SensorRow: Sendable {
  private let table: SensorTable
  private let noise: UInt64

  /// - Parameter noise: The frame's own chance; each row and pixel derives its own from it.
  init(table: SensorTable, noise: UInt64) {
    self.table = table
    self.noise = noise
  }

  /// Exposes `count` values of luma.
  func expose(
    _ source: UnsafeMutablePointer<UInt8>, row: Int, count: Int, into target: UnsafeMutableRawBufferPointer
  ) {
    guard let output = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    painting_expose_luma(source, table.luma, noise ^ UInt64(row), count, output)
  }

  /// Exposes `count` pairs of colour differences, whose noise and gain follow the luma above them.
  func exposeChroma(
    _ source: UnsafeMutablePointer<UInt8>, luma: UnsafeMutablePointer<UInt8>, row: Int, count: Int,
    into target: UnsafeMutableRawBufferPointer
  ) {
    guard let output = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    painting_expose_chroma(
      source, luma, table.chromaGain, table.key.isNoisy ? table.chromaNoise : nil, SensorTable.quantiles,
      noise ^ UInt64(row), count, output)
  }
}
