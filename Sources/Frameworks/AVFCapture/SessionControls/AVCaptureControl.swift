public import Foundation
public import FoundationExtras
internal import Linux

/// Something that people adjust the camera with outside of the program's own views: a slider or a picker.
///
/// A session offers its controls to a ``CaptureControlHost``, such as an app's window or a device with knobs. The host shows
/// the ``face`` and moves the control by ``move(to:)``. Thread-safe.
///
/// Observable: `isEnabled`, `face`.
///
/// Source: [AVCaptureControl](https://developer.apple.com/documentation/avfoundation/avcapturecontrol).
open class AVCaptureControl: NSObject, KeyValueObservable, @unchecked Sendable {  // Safe: locked state.
  /// Who observes the control.
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

  /// What a host shows.
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

/// What a host shows of a control; a value of one moment.
public struct CaptureControlFace: Sendable, Hashable {
  /// What is adjusted.
  public enum Kind: Sendable, Hashable {
    /// A number: its range, the only values it can have (`nil` for any), and the present one.
    case slider(range: ClosedRange<Float>, values: [Float]?, value: Float)
    /// One of several: their titles, and which one is selected.
    case picker(titles: [String], index: Int)
  }

  /// What the control is called.
  public var title: String
  /// The name of a symbol for it.
  public var symbolName: String
  /// What is adjusted.
  public var kind: Kind
  /// The value as text, such as `40 %`; empty for a picker.
  public var valueText = ""
  /// Values that deserve a mark.
  public var prominentValues: [Float] = []
  /// Whether people may move it.
  public var isEnabled = true
}
