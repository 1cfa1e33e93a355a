internal import AVFCore
internal import CaptureDevice
public import Foundation
public import FoundationExtras
internal import Linux

/// The way of media from input ports to an output, with its switches and turns.
///
/// A session makes one for every port and output that fit, unless both were added without connections. Changes take
/// effect at once while the session runs, or with the commit between begin and commit. Thread-safe.
///
/// Defaults: data outputs get the sensor's picture unturned and unmirrored; photos and previews stand upright (turned by
/// the sensor's rotation: 90 in phones, 0 for cameras that are plugged in). Only previews of front cameras are mirrored by
/// themselves. The rules are ``OrientationTable``'s, printed in `Documentation/Orientation.md`.
///
/// Apple: `AVCaptureConnection`.
open class AVCaptureConnection: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: locked state.
  /// Who observes the connection's properties.
  public let observerTable = ObserverTable()

  /// The connection's number in graphs and plans.
  package let id = NodeID()

  /// Where the media comes from.
  ///
  /// Apple: `AVCaptureConnection.inputPorts`.
  public let inputPorts: [AVCaptureInput.Port]

  struct State {
    weak var sink: (any MediaSink)?
    weak var owner: (any ConnectionOwner)?
    weak var feed: (any StillFeed)?
    var plan: ConnectionPlan?
    var isActive = false
    /// Why the session brings nothing through, where its devices could; with it whether it was logged.
    var refusal: (reason: String, wasReported: Bool)?
    var settings = ConnectionSettings()
    var stabilization = AVCaptureVideoStabilizationMode.off
  }

  let state: Locked<State>
  let channelStates = AudioChannels()

  /// A connection of the given ports to an output; it works once a session has it.
  ///
  /// Apple: `AVCaptureConnection.init(inputPorts:output:)`.
  public init(inputPorts ports: [AVCaptureInput.Port], output: AVCaptureOutput) {
    inputPorts = ports
    state = Locked(Self.state(ports, output))
    super.init()
  }

  init(port: AVCaptureInput.Port, sink: any MediaSink) {
    inputPorts = [port]
    state = Locked(Self.state([port], sink))
    super.init()
  }

  private static func state(_ ports: [AVCaptureInput.Port], _ sink: any MediaSink) -> State {
    var state = State()
    state.sink = sink
    if let destination = sink.requirements.role.destination {
      state.settings = OrientationTable.settings(for: destination, camera: ports.first?.cameraFacts)
    }
    return state
  }

  /// Where the media goes; `nil` for a preview, and once the output is gone.
  ///
  /// Apple: `AVCaptureConnection.output`.
  open var output: AVCaptureOutput? {
    sink as? AVCaptureOutput
  }

  /// Where the media goes: an output, or what a preview layer draws from.
  package var sink: (any MediaSink)? {
    state.withLock { $0.sink }
  }

  /// What a device streams through here; `nil` where a client brings timed metadata.
  var media: MediaKind? {
    guard let port = inputPorts.first else { return .video }
    return MediaKind(feeding: port.mediaType)
  }

  // MARK: Flow

  /// Whether media flows; `true` unless it is switched off.
  ///
  /// Apple: `AVCaptureConnection.isEnabled`.
  open var isEnabled: Bool {
    get {
      observerTable.access(\AVCaptureConnection.isEnabled)
      return settings.isEnabled
    }
    set { change(\AVCaptureConnection.isEnabled, to: newValue) { $0.isEnabled = newValue } }
  }

  /// Whether the session can bring media through, that is whether both ends are in it, its preset suits the device, and the
  /// output can make something of the device's active format; of H.264 only a video data output can, and under the preset `photo`
  /// a movie file output makes nothing.
  ///
  /// A client's metadata comes through where the movie has pictures or sound. Between begin and commit it answers for what the commit will bring.
  ///
  /// Observable. Apple: `AVCaptureConnection.isActive`.
  open var isActive: Bool {
    observerTable.access(\AVCaptureConnection.isActive)
    return state.withLock { $0.isActive }
  }

  // MARK: Turning

  /// Whether pictures come through here, of colours or of distances.
  var isVideo: Bool {
    inputPorts.first?.cameraFacts != nil
  }

  /// Whether pictures can be turned by `videoRotationAngle` degrees: quarter turns of video and of depth can.
  ///
  /// Apple: `AVCaptureConnection.isVideoRotationAngleSupported(_:)`.
  open func isVideoRotationAngleSupported(_ videoRotationAngle: CGFloat) -> Bool {
    isVideo && [0, 90, 180, 270].contains(videoRotationAngle)
  }

  /// Degrees clockwise by which the sensor's picture is turned.
  ///
  /// Data outputs turn pixels, of depth too; a preview is drawn turned, a photo output notes the turn in the file. An unsupported angle is a
  /// programming mistake without effect. Apple: `AVCaptureConnection.videoRotationAngle`.
  open var videoRotationAngle: CGFloat {
    get { CGFloat(settings.rotation) }
    set {
      guard isVideoRotationAngleSupported(newValue) else {
        return ProgrammingMistake.report(
          rule: "videoRotationAngle cannot be \(newValue) on this connection; "
            + "ask isVideoRotationAngleSupported(_:) first.")
      }
      change(\AVCaptureConnection.videoRotationAngle, to: newValue) { $0.rotation = Int(newValue) }
    }
  }

  /// Whether pictures can be turned: video and depth can.
  ///
  /// Apple: `AVCaptureConnection.isVideoOrientationSupported`.
  open var isVideoOrientationSupported: Bool { isVideo }

  /// How the machine is held; the same setting as ``videoRotationAngle`` under its older name.
  ///
  /// Apple: `AVCaptureConnection.videoOrientation`.
  open var videoOrientation: AVCaptureVideoOrientation {
    get {
      guard let facts = inputPorts.first?.cameraFacts else { return .portrait }
      return AVCaptureVideoOrientation(
        rotation: settings.rotation, sensorRotation: facts.sensorRotation, position: facts.position)
    }
    set {
      guard isVideo, let facts = inputPorts.first?.cameraFacts else {
        return ProgrammingMistake.report(
          rule: "videoOrientation cannot be set on a connection without video; "
            + "ask isVideoOrientationSupported first.")
      }
      let rotation = newValue.rotation(sensorRotation: facts.sensorRotation, position: facts.position)
      change(\AVCaptureConnection.videoOrientation, to: newValue) { $0.rotation = rotation }
    }
  }

  // MARK: Mirroring

  /// Whether pictures can be mirrored: video and depth can.
  ///
  /// Apple: `AVCaptureConnection.isVideoMirroringSupported`.
  open var isVideoMirroringSupported: Bool { isVideo }

  /// Whether the turned picture is mirrored left to right.
  ///
  /// Setting it while ``automaticallyAdjustsVideoMirroring`` is on is a programming mistake without effect. Apple:
  /// `AVCaptureConnection.isVideoMirrored`.
  open var isVideoMirrored: Bool {
    get {
      observerTable.access(\AVCaptureConnection.isVideoMirrored)
      return settings.isMirrored
    }
    set {
      guard isVideo else {
        return ProgrammingMistake.report(
          rule:
            "isVideoMirrored cannot be set on a connection without video; ask isVideoMirroringSupported first."
        )
      }
      guard !settings.mirrorsAutomatically else {
        return ProgrammingMistake.report(
          rule:
            "isVideoMirrored cannot be set while automaticallyAdjustsVideoMirroring is on; switch that off first."
        )
      }
      change(\AVCaptureConnection.isVideoMirrored, to: newValue) { $0.isMirrored = newValue }
    }
  }

  /// Whether the session decides about mirroring; on for previews, off for outputs until it is switched on.
  ///
  /// A session that decides mirrors previews of front cameras only, so on a connection to an output this ends mirroring.
  /// Apple: `AVCaptureConnection.automaticallyAdjustsVideoMirroring`.
  open var automaticallyAdjustsVideoMirroring: Bool {
    get { settings.mirrorsAutomatically }
    set {
      guard isVideo else {
        return ProgrammingMistake.report(
          rule: "automaticallyAdjustsVideoMirroring cannot be set on a connection without video.")
      }
      let isMirroredByItself = isMirroredByItself
      change(\AVCaptureConnection.automaticallyAdjustsVideoMirroring, to: newValue) {
        $0.mirrorsAutomatically = newValue
        if newValue { $0.isMirrored = isMirroredByItself }
      }
    }
  }

  // MARK: Stabilization

  /// Whether the device can stabilize pictures on their way through here: in some format of its, for data and previews.
  ///
  /// Apple: `AVCaptureConnection.isVideoStabilizationSupported`.
  open var isVideoStabilizationSupported: Bool {
    switch sink?.requirements.role.destination {
    case .videoData, .preview, .movie:
      inputPorts.first?.cameraFacts?.formats.contains { !$0.stabilizationModes.isEmpty } ?? false
    case .photo, .depthData, nil: false
    }
  }

  /// The preferred mode of video stabilization; `off` at first.
  ///
  /// A device steadies its stream, and so all connections to it: the first that prefers a mode that the active format has
  /// decides. It changes while the stream runs, without a gap for other outputs or a recording, where the device can do that;
  /// else the stream restarts. Setting another than `off` where ``isVideoStabilizationSupported`` is `false`
  /// is a programming mistake without effect. Any mode but `off` ends ``isCameraIntrinsicMatrixDeliveryEnabled``. Apple:
  /// `AVCaptureConnection.preferredVideoStabilizationMode`.
  open var preferredVideoStabilizationMode: AVCaptureVideoStabilizationMode {
    get {
      observerTable.access(\AVCaptureConnection.preferredVideoStabilizationMode)
      return settings.stabilization
    }
    set {
      guard newValue == .off || isVideoStabilizationSupported else {
        return ProgrammingMistake.report(
          rule: "preferredVideoStabilizationMode cannot be set on this connection; "
            + "ask isVideoStabilizationSupported first.")
      }
      if newValue != .off { endIntrinsics() }
      change(\AVCaptureConnection.preferredVideoStabilizationMode, to: newValue) {
        $0.stabilization = newValue
      }
    }
  }

  /// The mode of video stabilization in use: `off` when the active format lacks the preferred mode, or nothing is connected.
  ///
  /// Observable. Apple: `AVCaptureConnection.activeVideoStabilizationMode`.
  open var activeVideoStabilizationMode: AVCaptureVideoStabilizationMode {
    observerTable.access(\AVCaptureConnection.activeVideoStabilizationMode)
    return state.withLock { $0.stabilization }
  }

  /// Notes how the device steadies what comes through here; returns the work of notifying observers, if there is any.
  func note(stabilization mode: StabilizationMode) -> (@Sendable () -> Void)? {
    let new = isVideoStabilizationSupported ? AVCaptureVideoStabilizationMode(mode) : .off
    let old = state.withLock { state in
      defer { state.stabilization = new }
      return state.stabilization
    }
    guard old != new else { return nil }
    return { [weak self] in
      guard let self else { return }
      observerTable.changed(
        \AVCaptureConnection.activeVideoStabilizationMode, of: self, from: old, to: new)
    }
  }

  /// What a session that decides about mirroring decides.
  private var isMirroredByItself: Bool {
    guard let destination = sink?.requirements.role.destination, let facts = inputPorts.first?.cameraFacts
    else { return false }
    return OrientationTable.mirrorsAutomatically(destination, position: facts.position)
  }
}
