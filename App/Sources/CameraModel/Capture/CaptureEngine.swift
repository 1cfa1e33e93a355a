import AVFoundation
import Dispatch
import VirtualCameras

/// The camera behind the screens: a session and its outputs, on a queue of its own, so that no screen waits for a camera.
///
/// Every method returns at once; what comes of it is reported on the main actor, in order.
final class CaptureEngine: NSObject, @unchecked Sendable {
  // Safe because what changes is used on `queue` alone.

  let queue = DispatchQueue(label: "camera.session", qos: .userInitiated)
  let session = AVCaptureSession()
  let photoOutput = AVCapturePhotoOutput()
  let movieOutput = AVCaptureMovieFileOutput()
  /// The pictures of time-lapses.
  let frameOutput = AVCaptureVideoDataOutput()
  let metadataOutput = AVCaptureMetadataOutput()
  let depthOutput = AVCaptureDepthDataOutput()
  /// The pictures whose colours a point cloud has.
  let pictureOutput = AVCaptureVideoDataOutput()
  let preview = CameraPreview()
  let virtualCamera: VirtualCameraFeed
  let searchQueue = DispatchQueue(label: "camera.codes")
  let depthQueue = DispatchQueue(label: "camera.depth")
  let thumbnailQueue = DispatchQueue(label: "camera.pictures", qos: .userInitiated)
  let fileQueue = DispatchQueue(label: "camera.files")
  /// The assets of photos that were stored to be finished later.
  let laterPhotos = Guarded<[String]>([])
  let depthSight = Guarded(DepthSight())
  let cloud = CloudDrawing()
  /// What was chosen of effects and is not kept yet.
  let effectChoices = Guarded<[VideoEffect: VideoEffectChoice]>([:])

  var input: AVCaptureDeviceInput?
  var microphone: AVCaptureDeviceInput?
  var mode = CameraMode.photo
  var settings: Settings
  var isWanted = false
  /// Brings depth maps together with the pictures of their moments.
  var depthPairs: AVCaptureDataOutputSynchronizer?
  var smoothsDepth = true
  /// Whether the library has said that it takes photos.
  var hasLibrary = false
  /// Whether a camera of several lenses is used by its main one: only a single lens can be set by hand.
  var usesMainLens = false
  /// The camera of the list that is in use, whichever lens that is.
  var choice: AVCaptureDevice?
  var region = CGRect(x: 0, y: 0, width: 1, height: 1)
  var photos: [Int64: PhotoCapture] = [:]
  var movie: MovieJob?
  var timeLapse: TimeLapse?
  /// How long the machine was asleep, in nanoseconds; set before a time-lapse begins.
  var asleep: @Sendable () -> Int64 = { MachineSleep.nanoseconds }
  var filter = PhotoFilter.none
  let looks: LookFolder
  let time: any Timekeeper
  private var watch: SessionWatch?
  private var effectsWatch: EffectsWatch?
  private let report: @Sendable (CaptureEvent) -> Void

  init(
    settings: Settings, looks: LookFolder, time: any Timekeeper,
    openVirtualCamera: @escaping VirtualCameraFeed.Opening,
    report: @escaping @MainActor (CaptureEvent) -> Void
  ) {
    self.settings = settings
    self.looks = looks
    self.time = time
    mode = settings.mode
    let send: @Sendable (CaptureEvent) -> Void = { event in
      DispatchQueue.main.async { MainActor.assumeIsolated { report(event) } }
    }
    self.report = send
    virtualCamera = VirtualCameraFeed(queue: queue, open: openVirtualCamera) { send(.virtualCamera($0)) }
    super.init()
    session.startsAgainWhenDevicesReturn = true
    watch = SessionWatch(session, on: queue) { [weak self] in self?.take($0) }
    effectsWatch = EffectsWatch { [weak self] in self?.readEffects() }
  }

  func send(_ event: CaptureEvent) { report(event) }

  // MARK: Running

  /// Asks for the camera if that is needed, and starts it.
  func start() {
    queue.async {
      self.isWanted = true
      switch AVCaptureDevice.authorizationStatus(for: .video) {
      case .notDetermined:
        AVCaptureDevice.requestAccess(for: .video) { _ in self.queue.async { self.open() } }
      default: self.open()
      }
    }
  }

  /// Stops; returns when the camera is closed.
  func stop() {
    queue.sync {
      isWanted = false
      timeLapse?.stopNow()
      session.stopRunning()
      virtualCamera.withdraw()
    }
  }

  /// Tries again after something that has gone wrong.
  func retry() {
    queue.async { if self.isWanted, !self.session.isRunning { self.open() } }
  }

  /// Opens the camera that is wanted, and starts; on the queue.
  func open() {
    guard isWanted else { return }
    if AVCaptureDevice.authorizationStatus(for: .video) == .denied {
      return send(.availability(.denied))
    }
    send(.cameras(CameraList.choices()))
    if input == nil || input?.device.isConnected == false {
      guard let device = CameraList.device(preferring: settings.camera, for: mode) else {
        return send(.availability(.none))
      }
      guard take(device) else { return }
    }
    session.startRunning()
    if session.isRunning, !session.isInterrupted { send(.availability(.running)) }
  }

  /// The camera that stands for the chosen one: its main lens where it is set by hand, and for raw photos, which several lenses do not have.
  private func lens(of chosen: AVCaptureDevice) -> AVCaptureDevice {
    (usesMainLens || settings.takesRaw) && mode == .photo ? chosen.mainLens : chosen
  }

