import AVFCapture
import CaptureDevice
import CoreMedia
import CoreVideo
import Foundation
import Linux
import Testing

@Suite("FrameHistory: the newest frames, kept for photos of the past")
struct FrameHistoryTests {
  private static let format = StreamFormat(
    size: FrameSize(width: 16, height: 16), encoding: .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
    frameDurations: [FrameDuration(1, 30)...FrameDuration(1, 30)])

  /// How many pictures the "driver" has out, and a clock that stands where the test says.
  private let out = Locked(0)
  private let now = Locked<Int64>(0)

  private func history(granted: Int = 32, isCompressed: Bool = false) throws -> FrameHistory {
    let stream = StreamConfiguration(format: Self.format, frameDuration: FrameDuration(1, 30))
    let planned = HistoryPlan(of: stream, photoSize: nil, capabilities: CameraCapabilities())
    let plan = try #require(planned)
    #expect(plan.frames == 6)
    let history = FrameHistory(plan, granted: granted, isCompressed: isCompressed) { [now] in
      MonotonicInstant(nanoseconds: now.withLock { $0 })
    }
    return try #require(history)
  }

  /// Frame `number`, exposed at `number` × 10 ms, in memory of which the test knows when it comes back.
  private func frame(_ number: UInt32, _ change: (inout ControlState) -> Void = { _ in }) -> CapturedFrame {
    var controls = ControlState()
    change(&controls)
    return CapturedFrame(
      picture: .pixels(pixels(value: UInt8(number % 251))),
      timestamp: MonotonicInstant(nanoseconds: Int64(number) * 10_000_000),
      sequence: number, conditions: FrameConditions(controls))
  }

