import AVFoundation
import CameraModel
import GTKKit

/// Measures the running program by its own stamps, prints what it finds, and ends the program.
@MainActor
final class Bench {
  private let program: Program
  private let window: MainWindow
  private let parts: Set<BenchPart>
  private let photos: Int
  private let minutes: Int

  private var model: CameraModel { program.model }

  init(_ program: Program, _ window: MainWindow, _ options: ProgramOptions) {
    self.program = program
    self.window = window
    parts = options.parts
    photos = options.benchPhotos
    minutes = options.benchMinutes
    window.stage.onFirstPicture = { [weak self] in
      self?.window.stage.widget.afterPaint {
        BenchReport.say("start to first picture", ProcessFacts.age * 1000, "ms")
        Task { await self?.run() }
      }
    }
  }

  private func run() async {
    if parts.contains(.press) { await presses(20) }
    if parts.contains(.preview) { await preview(seconds: 8) }
    if !parts.isDisjoint(with: [.scroll, .memory]) {
      do {
        try await fill()
      } catch {
        BenchReport.complain("The library cannot be filled: \(error.localizedDescription)")
        return program.application.quit()
      }
    }
    if parts.contains(.scroll) { await scroll() }
    if parts.contains(.memory) { await memory() }
    if parts.contains(.stay) { await stay() }
    program.application.quit()
  }

  // MARK: Presses

  private func presses(_ count: Int) async {
    var times: [Double] = []
    for _ in 0..<count {
      guard let time = await press() else {
        return BenchReport.say("press without a thumbnail", 1, "presses")
      }
      times.append(time)
    }
    BenchReport.say("press to visible thumbnail", of: times)
  }

  /// From a press to the frame of the screen with its thumbnail; `nil` when none comes.
  private func press() async -> Double? {
    guard await wait(30, until: { $0.state.value.shutter == .ready && $0.state.value.photosUnderWay == 0 })
    else { return nil }
    let pressed = now
    model.pressShutter()
    // Two photos of one scene may have equal pictures.
    guard await wait(30, until: { $0.stamps.thumbnail >= pressed }) else { return nil }
    await painted()
    return now - pressed
  }

  // MARK: Preview

  private func preview(seconds: Double) async {
    await pause(2)
    let stalls = StallCount()
    let (began, own, counts) = (now, ProcessFacts.processorSeconds, window.stage.counts)
    stalls.begin()
    await pause(seconds)
    let share = (ProcessFacts.processorSeconds - own) / (now - began)
    let shown = Double(window.stage.counts.shown - counts.shown) / (now - began)
    stalls.end("preview")
    let figures = model.state.value.figures
    BenchReport.say("preview: width of the camera's frames", Double(figures.width), "pixels")
    BenchReport.say("preview: width as it is shown", window.stage.shownWidth, "pixels")
    BenchReport.say("preview: pictures", shown, "per second")
    BenchReport.say("preview: processor", share * 100, "% of one")
  }

  // MARK: Library

  private func fill() async throws {
    let count = photos
    let began = now
    let added = try await Task.detached { try DemoPhotos.fill(to: count) }.value
    if added > 0 { BenchReport.say("library: photos added in", now - began, "s") }
  }

  private func showLibrary() async {
    window.showLibrary()
    let least = photos
    _ = await wait(120) { $0.library.state.value.phase == .ready && $0.library.state.value.count >= least }
    await pause(1)
  }

  private func scroll() async {
    let began = now
    await showLibrary()
    BenchReport.say("library: photos", Double(model.library.state.value.count), "photos")
    BenchReport.say("library: from the key to the grid, a second of rest included", now - began, "s")
    let stalls = StallCount()
    let (counts, made) = (window.stage.counts, model.library.thumbnails.made)
    stalls.begin()
    let seconds = await travel(seconds: 20)
    stalls.end("scroll")
    BenchReport.say(
      "scroll: pictures of the camera meanwhile",
      Double(window.stage.counts.shown - counts.shown) / seconds, "per second")
    BenchReport.say("scroll: thumbnails made", Double(model.library.thumbnails.made - made), "thumbnails")
    BenchReport.say("scroll: rows that are widgets", Double(window.liveLibraryRows), "rows")
    let jumps = StallCount()
    jumps.begin()
    guard let scroller = window.libraryScroller else { return }
    for turn in 0..<20 {
      scroller.place = scroller.end * Double(turn * 7 % 20) / 20
      await pause(0.25)
    }
    jumps.end("jumps")
    window.goBack()
    await pause(1)
  }

