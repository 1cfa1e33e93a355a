import AVFoundation

extension CameraModel {
  /// The shutter goes down: a photo now or after the count-down, or the end of a count-down that runs.
  package func pressShutter() {
    if state.value.mode == .video { return toggleMovie() }
    if state.value.mode == .depth { return saveDepth() }
    guard state.value.mode == .photo, state.value.availability.isRunning else { return }
    if state.value.countdown != nil { return cancelCountdown() }
    guard state.value.timer == .off else { return beginCountdown(state.value.timer.rawValue) }
    takePhoto()
  }

  /// The shutter stays down: photos one after another until it is released.
  package func holdShutter() {
    guard state.value.mode == .photo, state.value.availability.isRunning, state.value.countdown == nil else {
      return
    }
    isShutterHeld = true
    state.value.burst = 0
    continueBurst()
  }

  /// The shutter goes up.
  package func releaseShutter() {
    isShutterHeld = false
    state.value.burst = nil
  }

  /// At most this many photos of a burst wait to be stored, so that memory is bounded.
  static let burstDepth = 3

  func continueBurst() {
    guard isShutterHeld, state.value.availability.isRunning else { return }
    while state.value.photosUnderWay < Self.burstDepth {
      takePhoto(isBurst: true)
      state.value.burst = (state.value.burst ?? 0) + 1
    }
  }

  func takePhoto(isBurst: Bool = false) {
    let format = usableFormat
    let abilities = state.value.abilities
    let pixels: [String: Any] = [kCVPixelBufferPixelFormatTypeKey as String: kCVPixelFormatType_32BGRA]
    let encoding: [String: Any] = format.codec.map { [AVVideoCodecKey: $0] } ?? pixels
    let raw = isBurst ? nil : usableRawFormat
    let photo =
      raw.map { AVCapturePhotoSettings(rawPixelFormatType: $0, processedFormat: encoding) }
      ?? AVCapturePhotoSettings(format: encoding)
    photo.cropAspectRatio = shownLook.aspect.ratio
    // What the sensor counted is of one frame, and so is the photo beside it.
    photo.photoQualityPrioritization =
      isBurst || raw != nil ? .speed : settings.value.quality.prioritization
    if !isBurst, abilities.flashModes.contains(state.value.flash) {
      photo.flashMode = state.value.flash.mode
    }
    notePress()
    announce(photo)
    state.value.photosUnderWay += 1
    engine.takePhoto(photo, format: format, isSingle: !isBurst, into: keeper)
  }

  /// The format of the raw picture that is taken, too; `nil` where none is chosen, or can be had: zoomed in, the sensor sees more than the photo.
  private var usableRawFormat: UInt32? {
    settings.value.takesRaw && state.value.zoom == 1 ? state.value.abilities.rawFormat : nil
  }

  private var usableFormat: PhotoFormat {
    let formats = state.value.abilities.photoFormats
    return formats.contains(settings.value.format) ? settings.value.format : .jpeg
  }

  // MARK: Count-down

  private func beginCountdown(_ seconds: Int) {
    countdownRun += 1
    state.value.countdown = seconds
    countDown(run: countdownRun)
  }

  private func countDown(run: Int) {
    time.after(1) { [weak self] in
      guard let self, run == countdownRun, let left = state.value.countdown else { return }
      if left > 1 {
        state.value.countdown = left - 1
        countDown(run: run)
      } else {
        state.value.countdown = nil
        if state.value.availability.isRunning { takePhoto() }
      }
    }
  }

  /// Ends the count-down without a photo.
  package func cancelCountdown() {
    countdownRun += 1
    state.value.countdown = nil
  }

  // MARK: Long exposures

  func beginLongExposure(_ seconds: Double) {
    exposureRun += 1
    state.value.exposureLeft = max(1, Int(seconds.rounded(.up)))
    countExposure(run: exposureRun)
  }

  private func countExposure(run: Int) {
    time.after(1) { [weak self] in
      guard let self, run == exposureRun, let left = state.value.exposureLeft, left > 1 else { return }
      state.value.exposureLeft = left - 1
      countExposure(run: run)
    }
  }

  func endLongExposure() {
    exposureRun += 1
    state.value.exposureLeft = nil
  }

  // MARK: Choices on the screen

  /// The next choice of the flash that the camera has.
  package func nextFlash() {
    let modes = state.value.abilities.flashModes
    guard !modes.isEmpty else { return }
    let next = ((modes.firstIndex(of: state.value.flash) ?? -1) + 1) % modes.count
    changeSettings { $0.flash = modes[next] }
  }

  /// The look of the preview, and of the next photo or video: videos keep their shape, codes and distances have no look.
  var shownLook: PhotoLook {
    guard state.value.hasFilters else { return PhotoLook() }
    let aspect = state.value.mode == .photo ? settings.value.aspect : .sensor
    return PhotoLook(filter: settings.value.filter, aspect: aspect)
  }

  /// Lets the preview show the look of the next photo.
  func showLook() {
    engine.setFilter(shownLook.filter)
    var (width, height) = (state.value.figures.width, state.value.figures.height)
    // Before the first frame, some picture of its shape.
    if width < 1 || height < 1 { (width, height) = (Int(state.value.aspect * 4096), 4096) }
    let crop = shownLook.aspect.share(ofWidth: width, height: height)
    if crop != state.value.crop { state.value.crop = crop }
  }

  /// The next filter, or the one before; a video keeps the filter with which it began.
  package func nextFilter(by step: Int = 1) {
    guard state.value.hasFilters, !state.value.recording.isActive else { return }
    let all = PhotoFilter.builtIn + engine.looks.names.map(PhotoFilter.cube)
    changeSettings { $0.filter = Self.neighbour(of: $0.filter, in: all, by: step) }
  }

  /// Takes a `.cube` file of the user's among the filters, and chooses it unless a video is being recorded.
  package func addLook(_ file: URL) {
    let looks = engine.looks
    Task {
      let added = await Task.detached { () -> Result<String, LookProblem> in
        Result { () throws(LookProblem) in try looks.add(file) }
      }.value
      switch added {
      case .success(let name):
        if !state.value.recording.isActive {
          // Also where the one of that name was chosen, and is another now.
          engine.forgetFilter()
          changeSettings { $0.filter = .cube(name) }
          showLook()
        }
        onNotice(.lookAdded(name: name))
      case .failure(let problem): onNotice(.lookFailed(name: file.lastPathComponent, problem))
      }
    }
  }

  /// The next aspect of photos, or the one before.
  package func nextAspect(by step: Int = 1) {
    guard state.value.mode == .photo, state.value.hasFilters else { return }
    changeSettings { $0.aspect = Self.neighbour(of: $0.aspect, in: PhotoAspect.allCases, by: step) }
  }

  static func neighbour<Choice: Equatable>(of choice: Choice, in all: [Choice], by step: Int) -> Choice {
    all[((all.firstIndex(of: choice) ?? 0) + step + all.count) % all.count]
  }

  /// The next choice of the timer.
  package func nextTimer() {
    cancelCountdown()
    let all = TimerChoice.allCases
    let next = ((all.firstIndex(of: state.value.timer) ?? 0) + 1) % all.count
    changeSettings { $0.timer = all[next] }
  }
}
