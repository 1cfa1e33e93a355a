import CameraModel
import Foundation
import GTKKit
import VirtualCameras

/// The interface's words for what the model says.
enum Words {
  static func mode(_ mode: CameraMode) -> String {
    switch mode {
    case .photo: tr("Photo")
    case .video: tr("Video")
    case .scan: tr("Scan")
    case .depth: tr("Depth")
    }
  }

  static func flash(_ flash: FlashChoice) -> String {
    switch flash {
    case .off: tr("Flash off")
    case .auto: tr("Flash automatic")
    case .on: tr("Flash on")
    }
  }

  static func timer(_ timer: TimerChoice) -> String {
    switch timer {
    case .off: tr("No timer")
    case .three: tr("Timer: 3 seconds")
    case .ten: tr("Timer: 10 seconds")
    }
  }

  static func filter(_ filter: PhotoFilter) -> String {
    switch filter {
    case .none: tr("No filter")
    case .mono: tr("Filter: mono")
    case .noir: tr("Filter: noir")
    case .sepia: tr("Filter: sepia")
    case .vivid: tr("Filter: vivid")
    case .warm: tr("Filter: warm")
    case .cool: tr("Filter: cool")
    case .cube(let name): tr("Filter: %@", name)
    }
  }

  static func aspect(_ aspect: PhotoAspect) -> String {
    switch aspect {
    case .sensor: tr("Aspect ratio: the sensor's own")
    case .fourThirds: tr("Aspect ratio: 4:3")
    case .sixteenNinths: tr("Aspect ratio: 16:9")
    case .square: tr("Aspect ratio: 1:1")
    }
  }

  static func pace(_ pace: VideoPace) -> String {
    pace == .live ? tr("Time-lapse off") : tr("Time-lapse: a picture every %@", interval(pace.seconds))
  }

  /// A few seconds as they stand on a button.
  static func interval(_ seconds: Double) -> String {
    tr("%@ s", seconds < 1 ? number(seconds, 1) : String(Int(seconds)))
  }

  static func shutter(_ state: CameraState) -> String {
    if state.mode == .video { return state.recording.isActive ? tr("Stop recording") : tr("Record a video") }
    if state.mode == .depth {
      return state.depth.showsCloud ? tr("Save the points") : tr("Save the depth map")
    }
    if state.countdown != nil { return tr("Stop the timer") }
    return switch state.shutter {
    case .disabled: tr("The camera is not ready")
    case .ready, .momentarilyBusy: tr("Take a photo")
    case .exposing: tr("A photo is being taken")
    case .processing: tr("A photo is being made")
    }
  }

  static func notice(_ notice: Notice) -> String {
    switch notice {
    case .photoFailed(let reason):
      reason.isEmpty
        ? tr("No photo was taken, because the camera is not running.") : tr("No photo was taken. %@", reason)
    case .notStored(let reason):
      tr("The photo could not be stored: %@. Free some space or choose another folder in Settings.", reason)
    case .keptAsFile(let reason):
      tr("The photo library did not take it, so it is kept as a file beside the library. %@", reason)
    case .deleted(let count): trn("%@ item deleted", "%@ items deleted", count)
    case .addedToAlbum(let title, let count):
      trn("%@ item added to “%@”", "%@ items added to “%@”", count, title)
    case .albumRemoved(let title):
      tr("The album “%@” is removed; its photos and videos stay in the library.", title)
    case .libraryFailed(let reason): tr("The photo library could not do that. %@", reason)
    case .movieFailed(let reason):
      reason.isEmpty
        ? tr("Nothing was recorded, because the camera is not running.")
        : tr("The recording failed. %@", reason)
    case .movieEnded(let reason): tr("The recording has ended and is stored. %@", reason)
    case .picturesMissed(let count):
      trn(
        "The time-lapse lacks %@ picture that the camera did not have in time.",
        "The time-lapse lacks %@ pictures that the camera did not have in time.", count)
    case .copied: tr("Copied")
    case .depthSaved(let path):
      tr("Saved as %@", path.split(separator: "/").suffix(2).joined(separator: "/"))
    case .depthNotSaved(let reason):
      reason.isEmpty
        ? tr("Nothing was saved, because nothing is measured.") : tr("Nothing was saved: %@", reason)
    case .lookAdded(let name): tr("“%@” is among the filters now.", name)
    case .lookFailed(let name, let problem): tr("“%@” cannot be used as a filter: %@", name, look(problem))
    case .cameraFailed(let reason): reason
    case .effectNotKept(let reason): tr("The choice of effects was not kept. %@", reason)
    case .virtualCameraFailed(let problem): virtualCamera(problem)
    case .settingsNotStored(let reason): tr("Settings could not be stored: %@", reason)
    case .joinedNetwork(let name): tr("Connected to %@", name)
    case .notJoined(let name, let reason): tr("Could not connect to %@. %@", name, reason)
    }
  }

