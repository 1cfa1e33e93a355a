package import AVFoundation
package import CaptureDevice
import CodeReading
package import Foundation
package import Linux
package import SimulatedDevices
import Testing

/// Codes at known places before a camera, a session with a metadata output, and what its delegate hears.
package final class CodeStage {
  package let rig: CaptureRig
  package let output = AVCaptureMetadataOutput()
  package let listener = CodeListener()

  package static let size = FrameSize(width: 480, height: 360)

  /// - Parameter layers: What the camera sees before a light grey wall.
  package init(
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
  package static func code(_ text: String, at center: CGPoint, width: Double = 0.16, angle: Double = 0) throws
    -> SceneLayer
  {
    // Versions 1 and 2 only: 21 or 25 modules, and four more on each side.
    let modules = text.utf8.count <= 14 ? 21.0 : 25.0
    return SceneLayer(
      try .qrCode(text), center: center, width: width * (modules + 8) / modules, angle: angle)
  }
}

/// Writes down what a metadata output reports.
package final class CodeListener: NSObject, AVCaptureMetadataOutputObjectsDelegate, Sendable {
  package let queue = DispatchQueue(label: "codes")
  package let calls = Locked<[[AVMetadataObject]]>([])
  /// Called inside every callback.
  package let inside = Hook<Void>()
  package let isOnQueue = Locked(true)
  private static let key = DispatchSpecificKey<Bool>()

  package override init() {
    super.init()
    queue.setSpecific(key: Self.key, value: true)
  }

  package func metadataOutput(
    _ output: AVCaptureMetadataOutput, didOutput metadataObjects: [AVMetadataObject],
    from connection: AVCaptureConnection
  ) {
    if DispatchQueue.getSpecific(key: Self.key) != true { isOnQueue.withLock { $0 = false } }
    calls.withLock { $0.append(metadataObjects) }
    inside.call()
  }

  /// The texts of each call, sorted.
  package var texts: [[String]] {
    calls.withLock { calls in
      calls.map { $0.compactMap { ($0 as? AVMetadataMachineReadableCodeObject)?.stringValue }.sorted() }
    }
  }

  package var last: [AVMetadataMachineReadableCodeObject] {
    calls.withLock { $0.last ?? [] }.compactMap { $0 as? AVMetadataMachineReadableCodeObject }
  }
}
