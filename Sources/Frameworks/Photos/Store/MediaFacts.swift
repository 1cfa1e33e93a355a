internal import AVFCore
internal import CoreMedia
internal import Foundation
internal import FoundationExtras
internal import ImageIO
internal import StillCodecs

/// The facts of a media file that the catalogue keeps, as the file states them.
package struct MediaFacts: Sendable {
  var mediaType = PHAssetMediaType.unknown
  var typeIdentifier = "public.data"
  /// The size as shown.
  package var width = 0
  var height = 0
  var duration = 0.0
  var subtypes: PHAssetMediaSubtype = []
  var marks: AssetRow.Marks = []
  var created: Date?
  var location: AssetRow.Location?
  /// The name that the halves of a Live Photo share.
  var contentIdentifier: String?

  /// The extensions of videos and audio that are looked into; pictures are known by their content.
  private static let movieTypes = [
    "mov": "com.apple.quicktime-movie", "qt": "com.apple.quicktime-movie", "mp4": "public.mpeg-4",
    "m4v": "com.apple.m4v-video", "mkv": "org.matroska.mkv", "webm": "org.webmproject.webm",
    "avi": "public.avi", "m4a": "com.apple.m4a-audio", "wav": "com.microsoft.waveform-audio",
    "mp3": "public.mp3",
  ]
  /// The brands of files of pictures that are not read here, and lie in boxes as videos do: AVIF, and sequences of HEIF.
  private static let pictureBrands: Set = [
    "mif1", "mif2", "mif3", "msf1", "miaf", "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs",
    "avif", "avis",
    "avci", "avcs", "jpeg", "jpgs", "j2ki", "vvic", "vvis", "crx ",
  ]
  private static let pictureExtensions: Set = ["jpg", "jpeg", "png", "heic", "heif", "dng", "gif"]

  /// Whether a file of that name may be one of the library's.
  package static func isMedia(named name: String) -> Bool {
    let suffix = (name as NSString).pathExtension.lowercased()
    return pictureExtensions.contains(suffix) || movieTypes[suffix] != nil
  }

  /// The extension of a new file of this type.
  static func fileExtension(of typeIdentifier: String, originalName: String?) -> String {
    let known = [
      "public.jpeg": "jpg", "public.heic": "heic", "public.heif": "heif", "public.png": "png",
      "com.adobe.raw-image": "dng", "com.compuserve.gif": "gif", "com.apple.quicktime-movie": "mov",
      "public.mpeg-4": "mp4",
    ]
    if let suffix = known[typeIdentifier] ?? movieTypes.first(where: { $0.value == typeIdentifier })?.key {
      return suffix
    }
    let suffix = ((originalName ?? "") as NSString).pathExtension.lowercased()
    return !suffix.isEmpty && suffix.utf8.count <= 8 && suffix.allSatisfy { $0.isLetter || $0.isNumber }
      ? suffix : "bin"
  }

  /// Knows nothing.
  init() {}

  /// Reads the file at `path`; `nil` for what is no picture, video or audio that can be read.
  ///
  /// - Parameter name: The name whose extension says what it is, where the content does not.
  init?(path: String, name: String? = nil) {
    let suffix = ((name ?? path) as NSString).pathExtension.lowercased()
    guard let file = try? InputFile(path), let head = try? file.head(64) else { return nil }
    if StillFormat(detecting: head) != nil {
      guard let data = try? file.contents(atMost: InputFile.pictureBound) else { return nil }
      self.init(picture: data)
      return
    }
    let isContainer = head.dropFirst(4).prefix(4).elementsEqual("ftyp".utf8)
    let isOfPictures =
      isContainer && Self.pictureBrands.contains(String(decoding: head.dropFirst(8).prefix(4), as: UTF8.self))
    guard !isOfPictures, isContainer || Self.movieTypes[suffix] != nil else { return nil }
    self.init(movie: path, typeIdentifier: Self.movieTypes[suffix] ?? "com.apple.quicktime-movie")
  }

  /// Reads a picture's bytes; `nil` when they are none.
  package init?(picture data: Data) {
    guard let facts = try? StillFacts(data) else { return nil }
    mediaType = .image
    typeIdentifier = facts.format.typeIdentifier
    let isTurned = facts.orientation >= 5
    width = isTurned ? facts.height : facts.width
    height = isTurned ? facts.width : facts.height
    let properties = facts.properties
    let exif = properties[kCGImagePropertyExifDictionary] as? CFDictionary ?? [:]
    created = PictureTime.date(of: properties)
    location = Self.location(properties[kCGImagePropertyGPSDictionary] as? CFDictionary, created)
    contentIdentifier = (properties[kCGImagePropertyMakerAppleDictionary] as? CFDictionary)?["17"] as? String
    if (exif[kCGImagePropertyExifLensModel] as? String)?.lowercased().contains("front") == true {
      marks.insert(.front)
    }
    if let time = LooseNumber.double(exif[kCGImagePropertyExifExposureTime]), time >= 1 {
      marks.insert(.longExposure)
    }
    if facts.format == .dng { marks.insert(.raw) }
    if let gif = facts.gif, gif.frames.count > 1 { marks.insert(.animated) }
    readKind(facts, data, exif)
  }

  /// Reads the times in the tags of a raw file, which is a TIFF, as DNG is, and in its XMP; of pictures and other files nothing.
  init(raw read: RawTags.Reader) {
    guard let tags = RawTags(reading: read) else { return }
    var properties = tags.block.properties
    PictureTime.complete(&properties, from: tags.xmp)
    created = PictureTime.date(of: properties)
  }

  /// Reads the subtypes of a picture from the notes that programs leave in its head.
  private mutating func readKind(_ facts: StillFacts, _ data: Data, _ exif: CFDictionary) {
    let head = data.prefix(1 << 16)
    func notes(_ texts: String...) -> Bool { texts.contains { head.range(of: Data($0.utf8)) != nil } }
    let stated = facts.document(in: data)?.properties ?? []
    // A depth map is an auxiliary picture of this name; of a JPEG it stands behind the photo, or in its XMP.
    if notes("urn:mpeg:hevc:2015:auxid:2")
      || stated.contains(where: { $0.namespace == XMPNamespace.depthMap && $0.name == "Format" })
      || facts.format == .jpeg && AuxiliaryFile.holdsDepth(data)
    {
      subtypes.insert(.photoDepthEffect)
    }
    if stated.contains(where: { $0.namespace == XMPNamespace.panorama }) { subtypes.insert(.photoPanorama) }
    let isOfScreen =
      exif[kCGImagePropertyExifUserComment] as? String == "Screenshot"
      || (facts.format == .png && notes("Software\u{0}gnome-screenshot", "Software\u{0}Spectacle"))
    if isOfScreen { subtypes.insert(.photoScreenshot) }
    if facts.format == .png, notes("acTL") { marks.insert(.animated) }
  }

  private init?(movie path: String, typeIdentifier: String) {
    let asset = AVURLAsset(url: URL(fileURLWithPath: path))
    // Half a movie is a copy that broke off: its other half is where it came from.
    guard asset.isReadable, asset.missingFrom == nil else { return nil }
    self.typeIdentifier = typeIdentifier
    if let track = asset.tracks(withMediaType: .video).first {
      mediaType = .video
      let shown = CGRect(origin: .zero, size: track.naturalSize).applying(track.preferredTransform)
      width = Int(shown.width.rounded())
      height = Int(shown.height.rounded())
      if track.nominalFrameRate >= 100 { subtypes.insert(.videoHighFrameRate) }
      let mode = asset.metadata.first { "\($0.key ?? "" as NSString)" == "com.apple.photos.captureMode" }
      if mode?.stringValue?.lowercased() == "time-lapse" { subtypes.insert(.videoTimelapse) }
    } else {
      mediaType = .audio
    }
    let seconds = asset.duration.seconds
    duration = seconds.isFinite ? seconds : 0
    created = asset.creationDate?.dateValue
    contentIdentifier =
      AVMetadataItem.metadataItems(
        from: asset.metadata, filteredByIdentifier: .quickTimeMetadataContentIdentifier
      ).first?.stringValue
    if let text = asset.metadata.first(where: { $0.commonKey?.rawValue == "location" })?.stringValue {
      location = Self.location(iso6709: text, created)
    }
  }

  // MARK: Reading texts

  private static func location(_ gps: CFDictionary?, _ created: Date?) -> AssetRow.Location? {
    guard let gps, var latitude = LooseNumber.double(gps["Latitude"]),
      var longitude = LooseNumber.double(gps["Longitude"])
    else { return nil }
    if gps["LatitudeRef"] as? String == "S" { latitude = -latitude }
    if gps["LongitudeRef"] as? String == "W" { longitude = -longitude }
    var altitude = LooseNumber.double(gps["Altitude"]) ?? 0
    if LooseNumber.integer(gps["AltitudeRef"]) == 1 { altitude = -altitude }
    return AssetRow.Location(
      latitude: latitude, longitude: longitude, altitude: altitude,
      accuracy: LooseNumber.double(gps["HPositioningError"]) ?? -1,
      time: (created ?? WorldTime.current.date).timeIntervalSinceReferenceDate)
  }

  /// `+37.5090+127.0243+012.3/`, degrees and metres.
  static func location(iso6709 text: String, _ created: Date?) -> AssetRow.Location? {
    var parts: [String] = []
    for character in text.prefix(while: { $0 != "/" && $0 != "C" }) {
      if character == "+" || character == "-" { parts.append("") }
      guard !parts.isEmpty else { return nil }
      parts[parts.count - 1].append(character)
    }
    let numbers = parts.compactMap { Double($0) }
    guard numbers.count >= 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else { return nil }
    return AssetRow.Location(
      latitude: numbers[0], longitude: numbers[1], altitude: numbers.count > 2 ? numbers[2] : 0, accuracy: -1,
      time: (created ?? WorldTime.current.date).timeIntervalSinceReferenceDate)
  }
}
