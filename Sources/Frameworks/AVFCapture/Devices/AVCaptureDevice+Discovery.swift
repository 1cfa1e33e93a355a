internal import AVFAudio
public import AVFCore
internal import CaptureDevice
public import Foundation
public import FoundationExtras
internal import Linux

extension AVCaptureDevice {
  /// A device was plugged in; the notification's object is the device.
  ///
  /// Apple: `AVCaptureDevice.wasConnectedNotification`.
  public static let wasConnectedNotification = Notification.Name("AVCaptureDeviceWasConnectedNotification")
  /// A device was unplugged; the notification's object is the device.
  ///
  /// Apple: `AVCaptureDevice.wasDisconnectedNotification`.
  public static let wasDisconnectedNotification = Notification.Name(
    "AVCaptureDeviceWasDisconnectedNotification")

  /// All connected cameras and microphones, in order of preference.
  ///
  /// Apple: `AVCaptureDevice.devices()`.
  public class func devices() -> [AVCaptureDevice] {
    DeviceRegistry.shared.connected()
  }

  /// All connected devices that deliver `mediaType`, in order of preference.
  ///
  /// Apple: `AVCaptureDevice.devices(for:)`.
  public class func devices(for mediaType: AVMediaType) -> [AVCaptureDevice] {
    devices().filter { $0.hasMediaType(mediaType) }
  }

  /// The device to use for `mediaType` when the user has no wish; `nil` when there is none.
  ///
  /// For pictures that is a wide-angle camera on the back, else the first camera there is; for audio the preferred input of
  /// the program's `AVAudioSession`, else the first microphone.
  ///
  /// Apple: `AVCaptureDevice.default(for:)`.
  public class func `default`(for mediaType: AVMediaType) -> AVCaptureDevice? {
    let devices = devices(for: mediaType)
    let preferred = AudioSessionSettings.shared.withLock { $0.preferredInput }
    return devices.first { $0.deviceType == .builtInWideAngleCamera && $0.position == .back }
      ?? devices.first { $0.uniqueID == preferred } ?? devices.first
  }

  /// The first device of a type; `nil` when there is none.
  ///
  /// - Parameters:
  ///   - deviceType: Of which type.
  ///   - mediaType: What it shall deliver; `nil` for anything.
  ///   - position: Where it shall sit; `unspecified` for anywhere.
  ///
  /// Apple: `AVCaptureDevice.default(_:for:position:)`.
  public class func `default`(
    _ deviceType: DeviceType, for mediaType: AVMediaType?, position: Position
  ) -> AVCaptureDevice? {
    search([deviceType], mediaType, position).first
  }

  static func search(
    _ types: [DeviceType], _ mediaType: AVMediaType?, _ position: Position
  ) -> [AVCaptureDevice] {
    let candidates = DeviceRegistry.shared.connected().filter { device in
      (mediaType.map(device.hasMediaType) ?? true)
        && (position == .unspecified || device.position == position)
    }
    var found: [AVCaptureDevice] = []
    for type in types {
      for device in candidates
      where type.finds(device.facts.kind) && !found.contains(where: { $0 === device }) {
        found.append(device)
      }
    }
    return found
  }

  // MARK: Preference

  /// The camera that the user has chosen in this program; `nil` when they have not, or it is unplugged.
  ///
  /// Kept in the program's user defaults: the most recent choice that is plugged in counts, also after a restart.
  ///
  /// Apple: `AVCaptureDevice.userPreferredCamera`.
  public class var userPreferredCamera: AVCaptureDevice? {
    get {
      let chosen = UserDefaults.standard.stringArray(forKey: preferenceKey) ?? []
      let cameras = devices(for: .video)
      return chosen.firstResult { id in cameras.first { $0.uniqueID == id } }
    }
    set {
      var chosen = UserDefaults.standard.stringArray(forKey: preferenceKey) ?? []
      if let id = newValue?.uniqueID {
        chosen.removeAll { $0 == id }
        chosen.insert(id, at: 0)
      } else {
        chosen = []
      }
      UserDefaults.standard.set(Array(chosen.prefix(8)), forKey: preferenceKey)
    }
  }

  /// The camera to use now: the user's choice, else the default one; `nil` when there is none.
  ///
  /// Apple: `AVCaptureDevice.systemPreferredCamera`.
  public class var systemPreferredCamera: AVCaptureDevice? {
    userPreferredCamera ?? `default`(for: .video)
  }

  private static var preferenceKey: String { "ObscuraPreferredCameras" }
}

extension AVCaptureDevice {
  /// A search for devices that stays up to date as they come and go.
  ///
  /// Thread-safe. Apple: `AVCaptureDevice.DiscoverySession`.
  open class DiscoverySession: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: locked state.
    /// Who observes the search's properties.
    public let observerTable = ObserverTable()

    private let deviceTypes: [DeviceType]
    private let mediaType: AVMediaType?
    private let position: Position
    private let found: Locked<[AVCaptureDevice]>

    /// Searches for connected devices.
    ///
    /// - Parameters:
    ///   - deviceTypes: Of which types; the result is in the order of these.
    ///   - mediaType: What they shall deliver; `nil` for anything.
    ///   - position: Where they shall sit; `unspecified` for anywhere.
    ///
    /// Apple: `AVCaptureDevice.DiscoverySession.init(deviceTypes:mediaType:position:)`.
    public init(deviceTypes: [DeviceType], mediaType: AVMediaType?, position: Position) {
      self.deviceTypes = deviceTypes
      self.mediaType = mediaType
      self.position = position
      found = Locked(AVCaptureDevice.search(deviceTypes, mediaType, position))
      super.init()
      DeviceRegistry.shared.add(self)
    }

    /// What is connected now, in the order of the types that were asked for.
    ///
    /// Observable.
    ///
    /// Apple: `AVCaptureDevice.DiscoverySession.devices`.
    open var devices: [AVCaptureDevice] {
      observerTable.access(\DiscoverySession.devices)
      return found.withLock { $0 }
    }

    func lookAgain() {
      let now = AVCaptureDevice.search(deviceTypes, mediaType, position)
      let old = found.withLock { found in
        defer { found = now }
        return found
      }
      guard !old.elementsEqual(now, by: ===) else { return }
      observerTable.changed(\DiscoverySession.devices, of: self, from: old, to: now)
      notifyMultiCamSets(old, now)
    }
  }
}

extension Notification.Name {
  /// The older spelling of ``AVCaptureDevice/wasConnectedNotification``.
  public static let AVCaptureDeviceWasConnected = AVCaptureDevice.wasConnectedNotification
  /// The older spelling of ``AVCaptureDevice/wasDisconnectedNotification``.
  public static let AVCaptureDeviceWasDisconnected = AVCaptureDevice.wasDisconnectedNotification
}
