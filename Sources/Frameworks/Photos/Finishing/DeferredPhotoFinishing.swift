internal import Foundation
package import GraphicsCore

/// A finisher of photos whose frames were kept for later.
package protocol DeferredPhotoFinishing: Sendable {
  /// The identifier of the frames that a proxy's file stands for; `nil` for any other file.
  func identifier(inProxy file: Data) -> String?
  /// The finished file. The frames stay until ``discard(_:)``.
  ///
  /// - Throws: ``DeferredFramesLost`` when trying again cannot help; anything else when it may.
  func finish(_ identifier: String) throws -> Data
  /// A better picture than the proxy that is there soon, and its orientation as EXIF counts.
  func secondaryImage(_ identifier: String) throws -> (image: CGImage, orientation: Int)
  /// Removes the frames.
  func discard(_ identifier: String) throws
}

/// The frames of a photo are gone or damaged: its proxy is all there is.
package struct DeferredFramesLost: Error, CustomStringConvertible {
  /// One sentence.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
