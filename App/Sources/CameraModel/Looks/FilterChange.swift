import AVFoundation

/// Changes a camera's pictures by a filter, for the preview, videos, photos and the virtual camera alike.
///
/// Thread-safe.
final class FilterChange: Sendable {
  /// The pixel formats that it takes.
  static let pixelFormats = [
    kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
  ]

  /// The coding of a picture's colours.
  private struct Coding: Hashable {
    /// As `kCVImageBufferYCbCrMatrixKey` says.
    var matrix: String?
    var isFullRange: Bool
  }

  private let matrix: FilterMatrix
  private let known = Guarded<[Coding: VideoColorMatrix]>([:])

  /// `nil` for a filter that changes nothing.
  init?(_ filter: PhotoFilter) {
    guard let matrix = filter.matrix else { return nil }
    self.matrix = matrix
  }

  /// Writes the picture with the filter into a buffer of the same size and format.
  func change(_ picture: CVPixelBuffer, _ target: CVPixelBuffer) {
    let coding = Coding(
      matrix: CVBufferCopyAttachment(picture, kCVImageBufferYCbCrMatrixKey, nil) as? String,
      isFullRange: CVPixelBufferGetPixelFormatType(picture) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    let matrix = known.change { known in
      if let made = known[coding] { return made }
      let made = VideoColorMatrix(self.matrix, coding: coding.matrix, isFullRange: coding.isFullRange)
      known[coding] = made
      return made
    }
    CVPixelBufferLockBaseAddress(picture, .readOnly)
    CVPixelBufferLockBaseAddress(target, [])
    defer {
      CVPixelBufferUnlockBaseAddress(target, [])
      CVPixelBufferUnlockBaseAddress(picture, .readOnly)
    }
    guard let from = VideoColorMatrix.Planes(picture), let to = VideoColorMatrix.Planes(target) else {
      return
    }
    matrix.apply(
      from: from, to: to, width: CVPixelBufferGetWidth(target), height: CVPixelBufferGetHeight(target))
  }
}

extension CaptureEngine {
  /// Gives the camera's pictures a filter from the next one on.
  func setFilter(_ filter: PhotoFilter) {
    queue.async {
      guard filter != self.filter else { return }
      self.filter = filter
      self.applyFilter()
    }
  }

  /// Lets the next filter be applied even where it is the current one.
  func forgetFilter() {
    queue.async { self.filter = .none }
  }

  /// Gives the filter to the camera that is in use; on the queue.
  func applyFilter() {
    let change: (@Sendable (CVPixelBuffer, CVPixelBuffer) -> Void)?
    if case .cube(let name) = filter {
      do throws(LookProblem) {
        change = CubeChange(try looks.table(name)).change
      } catch {
        send(.lookFailed(name: name, error))
        change = nil
      }
    } else {
      change = FilterChange(filter)?.change
    }
    guard let change else { return input?.setPictureChange(nil) ?? () }
    input?.setPictureChange(pixelFormats: FilterChange.pixelFormats) { picture, target, _ in
      change(picture, target)
    }
  }
}
