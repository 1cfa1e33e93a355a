internal import CaptureDevice
internal import Dispatch
public import Foundation
public import FoundationExtras
internal import Linux
public import QuartzCore

extension AVCaptureDevice {
  /// Says by how much pictures must be turned to be level, however the machine is held.
  ///
  /// What is captured follows the machine's accelerometer; machines without one, and cameras on a cable, are upright for
  /// ever. What is previewed follows the screen: a preview on a screen that is fixed to its machine is level by itself, and
  /// only a desktop that turns its picture (`AVCaptureVideoPreviewLayer.screenRotationAngle`) changes its angle.
  ///
  /// Both angles are observable; observers are called on the main queue, while the properties change at once. Thread-safe.
  ///
  /// Apple: `AVCaptureDevice.RotationCoordinator`.
  open class RotationCoordinator: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: locked state.
    /// Who observes the coordinator's properties.
    public let observerTable = ObserverTable()

    private struct State {
      weak var device: AVCaptureDevice?
      weak var previewLayer: CALayer?
      var screenTurn = 0
      var capture = 0
      var preview = 0
      var attitude: (any AnyObject & Sendable)?
      var screen: NSKeyValueObservation?

      func angles(_ facts: DeviceFacts, turn: Int, showsPreview: Bool) -> (capture: Int, preview: Int) {
        func angle(_ turn: Int) -> Int {
          OrientationTable.rotation(
            for: OrientationTable.holdings[turn] ?? .portrait, sensorRotation: facts.sensorRotation,
            position: facts.position)
        }
        // A screen's picture is turned against the machine by as much as the machine is turned the other way.
        return (angle(turn), showsPreview ? angle((360 - screenTurn) % 360) : 0)
      }
    }

    private let state: Locked<State>

    /// A coordinator for what `device` captures and `previewLayer` shows; it holds neither.
    ///
    /// - Parameter previewLayer: An `AVCaptureVideoPreviewLayer`, or whatever layer shows the camera; without one the angle
    ///   for previews is 0.
    ///
    /// Apple: `AVCaptureDevice.RotationCoordinator.init(device:previewLayer:)`.
    public init(device: AVCaptureDevice, previewLayer: CALayer?) {
      let layer = previewLayer as? AVCaptureVideoPreviewLayer
      let machine = device.machine
      state = Locked(State())
      super.init()
      let screenTurn = layer?.screenRotationAngle ?? 0
      let turn = machine?.turn ?? 0
      let facts = device.facts
      let showsPreview = previewLayer != nil
      state.withLock { state in
        state.device = device
        state.previewLayer = previewLayer
        state.screenTurn = screenTurn
        (state.capture, state.preview) = state.angles(facts, turn: turn, showsPreview: showsPreview)
      }
      let attitude = machine?.observe { [weak self] turn in self?.renew(turn: turn) }
      let screen = layer?.observe(\.screenRotationAngle, options: .new) { [weak self] _, change in
        guard let self, let angle = change.newValue else { return }
        self.state.withLock { $0.screenTurn = angle }
        renew(turn: self.device?.machine?.turn ?? 0)
      }
      state.withLock { state in
        state.attitude = attitude
        state.screen = screen
      }
      // The machine may have been turned before it was observed.
      if let machine { renew(turn: machine.turn) }
    }

    /// The device whose pictures are to be level; `nil` once it is gone.
    ///
    /// Apple: `AVCaptureDevice.RotationCoordinator.device`.
    open var device: AVCaptureDevice? { state.withLock { $0.device } }

    /// The layer that shows the device's pictures; `nil` once it is gone.
    ///
    /// Apple: `AVCaptureDevice.RotationCoordinator.previewLayer`.
    open var previewLayer: CALayer? { state.withLock { $0.previewLayer } }

    /// Degrees clockwise for the connections of outputs, so that what is captured is level.
    ///
    /// Observable. Apple: `AVCaptureDevice.RotationCoordinator.videoRotationAngleForHorizonLevelCapture`.
    open var videoRotationAngleForHorizonLevelCapture: CGFloat {
      observerTable.access(\RotationCoordinator.videoRotationAngleForHorizonLevelCapture)
      return CGFloat(state.withLock { $0.capture })
    }

    /// Degrees clockwise for the preview's connection, so that what is shown is level; 0 without a layer.
    ///
    /// Observable. Apple: `AVCaptureDevice.RotationCoordinator.videoRotationAngleForHorizonLevelPreview`.
    open var videoRotationAngleForHorizonLevelPreview: CGFloat {
      observerTable.access(\RotationCoordinator.videoRotationAngleForHorizonLevelPreview)
      return CGFloat(state.withLock { $0.preview })
    }

    private func renew(turn: Int) {
      // Asked for before the lock is taken: they may be gone afterwards.
      guard let facts = device?.facts else { return }
      let showsPreview = previewLayer != nil
      let (old, new) = state.withLock { state in
        let old = (capture: state.capture, preview: state.preview)
        (state.capture, state.preview) = state.angles(facts, turn: turn, showsPreview: showsPreview)
        return (old, (capture: state.capture, preview: state.preview))
      }
      guard old != new else { return }
      DispatchQueue.main.async { [weak self] in
        guard let self else { return }
        if old.capture != new.capture {
          observerTable.changed(
            \RotationCoordinator.videoRotationAngleForHorizonLevelCapture, of: self,
            from: CGFloat(old.capture), to: CGFloat(new.capture))
        }
        if old.preview != new.preview {
          observerTable.changed(
            \RotationCoordinator.videoRotationAngleForHorizonLevelPreview, of: self,
            from: CGFloat(old.preview), to: CGFloat(new.preview))
        }
      }
    }
  }

  /// The machine that carries the device; `nil` for one that stands by itself.
  fileprivate var machine: DeviceAttitude? {
    state.withLock { $0.driver }.machine
  }
}
