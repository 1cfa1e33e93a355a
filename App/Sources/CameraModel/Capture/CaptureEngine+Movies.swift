import AVFoundation

extension CaptureEngine {
  /// Keeps the file of a movie that is whole, and reports where; on the queue of files.
  func storeMovie(_ url: URL, _ keeper: PhotoKeeper, _ date: Date) {
    let picture = PictureReader.firstPicture(of: url, longerSide: 256)
    let kept = keeper.keep(film: url, date: date)
    send(
      .movieStored(
        StoredPhoto(place: kept.place, thumbnail: picture ?? Thumbnail(width: 0, height: 0, bytes: Data()))))
    if let refusal = kept.refusal { send(.keptAsFile(refusal)) }
  }

  /// So many bytes stay free: the machine needs some itself.
  static let spareBytes: Int64 = 200_000_000

  /// Asks for the microphone when that was never done, then takes it into the session.
  func askForMicrophone() {
    queue.async {
      guard AVCaptureDevice.authorizationStatus(for: .audio) == .notDetermined else { return }
      AVCaptureDevice.requestAccess(for: .audio) { isAllowed in
        guard isAllowed else { return }
        self.queue.async {
          guard self.mode == .video, self.input != nil else { return }
          self.session.beginConfiguration()
          self.arrange()
          self.session.commitConfiguration()
        }
      }
    }
  }

  /// Reports the microphones that there are.
  func readMicrophones() {
    queue.async {
      let found = Self.microphones().map { MicrophoneChoice(id: $0.uniqueID, name: $0.localizedName) }
      self.send(.microphones(found))
    }
  }

  /// Begins a movie, beside the library that takes it when it is whole.
  func startMovie(_ keeper: PhotoKeeper) {
    queue.async {
      guard self.settings.pace == .live else { return self.startTimeLapse(keeper) }
      guard self.movie == nil, self.movieOutput.connection(with: .video)?.isActive == true else {
        self.send(.movieFailed(""))
        return self.send(.recording(.idle))
      }
      do {
        let url = try keeper.folder.freeName(prefix: "VID", suffix: "mov", date: self.time.date)
        let job = MovieJob(engine: self, keeper: keeper)
        self.movie = job
        self.movieOutput.minFreeDiskSpaceLimit = Self.spareBytes
        self.movieOutput.continuesRecordingAcrossDeviceSwitches = true
        self.movieOutput.startRecording(to: url, recordingDelegate: job)
      } catch {
        self.send(.movieFailed(error.localizedDescription))
        self.send(.recording(.idle))
      }
    }
  }

  /// Ends the movie; its file is reported when it is whole.
  func stopMovie() {
    queue.async {
      if let timeLapse = self.timeLapse { return timeLapse.stop() }
      self.movieOutput.stopRecording()
    }
  }

  /// Pauses the movie, or goes on with it.
  func setMoviePaused(_ isPaused: Bool) {
    queue.async {
      if let timeLapse = self.timeLapse { return timeLapse.setPaused(isPaused) }
      isPaused ? self.movieOutput.pauseRecording() : self.movieOutput.resumeRecording()
    }
  }

  /// Reports how long the movie is, how loud it is, and what is free.
  func measureMovie(_ folder: PhotoFolder) {
    queue.async {
      let connection = self.movieOutput.connection(with: .audio)
      // 60 dB below the loudest is silence to the eye.
      let level = connection?.audioChannels.first.map {
        max(0, min(1, 1 + Double($0.averagePowerLevel) / 60))
      }
      let isRecording = self.movieOutput.isRecording
      self.send(
        .recordingFigures(
          seconds: self.timeLapse?.seconds ?? (isRecording ? self.movieOutput.recordedDuration.seconds : 0),
          bytes: self.timeLapse?.bytes ?? (isRecording ? self.movieOutput.recordedFileSize : 0),
          level: level, free: folder.freeBytes, missed: self.timeLapse?.missed ?? 0))
    }
  }
}
