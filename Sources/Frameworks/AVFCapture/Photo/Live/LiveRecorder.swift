internal import AVFCore
internal import CameraFrames
internal import CaptureDevice
internal import CoreMedia
internal import CoreVideo
internal import Dispatch
internal import FoundationExtras
internal import Linux
internal import VideoCodecs

/// Codes a camera's frames while Live Photos are enabled, keeps the newest in a ring, and makes movies of presses from it.
///
/// Every movie under way takes the same coded pictures, so that what a picture costs does not depend on how many presses follow each
/// other. In memory are the ring, two and a half seconds of it, and what movies under way have of it beyond that, three seconds at most
/// for all of them together: some twelve megabytes at 1080p. A movie is written when its last picture has come.
///
/// Where coding is too slow, frames are left out of the movies: three wait at most, so that the camera keeps its buffers. Thread-safe.
final class LiveRecorder: @unchecked Sendable {
  // Safe because only `queue` uses what changes; `intake` has a lock.

  /// What comes in, on the devices' threads.
  private struct Intake {
    var isOpen = false
    var waiting = 0
    var newest: Int64?
    /// Frames that are nearer to the one before are left out: a fast camera's movies have some thirty in a second.
    static let shortest: Int64 = 25_000_000
    static let mostWaiting = 3

    mutating func admits(_ frame: CapturedFrame) -> Bool {
      guard isOpen else { return false }
      let time = frame.timestamp.nanoseconds
      if let newest, time > newest, time - newest < Self.shortest { return false }
      // A manual clock waits for each.
      guard frame.inFlight != nil || waiting < Self.mostWaiting else { return false }
      newest = time
      waiting += 1
      return true
    }
  }

  private let queue = DispatchQueue(label: "obscura.live-photos", qos: .userInitiated)
  private let files = DispatchQueue(label: "obscura.live-files", qos: .userInitiated)
  private let intake = Locked(Intake())
  private var ring = FilmRing()
  private var swing = CameraSwing()
  private var encoder: FilmEncoder?
  /// The stream that is coded; another one begins a ring of its own.
  private var processor: FrameProcessor?
  private var films: [LiveFilm] = []
  private var newest = Int64.min
  /// Nothing from before is wanted any more.
  private var opened = Int64.min
  private var losesSound = false
  /// Whether frames come from a clock that is moved by hand.
  private var isManual = false
  /// By how much a camera's stamps, which are not of the clock at all, are behind it; 0 for others.
  private var offset: Int64 = 0
  /// No camera is later.
  private static let longestLateness: Int64 = 10_000_000_000
  /// Why nothing is coded.
  private var failure: AVError?

  // MARK: From any thread

  /// Begins to code what comes, or stops and cuts the movies under way here.
  ///
  /// - Parameter now: The moment on the devices' clock before which nothing is wanted by movies of later presses.
  func setOpen(_ isOpen: Bool, now: Int64? = nil) {
    let isChanged = intake.withLock { intake in
      defer {
        intake.isOpen = isOpen
        intake.newest = nil
      }
      return intake.isOpen != isOpen
    }
    guard isChanged else { return }
    guard isOpen else { return cut() }
    queue.carry { [self] in opened = now ?? .min }
  }

  /// Ends the movies under way with what has come until now, and forgets the ring: the camera brings no more of it.
  func cut() {
    queue.carry { [self] in startAnew() }
  }

  /// Takes a sample of a device, on its reader thread.
  func offer(_ sample: MediaSample, over route: MediaRoute) {
    switch sample {
    case .frame(let frame):
      guard intake.withLock({ $0.admits(frame) }) else { return }
      let arrival = WorldTime.current.now.nanoseconds
      queue.carry(holding: frame.inFlight) { [self] in
        take(frame, over: route, arrival)
        intake.withLock { $0.waiting -= 1 }
      }
    case .audio(let audio):
      guard audio.frameCount > 0, intake.withLock({ $0.isOpen }) else { return }
      queue.carry(holding: audio.inFlight) { [self] in take(audio, over: route) }
    case .lost(let drop):
      if route.media == .audio { queue.carry(holding: drop.inFlight) { [self] in losesSound = true } }
    case .depth: break
    }
  }

  /// Begins the movie of a press.
  ///
  /// - Parameters:
  ///   - press: On the devices' clock.
  ///   - ticket: A new one, by which the photo is reported later.
  ///   - report: As for ``LiveFilm``; the last event is that the file is whole, or that there is none.
  func press(
    _ request: LivePhotoRequest, at press: Int64, as ticket: LiveFilmTicket,
    report: @escaping @Sendable (LiveFilm.Event, (any AnyObject & Sendable)?) -> Void
  ) {
    queue.carry { [self] in
      let film = LiveFilm(request, press: press, ring: ring, opened: opened, report: report)
      ticket.film = film
      films.append(film)
      if let failure {
        end(film, failure: failure)
      } else if !intake.withLock({ $0.isOpen }) {
        record(film, holding: nil)
      }
    }
  }