  private static func look(_ problem: LookProblem) -> String {
    switch problem {
    case .file(let reason): reason
    case .noTable: tr("it holds no colour lookup table.")
    case .line(let number): tr("its line %@ is no colour.", String(number))
    case .count(let found, let expected):
      tr("it holds %@ colours and should hold %@.", String(found), String(expected))
    }
  }

  static func virtualCamera(_ state: VirtualCameraState) -> String {
    switch state {
    case .off: tr("Other programs can use this picture, with its filter, as “Obscura Camera”.")
    case .offered: tr("Other programs can use this picture. Press to end this.")
    case .watched: tr("Another program sees this picture. Press to end this.")
    case .failed(let problem): virtualCamera(problem)
    }
  }

  private static func virtualCamera(_ problem: VirtualCameraProblem) -> String {
    switch problem {
    case .noServer:
      tr(
        "Other programs cannot use this picture, because PipeWire does not run. Start it, and this continues by itself: systemctl --user start pipewire"
      )
    case .refused(let reason): tr("PipeWire does not let other programs use this picture: %@", reason)
    }
  }

  static func control(_ name: ControlItem.Name) -> String {
    switch name {
    case .exposure: tr("Exposure")
    case .shutterTime: tr("Shutter time")
    case .sensitivity: tr("Sensitivity (ISO)")
    case .bias: tr("Brightness")
    case .focus: tr("Focus")
    case .whiteBalance: tr("White balance")
    case .temperature: tr("Colour temperature")
    case .tint: tr("Tint")
    case .torch: tr("Lamp")
    case .hdr: tr("High dynamic range")
    case .lowLight: tr("Brighten in the dark")
    case .driver(_, let title): title
    }
  }

  /// A distance.
  static func metres(_ metres: Double) -> String { tr("%@ m", number(metres, 2)) }

  /// A slider's value as it is read.
  static func value(_ value: Double, _ scale: ControlItem.Scale) -> String {
    switch scale {
    case .plain: String(Int(value.rounded()))
    case .stops: (value > 0.04 ? "+" : value < -0.04 ? "−" : "") + number(abs(value), 1) + " EV"
    case .seconds:
      value >= 0.3 ? tr("%@ s", number(value, 1)) : "1/\(Int((1 / max(value, 0.00001)).rounded())) s"
    case .iso: "ISO \(Int(value.rounded()))"
    case .kelvin: "\(Int(value.rounded())) K"
    case .share: "\(Int((value * 100).rounded())) %"
    }
  }

  /// A number with so many digits after the point, or what the user's language writes for it.
  static func number(_ value: Double, _ digits: Int) -> String {
    let text = String(format: "%.\(digits)f", value)
    guard let point = localeconv().pointee.decimal_point else { return text }
    return text.replacingOccurrences(of: ".", with: String(cString: point))
  }

  /// Minutes and seconds, and hours where there are some.
  static func time(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? max(0, Int(seconds)) : 0
    let (hours, minutes) = (whole / 3600, whole / 60 % 60)
    let rest = String(format: "%02d:%02d", minutes, whole % 60)
    return hours > 0 ? "\(hours):\(rest)" : rest
  }

  static func space(_ bytes: Int64) -> String {
    bytes >= 1_000_000_000
      ? tr("%@ GB free", number(Double(bytes) / 1e9, 1)) : tr("%@ MB free", String(bytes / 1_000_000))
  }

  static func zoom(_ factor: Double) -> String {
    let text = abs(factor - factor.rounded()) < 0.05 ? String(Int(factor.rounded())) : number(factor, 1)
    return text + "×"
  }
}
