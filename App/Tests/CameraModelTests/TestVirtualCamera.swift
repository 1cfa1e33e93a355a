import AVFoundation
import VirtualCameras

@testable import CameraModel

/// A virtual camera that keeps what other programs would see; a test says who watches.
final class TestVirtualCamera: VirtualCamera, @unchecked Sendable {  // Safe because all is guarded.
  struct Shared {
    var problem: VirtualCameraProblem?
    var report: (@Sendable (VirtualCameraEvent) -> Void)?
    var offers = 0
    var isOffered = false
    var newest: CVPixelBuffer?
    var times: [CMTime] = []
  }

  let shared = Guarded(Shared())

  func open(_ report: @escaping @Sendable (VirtualCameraEvent) -> Void) throws(VirtualCameraProblem)
    -> any VirtualCamera
  {
    let problem = shared.change { shared in
      shared.offers += 1
      if shared.problem == nil { (shared.report, shared.isOffered) = (report, true) }
      return shared.problem
    }
    if let problem { throw problem }
    return self
  }

  func show(_ picture: CVPixelBuffer, at time: CMTime) {
    shared.change { shared in
      shared.newest = picture
      shared.times.append(time)
    }
  }

  func close() { shared.change { $0.isOffered = false } }

  func report(_ event: VirtualCameraEvent) { shared.change { $0.report }?(event) }

  var isOffered: Bool { shared.change { $0.isOffered } }
  var count: Int { shared.change { $0.times.count } }
  var newest: CVPixelBuffer? { shared.change { $0.newest } }
}

extension CVPixelBuffer {
  /// The means of the luma's columns.
  var lumaColumns: [Double] {
    bytes(ofPlane: 0) { bytes, row, height in
      (0..<CVPixelBufferGetWidth(self)).map { x in
        (0..<height).reduce(0.0) { $0 + Double(bytes[$1 * row + x]) } / Double(height)
      }
    }
  }

  /// The greatest difference of chroma from grey.
  var mostChroma: Int {
    bytes(ofPlane: 1) { bytes, row, height in
      (0..<height).map { y in
        (0..<CVPixelBufferGetWidth(self)).map { abs(Int(bytes[y * row + $0]) - 128) }.max() ?? 0
      }.max() ?? 0
    }
  }

  private func bytes<Result>(ofPlane plane: Int, _ body: (UnsafePointer<UInt8>, Int, Int) -> Result)
    -> Result
  {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(self, plane) else { fatalError("no bytes") }
    return body(
      base.assumingMemoryBound(to: UInt8.self), CVPixelBufferGetBytesPerRowOfPlane(self, plane),
      CVPixelBufferGetHeightOfPlane(self, plane))
  }
}

extension PictureBytes {
  /// The means of the columns' luma, after ITU-R BT.709.
  var columns: [Double] {
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    return (0..<width).map { x in
      (0..<height).reduce(0.0) { sum, y in
        let pixel = bytes + y * bytesPerRow + 4 * x
        return sum + 0.0722 * Double(pixel[0]) + 0.7152 * Double(pixel[1]) + 0.2126 * Double(pixel[2])
      } / Double(height)
    }
  }
}
