import CoreVideo
import DepthMaps
import FoundationExtras
import Testing

/// A buffer of `width` numbers in a row, with bytes beyond the row.
func depthBuffer(_ format: OSType, width: Int, height: Int) throws -> CVPixelBuffer {
  var buffer: CVPixelBuffer?
  CVPixelBufferCreate(nil, width, height, format, nil, &buffer)
  return try #require(buffer)
}

@Suite struct `Depth maps` {
  @Test(arguments: DepthFormat.pixelFormats)
  func `come back from every format as they were written`(format: OSType) throws {
    let metres: [Float] = [0.25, 0.5, 1, .nan, 2, 4]
    let map = DepthMap(width: 3, height: 2, quantity: .depth, values: metres)
    let buffer = try depthBuffer(format, width: 3, height: 2)
    try map.write(to: buffer)
    var read = DepthMap()
    try read.read(buffer)
    #expect(read.quantity == DepthFormat(format)?.quantity)
    #expect((read.width, read.height) == (3, 2))
    for index in metres.indices {
      let (x, y) = (index % 3, index / 3)
      let value = read.metres(x: x, y: y)
      #expect(value == metres[index] || value.isNaN && metres[index].isNaN, "at \(x), \(y)")
    }
  }

  @Test func `round to half floats and keep what is too far for them unknown`() throws {
    let map = DepthMap(width: 3, height: 1, quantity: .depth, values: [1.0003, 70000, 0.3333])
    let buffer = try depthBuffer(kCVPixelFormatType_DepthFloat16, width: 3, height: 1)
    try map.write(to: buffer)
    var read = DepthMap()
    try read.read(buffer)
    #expect(read.values[0] == 1)
    #expect(read.values[1].isNaN)
    #expect(read.values[2] == Float(Float16(0.3333)))
  }

  @Test func `read every half float as Swift does`() {
    for bits in UInt16.min...UInt16.max {
      let value = Float(Float16(bitPattern: bits))
      let isDistance = value > 0 && value < .infinity
      #expect(HalfFloat.value(bits).bitPattern == (isDistance ? value : .nan).bitPattern)
    }
  }

  @Test func `write half floats rounded as Swift does`() {
    for bits in UInt16(0)..<0x7C00 {
      let (value, next) = (Float(Float16(bitPattern: bits)), Float(Float16(bitPattern: bits + 1)))
      let middle = value + (next - value) / 2
      for number in [value, value.nextUp, middle.nextDown, middle, middle.nextUp] where number > 0 {
        let half = Float16(number)
        #expect(HalfFloat.bits(number) == (half < .infinity ? half : .nan).bitPattern, "\(number)")
      }
    }
    for number in [0, -1, .nan, .infinity, -.infinity, 65520, .greatestFiniteMagnitude] as [Float] {
      #expect(Float16(bitPattern: HalfFloat.bits(number)).isNaN)
    }
  }

  @Test func `read a sensor's own units, of which zero is unknown`() throws {
    let buffer = try depthBuffer(kCVPixelFormatType_OneComponent16, width: 4, height: 2)
    CVPixelBufferLockBaseAddress(buffer, [])
    let stride = CVPixelBufferGetBytesPerRow(buffer)
    let base = try #require(CVPixelBufferGetBaseAddress(buffer))
    for (row, units) in [[UInt16(0), 1000, 250, 65535], [1, 2, 3, 4]].enumerated() {
      for (column, unit) in units.enumerated() {
        base.storeBytes(of: unit.littleEndian, toByteOffset: row * stride + 2 * column, as: UInt16.self)
      }
    }
    CVPixelBufferUnlockBaseAddress(buffer, [])
    var map = DepthMap()
    try map.read(buffer, metresPerUnit: 0.001)
    #expect(map.values[0].isNaN)
    #expect(map.values[1] == 1)
    #expect(map.values[2] == 0.25)
    #expect(abs(map.values[3] - 65.535) < 1e-4)
    #expect(abs(map.metres(x: 3, y: 1) - 0.004) < 1e-7)
    #expect(throws: DepthMapError.formatUnsupported(kCVPixelFormatType_OneComponent16)) {
      try map.read(buffer)
    }
  }

  @Test func `take what is no distance as unknown`() throws {
    let map = DepthMap(
      width: 4, height: 1, quantity: .disparity, values: [0, -1, .infinity, 2])
    #expect(map.values.map(\.isNaN) == [true, true, true, false])
    #expect(map.metres(x: 3, y: 0) == 0.5)
    #expect(map.knownShare == 0.25)
    #expect(DepthMap().knownShare == 0)
  }

  @Test func `refuse buffers of another size or kind, and change nothing`() throws {
    let map = DepthMap(width: 2, height: 1, quantity: .depth, values: [1, 2])
    let large = try depthBuffer(kCVPixelFormatType_DepthFloat32, width: 3, height: 1)
    #expect(throws: DepthMapError.sizeMismatch) { try map.write(to: large) }
    let picture = try depthBuffer(kCVPixelFormatType_32BGRA, width: 2, height: 1)
    #expect(throws: DepthMapError.formatUnsupported(kCVPixelFormatType_32BGRA)) { try map.write(to: picture) }
  }

  @Test(arguments: 0..<4, [false, true])
  func `turn clockwise and then mirror`(quarters: Int, isMirrored: Bool) {
    let map = DepthMap(width: 3, height: 2, quantity: .depth, values: [1, 2, 3, 4, 5, 6])
    let turned: [Int: [Float]] = [
      0: [1, 2, 3, 4, 5, 6], 1: [4, 1, 5, 2, 6, 3], 2: [6, 5, 4, 3, 2, 1], 3: [3, 6, 2, 5, 1, 4],
    ]
    let result = map.turned(quarters: quarters, isMirrored: isMirrored)
    let width = quarters % 2 == 0 ? 3 : 2
    #expect((result.width, result.height) == (width, 6 / width))
    let rows = stride(from: 0, to: 6, by: width).map { Array((turned[quarters] ?? [])[$0..<$0 + width]) }
    #expect(result.values == rows.flatMap { isMirrored ? $0.reversed() : $0 })
  }

  @Test func `state distances in a few numbers`() throws {
    var values = (1...100).map { Float($0) / 10 }
    values[99] = .nan
    let statistics = try #require(
      DepthStatistics(DepthMap(width: 10, height: 10, quantity: .depth, values: values)))
    #expect(statistics.knownShare == 0.99)
    #expect(statistics.nearest == 0.1)
    #expect(statistics.farthest == 9.9)
    #expect(statistics.median == 5)
    #expect(statistics.lowerQuartile == 2.5)
    #expect(statistics.upperQuartile == 7.5)
    #expect(statistics.middle == 4.5)
    #expect(
      DepthStatistics(DepthMap(width: 1, height: 1, quantity: .disparity, values: [.nan])) == nil)
  }
}
