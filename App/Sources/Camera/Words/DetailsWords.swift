import CameraModel
import Foundation
import GTKKit

/// The words for the details of a photo or video.
enum DetailsWords {
  static func lines(_ details: PhotoDetails) -> [(name: String, value: String)] {
    var lines = [(tr("Name"), details.name)]
    if let date = details.date { lines.append((tr("Taken"), Words.moment(date))) }
    lines.append(
      (tr("Size"), tr("%@ × %@, %@", String(details.width), String(details.height), size(details.bytes))))
    if let duration = details.duration { lines.append((tr("Length"), Words.time(duration))) }
    if let camera = details.camera { lines.append((tr("Camera"), camera)) }
    if let lens = details.lens { lines.append((tr("Lens"), lens)) }
    let light = exposure(details)
    if !light.isEmpty { lines.append((tr("Exposure"), light.joined(separator: " · "))) }
    if let flash = details.firedFlash {
      lines.append((tr("Flash"), flash ? tr("Fired") : tr("Did not fire")))
    }
    if let north = details.latitude, let east = details.longitude {
      lines.append((tr("Place"), "\(Words.number(north, 5)), \(Words.number(east, 5))"))
    }
    return lines
  }

  private static func exposure(_ details: PhotoDetails) -> [String] {
    var light: [String] = []
    if let time = details.exposure { light.append(Words.value(time, .seconds)) }
    if let aperture = details.aperture { light.append("f/" + Words.number(aperture, 1)) }
    if let iso = details.iso { light.append("ISO \(iso)") }
    if let length = details.focalLength { light.append("\(Words.number(length, 0)) mm") }
    if let bias = details.bias, abs(bias) > 0.04 { light.append(Words.value(bias, .stops)) }
    return light
  }

  private static func size(_ bytes: Int64) -> String {
    bytes >= 1_000_000 ? tr("%@ MB", Words.number(Double(bytes) / 1e6, 1)) : tr("%@ kB", String(bytes / 1000))
  }
}

extension Words {
  /// The language's own way to write dates.
  private static let locale = Locale(identifier: tr("en_GB"))

  private static func formatter(_ template: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = locale
    formatter.setLocalizedDateFormatFromTemplate(template)
    return formatter
  }

  private static let dayFormatter = formatter("EEEE d MMMM")
  private static let dayAndYear = formatter("EEEE d MMMM yyyy")
  private static let momentFormatter = formatter("d MMM yyyy HH:mm")
  private static let shortDayFormatter = formatter("d MMM")
  private static let clockFormatter = formatter("HH:mm")

  /// A day as a heading.
  static func day(_ date: Date) -> String {
    let calendar = Calendar.current
    if date == .distantPast || date.timeIntervalSince1970 < -5e10 { return tr("Without a date") }
    if calendar.isDateInToday(date) { return tr("Today") }
    if calendar.isDateInYesterday(date) { return tr("Yesterday") }
    let isThisYear = calendar.component(.year, from: date) == calendar.component(.year, from: Date())
    return (isThisYear ? dayFormatter : dayAndYear).string(from: date)
  }

  /// A day with the time.
  static func moment(_ date: Date) -> String { momentFormatter.string(from: date) }

  /// A day without its year.
  static func shortDay(_ date: Date) -> String { shortDayFormatter.string(from: date) }

  /// The time of a day.
  static func clock(_ date: Date) -> String { clockFormatter.string(from: date) }

  static func album(_ album: LibraryAlbum) -> String {
    switch album.kind {
    case .all: tr("All Photos")
    case .favorites: tr("Favourites")
    case .videos: tr("Videos")
    case .selfies: tr("Selfies")
    case .own: album.title
    }
  }

  /// The text of a photo or video for screen readers.
  static func describe(_ item: LibraryItem) -> String {
    let date = item.date.map(moment) ?? ""
    return item.isMovie ? tr("Video, %@", date) : tr("Photo, %@", date)
  }
}
