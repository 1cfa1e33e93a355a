/// Something to say in a line that goes away by itself.
public enum Notice: Sendable, Equatable {
  case photoFailed(reason: String)
  case notStored(reason: String)
  case copied
  case cameraFailed(reason: String)
  case settingsNotStored(reason: String)
  case joinedNetwork(name: String)
  case notJoined(name: String, reason: String)
}
