internal import AVFCore
internal import CaptureDevice
internal import Foundation
internal import Linux

/// A session that takes several cameras at once.
///
/// Each camera delivers at its own rate to its own outputs, all on one synchronization clock. Its preset is
/// `inputPriority` and stays so: what each camera delivers is its `activeFormat`, which must be one that
/// `isMultiCamSupported` as soon as two cameras stream. `addInput(_:)` and `addOutput(_:)` connect what is not connected
/// yet, in the order in which it is added: the second output of a type gets the second camera, and waits for one while there is
/// none. To choose otherwise, add them without connections and make the connections yourself. A camera feeds outputs of
/// several types, and one video data output. A camera without an enabled
/// connection or port does not stream, the others go on undisturbed meanwhile.
///
/// A camera that is unplugged or stands still ends the recordings and photos of its own outputs; the session posts the runtime error
/// and goes on with the others, until the last one is lost. A start without a camera that is not plugged in runs with the others, too.
///
/// A configuration whose ``AVCaptureSession/hardwareCost`` is above 1 does not start: the session posts a runtime error with
/// `sessionHardwareCostOverage`.
///
/// Apple: `AVCaptureMultiCamSession`.
open class AVCaptureMultiCamSession: AVCaptureSession, @unchecked Sendable {  // Safe: the base's is locked.
  /// Whether there are at least two cameras that can be used at once.
  ///
  /// Apple: `AVCaptureMultiCamSession.isMultiCamSupported`.
  /// - Note: Unlike AVFoundation's, it follows what is plugged in.
  open class var isMultiCamSupported: Bool {
    !MultiCamDevices.sets(of: AVCaptureDevice.devices(for: .video).map(\.facts)).isEmpty
  }

  /// A session without inputs and outputs, with the preset `inputPriority`.
  ///
  /// Apple: `AVCaptureMultiCamSession.init()`.
  public override init() {
    super.init(takesSeveralCameras: true)
  }

  /// The share of the processors' time that the configuration needs; above 1 it cannot go on for long.
  ///
  /// 0 for a session without streams. How it is reckoned: frames a second times pixels, weighted with what happens to them
  /// (nothing, turning and conversion, decoding of JPEG), over what this machine's cores can do.
  ///
  /// Apple: `AVCaptureMultiCamSession.systemPressureCost`.
  open var systemPressureCost: Float {
    let (structure, plan) = present
    guard let plan else { return 0 }
    let requirements = Dictionary(
      structure.connections.compactMap { connection in
        connection.sink.map { (connection.id, $0.requirements) }
      }
    ) { first, _ in first }
    return SessionCost.systemPressure(
      plan, requirements: requirements, cores: ProcessInfo.processInfo.activeProcessorCount)
  }
}
