internal import CZXing
internal import Foundation

/// Borrowed luma: a part of a picture, read in place.
struct LumaView {
  var luma: cam_luma

  var width: Int { Int(luma.width) }
  var height: Int { Int(luma.height) }

  init(pixels: UnsafePointer<UInt8>, stride: Int, width: Int, height: Int) {
    luma = cam_luma(pixels: pixels, stride: stride, width: Int32(width), height: Int32(height))
  }

  /// Rows without anything between them.
  init(_ pixels: UnsafePointer<UInt8>, width: Int, height: Int) {
    self.init(pixels: pixels, stride: width, width: width, height: height)
  }
}

/// Memory for a changed copy of luma, used again from one picture to the next.
final class LumaScratch {
  private var memory = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)

  deinit {
    memory.deallocate()
  }

  /// Lends rows of `width` bytes, not initialised; `nil` when there is nothing to lend.
  func lend(width: Int, height: Int) -> UnsafeMutablePointer<UInt8>? {
    let count = width * height
    guard count > 0 else { return nil }
    if memory.count < count {
      memory.deallocate()
      memory = .allocate(capacity: count)
    }
    return memory.baseAddress
  }
}

/// A change of luma before codes are looked for in it.
enum LumaChange: Sendable, Hashable {
  case none
  /// Averaged over squares of so many pixels a side: against noise, and for large codes out of focus.
  case shrunk(Int)
  /// Twice as large: for codes of hardly more than a pixel a module.
  case enlarged
  /// Light codes on dark ground.
  case inverted
  /// The mean of 3 × 3 pixels: against noise.
  case smoothed
  /// Pushed away from the mean around it: against blur, shadows and weak contrast.
  case sharpened(radius: Int, amount: Float)

  /// Pixels of the source for each pixel of the changed picture.
  var scale: Double {
    switch self {
    case .shrunk(let factor): Double(factor)
    case .enlarged: 0.5
    case .none, .inverted, .smoothed, .sharpened: 1
    }
  }

  /// Gives `body` the changed picture, in memory of `scratch` unless nothing changes; `nil` when it would be empty, or
  /// there is no memory for it.
  func apply<Result>(to source: LumaView, _ scratch: LumaScratch, _ body: (LumaView) -> Result) -> Result? {
    let width: Int
    let height: Int
    switch self {
    case .none: return body(source)
    case .shrunk(let factor): (width, height) = (source.width / factor, source.height / factor)
    case .enlarged: (width, height) = (source.width * 2, source.height * 2)
    case .inverted, .smoothed, .sharpened: (width, height) = (source.width, source.height)
    }
    guard let target = scratch.lend(width: width, height: height) else { return nil }
    switch self {
    case .none: break
    case .shrunk(let factor): cam_luma_shrink(source.luma, Int32(factor), target, width)
    case .enlarged:
      guard cam_luma_enlarge(source.luma, target, width) != 0 else { return nil }
    case .inverted: cam_luma_invert(source.luma, target, width)
    case .smoothed: cam_luma_smooth(source.luma, target, width)
    case .sharpened(let radius, let amount):
      guard cam_luma_sharpen(source.luma, Int32(radius), amount, target, width) != 0 else { return nil }
    }
    return body(LumaView(target, width: width, height: height))
  }
}

/// A threshold between dark and light in a picture of matrix codes.
enum LumaThreshold: Sendable, Hashable {
  /// A level for each neighbourhood of 40 × 40 pixels: against shadows.
  case neighbourhood
  /// One level for the whole picture: for codes on even ground.
  case whole
  /// The mean of so many pixels each way: for modules that are hardly apart.
  case mean(radius: Int)

  /// Gives `body` the picture in black and white, row by row in memory of `scratch`; `nil` when there is no memory for it.
  func apply<Result>(
    to source: LumaView, _ scratch: LumaScratch, _ body: (UnsafeMutablePointer<UInt8>) -> Result
  ) -> Result? {
    guard let target = scratch.lend(width: source.width, height: source.height) else { return nil }
    let (kind, radius): (cam_threshold, Int) =
      switch self {
      case .neighbourhood: (CAM_THRESHOLD_NEIGHBOURHOOD, 0)
      case .whole: (CAM_THRESHOLD_WHOLE, 0)
      case .mean(let radius): (CAM_THRESHOLD_MEAN, radius)
      }
    guard cam_luma_binarize(source.luma, kind, Int32(radius), target, source.width) != 0 else { return nil }
    return body(target)
  }
}
