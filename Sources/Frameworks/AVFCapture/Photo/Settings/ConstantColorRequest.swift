package import CaptureDevice

/// A request for a photo in the flash's light alone.
package struct ConstantColorRequest: Sendable, Hashable {
  /// The white balance gains that make that light neutral.
  package var gains: WhiteBalanceGains
  /// Whether the frame with flash comes as a photo of its own, too.
  package var deliversFallback: Bool

  package init(gains: WhiteBalanceGains, deliversFallback: Bool) {
    self.gains = gains
    self.deliversFallback = deliversFallback
  }
}
