internal import Foundation

/// Along one axis, the source pixels that make each output pixel and their weights.
///
/// Without a kernel, shrinking takes the exact share that each source pixel has in the output pixel; growing takes the two
/// neighbours of its middle. Weights sum to the part of the output pixel that the picture covers.
struct AxisWeights {
  private(set) var first: [Int] = []
  private(set) var start: [Int] = [0]
  private(set) var weights: [Float] = []

  /// - Parameters:
  ///   - outputs: The output pixels.
  ///   - scale: Source pixels per output pixel; negative when mirrored.
  ///   - shift: Where output 0 begins in the source.
  ///   - limits: Where the picture begins and ends, `nil` for one without bounds.
  ///   - available: The source pixels at hand; the outermost stand for what lies beyond.
  ///   - kernel: What is interpolated with; as wide as an output pixel asks for where pictures shrink.
  init(
    outputs: Range<Int>, scale: CGFloat, shift: CGFloat, limits: (low: CGFloat, high: CGFloat)?,
    available: Range<Int>, kernel: ResamplingKernel? = nil
  ) {
    first.reserveCapacity(outputs.count)
    for output in outputs {
      if let kernel {
        append(kernel, output, scale, shift, limits, available)
      } else if abs(scale) > 1 {
        appendBox(output, scale, shift, limits, available)
      } else {
        appendLine(output, scale, shift, limits, available)
      }
      start.append(weights.count)
    }
  }

  private mutating func appendBox(
    _ output: Int, _ scale: CGFloat, _ shift: CGFloat, _ limits: (low: CGFloat, high: CGFloat)?,
    _ available: Range<Int>
  ) {
    let ends = (scale * CGFloat(output) + shift, scale * CGFloat(output + 1) + shift)
    let low = max(min(ends.0, ends.1), limits?.low ?? -.infinity)
    let high = min(max(ends.0, ends.1), limits?.high ?? .infinity)
    let from = Int((low + 1e-9).rounded(.down))
    let to = Int((high - 1e-9).rounded(.up))
    first.append(min(max(from, available.lowerBound), available.upperBound - 1))
    if to <= from || high <= low { return }
    let begin = weights.count
    for sample in from..<to {
      let share = Float((min(high, CGFloat(sample + 1)) - max(low, CGFloat(sample))) / abs(scale))
      // What lies beyond the pixels at hand is added to the outermost.
      if weights.count > begin, sample <= available.lowerBound || sample >= available.upperBound {
        weights[weights.count - 1] += share
      } else {
        weights.append(share)
      }
    }
  }

  private mutating func append(
    _ kernel: ResamplingKernel, _ output: Int, _ scale: CGFloat, _ shift: CGFloat,
    _ limits: (low: CGFloat, high: CGFloat)?, _ available: Range<Int>
  ) {
    let (side, width) = (abs(scale), max(1, abs(scale)))
    let center = scale * (CGFloat(output) + 0.5) + shift
    let low = max(center - side / 2, limits?.low ?? -.infinity)
    let high = min(center + side / 2, limits?.high ?? .infinity)
    let cover = max(0, min(1, (high - low) / side))
    let from = Int((center - kernel.reach * width - 0.5).rounded(.up))
    let to = Int((center + kernel.reach * width - 0.5).rounded(.down))
    let begin = weights.count
    let last = available.upperBound - 1
    first.append(min(max(from, available.lowerBound), last))
    guard cover > 0, from <= to else { return }
    var sum: CGFloat = 0
    for sample in from...to {
      let share = kernel.share(at: (CGFloat(sample) + 0.5 - center) / width)
      sum += share
      // What lies beyond the pixels at hand is added to the outermost.
      if weights.count > begin, sample <= available.lowerBound || sample > last {
        weights[weights.count - 1] += Float(share)
      } else {
        weights.append(Float(share))
      }
    }
    for index in begin..<weights.count { weights[index] *= Float(cover / sum) }
  }

  private mutating func appendLine(
    _ output: Int, _ scale: CGFloat, _ shift: CGFloat, _ limits: (low: CGFloat, high: CGFloat)?,
    _ available: Range<Int>
  ) {
    let center = scale * (CGFloat(output) + 0.5) + shift
    var cover: CGFloat = 1
    if let limits {
      let inside = min(center - limits.low, limits.high - center) / max(abs(scale), 1e-9) + 0.5
      cover = max(0, min(1, inside))
    }
    let left = (center - 0.5).rounded(.down)
    let share = center - 0.5 - left
    let index = Int(left)
    if index < available.lowerBound || share < 1e-9 {
      first.append(min(max(index, available.lowerBound), available.upperBound - 1))
      weights.append(Float(cover))
    } else if index >= available.upperBound - 1 {
      first.append(available.upperBound - 1)
      weights.append(Float(cover))
    } else {
      first.append(index)
      weights.append(Float(cover * (1 - share)))
      weights.append(Float(cover * share))
    }
  }
}

extension TransformSampler {
  /// Draws a picture that is only scaled, mirrored and moved: first along the columns, then along the rows.
  func sampleUpright(
    _ from: Tile, _ tile: Tile, _ part: GridRect, scale: (CGFloat, CGFloat), shift: (CGFloat, CGFloat),
    kernel: ResamplingKernel?
  ) {
    let extent = source.extent
    let isUnbounded = extent.isInfiniteExtent
    let columns = AxisWeights(
      outputs: part.x..<part.maxX, scale: scale.0, shift: shift.0,
      limits: isUnbounded ? nil : (extent.minX, extent.maxX), available: from.rect.x..<from.rect.maxX,
      kernel: kernel)
    let rows = AxisWeights(
      outputs: part.y..<part.maxY, scale: scale.1, shift: shift.1,
      limits: isUnbounded ? nil : (extent.minY, extent.maxY), available: from.rect.y..<from.rect.maxY,
      kernel: kernel)
    let width = from.rect.width
    withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: width) { sums in
      guard let sum = sums.baseAddress else { return }
      columns.weights.withUnsafeBufferPointer { columnWeights in
        for y in 0..<part.height {
          let taps = rows.start[y]..<rows.start[y + 1]
          // A clear row is what the tile was made with.
          if taps.isEmpty { continue }
          sum.initialize(repeating: .zero, count: width)
          for tap in taps {
            let weight = rows.weights[tap]
            let row = from.row(rows.first[y] + tap - taps.lowerBound)
            for x in 0..<width { sum[x] += row[x] * weight }
          }
          let out = tile.row(part.y + y) + part.x - tile.rect.x
          for x in 0..<part.width {
            var pixel = SIMD4<Float>.zero
            let base = columns.first[x] - from.rect.x - columns.start[x]
            for tap in columns.start[x]..<columns.start[x + 1] {
              pixel += sum[base + tap] * columnWeights[tap]
            }
            if kernel != nil { pixel.w = min(max(pixel.w, 0), 1) }
            out[x] = pixel
          }
        }
      }
    }
  }
}
