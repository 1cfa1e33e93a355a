internal import CoreVideo
internal import Foundation
internal import GraphicsCore

/// Pixels that a client's processor makes.
struct ProcessorWork: PictureWork {
  /// What the client gave beside images.
  private struct Arguments: @unchecked Sendable {  // Safe: values that do not change.
    let values: [String: Any]?
  }

  private let kernel: CIImageProcessorKernel.Type
  private let arguments: Arguments
  private var inputs: [Recipe]
  private let formats: [CIFormat]
  private let outputFormat: CIFormat
  private let extent: CGRect
  private var whole = WholeOutput()

  init(
    kernel: CIImageProcessorKernel.Type, arguments: [String: Any]?, inputs: [Recipe], formats: [CIFormat],
    outputFormat: CIFormat, extent: CGRect
  ) {
    self.kernel = kernel
    self.arguments = Arguments(values: arguments)
    self.inputs = inputs
    self.formats = formats
    self.outputFormat = outputFormat
    self.extent = extent
  }

  var sources: [Recipe] {
    get { inputs }
    set {
      inputs = newValue
      whole = WholeOutput()
    }
  }

  var isOpaque: Bool { kernel.outputIsOpaque }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    let parts = inputs.indices.map { part(of: $0, for: rect) }
    let needed = parts.map { $0?.area ?? 0 }.max() ?? 0
    return whole.tile(rect, needing: needed, of: extent) { asked in
      made(asked, asked == rect ? parts : inputs.indices.map { part(of: $0, for: asked) }, renderer)
    }
  }

  /// What the processor needs of an input; `nil` where that has no end.
  private func part(of index: Int, for rect: GridRect) -> GridRect? {
    let asked = kernel.roi(
      forInput: Int32(index), arguments: arguments.values,
      outputRect: CGRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    ).standardized
    if asked.isInfiniteExtent {
      return inputs[index].extent.isInfiniteExtent ? nil : inputs[index].extent.allPixels
    }
    return asked.allPixels
  }

  private func made(_ rect: GridRect, _ parts: [GridRect?], _ renderer: TileRenderer) -> Tile {
    let tile = Tile(rect)
    do {
      let read = try zip(inputs.indices, parts).map { index, part in
        guard let part, !part.isTooLarge else { throw ImageProcessorError.regionEndless }
        let memory = try ProcessorMemory(part, formats[index])
        memory.store(renderer.tile(inputs[index], part))
        return ProcessorSource(memory: memory)
      }
      let written = try ProcessorMemory(rect, outputFormat)
      try kernel.process(with: read.isEmpty ? nil : read, arguments: arguments.values, output: written)
      written.load(into: tile)
    } catch {
      RenderLog.report("A part of a processed picture was left clear: \(error)")
    }
    return tile
  }
}

/// The memory of one call of a processor, rows from the top.
private final class ProcessorMemory: CIImageProcessorOutput {
  let region: CGRect
  let bytesPerRow: Int
  let format: CIFormat
  let pixelBuffer: CVPixelBuffer?
  private let rect: GridRect
  private let base: UnsafeMutableRawPointer

  init(_ rect: GridRect, _ format: CIFormat) throws {
    self.rect = rect
    self.format = format
    region = CGRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    let (width, height) = (max(1, rect.width), max(1, rect.height))
    guard let pixelFormat = format.pixelFormat else {
      pixelBuffer = nil
      bytesPerRow = 16 * width
      base = .allocate(byteCount: bytesPerRow * height, alignment: 16)
      base.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * height)
      return
    }
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, pixelFormat, nil, &made)
    guard let made else { throw ImageProcessorError.formatUnsupported }
    CVPixelBufferLockBaseAddress(made, [])
    guard let memory = CVPixelBufferGetBaseAddress(made) else { throw ImageProcessorError.formatUnsupported }
    pixelBuffer = made
    bytesPerRow = CVPixelBufferGetBytesPerRow(made)
    base = memory
    base.initializeMemory(as: UInt8.self, repeating: 0, count: bytesPerRow * height)
  }

  deinit {
    if let pixelBuffer { CVPixelBufferUnlockBaseAddress(pixelBuffer, []) } else { base.deallocate() }
  }

  var baseAddress: UnsafeMutableRawPointer { base }
}

/// The same memory, to be read.
private struct ProcessorSource: CIImageProcessorInput {
  let memory: ProcessorMemory

  var region: CGRect { memory.region }
  var bytesPerRow: Int { memory.bytesPerRow }
  var format: CIFormat { memory.format }
  var baseAddress: UnsafeRawPointer { UnsafeRawPointer(memory.baseAddress) }
  var pixelBuffer: CVPixelBuffer? { memory.pixelBuffer }
}

extension ProcessorMemory {
  /// Where red lies in a pixel of four bytes.
  private var red: Int { format == .BGRA8 ? 2 : 0 }

  /// Takes over a tile's working numbers.
  func store(_ tile: Tile) {
    for y in rect.y..<rect.maxY {
      let (from, to) = (tile.row(y), base + (rect.maxY - 1 - y) * bytesPerRow)
      if format == .RGBAf {
        to.assumingMemoryBound(to: SIMD4<Float>.self).update(from: from, count: rect.width)
        continue
      }
      let bytes = to.assumingMemoryBound(to: UInt8.self)
      for x in 0..<rect.width {
        let pixel = (from[x].clamped(lowerBound: .zero, upperBound: .one) * 255).rounded(
          .toNearestOrAwayFromZero)
        bytes[4 * x + red] = UInt8(pixel.x)
        bytes[4 * x + 1] = UInt8(pixel.y)
        bytes[4 * x + 2 - red] = UInt8(pixel.z)
        bytes[4 * x + 3] = UInt8(pixel.w)
      }
    }
  }

  /// Gives a tile the numbers that were written.
  func load(into tile: Tile) {
    for y in rect.y..<rect.maxY {
      let (from, to) = (base + (rect.maxY - 1 - y) * bytesPerRow, tile.row(y))
      if format == .RGBAf {
        to.update(from: from.assumingMemoryBound(to: SIMD4<Float>.self), count: rect.width)
        continue
      }
      let bytes = from.assumingMemoryBound(to: UInt8.self)
      for x in 0..<rect.width {
        to[x] =
          SIMD4(
            Float(bytes[4 * x + red]), Float(bytes[4 * x + 1]), Float(bytes[4 * x + 2 - red]),
            Float(bytes[4 * x + 3])) / 255
      }
    }
  }
}
