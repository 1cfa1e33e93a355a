internal import Foundation
internal import GraphicsCore
internal import PhotoProcessing

/// Finishes photos with the frames that the camera stored.
struct StoredFrames: DeferredPhotoFinishing {
  private let frames: DeferredPhotoStore

  init(folder: String) {
    frames = DeferredPhotoStore(folder: folder)
  }

  func identifier(inProxy file: Data) -> String? { DeferredPhotoStore.identifier(inProxy: file) }

  func finish(_ identifier: String) throws -> Data {
    do {
      return try frames.finish(identifier).file
    } catch let error as DeferredPhotoError {
      switch error {
      case .unknown, .damaged: throw DeferredFramesLost(error.description)
      default: throw error
      }
    }
  }

  func secondaryImage(_ identifier: String) throws -> (image: CGImage, orientation: Int) {
    let found = try frames.secondaryImage(identifier)
    return (found.image, Int(found.orientation.rawValue))
  }

  func discard(_ identifier: String) throws { try frames.discard(identifier) }
}
