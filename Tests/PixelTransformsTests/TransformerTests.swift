import CoreVideo
import FoundationExtras
import PixelTransforms
import SeededNumbers
import Testing

@Suite("PixelTransformer: buffers")
struct TransformerTests {
  @Test(arguments: Format.all)
  func `what changes nothing gives the very same object and writes no byte`(format: Format) throws {
    let source = try TestPicture(format, width: 16, height: 8)
    let transformer = PixelTransformer()
    let same = [
      FrameTransform.identity, FrameTransform(pixelFormat: format.code),
      FrameTransform(crop: PixelRect(x: 0, y: 0, width: 16, height: 8)),
      FrameTransform(size: PixelSize(width: 16, height: 8), scaling: .fit), FrameTransform(matrix: .bt601),
    ]
    for transform in same {
      #expect(transform.isIdentity(for: source.buffer))
      #expect(try transformer.apply(transform, to: source.buffer) === source.buffer)
    }
    #expect(transformer.bytesWritten == 0)
  }

  @Test func `a buffer in a format that cannot be converted passes unchanged`() throws {
    var depth: CVPixelBuffer?
    CVPixelBufferCreate(nil, 4, 4, kCVPixelFormatType_DepthFloat32, nil, &depth)
    let buffer = try #require(depth)
    #expect(try PixelTransformer().apply(.identity, to: buffer) === buffer)
  }

  @Test(arguments: Format.all.map(\.code) + [kCVPixelFormatType_DepthFloat32])
  func `a copy has the same bytes, its own memory and what was attached`(format: OSType) throws {
    var made: CVPixelBuffer?
    // An odd width, so that rows have padding.
    CVPixelBufferCreate(nil, 18, 6, format, nil, &made)
    let source = try #require(made)
    for plane in source.planes {
      for row in 0..<plane.height {
        for index in plane.row(row).indices { plane.row(row)[index] = UInt8((row * 31 + index) % 251) }
      }
    }
    CVBufferSetAttachment(source, "kept", 5, .shouldPropagate)
    let copy = try PixelTransformer().copy(source)
    #expect(copy !== source && CVPixelBufferGetPixelFormatType(copy) == format)
    #expect(copy.planes.count == source.planes.count)
    for (theirs, ours) in zip(source.planes, copy.planes) {
      #expect(ours.baseAddress != theirs.baseAddress && ours.height == theirs.height)
      let count = min(ours.bytesPerRow, theirs.bytesPerRow)
      for row in 0..<ours.height {
        #expect(ours.row(row).prefix(count).elementsEqual(theirs.row(row).prefix(count)))
      }
    }
    #expect(CVBufferCopyAttachment(copy, "kept", nil) as? Int == 5)
  }

  @Test func `every byte written is counted`() throws {
    let source = try TestPicture(.biplanar, width: 16, height: 8)
    let transformer = PixelTransformer()
    let before = PixelTraffic.bytesWritten
    _ = try transformer.apply(FrameTransform(pixelFormat: Format.bgra.code), to: source.buffer)
    #expect(transformer.bytesWritten == 16 * 8 * 4)
    _ = try transformer.apply(FrameTransform(rotation: .half), to: source.buffer)
    #expect(transformer.bytesWritten == 16 * 8 * 4 + 16 * 8 * 3 / 2)
    _ = try transformer.apply(
      FrameTransform(rotation: .half, pixelFormat: Format.bgra.code), to: source.buffer)
    #expect(transformer.bytesWritten == 2 * (16 * 8 * 4 + 16 * 8 * 3 / 2))
    #expect(PixelTraffic.bytesWritten - before >= transformer.bytesWritten)
  }

  @Test func `the pool has a hard cap and takes buffers back`() throws {
    let source = try TestPicture(.biplanar, width: 16, height: 8)
    let transformer = PixelTransformer(bufferLimit: 2)
    let transform = FrameTransform(pixelFormat: Format.bgra.code)
    var held = [
      try transformer.apply(transform, to: source.buffer),
      try transformer.apply(transform, to: source.buffer),
    ]
    #expect(throws: PixelTransformError.poolExhausted) { try transformer.apply(transform, to: source.buffer) }
    let address = held[0].planes[0].baseAddress
    held.removeFirst()
    let again = try transformer.apply(transform, to: source.buffer)
    #expect(again.planes[0].baseAddress == address)
    withExtendedLifetime(held) {}
  }

