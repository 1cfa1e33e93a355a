internal import AVFCore
internal import CaptureDevice
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import PhotoProcessing

extension AVCapturePhotoOutput {
  /// The photos that the output is prepared for, or prepares for: copies of what was set last; empty at first.
  ///
  /// Apple: `AVCapturePhotoOutput.preparedPhotoSettingsArray`.
  public var preparedPhotoSettingsArray: [AVCapturePhotoSettings] {
    preparation.settings.compactMap { $0.copy() as? AVCapturePhotoSettings }
  }

  /// Makes everything that photos like these need before the first of them is pressed.
  ///
  /// A rehearsal: the camera takes one still of each size that is asked for, and it goes through the same conversions and
  /// encoders as a photo, for each of the settings; the result is thrown away. What is slow the first time (the pools' memory,
  /// the encoders' tables and threads, a simulated camera's first full-size picture) is done then. No flash fires, and one
  /// exposure stands for a bracket's. The settings may be captured afterwards: preparing does not use them up.
  ///
  /// Returns at once. While the session does not run, or has no camera for the output, the rehearsal waits until it has; the
  /// settings stay, and are rehearsed again when the session starts or changes the way of the photos; with a deferred start
  /// (``AVCaptureOutput/isDeferredStartEnabled``) only when that runs. An empty array gives
  /// the pools' memory back.
  ///
  /// - Parameters:
  ///   - preparedPhotoSettingsArray: Settings as for `capturePhoto(with:delegate:)`.
  ///   - completionHandler: Called once, on the queue of the delegates' callbacks: with `true` when everything was rehearsed;
  ///     with `false` and no error at once when the settings are set anew before that; with `false` and the reason when a
  ///     photo with such settings would fail.
  ///
  /// Apple: `AVCapturePhotoOutput.setPreparedPhotoSettingsArray(_:completionHandler:)`.
  public func setPreparedPhotoSettingsArray(
    _ preparedPhotoSettingsArray: [AVCapturePhotoSettings],
    completionHandler: (@Sendable (_ prepared: Bool, _ error: (any Error)?) -> Void)? = nil
  ) {
    let copies = preparedPhotoSettingsArray.compactMap { $0.copy() as? AVCapturePhotoSettings }
    let former = preparation.begin(copies, completionHandler)
    if let former { callbackQueue.carry { former(false, nil) } }
    if copies.isEmpty { pipeline.forget() }
    rehearse()
  }

  /// As ``setPreparedPhotoSettingsArray(_:completionHandler:)``; returns when the handler would be called.
  ///
  /// - Returns: Whether everything was rehearsed; `false` when the settings were set anew before that.
  /// - Throws: ``AVError`` when a photo with such settings would fail.
  @discardableResult
  public func setPreparedPhotoSettingsArray(
    _ preparedPhotoSettingsArray: [AVCapturePhotoSettings]
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      setPreparedPhotoSettingsArray(preparedPhotoSettingsArray) { isPrepared, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: isPrepared)
        }
      }
    }
  }

  /// Notes that photos will take another way; they are rehearsed with the next frame.
  func rehearseAgain() {
    preparation.repeatRehearsal()
  }

  /// Rehearses with the next frame of a stream, if anything waits for that; on the reader thread, so it only enqueues.
  func rehearse(after frame: CapturedFrame) {
    guard preparation.isWaiting, !isHeldBack else { return }
    callbackQueue.carry { [weak self] in
      // A manual clock waits for the frame's token: the still is asked for before time moves on.
      withExtendedLifetime(frame.inFlight) { self?.rehearse() }
    }
  }

  private func rehearse() {
    // With a frame that comes after the deferred start.
    if isHeldBack { return }
    guard let (turn, settings) = preparation.take() else { return }
    var orders: [PhotoOrder] = []
    do throws(Refusal) {
      for wish in settings { orders.append(try resolve(wish)) }
    } catch {
      // Without a running camera nothing can be said of the settings yet.
      if stillSource == nil { return preparation.postpone(turn) }
      return finish(turn, with: error.error)
    }
    guard let source = orders.first?.source else { return finish(turn, with: nil) }
    pipeline.rehearse(
      orders.flatMap { order in
        // A photo that may be finished later may have to be finished at once, too.
        let requests =
          [order.processing] + (defers(order) ? [order.processing.proxy(PhotoProxy.newIdentifier())] : [])
        return requests.map { (order.capture.size, $0) }
      },
      with: source,
      completion: { [weak self] error, token in
        guard let self else { return }
        if let error = error as? CaptureDeviceError, error.code == .noFrames || error.code == .disconnected {
          // The stream ended; the next one is another chance.
          return preparation.postpone(turn)
        }
        finish(turn, with: error.map { AVError(photoFailure: $0) }, keeping: token)
      })
  }

  private func finish(_ turn: Int, with error: AVError?, keeping token: (any AnyObject & Sendable)? = nil) {
    guard let handler = preparation.finish(turn) else { return }
    callbackQueue.carry { withExtendedLifetime(token) { handler(error == nil, error) } }
  }
}
