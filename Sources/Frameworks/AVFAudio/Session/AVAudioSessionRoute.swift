public import Foundation

extension AVAudioSession {
  /// The type of an input or output, such as a microphone inside the machine.
  ///
  /// Apple: `AVAudioSession.Port`.
  public struct Port: RawRepresentable, Hashable, Sendable {
    /// Apple's name of the constant.
    public let rawValue: String

    /// The port of Apple's name `rawValue`.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A microphone inside the machine.
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    /// A loudspeaker, or whatever plays, inside the machine.
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    /// A device on the USB.
    public static let usbAudio = Port(rawValue: "USBAudio")
    /// A screen's loudspeakers.
    public static let HDMI = Port(rawValue: "HDMI")

    // Compared with by programs that run on phones; no device here is known to be one.

    /// A line to plug in, which sends.
    public static let lineIn = Port(rawValue: "LineIn")
    /// The microphone of a headset with a cord.
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    /// A line to plug in, which plays.
    public static let lineOut = Port(rawValue: "LineOut")
    /// Headphones, or a headset, with a cord.
    public static let headphones = Port(rawValue: "Headphones")
    /// A loudspeaker of Bluetooth, for music.
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    /// A loudspeaker of Bluetooth Low Energy.
    public static let bluetoothLE = Port(rawValue: "BluetoothLE")
    /// A headset of Bluetooth, for calls.
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    /// The loudspeaker at the ear.
    public static let builtInReceiver = Port(rawValue: "Receiver")
    /// A loudspeaker of the network.
    public static let airPlay = Port(rawValue: "AirPlay")
    /// A car.
    public static let carAudio = Port(rawValue: "CarAudio")
    /// The microphone of a phone nearby.
    public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")
    /// What is no device.
    public static let virtual = Port(rawValue: "Virtual")
    /// A device on the PCI bus.
    public static let PCI = Port(rawValue: "PCI")
    /// A device on FireWire.
    public static let fireWire = Port(rawValue: "FireWire")
    /// A screen's loudspeakers by DisplayPort.
    public static let displayPort = Port(rawValue: "DisplayPort")
    /// A device of Audio Video Bridging.
    public static let AVB = Port(rawValue: "AVB")
    /// A device on Thunderbolt.
    public static let thunderbolt = Port(rawValue: "Thunderbolt")
  }
}

/// An input or an output.
///
/// Two are equal when they are the same device. Apple: `AVAudioSessionPortDescription`.
public final class AVAudioSessionPortDescription: NSObject, Sendable {
  /// The type of the port.
  ///
  /// Apple: `AVAudioSessionPortDescription.portType`.
  public let portType: AVAudioSession.Port
  /// The port's name for people.
  ///
  /// Apple: `AVAudioSessionPortDescription.portName`.
  public let portName: String
  /// The same after replugging and restarts; an input's is the `uniqueID` of its `AVCaptureDevice`.
  ///
  /// Apple: `AVAudioSessionPortDescription.uid`.
  public let uid: String
  /// Samples a second that it sends or plays unless asked for others; `nil` where it is not known.
  package let sampleRate: Double?
  /// How many channels it sends unless asked for others; 0 for an output.
  package let channelCount: Int

  package init(
    portType: AVAudioSession.Port, portName: String, uid: String, sampleRate: Double? = nil,
    channelCount: Int = 0
  ) {
    self.portType = portType
    self.portName = portName
    self.uid = uid
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    super.init()
  }

  /// Whether `object` is the same device's port.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionPortDescription else { return false }
    return uid == other.uid && portType == other.portType
  }

  /// A number that equal ports share.
  public override var hash: Int { uid.hashValue }

  /// The name, the type and the identifier.
  public override var description: String { "\(portName) (\(portType.rawValue), \(uid))" }
}

/// A route: the inputs and outputs that a program's audio uses.
///
/// Apple: `AVAudioSessionRouteDescription`.
public final class AVAudioSessionRouteDescription: NSObject, Sendable {
  /// The ports that record; empty where the category does not record, or no input is there.
  ///
  /// Apple: `AVAudioSessionRouteDescription.inputs`.
  public let inputs: [AVAudioSessionPortDescription]
  /// The ports that play; empty where the category does not play, or no output is there.
  ///
  /// Apple: `AVAudioSessionRouteDescription.outputs`.
  public let outputs: [AVAudioSessionPortDescription]

  init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
    self.inputs = inputs
    self.outputs = outputs
    super.init()
  }

  /// Whether `object` has the same ports.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionRouteDescription else { return false }
    return inputs == other.inputs && outputs == other.outputs
  }

  /// A number that equal routes share.
  public override var hash: Int { inputs.hashValue &+ 31 &* outputs.hashValue }
}
