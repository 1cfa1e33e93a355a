internal import AVFCore
internal import CameraFrames
internal import CaptureDevice
internal import CoreMedia
internal import Dispatch
internal import FoundationExtras
internal import Linux
package import PhotoProcessing

/// The way of a photo, from the press to the last callback.
///
/// `admit → expose → choose → (defer) → (fuse) → develop → encode → deliver`: this file reads in that order. ``PhotosUnderWay`` decides
/// who may begin: photos that overlap are exposed, developed and encoded side by side, one in each stage; others go one after
/// the other. More wait, and beyond a limit a press is refused: memory stays bounded. Photos end in the order of their presses.
/// The pictures of one photo, a bracket, are developed when the last of them has been exposed.
///
/// Thread-safe. The lock guards values only: devices, stages and clients are called outside it. Which photo is developed next
/// is decided on the developing queue, so that threads of two devices cannot swap two photos.
package final class PhotoPipeline: Sendable {
  /// Stages that take a processor's time.
  package enum Stage: Sendable {
    case developing, encoding
  }

  /// Called when a stage begins to work on a picture, on the stage's queue; what it takes is part of the stage.
  package typealias Load = @Sendable (Stage, PhotoProcessingRequest) -> Void

  /// How many photos may wait for their turn; beyond, a press fails with `maximumStillImageCaptureRequestsExceeded`.
  package static let waitingLimit = 32

  let state = Locked(PhotosInPipeline())
  private let currentProcessor = Locked(PhotoProcessor())
  private let load: Load?
  let changed = Hook<Void>()
  let mattes = PortraitMatteMaker()
  let partMattes = PartMatteMaker()
  private let redEyes = RedEyeMender()
  let heads = WidePortraitCorrector()
  private let colors = ConstantColor()
  /// Serial, so that photos finish in the order of their presses; the stages use every core anyway.
  let developingQueue = DispatchQueue(label: "obscura.photo-developing", qos: .userInitiated)
  private let storingQueue = DispatchQueue(label: "obscura.photo-storing", qos: .userInitiated)
  private let encodingQueue = DispatchQueue(label: "obscura.photo-encoding", qos: .userInitiated)

  /// A pipeline without photos; `load` is work that each picture costs beside its own.
  package init(load: Load? = nil) {
    self.load = load
  }

  // MARK: Admit

  /// Takes a photo, as soon as there is room for it.
  package func press(_ job: PhotoJob) {
    switch state.withLock({ $0.admit(job) }) {
    case .now(let stills): expose(job, stills)
    case .later: break
    case .never: return refuse(job)
    }
    changed.call()
  }

  private func beginNext() {
    while let (job, stills) = state.withLock({ $0.beginNext() }) { expose(job, stills) }
  }

  // MARK: Expose

  /// Gets a frame for each exposure: the one that the viewfinder showed at the press, or one that is exposed now.
  private func expose(_ job: PhotoJob, _ stills: [StillRequest]) {
    job.receiver.begin()
    job.receiver.beginExposure()
    if job.capture.isBurst { return exposeBurst(job, stills) }
    if job.capture.isConstantColor { return exposeWithFlash(job, stills) }
    let shown = chooseShown(for: job)
    let claim = claim(shown, of: job)
    for (index, still) in stills.enumerated() {
      job.exposer.expose(still, of: shown) { [self] in note($0, of: job, at: index, claim) }
    }
  }

  /// Gets the frames that one picture is fused of: those of the past at the press, and then exposures to come, one after the other.
  ///
  /// A photo of the past waits for frames to come only if it is taken for quality.
  private func exposeBurst(_ job: PhotoJob, _ stills: [StillRequest]) {
    let choice = job.capture.press.flatMap {
      job.exposer.history?.choose(for: $0, neighbours: stills.count - 1)
    }
    let past = choice.map { [$0.frame] + $0.neighbours } ?? []
    let waits = past.isEmpty || job.processing.prioritization == .quality
    let stills = waits ? stills : Array(stills.prefix(past.count))
    if !waits { state.withLock { $0.shorten(job.id, to: past.count) } }
    let claim = claim(past.first, of: job)
    for (index, frame) in past.enumerated() {
      job.exposer.expose(stills[index], of: frame) { [self] in note($0, of: job, at: index, claim) }
    }
    exposeNext(job, stills[past.count...])
  }

  private func exposeNext(_ job: PhotoJob, _ stills: ArraySlice<StillRequest>) {
    guard let still = stills.first else { return }
    job.exposer.expose(still, of: nil) { [self] result in
      // Before the answer is taken, after which a manual clock moves on.
      if case .success = result, state.withLock({ $0.isExposing(job.id) }) {
        exposeNext(job, stills.dropFirst())
      }
      note(result, of: job, at: stills.startIndex)
      // The photo is made of the frames that there are.
      guard case .failure = result else { return }
      for index in stills.indices.dropFirst() { note(result, of: job, at: index) }
    }
  }

  /// Takes the answer to one exposure; on the device's thread, so it must only enqueue.
  func note(
    _ result: Result<CapturedFrame, CaptureDeviceError>, of job: PhotoJob, at index: Int,
    _ early: DepthClaim? = nil
  ) {
    let exposed = result.map { frame in
      ExposedFrame(
        frame: frame, facts: PhotoFrameFacts(frame), depth: claim(frame, of: job, at: index, early))
    }
    guard let end = state.withLock({ $0.note(exposed, of: job.id, at: index) }) else { return }
    // Before the photo goes on, for this step comes before the last; and a manual clock waits for the token.
    if end.frames > 0 { job.receiver.endExposure(inFlight: end.inFlight) }
    state.withLock { $0.release(job.id) }
    processExposed()
    changed.call()
  }

  // MARK: Choose

  /// The frame that the viewfinder showed at the press; `nil` for a photo that may not be of it, or when it is not kept.
  private func chooseShown(for job: PhotoJob) -> PastFrame? {
    guard let press = job.capture.press else { return nil }
    return job.exposer.history?.choose(for: press)?.frame
  }

  /// A picture between two stages.
  private struct Picture {
    let index: Int
    /// Its frames, the one to develop first, or why there are none.
    var frames: Result<[CapturedFrame], any Error>
    var request: PhotoProcessingRequest
    var times: PhotoStageTimes
    /// Its frames on their way to the disk, if only a proxy is made of it now.
    var storing: PhotoStoring?
    /// What a manual clock waits for, in the photo's last picture.
    var inFlight: (any AnyObject & Sendable)?

    /// Why a frame of several did not come.
    var lack: (any Error)?
    /// How many frames it was made of.
    var frameCount: Int

    /// The picture as the flash and the ambient light show it, where that is a photo, too.
    var fallback: PhotoDeveloper.Negative?
    /// How far its colours are those of the flash's light; `nil` for other photos.
    var confidence: ConstantColorConfidence?

    /// The claim to the depth map of its moment, if it wants depth.
    var claim: DepthClaim?
    /// That depth, and whether the file holds it.
    var depth: (data: AVDepthData, isEmbedded: Bool)?
    /// The people that it shows, if the camera knows them.
    var people: (any FramePeople)?
  }

  /// Chooses each picture's frames: all that its exposures gave.
  private static func choose(_ photo: ExposedPhoto) -> [Picture] {
    var results = photo.results[...]
    return photo.job.capture.pictures.enumerated().map { index, asked in
      let own = results.prefix(asked.frameCount).compactMap(\.self)
      results = results.dropFirst(asked.frameCount)
      var frames = own.compactMap { try? $0.get() }
      // Without its own frame there is no picture whose detail another camera's could be.
      if asked.companion != nil, case .failure = own[0] { frames = [] }
      var request = photo.job.processing
      // Longer exposures in the night are the camera's choice, as automatic ones are.
      request.exposure = photo.job.capture.isBurst ? nil : asked.exposures[0]
      // For a picture that failed, which has no frame to say it.
      if let type = asked.constituent.flatMap({ request.camera.constituentTypes[$0] }) {
        request.camera.type = type
      }
      request.frame = frames.first?.facts
      return Picture(
        index: index, frames: frames.isEmpty ? own[0].map { _ in [] } : .success(frames.map(\.frame)),
        request: request, times: photo.times, inFlight: results.isEmpty ? photo.inFlight : nil,
        lack: own.firstResult { if case .failure(let error) = $0 { error } else { nil } },
        frameCount: frames.count, claim: frames.first?.depth, people: frames.first?.frame.people)
    }
  }

  // MARK: Defer

  /// Leaves all processing of a photo that is finished later to what finishes it, and has a proxy made of the picture.
  private func postpone(_ picture: inout Picture, of job: PhotoJob) {
    guard let store = job.store, case .success(let frames) = picture.frames else { return }
    let storing = PhotoStoring(
      frames, picture.request, job.exposer.processor, processor, store, on: storingQueue)
    picture.request = picture.request.proxy(storing.identifier)
    picture.storing = storing
  }

  /// The proxy once its frames are safe; else the photo itself, finished at once: none is lost because the disk is full.
  private func settle(_ proxy: Result<PhotoResult, any Error>, _ storing: PhotoStoring) -> Result<
    PhotoResult, any Error
  > {
    if case .success = proxy, storing.wait() { return proxy }
    storing.takeBack()
    return Result { try processor.process(storing.frames, for: storing.request, by: storing.processor) }
  }

  // MARK: Develop

  /// Takes the photos that can be developed through the stages that need no camera, picture by picture.
  func processExposed() {
    developingQueue.carry { [self] in
      while let photo = state.withLock({ $0.takeExposed() }) {
        let job = photo.job
        for var picture in Self.choose(photo) {
          postpone(&picture, of: job)
          measure(&picture, of: job)
          let negative = Result { try develop(&picture, of: job) }
          if picture.frameCount > 1 || picture.storing != nil { giveBack(&picture, of: job) }
          encodingQueue.carry { [self, picture] in
            var results: [Result<PhotoResult, any Error>] = []
            if picture.request.raw != nil { results.append(raw(of: picture, try? negative.get())) }
            if picture.request.isProcessed {
              var result = Result { try encode(negative.get(), picture, job) }
              if let storing = picture.storing { result = settle(result, storing) }
              results.append(result)
            }
            if let fallback = picture.fallback {
              results.append(Result { try self.fallback(fallback, of: picture, job) })
            } else if job.constantColor?.deliversFallback == true {
              results += results
            }
            // With the picture goes the token: the next photo is asked for before a manual clock moves on.
            withExtendedLifetime(picture) { deliver(results, of: picture, job) }
          }
        }
      }
    }
  }

  /// Gets the depth of the frame that the picture shows.
  private func measure(_ picture: inout Picture, of job: PhotoJob) {
    guard let request = job.depth, let map = picture.claim.take()?.map(),
      let depth = job.exposer.depthData(of: map, as: request)
    else { return }
    picture.depth = (depth, request.isEmbedded)
  }

  private func develop(
    _ picture: inout Picture, of job: PhotoJob
  ) throws -> PhotoDeveloper.Negative {
    let frames = try picture.frames.get()
    picture.times.developing = PhotoStageTimes.now
    load?(.developing, picture.request)
    defer { picture.times.processed = PhotoStageTimes.now }
    guard let constant = job.constantColor else {
      return corrected(
        try processor.develop(frames, for: picture.request, by: job.exposer.processor), picture, job)
    }
    let lit = try developed(frames[0], picture, job)
    if constant.deliversFallback { picture.fallback = corrected(lit.negative, picture, job) }
    guard frames.count == 2 else { throw picture.lack ?? ConstantColor.NoAmbientFrame() }
    let separated = try colors.separate(lit, from: developed(frames[1], picture, job), gains: constant.gains)
    picture.confidence = separated.confidence
    return corrected(separated.negative, picture, job)
  }

  /// One of several frames that are developed by themselves, and the state of the controls for it.
  private func developed(
    _ frame: CapturedFrame, _ picture: Picture, _ job: PhotoJob
  ) throws -> (negative: PhotoDeveloper.Negative, controls: ControlState) {
    let negative = try processor.develop([frame], for: picture.request, by: job.exposer.processor)
    return (negative, frame.conditions.state)
  }

  /// Makes red eyes dark and heads round, where that is asked for.
  private func corrected(
    _ negative: PhotoDeveloper.Negative, _ picture: Picture, _ job: PhotoJob
  ) -> PhotoDeveloper.Negative {
    var negative = negative
    if job.reducesRedEyes { redEyes.mend(&negative) }
    if job.makesHeadsRound { heads.correct(&negative, for: picture.request, still: job.capture.size) }
    return negative
  }

  /// Lets go of the frames that became one, or that are held until they are stored: the next photo need not wait for this one's file.
  private func giveBack(_ picture: inout Picture, of job: PhotoJob) {
    picture.frames = .success([])
    if picture.storing == nil {
      state.withLock { $0.merged(job.id) }
    } else {
      let available = SystemMemory.availableBytes
      state.withLock { $0.store(job.id, job.capture, availableBytes: available) }
    }
    beginNext()
    changed.call()
  }

  /// Who develops and encodes; its pools of memory serve all photos.
  var processor: PhotoProcessor { currentProcessor.withLock { $0 } }

  /// Gives the memory back that was kept for the next photos.
  func forget() {
    let old = currentProcessor.withLock { processor in
      defer { processor = PhotoProcessor() }
      return processor
    }
    withExtendedLifetime(old) {}
  }

  // MARK: Encode

  /// The raw picture, which needs no developing but for its previews.
  private func raw(
    of picture: Picture, _ negative: PhotoDeveloper.Negative?
  ) -> Result<PhotoResult, any Error> {
    Result {
      guard let frame = try picture.frames.get().first else { throw PhotoProcessor.NoMosaic() }
      load?(.encoding, picture.request)
      var times = picture.times
      times.encoding = PhotoStageTimes.now
      var result = try processor.raw(of: frame, negative, for: picture.request.unturned)
      times.encoded = PhotoStageTimes.now
      result.stages = times
      result.depthData = picture.depth?.data
      return result
    }
  }

  private func encode(
    _ negative: PhotoDeveloper.Negative, _ picture: Picture, _ job: PhotoJob
  ) throws -> PhotoResult {
    var times = picture.times
    let request = picture.request
    times.encoding = PhotoStageTimes.now
    load?(.encoding, request)
    var result = try processor.encode(negative, for: request)
    if let depth = picture.depth {
      add((depth.data.turned(request.turn), depth.isEmbedded), to: &result, of: negative, request, job)
    }
    add(picture.people, to: &result, of: negative, request, job)
    // The file of a moment ago is none any more.
    if let file = result.file, result.holdsMore { FreshPictures.keep(negative, request, file: file) }
    result.constantColor = picture.confidence
    if job.wantsCalibration { result.calibration = AVCameraCalibrationData.of(request, job.capture.size) }
    times.encoded = PhotoStageTimes.now
    // In a simulated world a photo's work takes no time.
    if picture.storing == nil, !WorldTime.current.isSimulated {
      state.withLock {
        $0.pace.note(
          PhotoTimeEstimator.Kind(
            request.encoding, request.prioritization,
            isFused: job.capture.isFused && picture.frameCount > 1),
          job.capture.size, times)
      }
    }
    result.stages = times
    return result
  }

  /// The photo as the flash and the ambient light show it, beside one of constant colour.
  private func fallback(
    _ negative: PhotoDeveloper.Negative, of picture: Picture, _ job: PhotoJob
  ) throws -> PhotoResult {
    var result = try encode(negative, picture, job)
    result.constantColor = nil
    result.isConstantColorFallback = true
    return result
  }

  // MARK: Deliver

  /// Delivers what a picture has become, then gives its memory back, and its photo's place after the last.
  private func deliver(_ results: [Result<PhotoResult, any Error>], of picture: Picture, _ job: PhotoJob) {
    for (offset, result) in results.enumerated() {
      let index = picture.index * results.count + offset
      switch result {
      case .success(let result): job.receiver.finish(index, result, error: nil)
      case .failure(let error):
        var nothing = PhotoResult(picture.request, size: job.capture.size, isWideColor: false)
        nothing.isConstantColorFallback = job.constantColor != nil && offset > 0
        nothing.isRaw = picture.request.raw != nil && offset == 0
        job.receiver.finish(index, nothing, error: error)
      }
    }
    let isLast = picture.index == job.capture.pictures.count - 1
    state.withLock { $0.end(job.id, isLast: isLast) }
    beginNext()
    changed.call()
  }
}
