internal import AVFCapture
package import AVFoundation
internal import Foundation
internal import FoundationExtras
internal import Linux
package import LiveStreaming

/// A session that sends one camera, and a microphone, to a media server.
package final class StreamSession: Sendable {
  /// Where a stream goes.
  package enum Destination: Sendable {
    /// A server, with what it asks for and how it is trusted; how the stream is coded is the plan's.
    case address(URL, LiveStream.Settings)
    /// An open descriptor.
    case descriptor(Int32, LiveStream.Container)
  }

  /// Why a stream has ended by itself.
  private enum End {
    case failed(String)
    /// The reader of its pipe wants no more.
    case hungUp
  }

  private let run: CameraRun
  private let stream: LiveStream
  private let plan: MoviePlan
  private let end: Locked<End?>
  private let movie = AVCaptureMovieFileOutput()
  private let delegate = MovieDelegate()
  private let file: PictureFile?
  /// The reason why there is no audio although it was wanted; `nil` when there is, or none was wanted.
  package let missingSound: String?

  /// A session with `camera`, set as the plan wants it.
  ///
  /// - Parameters:
  ///   - destination: Where to.
  ///   - file: A movie to record beside; `nil` for none.
  ///   - stop: Ends the stream when it is requested.
  ///   - waiting: Whether it goes on when the camera was away and is back.
  ///   - report: What happens to the connection, on a thread of the stream's own.
  /// - Throws: ``CameraTaskError``; `LiveStreamError` for an address that nothing can be sent to.
  package init(
    camera: AVCaptureDevice, to destination: Destination, plan: MoviePlan,
    alsoTo file: PictureFile? = nil,
    stop: StopRequest = StopRequest(), waiting: CameraWaiting? = nil,
    report: @escaping @Sendable (LiveStream.Report) -> Void
  ) throws {
    self.plan = plan
    self.file = file
    var settings = LiveStream.Settings()
    settings.codec = plan.codec == .hevc ? .hevc : .h264
    settings.bitRate = plan.bitRate
    let end = Locked<End?>(nil)
    self.end = end
    let note: @Sendable (LiveStream.Report) -> Void = { news in
      switch news {
      case .failed(let sentence): end.withLock { $0 = .failed(sentence) }
      case .ended: end.withLock { $0 = .hungUp }
      case .connected, .disconnected: break
      }
      report(news)
    }
    stream =
      switch destination {
      case .address(let address, var server):
        try {
          (server.codec, server.bitRate) = (settings.codec, settings.bitRate)
          return try LiveStream(to: address, settings: server, report: note)
        }()
      case .descriptor(let number, let container):
        LiveStream(toDescriptor: number, container: container, settings: settings, report: note)
      }
    run = try CameraRun(camera: camera, stop: stop, waiting: waiting)
    missingSound = plan.hasAudio ? MovieSession.addMicrophone(to: run.session) : nil
    if file != nil { run.session.addOutput(movie) }
    stream.add(to: run.session)
    try MovieSession.setFormat(of: camera, plan)
    movie.recordedFileType = plan.format.fileType
  }

  /// What was sent so far.
  package var statistics: LiveStream.Statistics { stream.statistics }

  /// Starts the camera, and sends until the plan's end, a requested stop, or trouble; a movie beside is whole when this returns or throws.
  ///
  /// - Returns: The movie's URL, where one was recorded.
  /// - Throws: ``CameraTaskError``.
  package func send() throws -> URL? {
    try run.start()
    defer {
      stream.stop()
      run.stop()
    }
    stream.start()
    var place: TakenPlace?
    if let file {
      let taken = try file.takePlace(date: WorldTime.current.date)
      movie.replacesFiles = taken.replaces
      movie.startRecording(to: taken.url, recordingDelegate: delegate)
      place = taken
    }
    let end = plan.seconds.map { WorldTime.current.now.advanced(byNanoseconds: Int64($0 * 1e9)) }
    let result = Result { try follow(until: end) }
    guard let place else {
      try result.get()
      return nil
    }
    movie.stopRecording()
    let deadline = WorldTime.current.now.advanced(byNanoseconds: 60_000_000_000)
    _ = delegate.progress.wait(until: deadline, on: .current, for: { !$0.ended.isEmpty }, then: { _ in })
    try result.get()
    if let error = delegate.progress.withLock({ $0.ended.last?.error }) {
      throw CameraTaskError(error, device: run.camera)
    }
    return place.url
  }

  private func follow(until end: MonotonicInstant?) throws {
    var end = end
    do {
      while end.map({ WorldTime.current.now < $0 }) ?? true {
        switch self.end.withLock({ $0 }) {
        case .failed(let sentence)?: throw CameraTaskError(.failed, sentence)
        case .hungUp?: return
        case nil: break
        }
        let now = WorldTime.current.now
        let soon = now.advanced(byNanoseconds: 100_000_000)
        if run.isAway {
          // What was sent counts, not the time without a camera; meanwhile a reader may hang up.
          try run.waitForReturn(until: soon)
          end = end?.advanced(byNanoseconds: WorldTime.current.now.nanoseconds - now.nanoseconds)
        } else {
          try run.sleep(until: end.map { min($0, soon) } ?? soon)
        }
      }
    } catch let error as CameraTaskError where error.code == .stopped {
      // That is how most streams end.
    }
  }
}
