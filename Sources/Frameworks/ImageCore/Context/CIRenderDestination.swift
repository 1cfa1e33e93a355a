public import CoreVideo
public import Foundation
public import GraphicsCore
internal import Linux
internal import StillCodecs

/// How a destination stores alpha.
///
/// Apple: `CIRenderDestinationAlphaMode`.
public enum CIRenderDestinationAlphaMode: UInt, Sendable {
  /// No alpha: colours are stored as they are times alpha, and what is stored beside them says opaque.
  case none = 0
  /// Colours times alpha, and alpha.
  case premultiplied = 1
  /// Colours as they are without alpha, and alpha.
  case unpremultiplied = 2
}

/// The pixels that an image is rendered into, and the way in which they are stored.
///
/// Properties may change between renders; each takes them as they are when it starts. Thread-safe, as far as its memory is not used
/// by another at the same time.
///
/// - Note: Unlike Core Image, there are no destinations in a graphics processor's memory, no kernels that blend and no dithering.
///
/// Apple: `CIRenderDestination`.
open class CIRenderDestination: NSObject, @unchecked Sendable {  // Safe because what changes is under a lock.
  /// The memory of the pixels.
  enum Memory {
    case buffer(CVPixelBuffer)
    case bitmap(UnsafeMutableRawPointer, bytesPerRow: Int, CIFormat)
  }

  /// The properties.
  struct State {
    var alphaMode: CIRenderDestinationAlphaMode
    var isFlipped = true
    var isClamped: Bool
    var colorSpace: CGColorSpace?
  }

  let memory: Memory
  let state: Locked<State>
  /// The number of columns.
  ///
  /// Apple: `CIRenderDestination.width`.
  public let width: Int
  /// The number of rows.
  ///
  /// Apple: `CIRenderDestination.height`.
  public let height: Int

  /// All of a pixel buffer, in the colours that its attachments name.
  ///
  /// - Parameter pixelBuffer: Kept; in any format that can be converted to, or each start of a render fails.
  ///
  /// Apple: `CIRenderDestination.init(pixelBuffer:)`.
  public init(pixelBuffer: CVPixelBuffer) {
    memory = .buffer(pixelBuffer)
    width = CVPixelBufferGetWidth(pixelBuffer)
    height = CVPixelBufferGetHeight(pixelBuffer)
    state = Locked(
      State(
        alphaMode: pixelBuffer.hasNoAlpha ? .none : .premultiplied, isClamped: true,
        colorSpace: CGColorSpace.described(by: pixelBuffer)))
    super.init()
  }

  /// Memory of the caller's, in sRGB, or gray for `.L8`.
  ///
  /// - Parameters:
  ///   - data: At least `bytesPerRow` times `height` bytes, there until the last render has ended. Not owned.
  ///   - bytesPerRow: From one row to the next, at least as much as `width` pixels take.
  ///   - format: How the pixels are stored.
  ///
  /// Apple: `CIRenderDestination.init(bitmapData:width:height:bytesPerRow:format:)`.
  public init(
    bitmapData data: UnsafeMutableRawPointer, width: Int, height: Int, bytesPerRow: Int, format: CIFormat
  ) {
    memory = .bitmap(data, bytesPerRow: bytesPerRow, format)
    self.width = width
    self.height = height
    state = Locked(
      State(
        alphaMode: format == .L8 || format == .RGBX8 ? .none : .premultiplied,
        isClamped: format != .RGBAf && format != .RGBAh,
        colorSpace: format == .L8 ? CGColorSpaceCreateDeviceGray() : .standardRGB))
    super.init()
  }

  /// How alpha is stored; times the colours unless set, and not at all in formats without alpha.
  ///
  /// Apple: `CIRenderDestination.alphaMode`.
  open var alphaMode: CIRenderDestinationAlphaMode {
    get { state.withLock { $0.alphaMode } }
    set { state.withLock { $0.alphaMode = newValue } }
  }

  /// Whether the first row in memory is the top one; it is unless set.
  ///
  /// Apple: `CIRenderDestination.isFlipped`.
  open var isFlipped: Bool {
    get { state.withLock { $0.isFlipped } }
    set { state.withLock { $0.isFlipped = newValue } }
  }

  /// Whether colours are kept between 0 and 1, of premultiplied ones alpha; formats of integers always do.
  ///
  /// `false` for `.RGBAf` and `.RGBAh` unless set. Apple: `CIRenderDestination.isClamped`.
  open var isClamped: Bool {
    get { state.withLock { $0.isClamped } }
    set { state.withLock { $0.isClamped = newValue } }
  }

  /// What the numbers mean; `nil` stores the working numbers without colour matching.
  ///
  /// Apple: `CIRenderDestination.colorSpace`.
  open var colorSpace: CGColorSpace? {
    get { state.withLock { $0.colorSpace } }
    set { state.withLock { $0.colorSpace = newValue } }
  }
}
