import AVFoundation
import CameraModel

/// The system's sounds of a camera.
enum Sounds {
  private static let shutterSound: SystemSoundID = 1108
  private static let beginSound: SystemSoundID = 1117
  private static let endSound: SystemSoundID = 1118

  static func shutter(_ settings: Settings) {
    if settings.playsSound { AudioServicesPlaySystemSound(shutterSound) }
  }

  static func recording(begins: Bool, _ settings: Settings) {
    if settings.playsSound { AudioServicesPlaySystemSound(begins ? beginSound : endSound) }
  }
}
