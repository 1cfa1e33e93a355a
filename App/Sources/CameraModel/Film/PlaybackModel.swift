import AVFoundation

/// The playback state of the video in the viewer.
package struct PlaybackState: Sendable, Equatable {
  package var isPlaying = false
  package var seconds = 0.0
  package var duration = 0.0
  /// The reason why the video cannot be played, a sentence; `nil` while it can.
  package var failure: String?
}

/// Plays one video in the viewer.
@MainActor
package final class PlaybackModel {
  package let state = Observed(PlaybackState())
  /// Plays the video, for the layer that shows it.
  package let player: AVPlayer
  private let item: AVPlayerItem
  private var observer: Any?
  private var end: (any NSObjectProtocol)?

  /// A video that stands at its beginning.
  package init(_ url: URL) {
    item = AVPlayerItem(url: url)
    player = AVPlayer(playerItem: item)
    player.actionAtItemEnd = .pause
    observer = player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 10), queue: .main) {
      [weak self] time in
      MainActor.assumeIsolated { self?.note(time.seconds) }
    }
    end = NotificationCenter.default.addObserver(
      forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
    ) { [weak self] _ in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.state.value.isPlaying = false } }
    }
    let asset = item.asset
    Task { [weak self] in
      do {
        let duration = try await asset.load(.duration).seconds
        self?.state.value.duration = duration
      } catch {
        self?.state.value.failure = error.localizedDescription
      }
    }
  }

  /// Ends it; the model is of no use afterwards.
  package func close() {
    player.pause()
    if let observer { player.removeTimeObserver(observer) }
    if let end { NotificationCenter.default.removeObserver(end) }
    observer = nil
    end = nil
    player.replaceCurrentItem(with: nil)
  }

  /// Plays, or stands still; at the end it begins again.
  package func togglePlay() {
    if state.value.isPlaying {
      player.pause()
    } else {
      if state.value.duration > 0, state.value.seconds >= state.value.duration - 0.05 { seek(to: 0) }
      player.play()
    }
    state.value.isPlaying.toggle()
  }

  /// Shows exactly the frame of a time.
  package func seek(to seconds: Double) {
    let time = min(max(seconds, 0), max(state.value.duration, 0))
    state.value.seconds = time
    player.seek(
      to: CMTime(seconds: time, preferredTimescale: 90_000), toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// Goes so many frames on, or back.
  package func step(by frames: Int) {
    if state.value.isPlaying { togglePlay() }
    item.step(byCount: frames)
    note(item.currentTime().seconds)
  }

  private func note(_ seconds: Double) {
    if seconds.isFinite { state.value.seconds = seconds }
  }
}
