#if GTKLayers
  public import CoreMedia
  public import Foundation
  public import QuartzCore

  /// A picture of a camera or a player that a view has taken to the screen.
  public struct LayerPicture {
    /// The layer that shows it.
    public let layer: CALayer
    /// When the camera exposed it, on the session's clock, or its time in the player's item.
    public let time: CMTime
    /// The size of the camera's or the movie's picture, upright; that on the screen is another.
    public let size: CGSize
    /// Degrees clockwise by which the camera's picture was turned: 0, 90, 180, or 270.
    public let rotationAngle: Int
    /// Whether the turned picture was mirrored left to right.
    public let isMirrored: Bool
  }

  /// Counts of the pictures of a view's cameras and players.
  public struct LayerPictureCounts: Sendable, Equatable {
    /// Pictures that were made for the screen.
    public var made = 0
    /// Pictures that were taken to the screen; the others were replaced before.
    public var shown = 0
    /// Frames that came while an older one still waited for its picture to be made, and took its place.
    public var late = 0
  }
#endif
