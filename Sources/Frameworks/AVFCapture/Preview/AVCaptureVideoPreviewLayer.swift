public import AVFCore
internal import Foundation
public import FoundationExtras
internal import PixelTransforms
public import QuartzCore

/// A layer that shows what a camera sees.
///
/// Nothing is drawn here: a host (`LayerView` of GTKLayers) takes frames from ``frames`` and draws them where ``geometry`` says, or asks for the picture
/// with `makePicture()`. The layer is a connection of its session like an output: made at once to the first camera, and anew
/// whenever a camera is added to a session whose previews have none, so that it lives on when cameras are switched. The
/// preview stands upright, turned by the sensor's rotation, and shows front cameras as a mirror does.
///
/// The layer holds its session; the session does not hold the layer, and forgets it when it goes. Thread-bound as every
/// `CALayer`; frames and ``isPreviewing`` may be had on any thread.
///
/// Apple: `AVCaptureVideoPreviewLayer`.
open class AVCaptureVideoPreviewLayer: CALayer, KeyValueObservable {
  /// Who observes the layer's properties.
  public let observerTable = ObserverTable()

  /// What the layer's picture is drawn from.
  public let frames = PreviewFrames()

  /// Draws the layer's picture where a host asks for it.
  let painter = PixelTransformer(bufferLimit: 4)

  private var attached: AVCaptureSession?

  /// A layer that shows nothing until it has a session.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.init()`.
  public override init() {
    super.init()
    begin()
  }

  /// A layer that shows the first camera of `session`.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.init(session:)`.
  public init(session: AVCaptureSession) {
    super.init()
    begin()
    attach(session, connecting: true)
  }

  /// A layer of `session` that shows nothing until a client adds a connection to it.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.init(sessionWithNoConnection:)`.
  public init(sessionWithNoConnection session: AVCaptureSession) {
    super.init()
    begin()
    attach(session, connecting: false)
  }

  /// A layer with the geometry, appearance and gravity of `layer`; it is in no session.
  ///
  /// Apple: `CALayer.init(layer:)`.
  public override init(layer: Any) {
    super.init(layer: layer)
    if let layer = layer as? AVCaptureVideoPreviewLayer { gravity = layer.gravity }
    begin()
  }

  private func begin() {
    let reference = LayerReference(self)
    frames.reference = reference
    frames.observePreviewing { was, isNow in
      guard let layer = reference.layer else { return }
      layer.observerTable.changed(\AVCaptureVideoPreviewLayer.isPreviewing, of: layer, from: was, to: isNow)
    }
  }

  deinit {
    frames.end()
    // Not waited for: the last one to hold the layer may be called by the very camera that would be stopped.
    attached?.remove(frames, isWaiting: false)
  }

  // MARK: Session

  /// The session whose camera is shown; `nil` at first.
  ///
  /// Setting it connects the layer to the session's first camera, or later to the first that is added; the layer leaves the
  /// session it was in. Blocks as a commit does. Apple: `AVCaptureVideoPreviewLayer.session`.
  open var session: AVCaptureSession? {
    get { attached }
    set {
      if newValue !== attached { attach(newValue, connecting: true) }
    }
  }

  /// Puts the layer into `session` and leaves connecting to the client.
  ///
  /// A camera that is added later is not connected either. Apple:
  /// `AVCaptureVideoPreviewLayer.setSessionWithNoConnection(_:)`.
  open func setSessionWithNoConnection(_ session: AVCaptureSession) {
    if session !== attached { attach(session, connecting: false) }
  }

  private func attach(_ session: AVCaptureSession?, connecting: Bool) {
    let old = attached
    attached = session
    if let old {
      old.remove(frames)
      frames.rest()
      frames.forgetFrames()
    }
    frames.connectsByItself = connecting
    session?.add(frames, connecting: connecting)
  }

  /// The connection that brings the camera's frames, or `nil` when there is none.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.connection`.
  open var connection: AVCaptureConnection? {
    frames.connections.first
  }

  // MARK: Deferred start

  /// Whether a session can start the layer after it has begun to run; always.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.isDeferredStartSupported`.
  open var isDeferredStartSupported: Bool { true }

  /// Whether the session starts the layer after the others, as is useful for the second of two layers; `false` at first.
  ///
  /// The layer shows no frame until the deferred start. Set it before `commitConfiguration()`; the rules are those of
  /// ``AVCaptureOutput/isDeferredStartEnabled``.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.isDeferredStartEnabled`.
  open var isDeferredStartEnabled: Bool {
    get { frames.isDeferredStartEnabled }
    set {
      guard newValue != frames.isDeferredStartEnabled else { return }
      frames.isDeferredStartEnabled = newValue
      attached?.somethingChanged()
    }
  }

  // MARK: Picture

  private var gravity = AVLayerVideoGravity.resizeAspect

  /// How the picture fills the bounds; `resizeAspect` at first.
  ///
  /// Apple: `AVCaptureVideoPreviewLayer.videoGravity`.
  open var videoGravity: AVLayerVideoGravity {
    get { gravity }
    set {
      gravity = newValue
      noteChange()
    }
  }

  private var screenTurn = 0

  /// Degrees clockwise by which the screen's picture is turned against the machine: 0, 90, 180, or 270.
  ///
  /// A host sets it where the desktop turns with the machine: a machine that lies on its left side, turned by 270, has a
  /// screen whose picture is turned by 90, so that it is upright again. 0 unless the host says otherwise; other than quarter
  /// turns count as the nearest. `AVCaptureDevice.RotationCoordinator` follows it. Observable.
  public var screenRotationAngle: Int {
    get {
      observerTable.access(\AVCaptureVideoPreviewLayer.screenRotationAngle)
      return screenTurn
    }
    set {
      let quarters = Int((Double(newValue) / 90).rounded())
      observerTable.changing(\AVCaptureVideoPreviewLayer.screenRotationAngle, of: self) {
        screenTurn = ((quarters % 4) + 4) % 4 * 90
      }
    }
  }

  /// Whether frames come.
  ///
  /// Observable; observers are called on a queue of the preview's. `true` from the first frame until the session stops or is
  /// interrupted, or the connection goes or is switched off. Apple: `AVCaptureVideoPreviewLayer.isPreviewing`.
  open var isPreviewing: Bool {
    observerTable.access(\AVCaptureVideoPreviewLayer.isPreviewing)
    return frames.isPreviewing
  }
}

/// A layer as other threads know it: there, or gone.
final class LayerReference: @unchecked Sendable {  // Safe: set once, before others see it.
  private(set) weak var layer: AVCaptureVideoPreviewLayer?

  init(_ layer: AVCaptureVideoPreviewLayer) {
    self.layer = layer
  }
}
