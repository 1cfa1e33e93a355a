import CoreVideo
import FoundationExtras
import PixelTransforms
import Testing

@Suite("PixelTransformer: conversion")
struct ConversionTests {
  /// The expected samples of the target in 8-bit levels, computed from the source's samples.
  struct Expectation {
    let source: TestPicture
    let target: TestPicture
    let from: ColorReference
    let to: ColorReference

    private func rgb(_ x: Int, _ y: Int) -> [Double] {
      if source.format.isRGB { return Array(source.rgba(x, y).prefix(3)) }
      let chroma = source.chroma(x, y)
      return from.rgb(luma: source.luma(x, y), cb: chroma.cb, cr: chroma.cr)
    }

    /// The mean of `value` over the pixels that share one chroma sample of the target.
    private func shared(_ x: Int, _ y: Int, _ value: (Int, Int) -> [Double]) -> [Double] {
      var sum = [0.0, 0.0, 0.0]
      let columns = [x, min(x + 1, source.width - 1)]
      let rows = target.format.isPacked422 ? [y] : [y, min(y + 1, source.height - 1)]
      for row in rows {
        for column in columns {
          for (index, part) in value(column, row).enumerated() { sum[index] += part }
        }
      }
      return sum.map { $0 / Double(rows.count * columns.count) }
    }

    /// The greatest distance of a sample of the target from what it should be.
    var error: Double {
      var worst = 0.0
      for y in 0..<target.height {
        for x in 0..<target.width {
          if target.format.isRGB {
            let wanted = rgb(x, y).map(clipped)
            for (is_, should) in zip(target.rgba(x, y), wanted) { worst = max(worst, abs(is_ - should)) }
          } else {
            worst = max(worst, abs(target.luma(x, y) - clipped(to.luma(rgb(x, y)))))
            if !target.format.isGray, x % 2 == 0, y % 2 == 0 || target.format.isPacked422 {
              let wanted = to.chroma(shared(x, y, rgb))
              let held = target.chroma(x, y)
              worst = max(worst, abs(held.cb - clipped(wanted.cb)), abs(held.cr - clipped(wanted.cr)))
            }
          }
        }
      }
      return worst
    }
  }

  @Test(arguments: Format.all, Format.all)
  func `every pair of formats is right to one level for every matrix`(old: Format, new: Format) throws {
    for matrix in YCbCrMatrix.allCases {
      // 37 pixels: one stretch of the wide loops and an odd rest.
      for (width, height) in [(37, 3), (1, 1)] {
        let source = try TestPicture(old, width: width, height: height)
        source.fill(seed: UInt64(width))
        if !old.isRGB, !old.isGray {
          CVBufferSetAttachment(
            source.buffer, kCVImageBufferYCbCrMatrixKey, matrix.attachment, .shouldPropagate)
        }
        let transformer = PixelTransformer(threads: 1)
        let target = TestPicture(
          try transformer.apply(FrameTransform(pixelFormat: new.code, matrix: matrix), to: source.buffer))
        #expect(target.format.code == new.code && target.width == width && target.height == height)
        let error = Expectation(
          source: source, target: target,
          from: ColorReference(matrix: matrix, isFullRange: old.isFullRange),
          to: ColorReference(matrix: matrix, isFullRange: new.isFullRange)
        ).error
        // Ten bits are rounded to eight before they become R'G'B', where chroma counts up to 2.14 times.
        // Two rows of 4:2:2 are averaged to whole levels before their range changes.
        let limit =
          old.isDeep && old.code != new.code ? (new.isRGB ? 2.7 : 1.6) : old.isPacked422 ? 1.1 : 1.01
        #expect(error <= limit, "\(old) to \(new), \(matrix), \(width)x\(height): off by \(error)")
      }
    }
  }

  @Test(arguments: [
    (Format.bgra, Format(code: kCVPixelFormatType_32RGBA)), (Format(code: kCVPixelFormatType_32ARGB), .bgra),
    (Format(code: kCVPixelFormatType_32RGBA), Format(code: kCVPixelFormatType_24RGB)),
    (Format(code: kCVPixelFormatType_24RGB), .bgra), (.yuvs, .biplanar),
    (Format(code: kCVPixelFormatType_422YpCbCr8), .biplanar), (.biplanar, .yuvs), (.bgra, .biplanarFull),
    (.biplanar, .bgra), (.biplanar, .biplanarFull), (.yuvs, .bgra),
  ])
  func `no width falls between the wide loops and their rests`(old: Format, new: Format) throws {
    // libyuv 1857 has such a width: its YUY2ToNV12 fails from 17 to 31 of every 32 columns.
    for width in 1...70 {
      let source = try TestPicture(old, width: width, height: 2)
      source.fill(seed: UInt64(width))
      let target = TestPicture(
        try PixelTransformer(threads: 1).apply(
          FrameTransform(pixelFormat: new.code, matrix: .bt601), to: source.buffer))
      let error = Expectation(
        source: source, target: target, from: ColorReference(matrix: .bt601, isFullRange: old.isFullRange),
        to: ColorReference(matrix: .bt601, isFullRange: new.isFullRange)
      ).error
      #expect(error <= 1.01, "\(old) to \(new) at \(width) columns: off by \(error)")
    }
  }

