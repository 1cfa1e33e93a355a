public import CoreMedia
public import CoreVideo
public import Foundation
internal import GraphicsCore
internal import Linux
internal import PixelTransforms

/// A picture of an item to draw, and how it shall lie.
public struct PlayerFrame: Sendable {
  /// The picture as the track has it, unturned, mostly in the decoder's own memory.
  public let pixels: CVPixelBuffer
  /// When it begins to be shown, in the item's time.
  public let itemTime: CMTime
  /// Degrees clockwise by which the picture is to be turned: 0, 90, 180, or 270.
  public let rotationAngle: Int
  /// Whether the turned picture is to be mirrored left to right.
  public let isMirrored: Bool
  /// The size in which the turned picture is shown; its pixels need not be square.
  public let presentationSize: CGSize

  /// - Parameters:
  ///   - transform: How the track wants its pictures turned.
  ///   - size: The size in which the turned picture is shown.
  init(_ frame: PlayedFrame, transform: CGAffineTransform, size: CGSize) {
    pixels = frame.pixels
    itemTime = frame.time
    let (turn, isMirrored) = StillFrame.turn(transform)
    rotationAngle = turn.rawValue
    self.isMirrored = isMirrored
    presentationSize = size
  }
}
