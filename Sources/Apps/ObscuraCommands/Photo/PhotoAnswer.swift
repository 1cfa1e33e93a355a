internal import AVFCapture
internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation
internal import Linux
internal import PhotoProcessing

/// The JSON object of `obscura photo --json` for one photo.
///
/// The camera's settings are those of the photo's own frame; what the camera lacks, or does not report, is left out.
struct PhotoAnswer: Encodable, Sendable {
  struct Gains: Encodable, Sendable {
    var red: Float
    var green: Float
    var blue: Float
  }

  struct Size: Encodable, Sendable {
    var width: Int
    var height: Int
  }

  /// The times of the photo's stages, in seconds after the press.
  struct Stages: Encodable, Sendable {
    /// On `CLOCK_MONOTONIC`.
    var pressed: Double
    var frameChosen: Double?
    var captured: Double?
    var processed: Double?
    var encoded: Double?
    var delivered: Double

    init(_ times: PhotoStageTimes, delivered: MonotonicInstant) {
      func seconds(_ time: MonotonicInstant) -> Double {
        Double(time.nanoseconds - times.pressed.nanoseconds) / 1e9
      }
      pressed = Double(times.pressed.nanoseconds) / 1e9
      frameChosen = times.chosen.map(seconds)
      captured = times.captured.map(seconds)
      processed = times.processed.map(seconds)
      encoded = times.encoded.map(seconds)
      self.delivered = seconds(delivered)
    }
  }

  var schema = "obscura.photo"
  var version = 1
  var path: String
  /// The path of the raw picture beside it.
  var raw: String?
  /// The path of a Live Photo's movie.
  var movie: String?
  /// The size of the depth map inside.
  var depth: Size?
  var width: Int32
  var height: Int32
  var bytes: Int
  var format: String
  var device: String
  var sequence: UInt32?
  var timestamp: Double
  var exposureSeconds: Double?
  var iso: Float?
  var exposureBias: Float?
  var zoom: Double?
  var lensPosition: Float?
  var whiteBalanceGains: Gains?
  /// Kelvin.
  var temperature: Float?
  var flashFired: Bool?
  /// Whether quality was lowered to keep up with the presses.
  var isFastCapture: Bool
  var stages: Stages?
  /// The place in the schedule of `--interval`: it was pressed at the first press + slot × interval.
  var slot: Int?
  /// The slots since the photo before that were left out.
  var missedSlots: [Int]?

  init(
    _ photo: AVCapturePhoto, path: String, bytes: Int, format: PhotoPlan.Format, camera: AVCaptureDevice
  ) {
    self.path = path
    self.bytes = bytes
    self.format = format.rawValue
    let size =
      photo.isRawPhoto ? photo.resolvedSettings.rawPhotoDimensions : photo.resolvedSettings.photoDimensions
    (width, height) = (size.width, size.height)
    device = camera.uniqueID
    sequence = photo.frameSequenceNumber
    timestamp = photo.timestamp.seconds
    isFastCapture = photo.resolvedSettings.isFastCapturePrioritizationEnabled
    guard let controls = photo.controls else { return }
    let capabilities = camera.facts.capabilities
    exposureSeconds = controls.exposure.durationNanoseconds.map { Double($0) / 1e9 }
    iso = controls.exposure.iso
    if capabilities.exposureBias != nil { exposureBias = controls.exposureBias }
    if camera.activeFormat.videoMaxZoomFactor > 1 { zoom = controls.zoom }
    if capabilities.hasLensPosition { lensPosition = controls.lensPosition }
    if capabilities.whiteBalanceGains != nil {
      let gains = controls.whiteBalanceGains
      whiteBalanceGains = Gains(red: gains.red, green: gains.green, blue: gains.blue)
      let most = camera.maxWhiteBalanceGain
      if [gains.red, gains.green, gains.blue].allSatisfy({ $0 >= 1 && $0 <= most }) {
        temperature =
          camera.temperatureAndTintValues(
            for: .init(redGain: gains.red, greenGain: gains.green, blueGain: gains.blue)
          ).temperature
      }
    }
    if !capabilities.flashModes.isEmpty { flashFired = controls.isFlashed }
  }

  /// The camera's settings for the photo, in a line for people; `nil` when nothing is known.
  var detail: String? {
    var parts: [String] = []
    if let exposureSeconds { parts.append(Figures.exposureText(exposureSeconds)) }
    if let iso { parts.append("ISO \(Figures.text(Double(iso.rounded())))") }
    if let zoom, zoom != 1 { parts.append("zoom \(Figures.text(zoom))") }
    if let lensPosition { parts.append("lens at \(Figures.text(Double(lensPosition)))") }
    if let temperature { parts.append("\(Figures.text(Double(temperature.rounded()))) K") }
    if let flashFired { parts.append(flashFired ? "flash" : "no flash") }
    return parts.isEmpty ? nil : "\(path): \(parts.joined(separator: ", "))"
  }
}
