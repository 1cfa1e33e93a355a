import CoreVideo
import FoundationExtras
import PixelTransforms
import Testing

struct Orientation: Sendable, CustomStringConvertible {
  var rotation: QuarterTurn
  var isMirrored: Bool
  var description: String { "\(rotation.rawValue)°\(isMirrored ? " mirrored" : "")" }

  static let all = QuarterTurn.allCases.flatMap { turn in
    [Orientation(rotation: turn, isMirrored: false), Orientation(rotation: turn, isMirrored: true)]
  }

  /// The source of the result's pixel at (x, y) in a picture of `width` × `height`.
  func origin(_ x: Int, _ y: Int, width: Int, height: Int) -> (x: Int, y: Int) {
    let turnedWidth = rotation.isTransposing ? height : width
    let x = isMirrored ? turnedWidth - 1 - x : x
    switch rotation {
    case .none: return (x, y)
    case .clockwise90: return (y, height - 1 - x)
    case .half: return (width - 1 - x, height - 1 - y)
    case .clockwise270: return (width - 1 - y, x)
    }
  }
}

@Suite("PixelTransformer: geometry")
struct GeometryTests {
  @Test(arguments: Orientation.all, [Format.biplanar, .deep, .bgra, .gray])
  func `the eight orientations move every sample and change none`(orientation: Orientation, format: Format)
    throws
  {
    for (width, height) in [(8, 6), (70, 38), (2, 2), (34, 130)] {
      let source = try TestPicture(format, width: width, height: height)
      source.fill(seed: 5)
      let target = TestPicture(
        try PixelTransformer().apply(
          FrameTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored),
          to: source.buffer))
      #expect(target.width == (orientation.rotation.isTransposing ? height : width))
      var wrong = 0
      for y in 0..<target.height {
        for x in 0..<target.width {
          let from = orientation.origin(x, y, width: width, height: height)
          if format.isRGB {
            if target.rgba(x, y) != source.rgba(from.x, from.y) { wrong += 1 }
          } else {
            if target.luma(x, y) != source.luma(from.x, from.y) { wrong += 1 }
            if target.chroma(x, y) != source.chroma(from.x, from.y) { wrong += 1 }
          }
        }
      }
      #expect(wrong == 0, "\(orientation) of \(format), \(width)x\(height)")
    }
  }

  @Test(arguments: [Format.biplanar, .bgra, .gray, .deep])
  func `no size falls between the wide loops and their rests`(format: Format) throws {
    for width in stride(from: 2, through: 72, by: 2) {
      let source = try TestPicture(format, width: width, height: 74 - width)
      source.fill(seed: UInt64(width))
      let transformer = PixelTransformer(threads: 1)
      var turned = source.buffer
      for _ in 0..<4 { turned = try transformer.apply(FrameTransform(rotation: .clockwise90), to: turned) }
      #expect(TestPicture(turned).samples == source.samples, "four quarter turns, \(width) columns")
      for _ in 0..<2 { turned = try transformer.apply(FrameTransform(isMirrored: true), to: turned) }
      #expect(TestPicture(turned).samples == source.samples, "two mirrorings, \(width) columns")
      let once = TestPicture(try transformer.apply(FrameTransform(isMirrored: true), to: source.buffer))
      let (left, right) = (0, width - 1)
      if format.isRGB {
        #expect(once.rgba(left, 1) == source.rgba(right, 1))
      } else {
        #expect(once.luma(left, 1) == source.luma(right, 1))
        #expect(once.chroma(left, 1) == source.chroma(right, 1))
      }
    }
  }

  @Test(arguments: Orientation.all)
  func `odd sizes keep every pixel of luma`(orientation: Orientation) throws {
    let source = try TestPicture(.biplanar, width: 7, height: 5)
    source.fill(seed: 6)
    let target = TestPicture(
      try PixelTransformer().apply(
        FrameTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored), to: source.buffer)
    )
    for y in 0..<target.height {
      for x in 0..<target.width {
        let from = orientation.origin(x, y, width: 7, height: 5)
        #expect(target.luma(x, y) == source.luma(from.x, from.y))
      }
    }
  }

  @Test(arguments: Format.all)
  func `turning back and forth gives the picture again in every format`(format: Format) throws {
    let source = try TestPicture(format, width: 12, height: 8)
    source.fill(seed: 7)
    if format.isPacked422 {
      // Turned 4:2:2 goes through 4:2:0; equal rows lose nothing there.
      for y in 0..<8 {
        source.buffer.planes[0].row(y).copyMemory(from: .init(source.buffer.planes[0].row(y & ~1)))
      }
    }
    let transformer = PixelTransformer()
    let there = try transformer.apply(
      FrameTransform(rotation: .clockwise90, isMirrored: true), to: source.buffer)
    let back = try transformer.apply(FrameTransform(rotation: .clockwise90, isMirrored: true), to: there)
    #expect(TestPicture(back).samples == source.samples)
  }

  @Test func `big pictures turn in strips as in one piece`() throws {
    let source = try TestPicture(.biplanar, width: 802, height: 602)
    source.fill(seed: 8)
    for orientation in Orientation.all {
      let transform = FrameTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored)
      if transform == .identity { continue }
      let whole = try PixelTransformer(threads: 1).apply(transform, to: source.buffer)
      let strips = try PixelTransformer(threads: 3).apply(transform, to: source.buffer)
      for (left, right) in zip(whole.planes, strips.planes) {
        for y in 0..<left.height {
          let bytes = CVPixelBufferGetWidth(whole)
          #expect(left.row(y).prefix(bytes).elementsEqual(right.row(y).prefix(bytes)))
        }
      }
    }
  }

  @Test(arguments: Format.all)
  func `a crop takes the pixels it names`(format: Format) throws {
    let source = try TestPicture(format, width: 20, height: 14)
    source.fill(seed: 11)
    let rect = PixelRect(x: 6, y: 4, width: 9, height: 7)
    let target = TestPicture(try PixelTransformer().apply(FrameTransform(crop: rect), to: source.buffer))
    #expect(target.width == 9 && target.height == 7)
    for y in 0..<7 {
      for x in 0..<9 {
        if format.isRGB {
          #expect(target.rgba(x, y) == source.rgba(x + 6, y + 4))
        } else {
          #expect(target.luma(x, y) == source.luma(x + 6, y + 4))
          if !format.isGray { #expect(target.chroma(x, y) == source.chroma(x + 6, y + 4)) }
        }
      }
    }
  }

  @Test func `an odd crop of subsampled colour starts at the colour sample`() throws {
    let source = try TestPicture(.biplanar, width: 8, height: 8)
    source.fill(seed: 12)
    let target = TestPicture(
      try PixelTransformer().apply(
        FrameTransform(crop: PixelRect(x: 3, y: 5, width: 2, height: 2)), to: source.buffer))
    #expect(target.luma(0, 0) == source.luma(2, 4) && target.chroma(0, 0) == source.chroma(2, 4))
  }

  @Test(arguments: [
    PixelRect(x: -1, y: 0, width: 4, height: 4), PixelRect(x: 0, y: 0, width: 9, height: 4),
    PixelRect(x: 4, y: 6, width: 4, height: 3), PixelRect(x: 0, y: 0, width: 0, height: 4),
  ])
  func `a crop outside the picture is refused`(rect: PixelRect) throws {
    let source = try TestPicture(.bgra, width: 8, height: 8)
    #expect(throws: (any Error).self) {
      try PixelTransformer().apply(FrameTransform(crop: rect), to: source.buffer)
    }
  }
}

