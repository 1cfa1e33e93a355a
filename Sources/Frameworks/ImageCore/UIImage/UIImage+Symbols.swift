internal import Foundation
internal import GraphicsCore
internal import Linux
internal import VideoEffects

extension UIImage {
  /// The system's picture of that name: the eight of `AVCaptureReactionType.systemImageName`, in colours, 24 points square.
  ///
  /// - Returns: `nil` for any other name.
  ///
  /// - Note: Unlike UIKit, which has thousands of symbols, each in one colour, there are the eight of reactions, in colours.
  ///
  /// Apple: `UIImage.init(systemName:)`.
  public convenience init?(systemName name: String) {
    guard let reaction = ReactionKind(systemImageName: name), let picture = Self.symbol(reaction) else {
      return nil
    }
    self.init(cgImage: picture, scale: Self.symbolScale, orientation: .up)
  }

  private static let symbolScale: CGFloat = 3
  private static let symbols = Locked<[ReactionKind: CGImage]>([:])

  /// Drawn when it is first asked for.
  private static func symbol(_ reaction: ReactionKind) -> CGImage? {
    if let known = symbols.withLock({ $0[reaction] }) { return known }
    let icon = reaction.icon(side: 24 * Int(symbolScale))
    let picture = CGImage(
      width: icon.side, height: icon.side, pixels: Data(icon.rgba), order: .rgba, alpha: .premultiplied,
      space: .standardRGB)
    symbols.withLock { $0[reaction] = picture }
    return picture
  }
}
