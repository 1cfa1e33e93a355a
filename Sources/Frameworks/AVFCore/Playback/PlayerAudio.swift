internal import CoreMedia

/// The audio of a player.
final class PlayerAudio {
  func play(_ item: AVPlayerItem, core: PlayerCore) {}
  func stop() {}
  func setGain(_ gain: Float) {}
}
