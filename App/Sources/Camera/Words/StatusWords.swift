import CameraModel
import GTKKit

/// The words of the status page: the problem and its remedy.
struct StatusWords {
  var icon: String
  var title: String
  var text: String
  /// The words of the button that tries again, where that helps.
  var retry: String?

  /// Of a folder in which nothing can be written.
  init(lockedFolder folder: String) {
    icon = "folder-symbolic"
    title = tr("Photos Cannot Be Kept")
    text = tr("Nothing can be written in %@. Choose another folder in Settings.", folder)
    retry = tr("Settings")
  }

  /// Of a camera that measures no depth, on the depth screen.
  static var lacksDepth: StatusWords {
    StatusWords(
      icon: "camera-hardware-disabled-symbolic", title: tr("No Depth"),
      text: tr("This camera measures no depth. Choose or plug in one that does."), retry: nil)
  }

  private init(icon: String, title: String, text: String, retry: String?) {
    (self.icon, self.title, self.text, self.retry) = (icon, title, text, retry)
  }

  init?(_ availability: Availability) {
    retry = tr("Try Again")
    switch availability {
    case .running, .starting: return nil
    case .none:
      icon = "camera-disabled-symbolic"
      title = tr("No Camera Found")
      text = tr("Plug in a camera: it starts by itself.")
    case .denied:
      icon = "camera-disabled-symbolic"
      title = tr("No Permission for the Camera")
      text = tr("Allow cameras in your system's privacy settings, or add your user to the group “video”.")
    case .busy(let camera):
      icon = "camera-hardware-disabled-symbolic"
      title = tr("The Camera Is in Use")
      text = tr("Another program uses %@. Close it: this continues by itself.", camera)
    case .unplugged(let camera):
      icon = "camera-hardware-disabled-symbolic"
      title = tr("Camera Unplugged")
      text = tr("%@ is gone. Plug it in again: it continues by itself.", camera)
      retry = nil
    case .covered:
      icon = "camera-disabled-symbolic"
      title = tr("The Camera Is Covered")
      text = tr("Open its privacy shutter or switch: it continues by itself.")
      retry = nil
    case .hot:
      icon = "weather-clear-symbolic"
      title = tr("Too Hot")
      text = tr("The machine must cool down first. It continues by itself.")
      retry = nil
    case .failed(let reason):
      icon = "dialog-warning-symbolic"
      title = tr("The Camera Has a Problem")
      text = reason
    }
  }
}
