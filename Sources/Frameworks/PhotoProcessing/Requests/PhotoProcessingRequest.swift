package import CameraFrames
package import CaptureDevice
package import Foundation
internal import FoundationExtras
package import Linux
package import ImageIO
package import PixelTransforms

/// A request to process a picture's frames: the second half of a checked request, a plain value.
///
/// Holds everything that later stages need beside the frames, so that a stored one can be finished later, by another process too.
package struct PhotoProcessingRequest: Sendable, Codable {
  /// `AVCapturePhotoSettings.uniqueID`.
  package var uniqueID: Int64
  package var encoding: PhotoEncoding
  package var preview: PhotoPreviewRequest?
  package var thumbnail: PhotoThumbnailRequest?
  /// How many times the picture is enlarged about its middle, at its size.
  package var enlargement: Double
  /// The shape that the picture is cut to afterwards, as ``PhotoShape``; `nil` leaves its own.
  package var shape: PhotoShape?
  package var prioritization: PhotoPrioritization
  package var camera: PhotoCamera
  /// When the client wanted the flash to fire.
  package var flash: FlashMode
  /// How the picture was to be exposed, in a bracket.
  package var exposure: StillExposure?
  /// The facts of the picture's frame; `nil` before it is chosen.
  package var frame: PhotoFrameFacts?
  /// The metadata that the client wants in the file.
  package var clientMetadata: PhotoMetadata
  /// The request for the raw picture; `nil` for a photo without.
  package var raw: RawPhotoRequest?
  /// Whose proxy is to be made instead of the photo; `nil` for the photo itself.
  package var proxyIdentifier: String?
  private var orientationCode: UInt32
  /// The turn of the pixels, and the orientation without it; `nil` for none, and for frames that an older version stored.
  private var turnDegrees: Int?
  private var sensorOrientationCode: UInt32?

  package init(
    uniqueID: Int64, encoding: PhotoEncoding, preview: PhotoPreviewRequest? = nil,
    thumbnail: PhotoThumbnailRequest? = nil, orientation: CGImagePropertyOrientation = .up,
    turn: (by: QuarterTurn, from: CGImagePropertyOrientation)? = nil, enlargement: Double = 1,
    shape: PhotoShape? = nil, prioritization: PhotoPrioritization = .balanced,
    camera: PhotoCamera,
    flash: FlashMode = .off, exposure: StillExposure? = nil,
    clientMetadata: PhotoMetadata = PhotoMetadata()
  ) {
    self.uniqueID = uniqueID
    self.encoding = encoding
    self.preview = preview
    self.thumbnail = thumbnail
    self.enlargement = enlargement
    self.shape = shape
    self.prioritization = prioritization
    self.camera = camera
    self.flash = flash
    self.exposure = exposure
    self.clientMetadata = clientMetadata
    orientationCode = orientation.rawValue
    turnDegrees = turn?.by.rawValue
    sensorOrientationCode = turn?.from.rawValue
  }

  /// The request for the proxy of the photo whose frames are stored under `identifier`: smaller, and made as fast as can be.
  package func proxy(_ identifier: String) -> PhotoProcessingRequest {
    var proxy = self
    proxy.proxyIdentifier = identifier
    proxy.prioritization = .speed
    return proxy
  }

  /// The turn of the finished picture's pixels against the sensor's, whose raw picture stays as it is.
  package var turn: QuarterTurn { turnDegrees.flatMap { QuarterTurn(degrees: $0) } ?? .none }

  /// The same for the raw picture, which lies as the sensor.
  package var unturned: PhotoProcessingRequest {
    var unturned = self
    unturned.orientationCode = sensorOrientationCode ?? orientationCode
    (unturned.turnDegrees, unturned.sensorOrientationCode) = (nil, nil)
    return unturned
  }

  /// The size of the finished picture of a still: cut, and turned.
  package func pictureSize(of still: FrameSize) -> FrameSize {
    let cut = shape?.size(in: still) ?? still
    return turn.isTransposing ? FrameSize(width: cut.height, height: cut.width) : cut
  }

  /// How the finished picture must be turned to stand upright.
  package var orientation: CGImagePropertyOrientation {
    CGImagePropertyOrientation(rawValue: orientationCode) ?? .up
  }
}

