import Foundation

/// The user's choices that the program remembers from one start to the next.
package struct Settings: Sendable, Equatable, Codable {
  /// The colour scheme: the desktop's, or always light or dark.
  package enum Appearance: String, Sendable, Codable, CaseIterable { case system, light, dark }

  /// The division of the picture by the grid's lines.
  package enum Guide: String, Sendable, Codable, CaseIterable { case thirds, golden, middle, diagonals }

  /// A window as it was when the program ended.
  package struct Window: Sendable, Equatable, Codable {
    package var width = 940
    package var height = 760
    package var isMaximized = false

    /// A window of the usual size.
    package init() {}
  }

  /// The mode of the last time.
  package var mode = CameraMode.photo
  package var window = Window()
  /// A photo of the best quality is shown at once and finished when the camera is closed.
  package var deferredProcessing = true
  /// A photo shows what the viewfinder showed at the press.
  package var zeroShutterLag = true
  /// The next photo may begin while the last is made.
  package var responsiveCapture = true
  /// When presses come fast, quality gives way.
  package var fastCapture = true
  /// Photos come with a short movie of the moments around them.
  package var takesLivePhotos = false
  /// What the sensor counted comes beside photos.
  package var takesRaw = false
  /// Photos hold a depth map of their moment.
  package var takesDepth = false
  package var format = PhotoFormat.jpeg
  package var quality = PhotoQuality.quality
  package var flash = FlashChoice.off
  package var timer = TimerChoice.off
  package var filter = PhotoFilter.none
  package var aspect = PhotoAspect.sensor
  /// The interval between the pictures of a video.
  package var pace = VideoPace.live
  package var playsSound = true
  package var showsGrid = false
  package var guide = Guide.thirds
  /// Whether front cameras look like a mirror; what is stored is never mirrored.
  package var mirrorsFront = true
  package var showsFigures = false
  package var appearance = Appearance.system
  /// The folder where photos go as plain files; `nil` is the photo library.
  package var folder: String?
  package var camera: String?
  /// Whether other programs can use the picture as a camera.
  package var offersVirtualCamera = false
  /// Whether videos have audio.
  package var usesMicrophone = true
  /// The chosen microphone; `nil` is the machine's own.
  package var microphone: String?

  /// The settings before the user has chosen.
  package init() {}

  /// Reads what is there, and takes the usual for what is missing or unknown: settings of another version are not lost.
  package init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    func read<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) {
      if let read = try? box.decode(Value.self, forKey: key) { value = read }
    }
    read(.mode, &mode)
    read(.window, &window)
    read(.deferredProcessing, &deferredProcessing)
    read(.usesMicrophone, &usesMicrophone)
    read(.zeroShutterLag, &zeroShutterLag)
    read(.responsiveCapture, &responsiveCapture)
    read(.fastCapture, &fastCapture)
    read(.takesLivePhotos, &takesLivePhotos)
    read(.takesRaw, &takesRaw)
    read(.takesDepth, &takesDepth)
    read(.format, &format)
    read(.quality, &quality)
    read(.flash, &flash)
    read(.timer, &timer)
    read(.filter, &filter)
    read(.aspect, &aspect)
    read(.pace, &pace)
    read(.playsSound, &playsSound)
    read(.showsGrid, &showsGrid)
    read(.guide, &guide)
    read(.mirrorsFront, &mirrorsFront)
    read(.showsFigures, &showsFigures)
    read(.appearance, &appearance)
    read(.offersVirtualCamera, &offersVirtualCamera)
    folder = try? box.decodeIfPresent(String.self, forKey: .folder)
    microphone = try? box.decodeIfPresent(String.self, forKey: .microphone)
    camera = try? box.decodeIfPresent(String.self, forKey: .camera)
  }
}
