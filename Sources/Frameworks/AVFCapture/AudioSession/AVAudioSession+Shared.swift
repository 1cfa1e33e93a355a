public import AVFAudio
internal import AVFCore
internal import ALSADevices
internal import CaptureDevice
public import Foundation
internal import Linux

extension AVAudioSession {
  /// The program's one session.
  ///
  /// Apple: `AVAudioSession.sharedInstance()`.
  public static func sharedInstance() -> AVAudioSession { MachineAudio.session }
}

/// The program as an audio application, with its permission to record.
///
/// Apple: `AVAudioApplication`.
public final class AVAudioApplication: NSObject, Sendable {

  /// The program.
  ///
  /// Apple: `AVAudioApplication.shared`.
  public static let shared = AVAudioApplication()

  private override init() {
    super.init()
  }

  /// Whether the program may record, without asking the user.
  ///
  /// Apple: `AVAudioApplication.recordPermission`.
  public var recordPermission: AVAudioSession.RecordPermission {
    AVAudioSession.sharedInstance().recordPermission
  }

  /// Asks the user where that has not happened yet; `response` gets the answer once, on any thread.
  ///
  /// Apple: `AVAudioApplication.requestRecordPermission(completionHandler:)`.
  public class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
    AVAudioSession.sharedInstance().requestRecordPermission(response)
  }

  /// Asks the user where that has not happened yet; whether the program may record.
  ///
  /// Apple: `AVAudioApplication.requestRecordPermission()`.
  public class func requestRecordPermission() async -> Bool {
    await withCheckedContinuation { continuation in
      requestRecordPermission { continuation.resume(returning: $0) }
    }
  }
}

/// The microphones of the providers in force, and what plays on this machine.
private final class MachineAudio: AudioSessionHardware {
  static let session: AVAudioSession = {
    let session = AVAudioSession(hardware: MachineAudio())
    let center = NotificationCenter.default
    let observers = Locked<[any NSObjectProtocol]>([])
    func follow(_ name: Notification.Name, _ body: @escaping @Sendable (Notification) -> Void) {
      // The session lives as long as the process, and so do its observers.
      let observer = center.addObserver(forName: name, object: nil, queue: nil, using: body)
      observers.withLock { $0.append(observer) }
    }
    follow(AVCaptureDevice.wasConnectedNotification) { note in
      guard (note.object as? AVCaptureDevice)?.hasMediaType(.audio) == true else { return }
      session.reviewRoute(.newDeviceAvailable)
    }
    follow(AVCaptureDevice.wasDisconnectedNotification) { note in
      guard (note.object as? AVCaptureDevice)?.hasMediaType(.audio) == true else { return }
      session.reviewRoute(.oldDeviceUnavailable)
    }
    follow(AVCaptureSession.didStartRunningNotification) { _ in session.reviewRoute(.categoryChange) }
    follow(AVCaptureSession.wasInterruptedNotification) { note in
      let reason = note.userInfo?[AVCaptureSessionInterruptionReasonKey] as? Int
      guard reason == AVCaptureSession.InterruptionReason.audioDeviceInUseByAnotherClient.rawValue else {
        return
      }
      session.setInterrupted(true)
    }
    follow(AVCaptureSession.interruptionEndedNotification) { _ in session.setInterrupted(false) }
    follow(AVCaptureSession.didStopRunningNotification) { _ in session.setInterrupted(false) }
    return session
  }()

  var inputs: [AVAudioSessionPortDescription] {
    AVCaptureDevice.devices(for: .audio).map { device in
      let format = device.facts.audioFormat(at: 0)
      return AVAudioSessionPortDescription(
        portType: device.facts.kind == .externalMicrophone ? .usbAudio : .builtInMic,
        portName: device.localizedName, uid: device.uniqueID, sampleRate: Double(format.rate),
        channelCount: format.channels)
    }
  }

  var outputs: [AVAudioSessionPortDescription] {
    let providers = DeviceRegistry.shared.providers()
    // A simulated machine does not play on this one.
    guard !providers.allSatisfy({ $0.name == "simulated" }) else {
      return [
        AVAudioSessionPortDescription(
          portType: .builtInSpeaker, portName: "Speaker", uid: "simulated.speaker")
      ]
    }
    return PlaybackNode.all(root: "").map { node in
      AVAudioSessionPortDescription(
        portType: node.isUSB ? .usbAudio : node.isHDMI ? .HDMI : .builtInSpeaker, portName: node.name,
        uid: node.uniqueID)
    }
  }

  var outputVolume: Float? {
    // A simulated machine does not play on this one.
    DeviceRegistry.shared.providers().allSatisfy { $0.name == "simulated" } ? nil : PlaybackNode.volume
  }

  var recordPermission: AVAudioSession.RecordPermission {
    switch AVCaptureDevice.authorizationStatus(for: .audio) {
    case .notDetermined: .undetermined
    case .restricted, .denied: .denied
    case .authorized: .granted
    }
  }

  func requestRecordPermission(_ completion: @escaping @Sendable (Bool) -> Void) {
    AVCaptureDevice.requestAccess(for: .audio, completionHandler: completion)
  }
}
