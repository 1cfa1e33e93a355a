internal import CameraFrames
internal import CaptureDevice
internal import CoreVideo
package import Foundation
package import GraphicsCore
internal import ImageIO
internal import Linux
internal import PixelTransforms
internal import StillCodecs

/// Small pictures of photos that this program has just taken, made of the captured frames, so that a library need not decode
/// the files.
///
/// Bounded: the oldest go first. Thread-safe.
package enum FreshPictures {
  /// The longer side in pixels.
  package static let edge = 256
  private static let mostCount = 16
  /// The bytes at each end of a file that identify it.
  private static let endCount = 4096

  /// A small picture as the sensor lies, and how it must be turned to stand upright.
  package struct Picture: Sendable {
    package var image: CGImage
    package var orientation: Int
  }

  private struct State {
    var isWanted = false
    var pictures: [(key: Int, pixels: CVPixelBuffer, orientation: Int)] = []
  }

  private static let state = Locked(State())

  /// Whether pictures are kept; a program without a library needs none.
  package static var isWanted: Bool {
    get { state.withLock { $0.isWanted } }
    set {
      let old = state.withLock { state in
        defer { state = State(isWanted: newValue, pictures: newValue ? state.pictures : []) }
        return state
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Keeps a small picture of a photo whose file has just been made; the cost is that of making a picture smaller.
  package static func keep(_ negative: PhotoDeveloper.Negative, _ request: PhotoProcessingRequest, file: Data)
  {
    guard isWanted else { return }
    let size = PhotoDeveloper.size(negative.size, within: edge, edge)
    let transform = FrameTransform(
      size: PixelSize(size), pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    // Without it the file is decoded.
    guard let small = try? transformer.apply(transform, to: negative.picture), small !== negative.picture
    else { return }
    let key = key(file.prefix(endCount), file.suffix(endCount), file.count)
    let orientation = Int(request.orientation.rawValue)
    let old = state.withLock { state in
      let old = state.pictures
      state.pictures.removeAll { $0.key == key }
      state.pictures = state.pictures.suffix(mostCount - 1) + [(key, small, orientation)]
      return old
    }
    withExtendedLifetime(old) {}
  }

  private static let transformer = PixelTransformer(bufferLimit: .max)

  /// The small picture of the photo whose file lies at `path`; `nil` for any other file.
  package static func picture(ofFile path: String) -> Picture? {
    guard state.withLock({ !$0.pictures.isEmpty }), let file = FileHandle(forReadingAtPath: path),
      let count = try? file.seekToEnd(), let head = try? read(file, 0),
      let tail = try? read(file, count < endCount ? 0 : count - UInt64(endCount))
    else { return nil }
    let key = key(head, tail, Int(count))
    guard let found = state.withLock({ $0.pictures.last { $0.key == key } }),
      let image = try? CGImage.make(of: found.pixels)
    else { return nil }
    return Picture(image: image, orientation: found.orientation)
  }

  private static func read(_ file: FileHandle, _ offset: UInt64) throws -> Data {
    try file.seek(toOffset: offset)
    return try file.read(upToCount: endCount) ?? Data()
  }

  private static func key(_ head: Data, _ tail: Data, _ count: Int) -> Int {
    var hasher = Hasher()
    hasher.combine(Data(head))
    hasher.combine(Data(tail))
    hasher.combine(count)
    return hasher.finalize()
  }
}
