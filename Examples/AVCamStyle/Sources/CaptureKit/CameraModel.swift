import AVFoundation
import Observation

/// What a camera's screen shows, on the main actor.
@MainActor @Observable
public final class CameraModel {
  /// The service's state.
  public private(set) var state = CaptureService.State()
  /// The newest photo's file.
  public private(set) var photo: Data?
  /// The newest movie.
  public private(set) var movie: URL?
  /// What went wrong last, for people.
  public private(set) var message: String?

  private let service = CaptureService()
  private let folder: URL
  private var following: Task<Void, Never>?

  /// A model that keeps its movies in a folder.
  public init(folder: URL = FileManager.default.temporaryDirectory) {
    self.folder = folder
  }

  /// Starts the camera, and follows its state until `stop()`.
  public func start() async {
    following =
      following
      ?? Task { [weak self, states = service.states] in
        for await state in states { self?.state = state }
      }
    await attempt { try await $0.start() }
  }

  /// Stops the camera.
  public func stop() async {
    await service.stop()
    following?.cancel()
    following = nil
    state = CaptureService.State()
  }

  /// Takes a photo.
  public func takePhoto() async {
    await attempt { self.photo = try await $0.capturePhoto() }
  }

  /// Begins a movie, or ends the one that is recorded.
  public func toggleRecording() async {
    if state.isRecording {
      await attempt { self.movie = try await $0.stopRecording() }
    } else {
      let url = folder.appendingPathComponent("\(UUID().uuidString).mov")
      await attempt { try await $0.startRecording(to: url) }
    }
  }

  /// Goes to the next camera.
  public func switchCamera() async {
    await attempt { try await $0.selectNextCamera() }
  }

  /// Zooms, within what the camera has.
  public func zoom(to factor: Double) async {
    await attempt { try await $0.zoom(to: factor) }
  }

  private func attempt(_ body: (CaptureService) async throws -> Void) async {
    do {
      message = nil
      try await body(service)
    } catch {
      message = "\(error)"
    }
  }
}
