internal import AVFoundation
internal import CameraTasks
internal import Dispatch
internal import Foundation
internal import Linux
internal import Photos

/// Writes the photos of one command in the order of their presses, beside the presses.
final class PhotoWriting: Sendable {
  /// Pressed photos that are not written yet; more would only fill the memory with files.
  private static let limit = 6

  private struct State {
    var unwritten = 0
    var failure: (any Error)?
  }

  private let session: PhotoSession
  private let request: PhotoRequest
  private let camera: AVCaptureDevice
  private let terminal: Terminal
  private let isJSON: Bool
  private let queue = DispatchQueue(label: "obscura.photo-writing")
  private let state = Monitor(State())

  init(
    _ session: PhotoSession, _ request: PhotoRequest, _ camera: AVCaptureDevice, _ terminal: Terminal,
    isJSON: Bool
  ) {
    self.session = session
    self.request = request
    self.camera = camera
    self.terminal = terminal
    self.isJSON = isJSON
  }

  /// The number of pressed photos that are not written yet.
  var unwritten: Int { state.withLock { $0.unwritten } }

  /// Blocks while too many photos are unwritten.
  /// - Throws: what went wrong with an earlier one.
  func waitForRoom() throws {
    _ = state.wait(for: { $0.unwritten < Self.limit || $0.failure != nil }, then: { _ in })
    try checkFailure()
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
      let result = Result {
        // What is left of the movie goes, whatever becomes of the photo.
        defer { pending.film.map { try? FileManager.default.removeItem(at: $0) } }
        let finished = try session.finish(pending)
        if let error = pending.filmError { terminal.say("obscura: \(Self.sentence(error))") }
        try write(finished, pending.film, place)
      }
      state.withLock { state in
        state.unwritten -= 1
        if case .failure(let error) = result { state.failure = state.failure ?? error }
      }
    }
  }

  /// Blocks until all photos are written.
  /// - Throws: the first trouble.
  func finish() throws {
    _ = state.wait(for: { $0.unwritten == 0 }, then: { _ in })
    try checkFailure()
  }

  private func checkFailure() throws {
    if let failure = state.withLock({ $0.failure }) { throw failure }
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

  /// Says that a photo is no Live Photo.
  static func sentence(_ error: any Error) -> String {
    "The photo has no movie: \((error as? AVError)?.localizedDescription ?? "\(error)")"
  }

  /// The pictures of a press as files, or on their way to one.
  private struct Pictures {
    var photo: AVCapturePhoto
    var format: PhotoPlan.Format
    var data: Data
    var raw: Data?
    var film: URL?
    var delivered: MonotonicInstant
    var place: PressSchedule.Place?
  }

  /// Writes what came of a press, and reports it.
  /// - Throws: the first trouble, after everything that can be kept has been.
  private func write(
    _ finished: PhotoSession.Finished, _ film: URL?, _ place: PressSchedule.Place?
  ) throws {
    var trouble = finished.error.map { Self.error($0, isRawMissing: !finished.photo.isRawPhoto) as any Error }
    func attempt<Value>(_ work: () throws -> Value?) -> Value? {
      do {
        return try work()
      } catch {
        trouble = trouble ?? error
        return nil
      }
    }
    // Of a pair whose photo failed, the raw picture is what there is.
    let format = finished.photo.isRawPhoto ? .dng : request.plan.format
    let pictures = Pictures(
      photo: finished.photo, format: format, data: try finished.photo.fileData(as: format),
      raw: attempt { try finished.raw?.fileData(as: .dng) }, film: film, delivered: finished.delivered,
      place: place)
    if request.savesInLibrary {
      try keep(pictures)
    } else if var file = request.file {
      if format != request.plan.format { file.pattern = file.pattern.withExtension(format.fileExtension) }
      let url = try file.write(pictures.data, date: Date())
      let raw = attempt { try pictures.raw.map { try Self.write($0, beside: url, file).path } }
      let film = attempt { try film.map { try move($0, beside: url) } }
      try report(pictures, path: url.path, raw: raw, film: film)
    } else {
      // Behind a photo that broke off, a whole one would be unreadable.
      try checkFailure()
      try terminal.answer(bytes: pictures.data)
    }
    if let trouble { throw trouble }
  }

  /// Says which picture of a pair is not there, and why.
  private static func error(_ error: CameraTaskError, isRawMissing: Bool) -> CameraTaskError {
    let what =
      isRawMissing ? "The photo is kept without its raw picture" : "The raw picture is kept without its photo"
    return CameraTaskError(error.code, "\(what): \(error.message)")
  }

  /// Writes a raw picture under the photo's name with the extension of its own.
  private static func write(_ raw: Data, beside url: URL, _ file: PictureFile) throws -> URL {
    var beside = file
    let name = url.deletingPathExtension().lastPathComponent
    beside.pattern = FileNamePattern(name.replacingOccurrences(of: "%", with: "%%") + ".dng")
    return try beside.write(raw, date: Date())
  }

  /// Gives a movie its photo's name, or the next free number behind it; its path.
  private func move(_ film: URL, beside photo: URL) throws -> String {
    let stem = photo.deletingPathExtension()
    for number in 0..<100_000 {
      let target = URL(fileURLWithPath: number == 0 ? "\(stem.path).mov" : "\(stem.path)-\(number).mov")
      if request.file?.overwrites == true, number == 0 { try? FileManager.default.removeItem(at: target) }
      if FileManager.default.fileExists(atPath: target.path) { continue }
      do {
        try FileManager.default.moveItem(at: film, to: target)
      } catch {
        throw CommandError(.otherFailure, "The photo \(photo.path) is kept, and its movie is not: \(error).")
      }
      return target.path
    }
    throw CommandError(.otherFailure, "The folder of \(photo.path) is full of movies of that name.")
  }

  /// Puts the photo into the library.
  private func keep(_ pictures: Pictures) throws {
    var name = ""
    try PHPhotoLibrary.shared().performChangesAndWait {
      let asset = PHAssetCreationRequest.forAsset()
      asset.addResource(
        with: .photo, data: pictures.data, options: pictures.format == .dng ? Self.rawOptions : nil)
      if let raw = pictures.raw {
        asset.addResource(with: .alternatePhoto, data: raw, options: Self.rawOptions)
      }
      if let film = pictures.film {
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = true
        asset.addResource(with: .pairedVideo, fileURL: film, options: options)
      }
      name = asset.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    let asset = PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject
    let resources = asset.map { PHAssetResource.assetResources(for: $0) } ?? []
    try report(
      pictures, path: resources.first?.path ?? name,
      raw: resources.first { $0.type == .alternatePhoto }?.path,
      film: resources.first { $0.type == .pairedVideo }?.path)
  }

  private static var rawOptions: PHAssetResourceCreationOptions {
    let options = PHAssetResourceCreationOptions()
    options.uniformTypeIdentifier = "com.adobe.raw-image"
    return options
  }

  private func report(_ pictures: Pictures, path: String, raw: String?, film: String?) throws {
    let photo = pictures.photo
    var answer = PhotoAnswer(
      photo, path: path, bytes: pictures.data.count, format: pictures.format, camera: camera)
    answer.stages = photo.stages.map { PhotoAnswer.Stages($0, delivered: pictures.delivered) }
    answer.raw = raw
    answer.movie = film
    answer.slot = pictures.place?.slot
    answer.missedSlots = pictures.place.map { Array($0.missed) }
    if let detail = answer.detail { terminal.detail(detail) }
    if isJSON {
      try terminal.answer(json: answer)
    } else {
      try terminal.answer(path)
      if let raw { try terminal.answer(raw) }
      if let film { try terminal.answer(film) }
    }
  }
}