@Suite("PixelTransformer: scaling")
struct ScalingTests {
  /// The exact box or line between neighbours, in Double.
  private static func filtered(_ values: [Double], to target: Int) -> [Double] {
    let source = values.count
    return (0..<target).map { index in
      if target < source {
        let ratio = Double(source) / Double(target)
        let start = Double(index) * ratio
        return (0..<source).reduce(0) { sum, sample in
          let share = max(0, min(start + ratio, Double(sample + 1)) - max(start, Double(sample)))
          return sum + share * values[sample]
        } / ratio
      }
      let center = (Double(index) + 0.5) * Double(source) / Double(target) - 0.5
      let first = max(0, min(source - 1, Int(center.rounded(.down))))
      let second = min(source - 1, first + 1)
      let share = max(0, min(1, center - Double(first)))
      return values[first] * (1 - share) + values[second] * share
    }
  }

  @Test(arguments: [Format.gray, .bgra, .biplanar, .deep], [(9, 7), (40, 3), (64, 80), (1, 1), (33, 33)])
  func `scaling is the box down and the line up`(format: Format, size: (Int, Int)) throws {
    let source = try TestPicture(format, width: 33, height: 22)
    source.fill(seed: 21)
    let target = TestPicture(
      try PixelTransformer().apply(
        FrameTransform(size: PixelSize(width: size.0, height: size.1)), to: source.buffer))

    func check(_ value: (TestPicture, Int, Int) -> Double, step: Int) {
      func plane(_ picture: TestPicture) -> [[Double]] {
        stride(from: 0, to: picture.height, by: step).map { y in
          stride(from: 0, to: picture.width, by: step).map { x in value(picture, x, y) }
        }
      }
      let columns = plane(source).map { Self.filtered($0, to: (size.0 + step - 1) / step) }
      let wanted = (0..<columns[0].count).map { x in
        Self.filtered(columns.map { $0[x] }, to: (size.1 + step - 1) / step)
      }
      var worst = 0.0
      for (y, row) in plane(target).enumerated() {
        for (x, held) in row.enumerated() { worst = max(worst, abs(held - wanted[x][y])) }
      }
      #expect(worst <= 1.6, "\(format) to \(size): off by \(worst)")
    }

    if format.isRGB {
      for channel in 0..<4 { check({ $0.rgba($1, $2)[channel] }, step: 1) }
    } else {
      check({ $0.luma($1, $2) }, step: 1)
      if !format.isGray {
        check({ $0.chroma($1, $2).cb }, step: 2)
        check({ $0.chroma($1, $2).cr }, step: 2)
      }
    }
  }