  /// Notes what has become of the photo of a movie.
  ///
  /// - Parameter token: Keeps a manual clock waiting until the movie is written, if it only waits for that.
  fileprivate func note(
    _ photo: LiveFilm.Photo, of ticket: LiveFilmTicket, holding token: (any AnyObject & Sendable)?
  ) {
    queue.carry { [self] in
      guard let film = ticket.film, film.photo == nil else { return }
      film.photo = photo
      switch photo {
      case .failed(let error): end(film, failure: error)
      case .taken: if film.isRecorded { conclude(film, holding: token) }
      }
    }
  }

  // MARK: On the queue

  private func startAnew() {
    for film in films where !film.isRecorded { record(film, holding: nil) }
    ring = FilmRing()
    swing = CameraSwing()
    encoder = nil
    processor = nil
    newest = .min
    offset = 0
    losesSound = false
    failure = nil
  }

  private func take(_ frame: CapturedFrame, over route: MediaRoute, _ arrival: Int64) {
    if let processor, !processor.isOfStream(route.processor) { startAnew() }
    processor = route.processor
    isManual = frame.inFlight != nil
    let stamp = frame.timestamp.nanoseconds
    if !isManual, abs(arrival - stamp - offset) > Self.longestLateness { offset = arrival - stamp }
    let time = stamp + offset
    guard time > newest else { return }
    // A broken frame is one picture less.
    guard let picture = try? route.processor.picture(of: frame) else { return }
    let isSwung = swing.note(picture, at: time)
    guard let encoder = openEncoder(route.plan.stream, first: picture) else { return }
    newest = time
    for coded in (try? encoder.code(picture, at: time, isSwung: isSwung)) ?? [] {
      ring.add(coded)
      for film in films { film.take(coded) }
    }
    recordComplete(holding: frame.inFlight)
  }

  /// The encoder; without one there are no movies at all.
  private func openEncoder(_ stream: StreamConfiguration, first: CVPixelBuffer) -> FilmEncoder? {
    if let encoder { return encoder }
    do throws(CodecError) {
      encoder = try FilmEncoder(stream, first: first)
      failure = nil
    } catch {
      let error = AVError(
        .encoderNotFound, because: "The Live Photo has no movie because nothing codes its pictures: \(error)")
      failure = error
      for film in films where !film.isRecorded { end(film, failure: error) }
    }
    return encoder
  }

  private func take(_ audio: CapturedAudio, over route: MediaRoute) {
    var own = audio
    guard let samples = audio.samples.copied() else { return losesSound = true }
    own.samples = samples
    own.inFlight = nil
    let sound = FilmSound(audio: own, route: route, followsGap: losesSound)
    losesSound = false
    ring.add(sound)
    for film in films { film.take(sound) }
    recordComplete(holding: audio.inFlight)
  }

  private func recordComplete(holding token: (any AnyObject & Sendable)?) {
    for film in films where !film.isRecorded && film.isComplete(newest: newest, soundEnd: ring.soundEnd) {
      record(film, holding: token)
    }
  }

  /// Ends the recording of a movie and has what was recorded written.
  private func record(_ film: LiveFilm, holding token: (any AnyObject & Sendable)?) {
    film.offset = offset
    let content = film.close()
    film.tell(.recorded, holding: token)
    guard let content else {
      return end(
        film,
        failure: AVError(
          .noDataCaptured, because: "The Live Photo has no movie because no picture came in its time."))
    }
    files.carry { [self] in
      do throws(AVError) {
        film.file = try FilmFile(content)
      } catch {
        let failure = error
        queue.carry { [self] in end(film, failure: failure, holding: token) }
      }
    }
    if film.photo != nil { conclude(film, holding: token) }
  }

  /// Ends a movie that is recorded and whose photo is known.
  private func conclude(_ film: LiveFilm, holding token: (any AnyObject & Sendable)?) {
    guard case .taken(let stamp)? = film.photo else { return }
    films.removeAll { $0 === film }
    let moment = stamp.map { $0 + film.offset } ?? film.press
    files.carry {
      // What could not be written was reported.
      guard let file = film.file else { return }
      film.file = nil
      do throws(AVError) {
        let (duration, photo) = try file.finish(photo: moment)
        film.tell(.finished(duration: duration, photo: photo), holding: token)
      } catch {
        film.tell(.failed(error), holding: token)
      }
    }
  }

  /// Ends a movie without a file.
  private func end(_ film: LiveFilm, failure: AVError, holding token: (any AnyObject & Sendable)? = nil) {
    guard !film.hasFailed else { return }
    film.hasFailed = true
    if !film.isRecorded {
      _ = film.close()
      film.tell(.recorded, holding: token)
    }
    films.removeAll { $0 === film }
    files.carry {
      film.file?.cancel()
      film.file = nil
      film.tell(.failed(failure), holding: token)
    }
  }
}

/// What a photo has of its movie: the way to say what has become of the photo.
final class LiveFilmTicket: @unchecked Sendable {
  // Safe because only the recorder's queue uses what changes.

  private let recorder: LiveRecorder
  /// Set by the recorder, on its queue.
  fileprivate(set) var film: LiveFilm?

  /// A ticket for a movie that is not begun yet.
  init(recorder: LiveRecorder) { self.recorder = recorder }

  /// Notes what has become of the photo; the first note counts.
  func note(_ photo: LiveFilm.Photo, holding token: (any AnyObject & Sendable)?) {
    recorder.note(photo, of: self, holding: token)
  }
}