/// The facts of a camera that go into a photo's file.
package struct PhotoCamera: Sendable, Hashable, Codable {
  package var make: String
  package var model: String
  package var lenses: CameraLenses
  /// Whether the device decides the exposure on its own.
  package var isExposureAutomatic = true
  /// Whether there is a flash at all.
  package var hasFlash = false
  /// Whether exposure can be biased.
  package var hasBias = false
  /// `AVCaptureDevice.DeviceType`'s raw value; `nil` where nothing is known.
  package var type: String?
  /// The same of the cameras under a virtual one, by unique identifier.
  package var constituentTypes: [String: String] = [:]

  package init(make: String, model: String, lenses: CameraLenses = CameraLenses()) {
    self.make = make
    self.model = model
    self.lenses = lenses
  }

  /// The type of the camera that took a frame, as ``type``: of a virtual camera, the camera under it whose lens was in use.
  package func deviceType(for controls: ControlState?) -> String? {
    controls?.constituent.flatMap { constituentTypes[$0] } ?? type
  }
}

/// The facts of a photo's frame beside the picture: time, sequence number and controls.
package struct PhotoFrameFacts: Sendable, Hashable, Codable {
  /// As ``CapturedFrame/timestamp``.
  package var timestamp: MonotonicInstant
  /// As ``CapturedFrame/sequence``.
  package var sequence: UInt32
  /// The values of the camera's controls.
  package var controls: ControlState
  /// The wall clock's time at ``timestamp``.
  package var date: Date
  /// The time zone of the machine then.
  package var timeZone: TimeZone

  /// Reads the facts of `frame`, with the wall clock and the time zone of now.
  ///
  /// A frame of a manual clock (it has `inFlight`) is dated from the start of 2001, Greenwich time: that clock has no wall,
  /// and the same run shall give the same bytes on every day.
  ///
  /// - Parameter time: The time of the world in which the frame was captured.
  package init(_ frame: CapturedFrame, time: WorldTime = .current) {
    timestamp = frame.timestamp
    sequence = frame.sequence
    controls = frame.conditions.state
    let isSimulated = time.isSimulated || frame.inFlight != nil
    date =
      isSimulated
      ? Date(timeIntervalSinceReferenceDate: Double(timestamp.nanoseconds) / 1_000_000_000)
      : time.date(of: timestamp)
    timeZone = isSimulated ? .gmt : .current
  }
}

/// Properties of a picture in ImageIO's dictionaries.
package struct PhotoMetadata: @unchecked Sendable {
  // Safe because the values are property-list values and are not changed after they were put in.
  package var properties: [String: Any]

  package init(_ properties: [String: Any] = [:]) {
    self.properties = properties
  }

  /// A key that a picture's properties cannot have; `nil` when there is none.
  package var strangeKey: String? {
    properties.keys.filter { !ImageProperties.keys.contains($0) && $0 != FrameKeys.sequenceNumber }
      .min()
  }

  /// These properties with `other`'s over them, dictionary by dictionary.
  package func merging(_ other: PhotoMetadata) -> PhotoMetadata {
    PhotoMetadata(
      properties.merging(other.properties) { own, given in
        guard let own = own as? [String: Any], let given = given as? [String: Any] else { return given }
        return own.merging(given) { _, given in given }
      })
  }
}

extension PhotoMetadata: Codable {
  // As a binary property list, which keeps the kinds of numbers, data and dates apart.

  package init(from decoder: any Decoder) throws {
    let list = try decoder.singleValueContainer().decode(Data.self)
    let properties = try PropertyListSerialization.propertyList(from: list, format: nil)
    self.init(properties as? [String: Any] ?? [:])
  }

  /// - Throws: `EncodingError` for values that are no property-list values.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard PropertyListSerialization.propertyList(properties, isValidFor: .binary) else {
      throw EncodingError.invalidValue(
        properties,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription:
            "A photo's metadata can be stored only if all its values are property-list values."))
    }
    try container.encode(
      PropertyListSerialization.data(fromPropertyList: properties, format: .binary, options: 0))
  }
}
