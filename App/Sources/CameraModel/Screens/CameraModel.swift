import AVFoundation
import Photos
import VirtualCameras

/// The camera screen: its state, and what the user may want of it.
///
/// Everything is on the main actor and returns at once.
@MainActor
package final class CameraModel: NSObject {
  /// The state that the screen shows.
  package let state: Observed<CameraState>
  /// The user's lasting choices.
  package let settings: Observed<Settings>
  /// The controls of the panel.
  package let controls = Observed<[ControlItem]>([])
  /// The photo library.
  package let library: LibraryModel
  /// One photo or video at a time.
  package let viewer: ViewerModel
  /// Photos turned by nods.
  package let pages: PageTurner
  /// Called for what is said in a line that goes away by itself.
  package var onNotice: (Notice) -> Void = { _ in }
  /// Called when a photo is exposed: the screen blinks, and the shutter sounds.
  package var onExposure: () -> Void = {}
  /// Stamps of the last press and of its thumbnail, in seconds of the monotonic clock.
  package private(set) var stamps = (press: 0.0, thumbnail: 0.0)

  let engine: CaptureEngine
  let time: any Timekeeper
  let folders: ProgramFolders
  private let file: SettingsFile
  private var coordinator: AVCapturePhotoOutputReadinessCoordinator?
  private let relay = EventRelay()
  private var retries = 0
  private var virtualCameraFailures = 0
  private var hasOpenedLibrary = false
  var networkJoin = NetworkJoin()
  var scanPause = ScanPause()
  var countdownRun = 0
  /// As ``countdownRun``, of the seconds that a long exposure takes.
  var exposureRun = 0
  var isShutterHeld = false
  var aimRun = 0

  /// A screen whose camera is not started yet.
  package convenience init(
    folders: ProgramFolders = ProgramFolders(), time: any Timekeeper = MachineTime()
  ) {
    self.init(folders: folders, time: time) { (report) throws(VirtualCameraProblem) in
      try PipeWireCamera(report)
    }
  }

  /// - Parameter openVirtualCamera: Offers the picture to other programs.
  init(
    folders: ProgramFolders, time: any Timekeeper, openVirtualCamera: @escaping VirtualCameraFeed.Opening
  ) {
    self.folders = folders
    self.time = time
    file = SettingsFile(folders.settings)
    let settings = file.read()
    self.settings = Observed(settings)
    var state = CameraState()
    state.flash = settings.flash
    state.timer = settings.timer
    state.mode = settings.mode
    self.state = Observed(state)
    let relay = relay
    engine = CaptureEngine(
      settings: settings, looks: LookFolder(folders.looks), time: time, openVirtualCamera: openVirtualCamera
    ) { relay.handler($0) }
    pages = PageTurner()
    library = LibraryModel(time: time)
    viewer = ViewerModel(library)
    super.init()
    relay.handler = { [weak self] in self?.take($0) }
    let coordinator = AVCapturePhotoOutputReadinessCoordinator(photoOutput: engine.photoOutput)
    self.coordinator = coordinator
    coordinator.delegate = self
    library.onNewest = { [weak self] in self?.note(newest: $0) }
    library.onNotice = { [weak self] in self?.onNotice($0) }
    if !keeper.usesLibrary { showNewestPhoto() }
    checkFolder()
  }

  /// Looks whether photos can be kept, before the first one is taken.
  package func checkFolder() {
    let folder = keeper.usesLibrary ? PhotoFolder(PHPhotoLibrary.shared().picturesFolder) : photoFolder
    let locked = folder.isWritable ? nil : folder.url.path
    if state.value.lockedFolder != locked { state.value.lockedFolder = locked }
  }

  /// The preview to show.
  package var preview: CameraPreview { engine.preview }

  /// Keeps photos and videos as the user wants it.
  var keeper: PhotoKeeper {
    PhotoKeeper(folder: photoFolder, usesLibrary: settings.value.folder == nil)
  }

  /// The folder of photos that are not in the library.
  package var photoFolder: PhotoFolder {
    PhotoFolder(
      settings.value.folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
        ?? folders.pictures.appendingPathComponent("Camera", isDirectory: true))
  }

  /// Opens the viewer with the newest photo; `false` when there is none.
  package func showLastPhoto() -> Bool {
    guard let place = state.value.lastPhoto?.place else { return false }
    // The viewer turns through all photos, not through an album that was shown before.
    if place.url == nil { library.show(.all) }
    viewer.open(place, folder: photoFolder)
    return true
  }

  /// Opens the viewer with a photo of the album that is shown.
  package func view(_ item: LibraryItem) { viewer.open(.asset(item.id), folder: photoFolder) }

  /// Starts the camera.
  package func start() {
    engine.start()
    if state.value.mode == .video { beginMeasuring() }
  }

  /// Remembers the window for the next start.
  package func keepWindow(width: Int, height: Int, isMaximized: Bool) {
    guard width > 0, height > 0 else { return }
    var window = Settings.Window()
    (window.width, window.height, window.isMaximized) = (width, height, isMaximized)
    guard window != settings.value.window else { return }
    settings.value.window = window
    storeSettings()
  }

  /// Stops the camera; returns when it is closed.
  package func stop() {
    engine.stop()
    library.close()
  }

  /// Finishes the photos that were left for later, once the camera is closed.
  ///
  /// Blocks for as long as that takes. What is interrupted is finished by the next program that opens the library.
  package func finishPhotos() {
    // What is stored last is stored there.
    engine.thumbnailQueue.sync {}
    engine.fileQueue.sync {}
    for identifier in engine.laterPhotos.change(\.self) {
      if let asset = LibraryAccess.asset(identifier) { LibraryAccess.finish(asset) }
    }
  }

  /// Tries again, because the user asks for it.
  package func retry() {
    state.value.availability = .starting
    engine.start()
  }

  /// Changes what the screen is for.
  package func setMode(_ mode: CameraMode) {
    // A movie is ended by the user, not by a slip.
    guard state.value.mode != mode, !state.value.recording.isActive else { return }
    cancelCountdown()
    state.value.mode = mode
    state.value.scan.codes = []
    state.value.scan.hit = nil
    state.value.aim = nil
    state.value.depth.page = nil
    state.value.depth.metres = nil
    if state.value.depth.showsCloud { showCloud(false) }
    settings.value.mode = mode
    storeSettings()
    engine.setMode(mode)
    showLook()
    if mode == .video { beginMeasuring() }
  }

  /// Chooses a camera.
  package func choose(_ id: String) {
    guard id != state.value.camera?.id else { return }
    settings.value.camera = id
    storeSettings()
    state.value.aim = nil
    // Another camera's points lie elsewhere.
    engine.cloud.begin(sways: state.value.depth.sways)
    engine.choose(id)
  }

  /// Takes the next camera of the list.
  package func switchCamera() {
    let cameras = state.value.cameras
    guard cameras.count > 1, let now = state.value.camera else { return }
    let next = ((cameras.firstIndex { $0.id == now.id } ?? -1) + 1) % cameras.count
    choose(cameras[next].id)
  }

  /// Changes what the user has chosen for good, and stores it.
  package func changeSettings(_ change: (inout Settings) -> Void) {
    var changed = settings.value
    change(&changed)
    guard changed != settings.value else { return }
    settings.value = changed
    state.value.flash = changed.flash
    state.value.timer = changed.timer
    engine.setSettings(changed)
    checkFolder()
    showLook()
    if state.value.availability != .starting { openLibrary() }
    storeSettings()
  }

  private func storeSettings() {
    do { try file.write(settings.value) } catch {
      onNotice(.settingsNotStored(reason: error.localizedDescription))
    }
  }

  /// The library is read when the camera runs, or cannot: it must not take the processor from the first picture.
  private func openLibrary() {
    guard !hasOpenedLibrary, keeper.usesLibrary else { return }
    hasOpenedLibrary = true
    let (keeper, reader, engine) = (keeper, library.reader, engine)
    engine.fileQueue.async {
      if LibraryAccess.isUsable { engine.noteLibrary() }
      keeper.adoptLeftovers()
      reader.open()
    }
  }

  private func note(newest photo: StoredPhoto?) {
    if case .file? = state.value.lastPhoto?.place { return }
    if photo?.place != state.value.lastPhoto?.place { state.value.lastPhoto = photo }
  }

  private func showNewestPhoto() {
    let (folder, relay) = (photoFolder, relay)
    engine.fileQueue.async {
      guard let url = folder.all().first,
        let thumbnail = PictureReader.picture(of: url, longerSide: 256)
      else { return }
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          relay.handler(.movieStored(StoredPhoto(place: .file(url), thumbnail: thumbnail)))
        }
      }
    }
  }

  // MARK: What the camera reports

  private func take(_ event: CaptureEvent) {
    switch event {
    case .availability(let availability): take(availability)
    case .cameras(let cameras): state.value.cameras = cameras
    case .microphones(let microphones): state.value.microphones = microphones
    case .camera(let camera, let abilities):
      state.value.camera = camera
      state.value.abilities = abilities
      showLook()
    case .zoom(let factor): state.value.zoom = factor
    case .photoExposed: onExposure()
    case .longExposure(let seconds): beginLongExposure(seconds)
    case .longExposureEnded: endLongExposure()
    case .screenFlash(let isLit): state.value.isScreenFlash = isLit
    case .thumbnail(let thumbnail):
      stamps.thumbnail = CMClock.hostTimeClock.time.seconds
      if thumbnail.width > 0 { state.value.newThumbnail = thumbnail }
    case .photoStored(let photo):
      var new = state.value
      new.lastPhoto = photo
      if new.newThumbnail == photo.thumbnail { new.newThumbnail = nil }
      state.value = new
      pages.note(photo.place)
    case .photoFailed(let reason): onNotice(.photoFailed(reason: reason))
    case .lookFailed(let name, let problem): onNotice(.lookFailed(name: name, problem))
    case .photoNotStored(let reason):
      state.value.newThumbnail = nil
      onNotice(.notStored(reason: reason))
    case .photoEnded:
      state.value.photosUnderWay = max(0, state.value.photosUnderWay - 1)
      continueBurst()
    case .recording(let phase): take(phase)
    case .recordingFigures(let seconds, let bytes, let level, let free, let missed):
      state.value.recording.missed = missed
      state.value.recording.seconds = seconds
      state.value.recording.bytes = bytes
      state.value.recording.level = level
      state.value.recording.freeBytes = free
    case .movieStored(let movie): state.value.lastPhoto = movie
    case .keptAsFile(let reason): onNotice(.keptAsFile(reason: reason))
    case .movieFailed(let reason): onNotice(.movieFailed(reason: reason))
    case .movieEnded(let reason): onNotice(.movieEnded(reason: reason))
    case .picturesMissed(let count): onNotice(.picturesMissed(count: count))
    case .aimed(let isWatched): settleAim(isWatched: isWatched)
    case .subjectAreaChanged: if state.value.mode == .depth, state.value.aim != nil { forgetAim() }
    case .codes(let codes): take(codes)
    case .depth(let reading): take(reading)
    case .depthSaved(let url): onNotice(.depthSaved(path: url.path))
    case .depthNotSaved(let reason): onNotice(.depthNotSaved(reason: reason))
    case .controls(let items): controls.value = items
    case .controlFailed(let reason): onNotice(.cameraFailed(reason: reason))
    case .virtualCamera(let virtualCamera): take(virtualCamera)
    case .effects(let effects): take(effects)
    case .effectNotKept(let reason): onNotice(.effectNotKept(reason: reason))
    }
  }

  private func take(_ availability: Availability) {
    state.value.availability = availability
    if availability != .starting { openLibrary() }
    switch availability {
    case .running: retries = 0
    case .busy, .failed, .denied:
      // Others let cameras go, users allow them, and services come back: it is tried again, ever more slowly.
      retries += 1
      time.after(min(Double(retries), 5)) { [weak self] in self?.engine.retry() }
    default: break
    }
    if !availability.isRunning { state.value.shutter = .disabled }
    if availability.isRunning, let coordinator { setShutter(coordinator.captureReadiness) }
  }

  private func take(_ virtualCamera: VirtualCameraState) {
    let before = state.value.virtualCamera
    state.value.virtualCamera = virtualCamera
    guard case .failed(let problem) = virtualCamera else { return }
    // Said once, though it is tried again and again.
    if virtualCamera != before { onNotice(.virtualCameraFailed(problem)) }
    virtualCameraFailures += 1
    let failure = virtualCameraFailures
    time.after(5) { [weak self] in
      guard let self, failure == virtualCameraFailures else { return }
      engine.retryVirtualCamera()
    }
  }

  func notePress() { stamps.press = CMClock.hostTimeClock.time.seconds }

  func announce(_ photo: AVCapturePhotoSettings) {
    coordinator?.startTrackingCaptureRequest(using: photo)
  }

  func setShutter(_ readiness: AVCapturePhotoOutput.CaptureReadiness) {
    state.value.shutter =
      switch readiness {
      case .ready: .ready
      case .notReadyMomentarily: .momentarilyBusy
      case .notReadyWaitingForCapture: .exposing
      case .notReadyWaitingForProcessing: .processing
      case .sessionNotRunning: .disabled
      }
  }
}

extension CameraModel: AVCapturePhotoOutputReadinessCoordinatorDelegate {
  nonisolated package func readinessCoordinator(
    _ coordinator: AVCapturePhotoOutputReadinessCoordinator,
    captureReadinessDidChange captureReadiness: AVCapturePhotoOutput.CaptureReadiness
  ) {
    MainActor.assumeIsolated { setShutter(captureReadiness) }
  }
}

/// Lets the engine report to a model that is not made yet when the engine is.
@MainActor
private final class EventRelay {
  var handler: (CaptureEvent) -> Void = { _ in }
}