  @Test(arguments: YCbCrMatrix.allCases, YCbCrMatrix.allCases)
  func `the matrix changes on request and by the destination's attachment`(old: YCbCrMatrix, new: YCbCrMatrix)
    throws
  {
    let source = try TestPicture(.biplanar, width: 70, height: 6)
    source.fill(seed: 3)
    CVBufferSetAttachment(source.buffer, kCVImageBufferYCbCrMatrixKey, old.attachment, .shouldPropagate)
    let transformer = PixelTransformer()
    let asked = TestPicture(
      try transformer.apply(
        FrameTransform(pixelFormat: Format.biplanarFull.code, matrix: new), to: source.buffer))
    let given = try TestPicture(.biplanarFull, width: 70, height: 6)
    CVBufferSetAttachment(given.buffer, kCVImageBufferYCbCrMatrixKey, new.attachment, .shouldPropagate)
    try transformer.apply(.identity, to: source.buffer, into: given.buffer)
    for target in [asked, given] {
      #expect(YCbCrMatrix(of: target.buffer) == new)
      let error = Expectation(
        source: source, target: target, from: ColorReference(matrix: old, isFullRange: false),
        to: ColorReference(matrix: new, isFullRange: true)
      ).error
      #expect(error <= 1.01)
    }
  }

  @Test func `white, black and gray stay what they are through every matrix and range`() throws {
    for matrix in YCbCrMatrix.allCases {
      for format in [Format.biplanar, .biplanarFull, .yuvs, .deep] {
        for level: UInt8 in [0, 1, 127, 128, 254, 255] {
          let source = try TestPicture(.bgra, width: 33, height: 2)
          for y in 0..<2 { for index in 0..<(33 * 4) { source.buffer.planes[0].row(y)[index] = level } }
          let transformer = PixelTransformer()
          let there = try transformer.apply(
            FrameTransform(pixelFormat: format.code, matrix: matrix), to: source.buffer)
          let middle = TestPicture(there)
          #expect(middle.chroma(0, 0) == (128, 128) && middle.chroma(32, 0) == (128, 128))
          let back = TestPicture(
            try transformer.apply(FrameTransform(pixelFormat: Format.bgra.code), to: there))
          let pixel = back.rgba(7, 1)
          #expect(pixel[0] == pixel[1] && pixel[1] == pixel[2] && abs(pixel[0] - Double(level)) <= 1)
        }
      }
    }
  }

  @Test func `an unknown matrix is taken as high definition from 720 lines on`() throws {
    #expect(YCbCrMatrix.assumed(for: PixelSize(width: 640, height: 480)) == .bt601)
    #expect(YCbCrMatrix.assumed(for: PixelSize(width: 1024, height: 576)) == .bt601)
    #expect(YCbCrMatrix.assumed(for: PixelSize(width: 1280, height: 720)) == .bt709)
    #expect(YCbCrMatrix.assumed(for: PixelSize(width: 720, height: 1280)) == .bt709)
    let small = try TestPicture(.bgra, width: 4, height: 4)
    let converted = try PixelTransformer().apply(
      FrameTransform(pixelFormat: Format.biplanar.code), to: small.buffer)
    #expect(YCbCrMatrix(of: converted) == .bt601)
    #expect(CVBufferHasAttachment(converted, kCVImageBufferYCbCrMatrixKey))
  }

  @Test func `a scaled picture keeps the matrix it was made with`() throws {
    let source = try TestPicture(.biplanar, width: 1280, height: 4)
    let small = try PixelTransformer().apply(
      FrameTransform(size: PixelSize(width: 320, height: 2)), to: source.buffer)
    #expect(YCbCrMatrix(of: small) == .bt709)
  }

  @Test func `propagated attachments travel and the others stay`() throws {
    let source = try TestPicture(.biplanar, width: 8, height: 8)
    CVBufferSetAttachment(
      source.buffer, kCVImageBufferColorPrimariesKey, kCVImageBufferColorPrimaries_P3_D65, .shouldPropagate)
    CVBufferSetAttachment(source.buffer, "own", 7, .shouldNotPropagate)
    let target = try PixelTransformer().apply(
      FrameTransform(pixelFormat: Format.bgra.code), to: source.buffer)
    let primaries = CVBufferCopyAttachment(target, kCVImageBufferColorPrimariesKey, nil) as? String
    #expect(primaries == kCVImageBufferColorPrimaries_P3_D65)
    #expect(!CVBufferHasAttachment(target, "own"))
    #expect(!CVBufferHasAttachment(target, kCVImageBufferYCbCrMatrixKey))
  }

  @Test func `strips over the cores give the bytes of one thread`() throws {
    let source = try TestPicture(.biplanar, width: 701, height: 503)
    source.fill(seed: 9)
    for format in [Format.bgra, .biplanarFull, .yuvs] {
      let transform = FrameTransform(pixelFormat: format.code)
      let whole = TestPicture(try PixelTransformer(threads: 1).apply(transform, to: source.buffer))
      let strips = TestPicture(try PixelTransformer(threads: 5).apply(transform, to: source.buffer))
      for (left, right) in zip(whole.buffer.planes, strips.buffer.planes) {
        let bytes = format.isRGB || format.isPacked422 ? left.width * (format.isRGB ? 4 : 2) : 701
        for y in 0..<left.height {
          #expect(left.row(y).prefix(bytes).elementsEqual(right.row(y).prefix(bytes)))
        }
      }
    }
  }

  @Test func `a format that cannot be converted is named`() throws {
    let source = try TestPicture(.bgra, width: 4, height: 4)
    #expect(throws: PixelTransformError.formatUnsupported(kCVPixelFormatType_DepthFloat32)) {
      try PixelTransformer().apply(
        FrameTransform(pixelFormat: kCVPixelFormatType_DepthFloat32), to: source.buffer)
    }
    let text = PixelTransformError.formatUnsupported(kCVPixelFormatType_DepthFloat32).description
    #expect(text == "Pixel format 'fdep' cannot be converted; ask for 420v, 420f or BGRA.")
  }
}
