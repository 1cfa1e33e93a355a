internal import AVFoundation
internal import Foundation

/// What `obscura photo` was asked for, checked before any device is opened.
struct PhotoRequest: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case jpeg, heic, png

    /// The format that a file's extension names, or `nil`.
    init?(fileExtension: String) {
      switch fileExtension.lowercased() {
      case "jpg", "jpeg": self = .jpeg
      case "heic", "heif": self = .heic
      case "png": self = .png
      default: return nil
      }
    }

    var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
  }

  enum Quality: String, CaseIterable, Sendable {
    case speed, balanced, quality

    var prioritization: AVCapturePhotoOutput.QualityPrioritization {
      switch self {
      case .speed: .speed
      case .balanced: .balanced
      case .quality: .quality
      }
    }
  }

  enum Preset: String, CaseIterable, Sendable {
    case photo, high, medium, low
    case uhd = "4k"
    case fullHD = "1080p"
    case hd = "720p"
    case vga, cif

    var preset: AVCaptureSession.Preset {
      switch self {
      case .photo: .photo
      case .high: .high
      case .medium: .medium
      case .low: .low
      case .uhd: .hd4K3840x2160
      case .fullHD: .hd1920x1080
      case .hd: .hd1280x720
      case .vga: .vga640x480
      case .cif: .cif352x288
      }
    }
  }

  /// `nil` is standard output.
  var file: PictureFile?
  var format: Format
  var preset: Preset
  var timerSeconds: Double
  var count: Int
  var intervalSeconds: Double
  var quality: Quality
  var isImmediate: Bool
  /// Whether a frame from before the press will do.
  var takesPast: Bool
  var controls: PhotoControls

  /// Reads the options.
  /// - Throws: ``CommandError`` with ``ExitCode/usage``.
  init(_ arguments: Arguments, environment: [String: String]) throws {
    var arguments = arguments
    controls = try PhotoControls(&arguments)
    guard arguments.operands.isEmpty else {
      throw CommandError(.usage, "'\(arguments.operands[0])' is one word too many; name the file with -o.")
    }
    let path = arguments["output"]
    let named = path.flatMap { Format(fileExtension: URL(fileURLWithPath: $0).pathExtension) }
    format = try arguments.choice("format", of: Format.self) ?? named ?? .jpeg
    preset = try arguments.choice("preset", of: Preset.self) ?? .photo
    timerSeconds = try arguments.seconds("timer") ?? 0
    count = try arguments.wholeNumber("count", in: 1...1_000_000) ?? 1
    intervalSeconds = try arguments.seconds("interval") ?? 0
    quality = try arguments.choice("quality", of: Quality.self) ?? .balanced
    isImmediate = arguments.has("immediate")
    takesPast = !arguments.has("no-zsl")
    switch path {
    case "-":
      guard !arguments.has("json") else {
        throw CommandError(.usage, "-o - and --json both want standard output; choose one.")
      }
      file = nil
    case let path?:
      file = .named(path, overwrites: arguments.has("force"))
    case nil:
      file = .inLibrary(fileExtension: format.fileExtension, environment: environment)
    }
  }

  /// Settings for one photo; each photo needs its own.
  /// - Throws: ``CommandError`` with ``ExitCode/formatNotSupported`` when this output cannot write the format.
  func settings(for output: AVCapturePhotoOutput) throws -> AVCapturePhotoSettings {
    let settings: AVCapturePhotoSettings
    switch format {
    case .jpeg, .heic:
      let codec: AVVideoCodecType = format == .jpeg ? .jpeg : .hevc
      guard output.availablePhotoCodecTypes.contains(codec) else {
        throw CommandError(
          .formatNotSupported,
          "This camera's photos cannot be written as \(format.rawValue); try --format jpeg.")
      }
      settings = AVCapturePhotoSettings(format: [AVVideoCodecKey: codec])
    case .png:
      let pixelFormat = kCVPixelFormatType_32BGRA
      guard output.availablePhotoPixelFormatTypes.contains(pixelFormat) else {
        throw CommandError(
          .formatNotSupported, "This camera's photos cannot be had uncompressed for png; try --format jpeg.")
      }
      settings = AVCapturePhotoSettings(format: [kCVPixelBufferPixelFormatTypeKey as String: pixelFormat])
    }
    settings.maxPhotoDimensions = output.maxPhotoDimensions
    settings.photoQualityPrioritization = quality.prioritization
    if let flash = controls.flash { settings.flashMode = flash.mode }
    return settings
  }
}
