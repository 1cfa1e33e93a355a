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

  private func write(
    _ finished: (photo: AVCapturePhoto, raw: AVCapturePhoto?, delivered: MonotonicInstant), _ film: URL?,
    _ place: PressSchedule.Place?
  ) throws {
    let photo = finished.photo
    let data = try photo.fileData(as: request.plan.format)
    let raw = try finished.raw?.fileData(as: .dng)
    if request.savesInLibrary { return try keep(photo, data, raw, film, finished.delivered, place) }
    guard let file = request.file else {
      // Behind a photo that broke off, a whole one would be unreadable.
      try checkFailure()
      return try terminal.answer(bytes: data)
    }
    let url = try file.write(data, date: Date())
    let rawURL = try raw.map { try Self.write($0, beside: url, file) }
    let moved = try film.map { try move($0, beside: url) }
    try report(photo, data, url.path, raw: rawURL?.path, film: moved, finished.delivered, place)
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
  private func keep(
    _ photo: AVCapturePhoto, _ data: Data, _ raw: Data?, _ film: URL?, _ delivered: MonotonicInstant,
    _ place: PressSchedule.Place?
  ) throws {
    var name = ""
    try PHPhotoLibrary.shared().performChangesAndWait {
      let asset = PHAssetCreationRequest.forAsset()
      asset.addResource(with: .photo, data: data, options: nil)
      if let raw {
        let options = PHAssetResourceCreationOptions()
        options.uniformTypeIdentifier = "com.adobe.raw-image"
        asset.addResource(with: .alternatePhoto, data: raw, options: options)
      }
      if let film {
        let options = PHAssetResourceCreationOptions()
        options.shouldMoveFile = true
        asset.addResource(with: .pairedVideo, fileURL: film, options: options)
      }
      name = asset.placeholderForCreatedAsset?.localIdentifier ?? ""
    }
    let asset = PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject
    let resources = asset.map { PHAssetResource.assetResources(for: $0) } ?? []
    try report(
      photo, data, resources.first?.path ?? name, raw: resources.first { $0.type == .alternatePhoto }?.path,
      film: resources.first { $0.type == .pairedVideo }?.path, delivered, place)
  }

  private func report(
    _ photo: AVCapturePhoto, _ data: Data, _ path: String, raw: String?, film: String?,
    _ delivered: MonotonicInstant, _ place: PressSchedule.Place?
  ) throws {
    var answer = PhotoAnswer(
      photo, path: path, bytes: data.count, format: request.plan.format, camera: camera)
    answer.stages = photo.stages.map { PhotoAnswer.Stages($0, delivered: delivered) }
    answer.raw = raw
    answer.movie = film
    answer.slot = place?.slot
    answer.missedSlots = place.map { Array($0.missed) }
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
