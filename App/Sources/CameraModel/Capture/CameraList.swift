import AVFoundation

/// The cameras that a user chooses among: of several lenses on one side, the camera that has them all.
enum CameraList {
  private static let types: [AVCaptureDevice.DeviceType] = [
    .builtInTripleCamera, .builtInDualWideCamera, .builtInDualCamera, .builtInTrueDepthCamera,
    .builtInWideAngleCamera, .builtInLiDARDepthCamera, .external, .builtInUltraWideCamera,
    .builtInTelephotoCamera,
  ]

  /// One camera for each side of the machine, and every one on a cable.
  static func devices() -> [AVCaptureDevice] {
    let found = AVCaptureDevice.DiscoverySession(
      deviceTypes: types, mediaType: .video, position: .unspecified
    ).devices
    var chosen: [AVCaptureDevice] = []
    for device in found.sorted(by: { rank($0) < rank($1) }) {
      let isOnCable = device.deviceType == .external || device.position == .unspecified
      if isOnCable || !chosen.contains(where: { $0.position == device.position }) { chosen.append(device) }
    }
    return chosen
  }

  private static func rank(_ device: AVCaptureDevice) -> Int {
    types.firstIndex(of: device.deviceType) ?? types.count
  }

  static func choices() -> [CameraChoice] { devices().map(CameraChoice.init) }

  static func device(_ id: String) -> AVCaptureDevice? { devices().first { $0.uniqueID == id } }

  /// The camera to use: the preferred one where it can do what the mode needs.
  static func device(preferring id: String?, for mode: CameraMode) -> AVCaptureDevice? {
    let all = devices()
    let able = mode == .depth ? all.filter(\.measuresDepth) : all
    return able.first { $0.uniqueID == id } ?? able.first ?? all.first { $0.uniqueID == id } ?? all.first
  }
}

extension AVCaptureDevice {
  /// The lens of a camera of several lenses that can be set by hand; the camera itself where it is one lens.
  var mainLens: AVCaptureDevice {
    guard isVirtualDevice, !isExposureModeSupported(.custom) else { return self }
    return constituentDevices.first { $0.deviceType == .builtInWideAngleCamera } ?? self
  }

  /// Whether some format of the camera brings depth.
  var measuresDepth: Bool { formats.contains { !$0.supportedDepthDataFormats.isEmpty } }
}

extension CameraChoice {
  /// A camera as the user chooses it.
  init(_ device: AVCaptureDevice) {
    id = device.uniqueID
    name = device.localizedName
    side =
      switch device.position {
      case .front: .front
      case .back: .back
      default: .unknown
      }
    measuresDepth = device.measuresDepth
  }
}

extension Availability {
  /// The availability that an error of the library means.
  init(_ error: any Error, camera: String) {
    guard let error = error as? AVError else {
      self = .failed(reason: error.localizedDescription)
      return
    }
    switch error.code {
    case .deviceInUseByAnotherApplication, .deviceAlreadyUsedByAnotherSession: self = .busy(camera: camera)
    case .deviceWasDisconnected, .deviceNotConnected: self = .unplugged(camera: camera)
    case .applicationIsNotAuthorizedToUseDevice, .applicationIsNotAuthorized: self = .denied
    default: self = .failed(reason: error.localizedDescription)
    }
  }
}
