public import Foundation
public import FoundationExtras
internal import Linux

/// A slider or a picker with which people adjust the camera outside of the program's own views; the base of both.
///
/// A session offers its controls to a ``CaptureControlHost``, such as an app's window or a device with knobs. The host shows
/// the ``face`` and moves the control by ``move(to:)``. Thread-safe.
///
/// Observable: `isEnabled`, `face`.
///
/// Source: [AVCaptureControl](https://developer.apple.com/documentation/avfoundation/avcapturecontrol).
open class AVCaptureControl: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: locked state.
  /// The observers of the control.
  public let observerTable = ObserverTable()

  private let enabled = Locked(true)
  /// Whether a session has it.
  let owner = Locked<ObjectIdentifier?>(nil)

  override init() {
    super.init()
  }

  /// Whether people may move the control; `true` unless changed.
  ///
  /// Observable. A disabled control stays visible. Apple: `AVCaptureControl.isEnabled`.
  open var isEnabled: Bool {
    get {
      observerTable.access(\AVCaptureControl.isEnabled)
      return enabled.withLock { $0 }
    }
    set {
      changingFace {
        observerTable.changing(\AVCaptureControl.isEnabled, of: self) { enabled.withLock { $0 = newValue } }
      }
    }
  }

  /// The face of the control, for a host to show.
  ///
  /// Observable.
  public var face: CaptureControlFace {
    observerTable.access(\AVCaptureControl.face)
    var face = makeFace()
    face.isEnabled = enabled.withLock { $0 }
    return face
  }

  /// Moves the control as people do, for hosts: sets the value and runs the action.
  ///
  /// Nothing happens to a disabled control, and where the value is the same.
  ///
  /// - Parameter value: A slider's value, which goes to the nearest one that it can have; a picker's index.
  public func move(to value: Float) {
    guard isEnabled, value.isFinite else { return }
    userMoved(to: value)
  }

  // MARK: For the kinds of controls

  func makeFace() -> CaptureControlFace { fatalError("AVCaptureControl has no face of its own.") }

  func userMoved(to value: Float) { fatalError("AVCaptureControl has no value of its own.") }

  /// Runs `change` and reports that the face is another one.
  func changingFace(_ change: () -> Void) {
    observerTable.changing(\AVCaptureControl.face, of: self, change)
  }
}

/// The face of a control, for a host to show; a value of one moment.
public struct CaptureControlFace: Sendable, Hashable {
  /// The kind of a control, with its values.
  public enum Kind: Sendable, Hashable {
    /// A number: its range, the only values it can have (`nil` for any), and the present one.
    case slider(range: ClosedRange<Float>, values: [Float]?, value: Float)
    /// One of several: their titles, and which one is selected.
    case picker(titles: [String], index: Int)
  }

  /// The title of the control.
  public var title: String
  /// The name of a symbol for it.
  public var symbolName: String
  /// The kind of the control, with its values.
  public var kind: Kind
  /// The value as text, such as `40 %`; empty for a picker.
  public var valueText = ""
  /// Values that deserve a mark.
  public var prominentValues: [Float] = []
  /// Whether people may move it.
  public var isEnabled = true
}
