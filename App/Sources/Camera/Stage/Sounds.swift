import AVFoundation
import CameraModel

/// The system's sounds of a camera.
enum Sounds {
  private static let shutterSound: SystemSoundID = 1108
  private static let beginSound: SystemSoundID = 1117
  private static let endSound: SystemSoundID = 1118

  static func shutter(_ settings: Settings) {
    if settings.playsSound { play(shutterSound) }
  }

  static func recording(begins: Bool, _ settings: Settings) {
    if settings.playsSound { play(begins ? beginSound : endSound) }
  }

  private static func play(_ sound: SystemSoundID) {
    // The microphone runs with the viewfinder, and would silence them.
    try? AVAudioSession.sharedInstance().setAllowHapticsAndSystemSoundsDuringRecording(true)
    AudioServicesPlaySystemSound(sound)
  }
}
