internal import CLiteRT
internal import Foundation
internal import Linux

/// The folder of the library that runs models, and of the models beside it.
///
/// Neither is needed to build or to capture: `scripts/setup --models` fetches both, and without them nothing here is offered.
package struct ModelFolder: Sendable, Hashable {
  /// The folder.
  package var path: String

  /// A folder that may be empty, or not exist.
  package init(path: String) {
    self.path = path
  }

  /// The folder of this user: `OBSCURA_MODELS`, or `obscura/models` among the user's caches.
  ///
  /// - Parameter environment: The variables to ask: `OBSCURA_MODELS`, `XDG_CACHE_HOME` and `HOME`.
  package init(environment: [String: String]) {
    let folders = UserFolders(environment)
    path = folders.named("OBSCURA_MODELS") ?? folders.caches("obscura/models")
  }

  /// The folder of this process's environment.
  package static let current = ModelFolder(environment: ProcessInfo.processInfo.environment)

  /// The models that serve here, by MediaPipe's names for their files.
  enum File: String, CaseIterable {
    case faces = "face_detection_full_range_sparse.tflite"
    case people = "pose_detection.tflite"
    case bodies = "pose_landmark_full.tflite"
    case palms = "palm_detection_full.tflite"
    case hands = "hand_landmark_full.tflite"
    case segmentation = "selfie_segmentation.tflite"
    case wideSegmentation = "selfie_segmentation_landscape.tflite"
  }

  /// A subject that the models of a folder find in pictures.
  package enum Subject: String, Sendable, Hashable, CaseIterable {
    case faces
    case bodies
    case hands
    /// The people of a picture, pixel by pixel: ``PersonSegmenter``.
    case segmentation

    /// What is impossible without its models, as the beginning of a sentence.
    fileprivate var purpose: String {
      switch self {
      case .faces, .hands: "\(rawValue.capitalized) cannot be found in pictures"
      case .bodies: "People cannot be found in pictures"
      case .segmentation: "People cannot be told from the background"
      }
    }

    var files: [File] {
      switch self {
      case .faces: [.faces]
      case .bodies: [.people, .bodies]
      case .hands: [.palms, .hands]
      case .segmentation: [.segmentation, .wideSegmentation]
      }
    }
  }

  func path(_ file: File) -> String { "\(path)/\(file.rawValue)" }

  /// The reason why a subject cannot be found here, in one sentence; `nil` when it can.
  ///
  /// Opens the library once (a few milliseconds), and checks that the models' files can be read.
  package func obstacle(to subject: Subject) -> ModelError? {
    if let missing = subject.files.first(where: { access(path($0), R_OK) != 0 }) {
      return ModelError(
        "\(subject.purpose), because there is no \(missing.rawValue) in \(path); "
          + "run 'scripts/setup --models'.")
    }
    do {
      _ = try ModelRuntime.opened(in: self)
      return nil
    } catch {
      return error
    }
  }
}

/// An error of using a model; one sentence with the reason and the remedy.
package struct ModelError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// The opened library; one for each path, for as long as the process runs.
struct ModelRuntime: @unchecked Sendable {  // Safe: any thread may call the library, one at a time a model.
  let pointer: OpaquePointer

  private static let opened = Locked<[String: Result<ModelRuntime, ModelError>]>([:])

  /// The runtime of a folder, opened where it was not.
  static func opened(in folder: ModelFolder) throws(ModelError) -> ModelRuntime {
    let path = folder.path + "/libLiteRt.so"
    return try opened.withLock { opened in
      if let known = opened[path] { return known }
      let result = open(path)
      opened[path] = result
      return result
    }.get()
  }

  private static func open(_ path: String) -> Result<ModelRuntime, ModelError> {
    var reason = [CChar](repeating: 0, count: 300)
    guard let pointer = cam_runtime_open(path, &reason, reason.count) else {
      return .failure(
        ModelError(
          "LiteRT \(String(cString: cam_runtime_version())) cannot be used (\(text(reason))); "
            + "run 'scripts/setup --models' to fetch it anew."))
    }
    return .success(ModelRuntime(pointer: pointer))
  }

  static func text(_ reason: [CChar]) -> String {
    String(decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
