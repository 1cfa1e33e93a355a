public import AVFCore
package import CaptureDevice
public import CoreMedia
public import Foundation
public import FoundationExtras
internal import Linux

/// The base of a session's inputs, which bring media to it.
///
/// Made through its subclasses only. Thread-safe.
///
/// Apple: `AVCaptureInput`.
open class AVCaptureInput: NSObject, @unchecked Sendable {  // Safe because its state is behind a lock.
  /// The input's number in graphs and plans.
  package let id = NodeID()

  private let knownPorts = Locked<[Port]>([])
  /// Which session has it; the session makes and ends the membership.
  let membership = Membership()

  /// An input without ports; the subclass gives it some.
  package init(number: Void = ()) {
    super.init()
  }

  /// The ports of the input, one for each kind of media.
  ///
  /// Apple: `AVCaptureInput.ports`.
  open var ports: [Port] {
    knownPorts.withLock { $0 }
  }

  /// The device that delivers; `nil` for an input without one.
  var source: AVCaptureDevice? { nil }

  func setPorts(_ ports: [Port]) {
    knownPorts.withLock { $0 = ports }
  }
}

extension AVCaptureInput {
  /// One stream of media that an input delivers.
  ///
  /// Apple: `AVCaptureInput.Port`.
  open class Port: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: locked state.
    /// The observers of the port's properties.
    public let observerTable = ObserverTable()

    /// The kind of media that the port delivers.
    ///
    /// Apple: `AVCaptureInput.Port.mediaType`.
    public let mediaType: AVMediaType

    private struct State {
      weak var input: AVCaptureInput?
      var isEnabled = true
      /// The format that observers know of.
      var reportedFormat: CMFormatDescription?
    }

    /// Where a port's media comes from.
    enum Source {
      /// A device, for which the port was made.
      case device(AVCaptureDevice)
      /// A client, which brings media of a format with times of a clock.
      case client(CMFormatDescription, CMClock)

      var device: AVCaptureDevice? {
        if case .device(let device) = self { device } else { nil }
      }

      var format: CMFormatDescription? {
        if case .client(let format, _) = self { format } else { nil }
      }

      var clock: CMClock? {
        if case .client(_, let clock) = self { clock } else { nil }
      }
    }

    private let state: Locked<State>
    private let source: Source

    /// The device that delivers: its input's; `nil` where a client does.
    var device: AVCaptureDevice? { input.source ?? source.device }

    init(_ mediaType: AVMediaType, of input: AVCaptureInput, from source: Source) {
      self.mediaType = mediaType
      self.source = source
      var state = State()
      state.input = input
      self.state = Locked(state)
      super.init()
    }

    private static let vanished = AVCaptureInput()

    /// The input that the port belongs to; an input without ports once that is gone.
    ///
    /// Apple: `AVCaptureInput.Port.input`.
    open var input: AVCaptureInput {
      state.withLock { $0.input } ?? Port.vanished
    }

    /// The format of the port's media while its device has an active one, else `nil`; things found in pictures have none.
    ///
    /// Apple: `AVCaptureInput.Port.formatDescription`.
    open var formatDescription: CMFormatDescription? {
      switch mediaType {
      case .metadataObject: nil
      case .depthData: device?.activeDepthDataFormat?.formatDescription
      default: source.format ?? device?.activeFormat.formatDescription
      }
    }

    /// The format of a port's media has changed; the port is the notification's object.
    ///
    /// Posted for each port with a format when its session starts, and when the format becomes another one while it runs; on the
    /// thread that starts the session or changes the format.
    ///
    /// Apple: `AVCaptureInput.Port.formatDescriptionDidChangeNotification`.
    public static let formatDescriptionDidChangeNotification = Notification.Name(
      "AVCaptureInputPortFormatDescriptionDidChangeNotification")

    /// Posts ``formatDescriptionDidChangeNotification`` where the format is not the one that was posted last.
    func reportFormat() {
      let format = formatDescription
      let isNew = state.withLock { state in
        defer { state.reportedFormat = format }
        return state.reportedFormat !== format
      }
      guard isNew else { return }
      NotificationCenter.default.post(name: Self.formatDescriptionDidChangeNotification, object: self)
    }

    /// Whether the port delivers; switching it off stops all of its connections.
    ///
    /// Apple: `AVCaptureInput.Port.isEnabled`.
    open var isEnabled: Bool {
      get {
        observerTable.access(\Port.isEnabled)
        return state.withLock { $0.isEnabled }
      }
      set {
        observerTable.changing(\Port.isEnabled, of: self) {
          state.withLock { $0.isEnabled = newValue }
        }
        input.membership.owner?.somethingChanged()
      }
    }

    /// The clock of the port's timestamps.
    ///
    /// Apple: `AVCaptureInput.Port.clock`.
    open var clock: CMClock? { source.clock ?? device?.clock }

    /// The type of the device behind the port; `nil` where a client brings the media.
    ///
    /// Apple: `AVCaptureInput.Port.sourceDeviceType`.
    open var sourceDeviceType: AVCaptureDevice.DeviceType? { device?.deviceType }

    /// The position of the device behind the port; unspecified where a client brings the media.
    ///
    /// Apple: `AVCaptureInput.Port.sourceDevicePosition`.
    open var sourceDevicePosition: AVCaptureDevice.Position { device?.position ?? .unspecified }

    /// The facts of the camera behind a port of pictures or distances; `nil` for other ports.
    package var cameraFacts: DeviceFacts? {
      [.video, .depthData].contains(mediaType) ? device?.facts : nil
    }
  }
}

extension Notification.Name {
  /// The older spelling of ``AVCaptureInput/Port/formatDescriptionDidChangeNotification``.
  public static let AVCaptureInputPortFormatDescriptionDidChange = AVCaptureInput.Port
    .formatDescriptionDidChangeNotification
}
