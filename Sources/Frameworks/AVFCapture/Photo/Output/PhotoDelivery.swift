internal import AVFCore
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import Linux
package import Dispatch
package import PhotoProcessing

/// The conversation with one photo's delegate: each step once, in order, and exactly one end.
///
/// A bracket is one conversation with several pictures: the end comes with the last of them.
///
/// Steps may be reported on any thread; the delegate is called on the output's callback queue. What is reported after the end
/// is ignored, so that a late frame and a disconnect may race. Keeps the delegate, and what makes a manual clock wait,
/// until the last callback has returned.
package final class PhotoDelivery: PhotoReceiver, @unchecked Sendable {
  // Safe because what changes is under `state`.

  private enum Step: Int {
    case waiting, begun, exposing, exposed, finished
  }

  private struct State {
    var step = Step.waiting
    /// Pictures that were reported, and the first error among them.
    var reported = 0
    var error: (any Error)?
    var inFlight: (any AnyObject & Sendable)?
    /// The file of its movie, and the way to it while it is not finished.
    var filmURL: URL?
    var film: LiveFilmTicket?
    /// When the first of its pictures was exposed.
    var exposed: CMTime?
    /// The settings of the photo, as its last picture had them.
    var settings: AVCaptureResolvedPhotoSettings?
  }

  package let resolved: AVCaptureResolvedPhotoSettings
  /// The client's own settings of a bracket, one for each picture; empty for other photos.
  private let bracket: [AVCaptureBracketedStillImageSettings]
  private let output: AVCapturePhotoOutput
  private let delegate: any AVCapturePhotoCaptureDelegate
  private let queue: DispatchQueue
  /// Where the frames of proxies are.
  private let store: DeferredPhotoStore?
  private let state = Locked(State())

  /// A conversation about the photo that `resolved` describes, on the serial `queue`.
  package init(
    output: AVCapturePhotoOutput, resolved: AVCaptureResolvedPhotoSettings,
    bracket: [AVCaptureBracketedStillImageSettings] = [], delegate: any AVCapturePhotoCaptureDelegate,
    queue: DispatchQueue, store: DeferredPhotoStore? = nil
  ) {
    self.output = output
    self.resolved = resolved
    self.bracket = bracket
    self.delegate = delegate
    self.queue = queue
    self.store = store
  }

  /// Whether the end has been reported.
  package var isFinished: Bool {
    state.withLock { $0.step == .finished }
  }

  /// Reports that the photo is under way.
  package func begin() {
    report(.begun) { $0.photoOutput($1, willBeginCaptureFor: $2) }
  }

  /// Reports that the exposure begins.
  package func beginExposure() {
    report(.exposing) { $0.photoOutput($1, willCapturePhotoFor: $2) }
  }

  /// Reports that the exposure is over; `inFlight` is kept until the end.
  package func endExposure(inFlight: (any AnyObject & Sendable)?) {
    let old = state.withLock { state -> (any AnyObject & Sendable)? in
      guard state.step != .finished else { return nil }
      defer { state.inFlight = inFlight }
      return state.inFlight
    }
    withExtendedLifetime(old) {}
    tellExposed()
  }

  private func tellExposed() {
    report(.exposed) { $0.photoOutput($1, didCapturePhotoFor: $2) }
  }

  /// How many results each exposure of a bracket has.
  private var resultsEach: Int { max(resolved.expectedPhotoCount / max(bracket.count, 1), 1) }

  package func finish(_ index: Int, _ result: PhotoResult, error: (any Error)?) {
    var result = result
    if error != nil { result.timestamp = .invalid }
    let (film, exposed, token) = state.withLock { state in
      if error == nil { state.exposed = state.exposed ?? result.timestamp }
      let isLast = index == resolved.expectedPhotoCount - 1
      return isLast ? (state.film, state.exposed, state.inFlight) : (nil, nil, nil)
    }
    // After the photo, whose calls come first where both are done: a raw picture and the one beside it are one photo.
    defer { if let film { tell(film, exposed, error: error, holding: token) } }
    if let identifier = result.proxyIdentifier, error == nil {
      return finish(
        AVCaptureDeferredPhotoProxy(result, identifier: identifier, resolvedSettings: resolved))
    }
    let photo = AVCapturePhoto(
      result, resolvedSettings: store == nil ? resolved : resolved.finishedAtOnce(), photoCount: index + 1,
      bracketSettings: bracket.isEmpty ? nil : bracket[index / resultsEach],
      sequenceCount: index / resultsEach + 1)
    finish(photo, error: error.map(output.explain))
  }

  /// Reports one picture's result, in the pictures' order: `photo` without pictures when there is an `error`.
  ///
  /// With the last of `expectedPhotoCount` comes the end, with the first of the errors. Steps that a failed photo did not reach
  /// are reported before: Apple calls all expected callbacks in the event of an error.
  package func finish(_ photo: AVCapturePhoto, error: (any Error)? = nil) {
    if error != nil {
      begin()
      beginExposure()
      tellExposed()
    }
    // Kept until the lock is left: the queue may be done with it by then, and a manual clock goes on when it goes.
    let kept = state.withLock { state -> (any AnyObject & Sendable)? in
      guard state.step != .finished, state.reported < resolved.expectedPhotoCount else { return nil }
      state.reported += 1
      state.error = state.error ?? error
      let isLast = state.reported >= resolved.expectedPhotoCount
      // A movie has its calls before the end.
      let isEnd = isLast && state.film == nil
      if isEnd { state.step = .finished }
      let first = state.error
      let token = isLast ? state.inFlight : nil
      if isLast { state.inFlight = nil }
      queue.carry { [self] in
        withExtendedLifetime(token) {
          let settings = hand(photo, error)
          self.state.withLock { $0.settings = settings }
          if isEnd { delegate.photoOutput(output, didFinishCaptureFor: settings, error: first) }
        }
      }
      return token
    }
    withExtendedLifetime(kept) {}
  }

  /// Calls the delegate with a picture; what the photo has become.
  private func hand(_ photo: AVCapturePhoto, _ error: (any Error)?) -> AVCaptureResolvedPhotoSettings {
    guard let proxy = photo as? AVCaptureDeferredPhotoProxy, let store else {
      delegate.photoOutput(output, didFinishProcessingPhoto: photo, error: error)
      return photo.resolvedSettings
    }
    delegate.photoOutput(output, didFinishCapturingDeferredPhotoProxy: proxy, error: nil)
    guard proxy.wasPassedOver else { return resolved }
    ProxylessDelegates.note(delegate)
    ProgrammingMistake.report(
      rule: """
        With isAutoDeferredPhotoDeliveryEnabled the delegate must implement \
        photoOutput(_:didFinishCapturingDeferredPhotoProxy:error:); the photo was finished at once.
        """)
    let settings = resolved.finishedAtOnce()
    do {
      let photo = AVCapturePhoto(try store.result(proxy.identifier), resolvedSettings: settings)
      try store.discard(proxy.identifier)
      delegate.photoOutput(output, didFinishProcessingPhoto: photo, error: nil)
    } catch {
      // The proxy is less than the photo, and more than nothing.
      let photo = AVCapturePhoto(proxy.result, resolvedSettings: settings)
      delegate.photoOutput(output, didFinishProcessingPhoto: photo, error: AVError(photoFailure: error))
    }
    return settings
  }

  // MARK: The movie

  /// Waits for a movie before the end; before the photo or the movie has begun.
  func follow(_ film: LiveFilmTicket, to url: URL) {
    state.withLock { state in
      state.filmURL = url
      state.film = film
    }
  }

  /// Reports that there is no movie, for a press that is refused.
  func lackFilm(at url: URL, because error: AVError) {
    begin()
    reportRecorded(url, holding: nil)
    queue.carry { [self] in
      delegate.photoOutput(
        output, didFinishProcessingLivePhotoToMovieFileAt: url, duration: .invalid,
        photoDisplayTime: .invalid,
        resolvedSettings: resolved, error: error)
    }
  }

  /// Says to the movie what has become of its photo: when it was `exposed`, or that none of its pictures was.
  private func tell(
    _ film: LiveFilmTicket, _ exposed: CMTime?, error: (any Error)?,
    holding token: (any AnyObject & Sendable)?
  ) {
    if exposed == nil, let error {
      film.note(.failed(output.explain(error)), holding: token)
    } else {
      let time = exposed.flatMap { $0.isNumeric ? $0.convertScale(1_000_000_000, method: .default) : nil }
      film.note(.taken(time?.value), holding: token)
    }
  }

  /// Takes a report of the movie.
  func take(_ event: LiveFilm.Event, holding token: (any AnyObject & Sendable)?) {
    guard let url = state.withLock({ $0.filmURL }) else { return }
    // The photo may still wait for its turn.
    begin()
    switch event {
    case .recorded: reportRecorded(url, holding: token)
    case .finished(let duration, let photo): end(url, duration, photo, error: nil, holding: token)
    case .failed(let error): end(url, .invalid, .invalid, error: error, holding: token)
    }
  }

  private func reportRecorded(_ url: URL, holding token: (any AnyObject & Sendable)?) {
    queue.carry { [self] in
      withExtendedLifetime(token) {
        delegate.photoOutput(
          output, didFinishRecordingLivePhotoMovieForEventualFileAt: url, resolvedSettings: present)
      }
    }
  }

  /// Reports the end of the movie, and of the photo where all of that has been reported.
  private func end(
    _ url: URL, _ duration: CMTime, _ photo: CMTime, error: AVError?,
    holding token: (any AnyObject & Sendable)?
  ) {
    let film = state.withLock { state -> LiveFilmTicket? in
      let film = state.film.take()
      let isEnd = state.step != .finished && state.reported >= resolved.expectedPhotoCount
      if isEnd { state.step = .finished }
      let first = state.error
      queue.carry { [self] in
        withExtendedLifetime(token) {
          delegate.photoOutput(
            output, didFinishProcessingLivePhotoToMovieFileAt: url, duration: duration,
            photoDisplayTime: photo,
            resolvedSettings: present, error: error)
          if isEnd { delegate.photoOutput(output, didFinishCaptureFor: present, error: first) }
        }
      }
      return film
    }
    withExtendedLifetime(film) {}
  }

  /// The settings as the newest picture had them.
  private var present: AVCaptureResolvedPhotoSettings { state.withLock { $0.settings } ?? resolved }

  private func report(
    _ step: Step,
    _ call:
      @escaping @Sendable (
        any AVCapturePhotoCaptureDelegate, AVCapturePhotoOutput, AVCaptureResolvedPhotoSettings
      ) -> Void
  ) {
    // Enqueued under the lock, so that two threads cannot swap two steps.
    state.withLock { state in
      guard step.rawValue > state.step.rawValue else { return }
      state.step = step
      queue.carry { [self] in call(delegate, output, resolved) }
    }
  }
}