  /// Takes a camera into the session, in one transaction with leaving the old one.
  @discardableResult
  func take(_ chosen: AVCaptureDevice) -> Bool {
    let device = lens(of: chosen)
    do {
      let new = try AVCaptureDeviceInput(device: device)
      session.beginConfiguration()
      if let input { session.removeInput(input) }
      guard session.canAddInput(new) else {
        if let input { session.addInput(input) }
        session.commitConfiguration()
        send(.availability(.failed(reason: device.localizedName)))
        return false
      }
      session.addInput(new)
      input = new
      applyFilter()
      choice = chosen
      arrange()
      session.commitConfiguration()
    } catch {
      send(.availability(Availability(error, camera: device.localizedName)))
      return false
    }
    if preview.isDetached { preview.attach(to: session) }
    arrangeVirtualCamera()
    showMainLens(of: device)
    afterChange()
    return true
  }

  /// Begins with the lens that users know as 1×, where a camera of several begins with its widest.
  private func showMainLens(of device: AVCaptureDevice) {
    let factor = CGFloat(1 / device.zoomScale)
    guard factor > device.minAvailableVideoZoomFactor, factor <= device.maxAvailableVideoZoomFactor,
      (try? device.lockForConfiguration()) != nil
    else { return }
    device.videoZoomFactor = factor
    device.unlockForConfiguration()
  }

  /// Another format begins without zoom: what was chosen is chosen again, as far as the format goes.
  private func keepZoom(_ factor: CGFloat) {
    guard let device = input?.device, device.videoZoomFactor != factor,
      (try? device.lockForConfiguration()) != nil
    else { return }
    device.videoZoomFactor = min(
      max(factor, device.minAvailableVideoZoomFactor), device.maxAvailableVideoZoomFactor)
    device.unlockForConfiguration()
  }

  /// Chooses another camera of the list.
  func choose(_ id: String) {
    queue.async {
      guard let device = CameraList.device(id), device.uniqueID != self.choice?.uniqueID else { return }
      self.settings.camera = id
      if self.take(device), self.isWanted { self.session.startRunning() }
    }
  }

  /// Changes what the screen is for.
  func setMode(_ mode: CameraMode) {
    queue.async {
      guard mode != self.mode else { return }
      self.mode = mode
      guard let now = self.choice else { return }
      let wanted = CameraList.device(preferring: self.settings.camera, for: mode) ?? now
      if wanted.uniqueID != now.uniqueID || self.lens(of: wanted).uniqueID != self.input?.device.uniqueID {
        self.take(wanted)
      } else {
        let zoom = self.input?.device.videoZoomFactor ?? 1
        self.session.beginConfiguration()
        self.arrange()
        self.session.commitConfiguration()
        self.keepZoom(zoom)
        self.afterChange()
      }
    }
  }

  /// Uses the main lens alone, so that it can be set by hand, or all lenses again.
  func setMainLens(_ on: Bool) {
    queue.async {
      guard on != self.usesMainLens else { return }
      self.usesMainLens = on
      self.changeLens()
    }
  }

  /// Takes another lens of the chosen camera where another one stands for it now.
  private func changeLens() {
    guard let choice, let input, lens(of: choice).uniqueID != input.device.uniqueID else { return }
    take(choice)
  }

  /// Offers the virtual camera again, after it has failed.
  func retryVirtualCamera() {
    queue.async { if self.input != nil { self.arrangeVirtualCamera() } }
  }

  private func arrangeVirtualCamera() {
    if isWanted, settings.offersVirtualCamera {
      virtualCamera.offer(session)
    } else {
      virtualCamera.withdraw()
    }
  }

  /// Takes changed settings over.
  func setSettings(_ settings: Settings) {
    queue.async {
      let camera = self.settings.camera
      self.settings = settings
      self.settings.camera = camera
      guard self.input != nil else { return }
      self.changeLens()
      self.arrangeVirtualCamera()
      self.session.beginConfiguration()
      self.arrangePhotos()
      if self.movie == nil, self.timeLapse == nil { self.arrangeFilm() }
      self.session.commitConfiguration()
      self.arrangeDeferral()
      self.mirror()
    }
  }

  // MARK: Events of the session

  private func take(_ event: SessionWatch.Event) {
    let name = input?.device.localizedName ?? ""
    switch event {
    case .failed(let error):
      send(.availability(error.map { Availability($0, camera: name) } ?? .failed(reason: name)))
    case .interrupted(.videoDeviceInUseByAnotherClient?): send(.availability(.busy(camera: name)))
    case .interrupted(.videoDeviceNotAvailableDueToSystemPressure?): send(.availability(.hot))
    case .subjectAreaChanged(let device):
      if device?.uniqueID == input?.device.uniqueID { send(.subjectAreaChanged) }
    // Pictures go on without a microphone.
    case .interrupted(.audioDeviceInUseByAnotherClient?): break
    case .interrupted: send(.availability(.covered))
    case .running:
      guard session.isRunning, !session.isInterrupted else { return }
      send(.availability(.running))
      afterChange()
    case .unplugged(let device):
      send(.cameras(CameraList.choices()))
      guard let device, device.uniqueID == input?.device.uniqueID else { return }
      send(.availability(.unplugged(camera: device.localizedName)))
    case .plugged:
      send(.cameras(CameraList.choices()))
      // The session itself takes a camera of its own back.
      if isWanted, input == nil { open() }
    }
  }
}