  @Test func `the destination's size and format decide`() throws {
    let source = try TestPicture(.bgra, width: 16, height: 8)
    source.fill(seed: 1)
    let target = try TestPicture(.biplanar, width: 4, height: 8)
    let transformer = PixelTransformer()
    try transformer.apply(FrameTransform(rotation: .clockwise90), to: source.buffer, into: target.buffer)
    let free = TestPicture(
      try transformer.apply(
        FrameTransform(
          rotation: .clockwise90, size: PixelSize(width: 4, height: 8), pixelFormat: Format.biplanar.code),
        to: source.buffer))
    #expect(target.samples == free.samples)
    #expect(throws: PixelTransformError.destinationUnsuitable) {
      try transformer.apply(.identity, to: source.buffer, into: source.buffer)
    }
  }

  @Test(arguments: [PixelSize(width: 0, height: 4), PixelSize(width: 4, height: -1)])
  func `an empty size is refused`(size: PixelSize) throws {
    let source = try TestPicture(.bgra, width: 4, height: 4)
    #expect(throws: PixelTransformError.sizeInvalid(size)) {
      try PixelTransformer().apply(FrameTransform(size: size), to: source.buffer)
    }
  }

  @Test func `a degree is a quarter turn or nothing`() {
    #expect(QuarterTurn(degrees: -90) == .clockwise270 && QuarterTurn(degrees: 450) == .clockwise90)
    #expect(QuarterTurn(degrees: 45) == nil)
  }

  @Test func `random transforms never fail and have the size they promise`() throws {
    var random = SeededGenerator(seed: 77)
    let transformer = PixelTransformer()
    for _ in 0..<300 {
      let width = Int.random(in: 1...40, using: &random)
      let height = Int.random(in: 1...40, using: &random)
      let format = Format.all.randomElement(using: &random) ?? .bgra
      let source = try TestPicture(format, width: width, height: height)
      source.fill(seed: random.next())
      let x = Int.random(in: 0..<width, using: &random)
      let y = Int.random(in: 0..<height, using: &random)
      let crop = PixelRect(
        x: x, y: y, width: Int.random(in: 1...(width - x), using: &random),
        height: Int.random(in: 1...(height - y), using: &random))
      let transform = FrameTransform(
        crop: Bool.random(using: &random) ? crop : nil,
        rotation: QuarterTurn.allCases.randomElement(using: &random) ?? .none,
        isMirrored: Bool.random(using: &random),
        size: Bool.random(using: &random)
          ? PixelSize(
            width: Int.random(in: 1...50, using: &random), height: Int.random(in: 1...50, using: &random))
          : nil,
        scaling: [.stretch, .fill, .fit].randomElement(using: &random) ?? .fill,
        pixelFormat: Bool.random(using: &random) ? Format.all.randomElement(using: &random)?.code : nil)
      let target = try transformer.apply(transform, to: source.buffer)
      let size = PixelSize(width: CVPixelBufferGetWidth(target), height: CVPixelBufferGetHeight(target))
      #expect(size == transform.outputSize(for: PixelSize(width: width, height: height)))
    }
  }
}

@Suite("Tiles")
struct TilesTests {
  @Test func `strips cover every row once and start on multiples`() {
    for rows in [1, 2, 63, 64, 129, 1080, 3024] {
      for parts in 1...9 {
        let strips = Tiles.strips(rows: rows, parts: parts, multipleOf: 8, minimum: 16)
        #expect(strips.first?.lowerBound == 0 && strips.last?.upperBound == rows)
        for (one, next) in zip(strips, strips.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
        #expect(strips.allSatisfy { $0.lowerBound % 8 == 0 && !$0.isEmpty })
      }
    }
    #expect(Tiles.strips(rows: 0).isEmpty)
  }
}