  /// Goes through the whole library; returns the seconds that it took.
  private func travel(seconds: Double) async -> Double {
    guard let scroller = window.libraryScroller else { return 0 }
    scroller.place = 0
    await pause(1)
    let began = now
    await withCheckedContinuation { done in
      scroller.everyFrame { [self] in
        let share = (now - began) / seconds
        scroller.place = scroller.end * min(1, share)
        if share >= 1 { done.resume() }
        return share < 1
      }
    }
    return now - began
  }

  // MARK: Memory

  private func memory() async {
    await work(photos: 60, thumbnails: 1500, seconds: 5)
    let before = ProcessFacts.megabytes
    BenchReport.say("memory: warm", before, "MB")
    let (began, made) = (now, model.library.thumbnails.made)
    await work(photos: 500, thumbnails: 10_000, seconds: 30)
    let after = ProcessFacts.megabytes
    BenchReport.say("memory: thumbnails made", Double(model.library.thumbnails.made - made), "thumbnails")
    BenchReport.say("memory: worked for", now - began, "s")
    BenchReport.say("memory: after 500 photos and the thumbnails", after, "MB")
    BenchReport.say("memory: growth", (after / before - 1) * 100, "%")
  }

  private func work(photos: Int, thumbnails: Int, seconds: Double) async {
    for _ in 0..<photos {
      guard await press() != nil else { return BenchReport.say("press without a thumbnail", 1, "presses") }
    }
    await showLibrary()
    guard let scroller = window.libraryScroller else { return }
    let made = model.library.thumbnails.made
    let most = now + 240
    scroller.place = 0
    while model.library.thumbnails.made - made < thumbnails, now < most {
      // As soon as all that is in view is there, the next rows.
      await pause(0.02)
      guard model.library.thumbnails.waiting == 0 else { continue }
      scroller.place = scroller.place >= scroller.end - 1 ? 0 : scroller.place + 500
    }
    window.goBack()
    await pause(seconds)
  }

  /// Minutes of preview with twenty photos in each, of all shapes, with and without a filter.
  private func stay() async {
    await pause(5)
    var resident = [ProcessFacts.residentMegabytes]
    var own = [ProcessFacts.megabytes]
    let (began, shown, aspects) = (now, window.stage.counts.shown, PhotoAspect.allCases)
    for photo in 0..<20 * minutes {
      model.changeSettings {
        $0.aspect = aspects[photo % aspects.count]
        $0.filter = photo % 3 == 0 ? .mono : .none
      }
      guard await press() != nil else { return BenchReport.say("press without a thumbnail", 1, "presses") }
      await pause(max(0.001, began + 3 * Double(photo + 1) - now))
      guard photo % 20 == 19 else { continue }
      resident.append(ProcessFacts.residentMegabytes)
      own.append(ProcessFacts.megabytes)
    }
    BenchReport.say("stay: photos", Double(20 * minutes), "photos")
    BenchReport.say("stay: for", now - began, "s")
    BenchReport.say("stay: pictures", Double(window.stage.counts.shown - shown), "pictures")
    for (name, values) in [("resident", resident), ("in no file", own)] {
      let (warm, end) = (values[min(1, minutes)], values[minutes])
      BenchReport.say("stay: \(name) at the start", values[0], "MB")
      BenchReport.say("stay: \(name) after a minute", warm, "MB")
      BenchReport.say("stay: \(name) in the middle", values[minutes / 2], "MB")
      BenchReport.say("stay: \(name) at the end", end, "MB")
      BenchReport.say("stay: \(name) at most", values.max() ?? 0, "MB")
      BenchReport.say("stay: \(name), growth since the first minute", (end / warm - 1) * 100, "%")
    }
  }

  // MARK: Waiting

  private var now: Double { CMClock.hostTimeClock.time.seconds }

  private func pause(_ seconds: Double) async {
    await withCheckedContinuation { done in
      every(milliseconds: Int(seconds * 1000)) {
        done.resume()
        return false
      }
    }
  }

  private func painted() async {
    await withCheckedContinuation { done in window.stage.widget.afterPaint { done.resume() } }
  }

  private func wait(_ seconds: Double, until isSo: @escaping @MainActor (CameraModel) -> Bool) async -> Bool {
    let end = now + seconds
    while !isSo(model) {
      guard now < end else { return false }
      // The queue of the main loop, not a clock: what was waited for is seen as soon as it is there.
      await withCheckedContinuation { done in
        every(milliseconds: 1) {
          done.resume()
          return false
        }
      }
    }
    return true
  }
}