  @Test func `a flat picture stays flat at every size`() throws {
    let source = try TestPicture(.gray, width: 19, height: 23)
    for plane in source.buffer.planes { plane.bytes.initializeMemory(as: UInt8.self, repeating: 255) }
    let transformer = PixelTransformer()
    for (width, height) in [(7, 5), (100, 3), (1, 90), (19, 22), (18, 23)] {
      let target = TestPicture(
        try transformer.apply(
          FrameTransform(size: PixelSize(width: width, height: height)), to: source.buffer))
      #expect(target.samples.allSatisfy { $0 == 255 })
    }
  }

  @Test func `filling cuts off both sides and fitting leaves black bars`() throws {
    let source = try TestPicture(.bgra, width: 40, height: 20)
    for y in 0..<20 {
      for x in 0..<40 {
        let outer = x < 10 || x >= 30
        for channel in 0..<4 { source.buffer.planes[0].row(y)[4 * x + channel] = outer ? 50 : 200 }
      }
    }
    let square = PixelSize(width: 20, height: 20)
    let transformer = PixelTransformer()
    let filled = TestPicture(
      try transformer.apply(FrameTransform(size: square, scaling: .fill), to: source.buffer))
    #expect(filled.samples.allSatisfy { $0 == 200 })
    let fitted = TestPicture(
      try transformer.apply(FrameTransform(size: square, scaling: .fit), to: source.buffer))
    #expect(fitted.rgba(10, 2) == [0, 0, 0, 255] && fitted.rgba(10, 17) == [0, 0, 0, 255])
    #expect(fitted.rgba(10, 10) == [200, 200, 200, 200] && fitted.rgba(2, 10) == [50, 50, 50, 50])
    let upright = TestPicture(
      try transformer.apply(
        FrameTransform(rotation: .clockwise90, size: square, scaling: .fit), to: source.buffer))
    #expect(upright.rgba(2, 10) == [0, 0, 0, 255] && upright.rgba(10, 10) == [200, 200, 200, 200])
  }

  @Test(arguments: Format.all)
  func `fitting bars are black in every format`(format: Format) throws {
    let source = try TestPicture(.bgra, width: 16, height: 8)
    let target = TestPicture(
      try PixelTransformer().apply(
        FrameTransform(size: PixelSize(width: 16, height: 16), scaling: .fit, pixelFormat: format.code),
        to: source.buffer))
    if format.isRGB {
      #expect(target.rgba(3, 1) == [0, 0, 0, 255])
    } else {
      #expect(target.luma(3, 1) == (format.isFullRange ? 0 : 16))
      #expect(target.chroma(3, 1) == (128, 128))
    }
  }

  @Test(arguments: Orientation.all, [Format.biplanar, .bgra, .yuvs])
  func `turn, scale and conversion agree with one after the other`(orientation: Orientation, format: Format)
    throws
  {
    let source = try TestPicture(format, width: 32, height: 24)
    // Smooth, so that the order of the steps may matter only by rounding.
    for plane in source.buffer.planes {
      for y in 0..<plane.height {
        for index in 0..<plane.bytesPerRow { plane.row(y)[index] = UInt8(min(235, 30 + 4 * y + index / 4)) }
      }
    }
    let transformer = PixelTransformer()
    for size in [PixelSize(width: 12, height: 16), PixelSize(width: 48, height: 64)] {
      let turned = try transformer.apply(
        FrameTransform(rotation: orientation.rotation, isMirrored: orientation.isMirrored), to: source.buffer)
      let scaled = try transformer.apply(FrameTransform(size: size), to: turned)
      let stepwise = TestPicture(
        try transformer.apply(FrameTransform(pixelFormat: Format.bgra.code), to: scaled))
      let atOnce = TestPicture(
        try transformer.apply(
          FrameTransform(
            rotation: orientation.rotation, isMirrored: orientation.isMirrored, size: size,
            pixelFormat: Format.bgra.code), to: source.buffer))
      let worst = zip(stepwise.samples, atOnce.samples).map { abs($0 - $1) }.max() ?? 0
      #expect(worst <= 4, "\(orientation) of \(format) to \(size): off by \(worst)")
    }
  }
}