  private func pixels(bytes count: Int = 384, value: UInt8 = 0) -> CVPixelBuffer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 384, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: value, count: 384)
    out.withLock { $0 += 1 }
    let address = UInt(bitPattern: memory)
    return CVPixelBuffer(
      wrapping: [
        PixelPlane(baseAddress: memory, width: 16, height: 16, bytesPerRow: 16),
        PixelPlane(baseAddress: memory + 256, width: 8, height: 8, bytesPerRow: 16),
      ], format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, width: 16, height: 16, dataSize: count
    ) { [out] in
      UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
      out.withLock { $0 -= 1 }
    }
  }

  private func time(_ number: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: Int64(number * 10_000_000))
  }

  private func show(_ number: UInt32, at moment: Double, in history: FrameHistory) {
    now.withLock { $0 = Int64(moment * 10_000_000) }
    history.noteShown(number)
  }

  private func chosen(_ history: FrameHistory, at moment: Double, change: UInt64 = 0) -> UInt32? {
    history.choose(for: PhotoPress(time: time(moment), change: change))?.frame.sequence
  }

  private var outOfBuffers: DroppedFrame {
    DroppedFrame(sequence: 0, timestamp: time(0), reason: .outOfBuffers)
  }

  // MARK: Keeping

  @Test func `it holds the newest frames and gives the others back`() throws {
    let history = try history()
    for number in 1...20 { history.take(frame(UInt32(number))) }
    #expect(history.usage.frames == 6)
    #expect(history.usage.bytes == 2304)
    #expect(out.withLock { $0 } == 6)
    #expect(chosen(history, at: 15) == 15)
    #expect(chosen(history, at: 99) == 20)
  }

  @Test func `it lets all go on request, and takes no more once it is closed`() throws {
    let history = try history()
    for number in 1...4 { history.take(frame(UInt32(number))) }
    history.forget()
    #expect(out.withLock { $0 } == 0)
    history.take(frame(5))
    #expect(out.withLock { $0 } == 1)
    history.close()
    #expect(out.withLock { $0 } == 0)
    history.take(frame(6))
    #expect(out.withLock { $0 } == 0)
    #expect(chosen(history, at: 9) == nil)
  }

  @Test func `frames that are counted anew drive out those before`() throws {
    let history = try history()
    for number in 1...4 { history.take(frame(UInt32(number))) }
    history.take(frame(0))
    #expect(history.usage.frames == 1)
    #expect(chosen(history, at: 9) == 0)
  }

  @Test func `pictures never take more than the limit of bytes`() throws {
    let history = try history()
    for number in 1...6 {
      let big = CapturedFrame(
        picture: .pixels(pixels(bytes: HistoryPlan.byteLimit / 3)), timestamp: time(Double(number)),
        sequence: UInt32(number))
      history.take(big)
      #expect(history.usage.bytes <= HistoryPlan.byteLimit)
    }
    #expect(history.usage.frames == 3)
    #expect(out.withLock { $0 } == 3)
  }

  // MARK: Choosing

  @Test func `a photo is of the frame that the viewfinder shows, not of one that has only arrived`() throws {
    let history = try history()
    for number in 1...3 { history.take(frame(UInt32(number))) }
    show(1, at: 4, in: history)
    show(2, at: 5, in: history)
    #expect(chosen(history, at: 6) == 2)
  }

  @Test func `it is of the frame that was on show when the user pressed`() throws {
    let history = try history()
    for number in 1...4 {
      history.take(frame(UInt32(number)))
      show(UInt32(number), at: Double(number) + 5, in: history)
    }
    #expect(chosen(history, at: 7.5) == 2)
    // A later press is of a later frame.
    #expect(chosen(history, at: 8.5) == 3)
  }

  @Test func `of a press before everything that is kept it is the oldest frame`() throws {
    let history = try history()
    for number in 1...9 {
      history.take(frame(UInt32(number)))
      show(UInt32(number), at: Double(number), in: history)
    }
    #expect(chosen(history, at: 1) == 4)
  }

  @Test func `without a viewfinder it is the newest frame that was exposed by then`() throws {
    let history = try history()
    for number in 1...4 { history.take(frame(UInt32(number))) }
    #expect(chosen(history, at: 3.5) == 3)
  }

  @Test func `the frame on show stays however slow the viewfinder is, but no longer than a second`() throws {
    let history = try history()
    history.take(frame(1))
    show(1, at: 1, in: history)
    for number in 2...60 { history.take(frame(UInt32(number))) }
    #expect(history.usage.frames == 6)
    #expect(chosen(history, at: 60.5) == 1)
    for number in 61...120 { history.take(frame(UInt32(number))) }
    #expect(chosen(history, at: 120.5) == 120)
  }

  @Test func `presses on a viewfinder that stands still are of what it shows`() throws {
    let history = try history()
    for number in 1...3 { history.take(frame(UInt32(number))) }
    show(1, at: 2, in: history)
    #expect(chosen(history, at: 3.5) == 1)
    // Later than a frame takes, so it was looked for again.
    #expect(chosen(history, at: 4.6) == 1)
    #expect(chosen(history, at: 9) == 1)
    // A burst goes on from there, and is over when the next press is a look at the viewfinder.
    #expect(chosen(history, at: 9.5) == 2)
    show(2, at: 10, in: history)
    #expect(chosen(history, at: 12) == 2)
    // Never back: the viewfinder is behind what was taken in a burst.
    #expect(chosen(history, at: 12.5) == 3)
    #expect(chosen(history, at: 20) == nil)
  }

  @Test func `presses of one moment get two frames, and none the same twice`() throws {
    let history = try history()
    history.take(frame(1))
    history.take(frame(2))
    show(1, at: 2, in: history)
    #expect(chosen(history, at: 3) == 1)
    #expect(chosen(history, at: 3) == 2)
    #expect(chosen(history, at: 3) == nil)
    history.take(frame(3))
    history.awaitNext()
    #expect(chosen(history, at: 3) == nil)
    history.endAwaiting(time(3))
    #expect(chosen(history, at: 3) == nil)
    history.take(frame(4))
    #expect(chosen(history, at: 4) == 4)
  }

  @Test func `a frame from before a change that was asked for is not taken`() throws {
    let history = try history()
    history.take(frame(1) { $0.change = 4 })
    show(1, at: 2, in: history)
    #expect(chosen(history, at: 3, change: 5) == nil)
    history.take(frame(2) { $0.change = 5 })
    #expect(chosen(history, at: 3, change: 5) == 2)
  }

  @Test func `frames of another lens than the one on show are not taken`() throws {
    let history = try history()
    history.take(frame(1) { $0.constituent = "wide" })
    show(1, at: 1, in: history)
    history.take(frame(2) { $0.constituent = "tele" })
    show(2, at: 2, in: history)
    #expect(chosen(history, at: 1.5) == 2)
  }

  @Test func `frames that a flash lit or that another photo was exposed for are not taken`() throws {
    let history = try history()
    history.take(frame(1))
    history.take(frame(2) { $0.isFlashed = true })
    history.take(frame(3) { $0.isExposedApart = true })
    for number in 1...3 { show(UInt32(number), at: Double(number), in: history) }
    #expect(chosen(history, at: 4) == 1)
  }

  @Test func `several frames can be had for one photo, and are held while they are worked on`() throws {
    let history = try history()
    for number in 1...6 { history.take(frame(UInt32(number))) }
    show(4, at: 6, in: history)
    var choice = history.choose(for: PhotoPress(time: time(7)), neighbours: 3)
    #expect(choice?.frame.sequence == 4)
    #expect(choice?.neighbours.map(\.sequence) == [2, 3, 5])
    for number in 7...30 { history.take(frame(UInt32(number))) }
    // A stand-in for fusion: the frames' mean, after the ring has long moved on.
    let frames = ([choice?.frame].compactMap(\.self) + (choice?.neighbours ?? []))
    let lights = frames.compactMap { frame -> Int? in
      guard case .pixels(let pixels)? = frame.content?.picture else { return nil }
      return pixels.planes[0].row(7).reduce(0) { $0 + Int($1) } / 16
    }
    let light = lights.reduce(0, +)
    #expect(light == 14)
    // Six of the ring, where the one on show stays, and its neighbours.
    #expect(out.withLock { $0 } == 9)
    choice = nil
    withExtendedLifetime(frames) {}
  }

  // MARK: Drivers with few buffers

  @Test
  func `a driver that runs out of buffers gets the oldest frame back, and one is kept less for a while`()
    throws
  {
    let history = try history()
    for number in 1...6 { history.take(frame(UInt32(number))) }
    history.take(outOfBuffers)
    #expect(out.withLock { $0 } == 5)
    history.take(frame(7))
    #expect(history.capacity == 5)
    #expect(out.withLock { $0 } == 5)
    for number in 8...270 { history.take(frame(UInt32(number))) }
    #expect(history.capacity == 6)
    #expect(out.withLock { $0 } == 6)
    // It was too soon: the next attempt comes later.
    history.take(outOfBuffers)
    for number in 271...600 { history.take(frame(UInt32(number))) }
    #expect(history.capacity == 5)
  }

  @Test func `a driver that has no buffer to spare keeps all of them`() throws {
    let history = try history()
    for number in 1...6 { history.take(frame(UInt32(number))) }
    for _ in 0..<9 { history.take(outOfBuffers) }
    #expect(out.withLock { $0 } == 0)
    history.take(frame(7))
    #expect(out.withLock { $0 } == 0)
    #expect(chosen(history, at: 9) == nil)
  }

  @Test(arguments: [(5, nil), (6, 2), (8, 4), (17, 6)] as [(Int, Int?)])
  func `few buffers make a short history, and too few none`(granted: Int, frames: Int?) throws {
    let stream = StreamConfiguration(format: Self.format, frameDuration: FrameDuration(1, 30))
    let planned = HistoryPlan(of: stream, photoSize: nil, capabilities: CameraCapabilities())
    let plan = try #require(planned)
    let history = FrameHistory(plan, granted: granted) { .now }
    let capacity = history?.capacity
    #expect(capacity == frames)
  }

  @Test func `compressed frames of such a driver are copied, and its buffers go back at once`() throws {
    let history = try history(granted: 3, isCompressed: true)
    #expect(history.capacity == 6)
    let isReleased = Locked(0)
    for number in 1...8 {
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 5, alignment: 1)
      memory.copyBytes(from: [1, 2, 3, 4, UInt8(number)])
      let address = UInt(bitPattern: memory.baseAddress)
      let block = CMBlockBuffer(wrapping: memory) {
        UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
        isReleased.withLock { $0 += 1 }
      }
      history.take(
        CapturedFrame(
          picture: .jpeg(block, FrameSize(width: 16, height: 16)), timestamp: time(Double(number)),
          sequence: UInt32(number)))
    }
    #expect(isReleased.withLock { $0 } == 8)
    #expect(history.usage.bytes == 30)
    guard case .jpeg(let block, _)? = history.choose(for: PhotoPress(time: time(9)))?.frame.content?.picture
    else {
      Issue.record("no compressed frame")
      return
    }
    var bytes = [UInt8](repeating: 0, count: 5)
    _ = CMBlockBufferCopyDataBytes(block, atOffset: 0, dataLength: 5, destination: &bytes)
    #expect(bytes == [1, 2, 3, 4, 8])
  }

  // MARK: Plans

  private func plan(
    _ width: Int, _ height: Int, rate: Int32 = 30, encoding: FrameEncoding? = nil, recalled: Int = 0,
    stills: [FrameSize]? = nil, photo: FrameSize? = nil, stabilization: StabilizationMode = .off,
    isPhotoQuality: Bool = true
  ) -> HistoryPlan? {
    var format = StreamFormat(
      size: FrameSize(width: width, height: height),
      encoding: encoding ?? .pixels(kCVPixelFormatType_420YpCbCr8BiPlanarFullRange),
      frameDurations: [FrameDuration(1, rate)...FrameDuration(1, rate)], stillSizes: stills)
    format.stabilizationModes = [stabilization]
    format.isPhotoQuality = isPhotoQuality
    var capabilities = CameraCapabilities()
    capabilities.recalledFrames = recalled
    var stream = StreamConfiguration(format: format, frameDuration: FrameDuration(1, rate))
    stream.stabilization = stabilization
    return HistoryPlan(of: stream, photoSize: photo, capabilities: capabilities)
  }

  @Test func `memory and frame rate decide how many frames are kept`() throws {
    let large = try #require(plan(4032, 3024))
    #expect(large.frames == 6 && large.keeper == .us)
    #expect(large.frameBytes == 18_289_152)
    #expect(large.bufferCount(besides: 8) == 14 + PhotosUnderWay.frameLimit)
    let wide = FrameEncoding.pixels(kCVPixelFormatType_422YpCbCr8_yuvs)
    #expect(plan(4032, 3024, encoding: wide)?.frames == 5)
    #expect(plan(8064, 6048) == nil)
    #expect(plan(8064, 6048, encoding: .motionJPEG)?.frames == 2)
    #expect(plan(1920, 1080, rate: 60)?.frames == 12)
    #expect(plan(1920, 1080, rate: 240)?.frames == 12)
    #expect(plan(1920, 1080, rate: 5)?.frames == 3)
  }

  @Test func `photos larger than the stream need a device with a memory of its own`() throws {
    let small = FrameSize(width: 160, height: 120), large = FrameSize(width: 320, height: 240)
    #expect(plan(160, 120, stills: [small, large])?.keeper == .us)
    #expect(plan(160, 120, stills: [small, large], photo: large) == nil)
    #expect(plan(160, 120, stills: [large]) == nil)
    let recalled = try #require(plan(160, 120, recalled: 16, stills: [large]))
    #expect(recalled.keeper == .device && recalled.frameBytes == 0)
    #expect(recalled.bufferCount(besides: 8) == 8)
    // Such a device has it in its best formats alone.
    #expect(plan(160, 120, recalled: 16, stills: [large], isPhotoQuality: false) == nil)
    #expect(plan(160, 120, recalled: 16, isPhotoQuality: false) == nil)
    #expect(plan(160, 120, isPhotoQuality: false)?.keeper == .us)
    // A size that the format has no longer falls back to its smallest, as maxPhotoDimensions does.
    #expect(plan(160, 120, stills: [small], photo: large)?.keeper == .us)
  }

  @Test func `a stabilized stream is narrower than a photo where the device distinguishes them`() {
    #expect(plan(160, 120, recalled: 16, stabilization: .standard)?.keeper == .device)
    #expect(plan(160, 120, stabilization: .standard)?.keeper == .us)
  }
}
