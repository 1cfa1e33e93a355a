import AVFoundation
import CaptureDevice
import CodeReading
import Foundation
import Linux
import SimulatedDevices
import Testing

/// Codes at known places before a camera, a session with a metadata output, and what its delegate hears.
final class CodeStage {
  let rig: CaptureRig
  let output = AVCaptureMetadataOutput()
  let listener = CodeListener()

  static let size = FrameSize(width: 480, height: 360)

  /// - Parameter layers: What the camera sees before a light grey wall.
  init(
    _ layers: [SceneLayer], size: FrameSize = CodeStage.size, position: DevicePosition = .back,
    sensorRotation: Int = 90, encodings: [FrameEncoding]? = nil
  ) throws {
    let scene = Scene(
      isStamped: false, isNoisy: false,
      background: SceneBackground(.color(red: 0.75, green: 0.75, blue: 0.75)), layers: layers)
    rig = try CaptureRig(
      .camera(position: position, sizes: [size], encodings: encodings, sensorRotation: sensorRotation),
      scene: scene)
    rig.session.addOutput(output)
    output.setMetadataObjectsDelegate(listener, queue: listener.queue)
  }

  /// A code whose symbol is `width` of the frame's width wide, without its quiet zone, around `center`.
  static func code(_ text: String, at center: CGPoint, width: Double = 0.16, angle: Double = 0) throws
    -> SceneLayer
  {
    // Versions 1 and 2 only: 21 or 25 modules, and four more on each side.
    let modules = text.utf8.count <= 14 ? 21.0 : 25.0
    return SceneLayer(
      try .qrCode(text), center: center, width: width * (modules + 8) / modules, angle: angle)
  }
}

/// Writes down what a metadata output reports.
final class CodeListener: NSObject, AVCaptureMetadataOutputObjectsDelegate, Sendable {
  let queue = DispatchQueue(label: "codes")
  let calls = Locked<[[AVMetadataObject]]>([])
  /// Called inside every callback.
  let inside = Hook<Void>()
  let isOnQueue = Locked(true)
  private static let key = DispatchSpecificKey<Bool>()

  override init() {
    super.init()
    queue.setSpecific(key: Self.key, value: true)
  }

  func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    if DispatchQueue.getSpecific(key: Self.key) != true { isOnQueue.withLock { $0 = false } }
    calls.withLock { $0.append(metadataObjects) }
    inside.call()
  }

  /// The texts of each call, sorted.
  var texts: [[String]] {
    calls.withLock { calls in
      calls.map { $0.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }.sorted() }
    }
  }

  var last: [AVMetadataMachineReadableCodeObject] {
    calls.withLock { $0.last ?? [] }.compactMap { $0 as? AVMetadataMachineReadableCodeObject }
  }
}
