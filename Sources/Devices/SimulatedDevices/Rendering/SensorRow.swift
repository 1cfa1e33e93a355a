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
    table.luma.withUnsafeBufferPointer { table in
      guard let table = table.baseAddress else { return }
      var state = Chance.mix(noise ^ UInt64(row))
      var column = 0
      while column + 8 <= count {
        state &+= 0x9E37_79B9_7F4A_7C15
        var chance = Chance.mix(state)
        for index in column..<column + 8 {
          output[index] = table[Int(source[index]) << 8 | Int(chance & 0xFF)]
          chance >>= 8
        }
        column += 8
      }
      state &+= 0x9E37_79B9_7F4A_7C15
      var chance = Chance.mix(state)
      while column < count {
        output[column] = table[Int(source[column]) << 8 | Int(chance & 0xFF)]
        chance >>= 8
        column += 1
      }
    }
  }

  /// Exposes `count` pairs of colour differences, whose noise and gain follow the luma above them.
  func exposeChroma(
    _ source: UnsafeMutablePointer<UInt8>, luma: UnsafeMutablePointer<UInt8>, row: Int, count: Int,
    into target: UnsafeMutableRawBufferPointer
  ) {
    guard let output = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let isNoisy = table.key.isNoisy
    table.chromaGain.withUnsafeBufferPointer { gains in
      table.chromaNoise.withUnsafeBufferPointer { noises in
        SensorTable.quantiles.withUnsafeBufferPointer { quantiles in
          // Another constant than luma's, so that a row of differences does not repeat a row of luma.
          var state = Chance.mix(noise ^ UInt64(row) ^ 0xC0FF_EE00_0000_0000)
          var column = 0
          while column < count {
            state &+= 0x9E37_79B9_7F4A_7C15
            var chance = isNoisy ? Chance.mix(state) : 0
            for index in column..<min(column + 4, count) {
              let light = Int(luma[index * 2])
              let gain = gains[light]
              let noise = isNoisy ? noises[light] : 0
              for part in index * 2...index * 2 + 1 {
                let random = noise &* quantiles[Int(chance & 0xFF)] >> 8
                let value = (Int32(source[part]) - 128) &* gain &+ random &+ 32_896
                output[part] = UInt8(min(max(value >> 8, 0), 255))
                chance >>= 8
              }
            }
            column += 4
          }
        }
      }
    }
  }
}
