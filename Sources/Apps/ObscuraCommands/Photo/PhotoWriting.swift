internal import AVFoundation
internal import CameraTasks
internal import Dispatch
internal import Foundation
internal import FoundationExtras
internal import Linux
internal import Photos

/// Writes the photos of one command in the order of their presses, beside the presses.
final class PhotoWriting: Sendable {
  /// Pressed photos that are not written yet; more would only fill the memory with files.
  private static let limit = 6

  private struct State {
    var unwritten = 0
    var hasFailed = false
  }

  private let session: PhotoSession
  private let request: PhotoRequest
  private let camera: AVCaptureDevice
  private let terminal: Terminal
  private let failures: Failures
  private let following: FollowingCommand?
  private let isJSON: Bool
  private let queue = DispatchQueue(label: "obscura.photo-writing")
  private let state = Monitor(State())

  init(
    _ session: PhotoSession, _ request: PhotoRequest, _ camera: AVCaptureDevice, _ terminal: Terminal,
    _ failures: Failures, _ following: FollowingCommand?, isJSON: Bool
  ) {
    self.session = session
    self.request = request
    self.camera = camera
    self.terminal = terminal
    self.failures = failures
    self.following = following
    self.isJSON = isJSON
  }

  /// The number of pressed photos that are not written yet.
  var unwritten: Int { state.withLock { $0.unwritten } }

  /// Blocks while too many photos are unwritten.
  /// - Throws: the exit code of an earlier one's failure, which was said.
  func waitForRoom() throws {
    _ = state.wait(for: { $0.unwritten < Self.limit || $0.hasFailed }, then: { _ in })
    try failures.check()
  }

  /// Writes a photo once it is finished and those before it are written.
  ///
  /// Also when an earlier one failed: a photo that was taken is kept if it can be.
  ///
  /// - Parameter place: Its place in the schedule; `nil` without one.
  func add(_ pending: PhotoSession.Pending, _ place: PressSchedule.Place?) {
    if let missed = place?.missed, !missed.isEmpty { terminal.say("obscura: \(Self.sentence(missed))") }
    state.withLock { $0.unwritten += 1 }
    queue.async { [self] in
      failures.attempt {
        // What is left of the movie goes, whatever becomes of the photo.
        defer { if let film = pending.film { Disk.unlink(film.path) } }
        let finished = try session.finish(pending)
        if let error = pending.filmError { failures.report(Self.error(withoutMovie: error)) }
        try write(finished, pending.film, place)
      }
      state.withLock { state in
        state.unwritten -= 1
        state.hasFailed = failures.exitCode != nil
      }
    }
  }

  /// Blocks until all photos are written.
  func finish() {
    _ = state.wait(for: { $0.unwritten == 0 }, then: { _ in })
  }

  /// Says which slots of a schedule were left out.
  static func sentence(_ missed: Range<Int>) -> String {
    let what =
      missed.count == 1
      ? "Slot \(missed.lowerBound) of the schedule was"
      : "Slots \(missed.lowerBound) to \(missed.upperBound - 1) of the schedule were"
    return
      "\(what) left out, because the photos before took longer; name a longer --interval, or --quality speed."
  }

  /// Says that a photo does not show each photosite.
  private static func sentence(_ width: Int32, _ height: Int32, insteadOf largest: CMVideoDimensions)
    -> String
  {
    "The photo has \(width)×\(height) and not \(largest.width)×\(largest.height): a single frame in more light, or less zoom, shows each photosite."
  }

  /// Says that a photo is no Live Photo.
  private static func error(withoutMovie error: any Error) -> CommandError {
    let error = CommandError(error)
    return CommandError(error.exitCode, "The photo is kept without its movie: \(error.message)")
  }

  /// Writes what came of a press, and reports it; what fails of it is said, and the rest is kept.
  /// - Throws: why there is no picture of it.
  private func write(
    _ finished: PhotoSession.Finished, _ film: URL?, _ place: PressSchedule.Place?
  ) throws {
    if let error = finished.error {
      failures.report(Self.error(error, isRawMissing: !finished.photo.isRawPhoto))
    }
    // Of a pair whose photo failed, the raw picture is what there is.
    let format = finished.photo.isRawPhoto ? .dng : request.plan.format
    let data = failures.attempt { try finished.photo.fileData(as: format) }
    let raw = finished.raw.flatMap { raw in failures.attempt { try raw.fileData(as: .dng) } }
    var pictures: PressedPictures
    if let data {
      pictures = PressedPictures(photo: finished.photo, format: format, data: data, raw: raw, film: film)
    } else if let photo = finished.raw, let raw {
      pictures = PressedPictures(photo: photo, format: .dng, data: raw, raw: nil, film: film)
    } else {
      return
    }
    pictures.delivered = finished.delivered
    pictures.place = place
    if request.savesInLibrary {
      try report(pictures, try pictures.keepInLibrary(failures))
    } else if let file = request.file {
      try report(pictures, try keep(&pictures, file))
    } else {
      // Behind a photo that broke off, a whole one would be unreadable.
      try failures.check()
      try terminal.answer(bytes: pictures.data)
    }
  }

