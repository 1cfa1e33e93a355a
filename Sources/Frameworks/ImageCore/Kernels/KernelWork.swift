internal import Foundation
internal import GraphicsCore

/// A client's value for a kernel's parameter.
enum KernelArgument: Sendable {
  case number(SIMD4<Float>)
  case color(CIColor)
  case image
}

/// Pixels that a client's kernel computes.
struct KernelWork: PictureWork {
  /// Called on the threads that render.
  struct Region: @unchecked Sendable {  // Safe: the client's own, as CIKernel says.
    let callback: CIKernelROICallback
  }

  let program: KernelProgram
  let arguments: [KernelArgument]
  /// One for each parameter that is an image.
  private var images: [Recipe]
  private let region: Region?
  private let extent: CGRect
  private var whole = WholeOutput()

  init(
    _ program: KernelProgram, _ arguments: [KernelArgument], images: [Recipe], region: Region?, extent: CGRect
  ) {
    self.program = program
    self.arguments = arguments
    self.images = images
    self.region = region
    self.extent = extent
  }

  var sources: [Recipe] {
    get { images }
    set {
      images = newValue
      whole = WholeOutput()
    }
  }

  func prepared(for rect: GridRect, _ renderer: TileRenderer) -> any PictureWork {
    var work = self
    work.sources = zip(images, parts(for: rect)).map { image, part in image.prepared(for: part, renderer) }
    return work
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    if !program.hasSamplers { return made(rect, images.map { _ in rect }, renderer) }
    let parts = parts(for: rect)
    let needed = parts.map(\.area).max() ?? 0
    return whole.tile(rect, needing: needed, of: extent) { asked in
      made(asked, asked == rect ? parts : self.parts(for: asked), renderer)
    }
  }

  /// The part of each image that `rect` needs: of a sampler what the client's callback says, and a pixel more on each side, so that
  /// beyond an image everything is clear.
  private func parts(for rect: GridRect) -> [GridRect] {
    let asked = CGRect(x: rect.x, y: rect.y, width: rect.width, height: rect.height)
    var parts: [GridRect] = []
    for parameter in program.parameters {
      switch parameter {
      case .number, .color: continue
      case .sample: parts.append(rect)
      case .sampler:
        var part = region.map { $0.callback(Int32(parts.count), asked).standardized } ?? asked
        let image = images[parts.count].extent
        if !image.isInfiniteExtent {
          part = part.intersection(image)
        } else if part.isInfiniteExtent {
          part = asked
        }
        parts.append(
          part.isNull || part.isEmpty
            ? GridRect(x: 0, y: 0, width: 0, height: 0) : part.allPixels.grown(by: 1))
      }
    }
    return parts
  }

  private func made(_ rect: GridRect, _ parts: [GridRect], _ renderer: TileRenderer) -> Tile {
    let tile = Tile(rect)
    let tiles = zip(images, parts).map { image, part in
      part.isEmpty || part.isTooLarge ? nil : renderer.tile(image, part)
    }
    if parts.contains(where: \.isTooLarge) {
      RenderLog.report(
        "The kernel '\(program.name)' asked for too large a part of an image, which is left clear; ask for less."
      )
    }
    run(rect, tiles, renderer) { x, y, pixels, count in
      (tile.row(y) + x - rect.x).update(from: pixels, count: count)
    }
    return tile
  }

  /// Runs the program for every pixel of `rect`, and gives the results to `body`, one run at a time.
  func run(
    _ rect: GridRect, _ tiles: [Tile?], _ renderer: TileRenderer,
    _ body: (_ x: Int, _ y: Int, UnsafeMutablePointer<SIMD4<Float>>, _ count: Int) -> Void
  ) {
    let run = KernelRun(program, images: tiles, extents: images.map(\.extent.numbers))
    for y in rect.y..<rect.maxY {
      for x in stride(from: rect.x, to: rect.maxX, by: KernelRun.length) {
        let count = min(KernelRun.length, rect.maxX - x)
        give(run, tiles, renderer, x: x, y: y, count: count)
        body(x, y, run.run(x: x, y: y, count: count), count)
      }
    }
    if run.wasEndless {
      RenderLog.report(
        "A loop of the kernel '\(program.name)' was ended after 65 536 iterations; give it an end.")
    }
  }

  private func give(_ run: KernelRun, _ tiles: [Tile?], _ renderer: TileRenderer, x: Int, y: Int, count: Int)
  {
    var image = 0
    for (index, argument) in arguments.enumerated() {
      let register = run[program.parameterRegisters[index]]
      switch argument {
      case .number(let value): register.update(repeating: value, count: count)
      case .color(let color): register.update(repeating: color.working(renderer.color), count: count)
      case .image:
        if case .sample = program.parameters[index], let tile = tiles[image] {
          register.update(from: tile.row(y) + x - tile.rect.x, count: count)
        }
        image += 1
      }
    }
  }
}

/// A picture that is sampled at the positions that a client's kernel computes.
struct KernelWarpWork: PictureWork {
  private var work: KernelWork
  private var source: Recipe

  init(_ work: KernelWork, source: Recipe) {
    self.work = work
    self.source = source
  }

  var sources: [Recipe] {
    get { [source] }
    set { source = newValue[0] }
  }

  func tile(_ rect: GridRect, _ renderer: TileRenderer) -> Tile {
    var places = [SIMD2<Double>?](repeating: nil, count: rect.width * rect.height)
    work.run(rect, [], renderer) { x, y, pixels, count in
      let first = (y - rect.y) * rect.width + x - rect.x
      for index in 0..<count {
        let place = SIMD2<Double>(Double(pixels[index].x), Double(pixels[index].y))
        // No image reaches further, and larger numbers would not be exact.
        places[first + index] = max(abs(place.x), abs(place.y)) < 1e9 ? place : nil
      }
    }
    let tile = Tile(rect)
    WarpWork.draw(rect, of: source, on: tile, renderer) { x, y in
      places[(Int(y) - rect.y) * rect.width + Int(x) - rect.x]
    }
    return tile
  }
}

extension CGRect {
  /// Origin and size; the largest range of exact whole numbers for an infinite extent.
  fileprivate var numbers: SIMD4<Float> {
    isInfiniteExtent
      ? SIMD4(-8_388_608, -8_388_608, 16_777_216, 16_777_216)
      : SIMD4(Float(minX), Float(minY), Float(width), Float(height))
  }
}