  /// Writes the pictures and the movie as files of one name.
  /// - Throws: why there is no picture among them.
  private func keep(
    _ pictures: inout PressedPictures, _ named: PictureFile
  ) throws -> PressedPictures.Paths {
    var file = named
    if pictures.format != request.plan.format {
      file.pattern = file.pattern.withExtension(pictures.format.fileExtension)
    }
    let url: URL
    do {
      url = try file.write(pictures.data, date: WorldTime.current.date)
    } catch {
      guard let raw = pictures.takeRaw() else {
        if pictures.film == nil { throw error }
        throw CameraTaskError(error.code, "\(error.message) Its movie is not kept without it.")
      }
      failures.report(error)
      pictures = raw
      return try keep(&pictures, named)
    }
    let raw = pictures.raw.flatMap { raw in failures.attempt { try Self.write(raw, "dng", beside: url, file) }
    }
    let film = pictures.film.flatMap { film in
      failures.attempt { try Self.write(try Data(contentsOf: film), "mov", beside: url, file) }
    }
    return PressedPictures.Paths(photo: url.path, raw: raw, film: film)
  }

  /// Says which picture of a pair is not there, and why.
  private static func error(_ error: CameraTaskError, isRawMissing: Bool) -> CameraTaskError {
    let what =
      isRawMissing ? "The photo is kept without its raw picture" : "The raw picture is kept without its photo"
    return CameraTaskError(error.code, "\(what): \(error.message)")
  }

  /// Writes what belongs to a photo under its name with the extension of its own; the path.
  private static func write(
    _ data: Data, _ fileExtension: String, beside url: URL, _ file: PictureFile
  ) throws -> String {
    var beside = file
    let name = url.deletingPathExtension().lastPathComponent
    beside.pattern = FileNamePattern(name.replacingOccurrences(of: "%", with: "%%") + ".\(fileExtension)")
    let what =
      fileExtension == "mov" ? "The movie was taken but not kept" : "The raw picture was taken but not kept"
    return try beside.write(data, date: WorldTime.current.date, failingAs: what).path
  }

  /// Says that a photo has no depth.
  private static func withoutDepth(_ path: String) -> CommandError {
    CommandError(
      .otherFailure,
      "\(path) is kept without depth: the camera measured none at that moment; try again, or nearer.")
  }

  private func report(_ pictures: PressedPictures, _ paths: PressedPictures.Paths) throws {
    let photo = pictures.photo
    var answer = PhotoAnswer(
      photo, path: paths.photo, bytes: pictures.data.count, format: pictures.format, camera: camera)
    answer.stages = photo.stages.map { PhotoAnswer.Stages($0, delivered: pictures.delivered) }
    answer.raw = paths.raw
    answer.movie = paths.film
    if request.plan.hasDepth {
      answer.depth = DepthInside.size(in: pictures.data)
      if answer.depth == nil { failures.report(Self.withoutDepth(paths.photo)) }
    }
    if request.plan.isLargest, let largest = camera.activeFormat.supportedMaxPhotoDimensions.last,
      photo.resolvedSettings.photoDimensions.width < largest.width
    {
      terminal.say("obscura: \(Self.sentence(answer.width, answer.height, insteadOf: largest))")
    }
    answer.slot = pictures.place?.slot
    answer.missedSlots = pictures.place.map { Array($0.missed) }
    if let detail = answer.detail { terminal.detail(detail) }
    if isJSON {
      try terminal.answer(json: answer)
    } else {
      try terminal.answer(paths.photo)
      if let raw = paths.raw { try terminal.answer(raw) }
      if let film = paths.film { try terminal.answer(film) }
    }
    for path in [paths.photo, paths.raw, paths.film].compactMap(\.self) { following?.run(for: path) }
  }
}
