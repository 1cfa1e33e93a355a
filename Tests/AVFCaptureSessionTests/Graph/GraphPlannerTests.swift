import AVFCapture
import CaptureDevice
import CoreVideo
import Testing

@Suite("Graph planner")
struct GraphPlannerTests {
  private let input = NodeID(), video = NodeID(), photo = NodeID(), toVideo = NodeID(), toPhoto = NodeID()

  private static let full420 = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange

  /// A phone's camera: video formats in both ranges, and a photo format that scales.
  private static let phone: DeviceFacts = {
    func formats(_ width: Int, _ height: Int, _ rate: Int32, isPhoto: Bool = false) -> [StreamFormat] {
      [kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, full420].map { pixels in
        StreamFormat(
          size: FrameSize(width: width, height: height), encoding: .pixels(pixels),
          frameDurations: [FrameDuration(1, rate)...FrameDuration(1, 1)],
          stillSizes: [FrameSize(width: 4032, height: 3024)], scalesStream: isPhoto, isPhotoQuality: isPhoto,
          supportsP3: isPhoto)
      }
    }
    return DeviceFacts(
      uniqueID: "phone", modelID: "phone", name: "Phone Camera", manufacturer: "Obscura",
      kind: .wideAngleCamera,
      position: .back, media: [.video],
      formats: formats(640, 480, 60) + formats(1280, 720, 240) + formats(1920, 1080, 60)
        + formats(4032, 3024, 30, isPhoto: true), sensorRotation: 90)
  }()

  private let facts = ["phone": phone]

  private func graph(
    _ preset: AVCaptureSession.Preset,
    video role: OutputRequirements.Role? = .videoData(
      pixelFormat: nil, size: nil, previewSizing: .automatic), takesPhotos: Bool = true
  ) -> CaptureGraph {
    var graph = CaptureGraph()
    graph.preset = preset
    graph.inputs = [.init(id: input, deviceID: "phone", enabledMedia: [.video])]
    if let role {
      graph.outputs.append(.init(id: video, requirements: OutputRequirements(role: role, media: [.video])))
      graph.connections.append(
        .init(id: toVideo, input: input, output: video, media: .video, settings: ConnectionSettings()))
    }
    if takesPhotos {
      graph.outputs.append(
        .init(id: photo, requirements: OutputRequirements(role: .photo, media: [.video])))
      graph.connections.append(
        .init(id: toPhoto, input: input, output: photo, media: .video, settings: ConnectionSettings()))
    }
    return graph
  }

  /// A microphone and an output for it beside `graph`'s camera, or alone.
  private func withAudio(_ graph: CaptureGraph, format: Int = 0) -> (CaptureGraph, connection: NodeID) {
    var graph = graph
    let microphone = NodeID(), audio = NodeID(), toAudio = NodeID()
    graph.inputs.append(
      .init(id: microphone, deviceID: "microphone", enabledMedia: [.audio], isMicrophone: true))
    graph.outputs.append(
      .init(id: audio, requirements: OutputRequirements(role: .audioData, media: [.audio])))
    graph.connections.append(
      .init(id: toAudio, input: microphone, output: audio, media: .audio, settings: ConnectionSettings()))
    graph.devices["microphone"] = .init(format: format)
    return (graph, toAudio)
  }

  private static let microphone = DeviceFacts(
    uniqueID: "microphone", modelID: "microphone", name: "Microphone", manufacturer: "Obscura",
    kind: .builtInMicrophone, position: .unspecified, media: [.audio], formats: [])

  @Test func `what a deferred output alone needs waits, and formats, sizes and rates do not`() throws {
    let movie = NodeID(), toMovie = NodeID(), movieSound = NodeID()
    let facts = facts.merging(["microphone": Self.microphone]) { first, _ in first }
    var graph = graph(.high)
    graph.outputs[1].requirements.keepsHistory = true
    let microphone = NodeID()
    graph.inputs.append(
      .init(id: microphone, deviceID: "microphone", enabledMedia: [.audio], isMicrophone: true))
    graph.outputs.append(
      .init(id: movie, requirements: OutputRequirements(role: .movie, media: [.video, .audio])))
    graph.connections += [
      .init(id: toMovie, input: input, output: movie, media: .video, settings: ConnectionSettings()),
      .init(id: movieSound, input: microphone, output: movie, media: .audio, settings: ConnectionSettings()),
    ]
    let whole = try #require(GraphPlanner.plan(graph, facts: facts).plan)
    graph.heldBack = [photo, movie]
    let first = try #require(GraphPlanner.plan(graph, facts: facts).plan)
    #expect(whole.streams["microphone"] != nil && first.streams["microphone"] == nil)
    #expect(first.connections.keys.contains(toPhoto) && first.connections.keys.contains(toMovie))
    #expect(!first.connections.keys.contains(movieSound))
    var (all, some) = try (#require(whole.streams["phone"]), #require(first.streams["phone"]))
    #expect(some.bufferCount == 8 && all.laterBufferCount == 0)
    // A start waits for half of the memory, and for less where the session keeps the history.
    #expect(all.bufferCount == 16 && some.bufferCount + some.laterBufferCount == all.bufferCount)
    (all.bufferCount, some.bufferCount, some.laterBufferCount) = (0, 0, 0)
    #expect(some == all && whole.formats == first.formats)

    graph.heldBack = [video]
    let other = try #require(GraphPlanner.plan(graph, facts: facts).plan)
    #expect(other.connections[toVideo] == nil && other.connections[movieSound] != nil)
    #expect(other.streams == whole.streams)
  }

  @Test
  func `a microphone streams with its format's channels while a connection wants its audio`() throws {
    let facts = facts.merging(["microphone": Self.microphone]) { first, _ in first }
    let (mono, connection) = withAudio(graph(.high))
    let plan = try #require(GraphPlanner.plan(mono, facts: facts).plan)
    #expect(plan.streams["microphone"] == .audio() && plan.streams["phone"] != nil)
    #expect(plan.connections[connection]?.deviceID == "microphone")
    let (stereo, _) = withAudio(graph(.high), format: 1)
    #expect(GraphPlanner.plan(stereo, facts: facts).plan?.streams["microphone"]?.audio.channels == 2)
    var off = mono
    off.connections[off.connections.count - 1].settings.isEnabled = false
    #expect(GraphPlanner.plan(off, facts: facts).plan?.streams["microphone"] == nil)
    off = mono
    off.inputs[1].enabledMedia = []
    #expect(GraphPlanner.plan(off, facts: facts).plan?.streams["microphone"] == nil)
  }

  @Test
  func `pictures do without a microphone that is gone, audio alone does not`() throws {
    let (both, connection) = withAudio(graph(.high))
    guard case .adjusted(let plan, let reasons) = GraphPlanner.plan(both, facts: facts) else {
      Issue.record("the plan says nothing of the microphone")
      return
    }
    #expect(plan.missing == ["microphone"] && plan.streams["phone"] != nil)
    #expect(plan.connections[connection] == nil && reasons.contains { $0.description.contains("microphone") })
    let (alone, _) = withAudio(CaptureGraph())
    #expect(GraphPlanner.plan(alone, facts: [:]) == .invalid(.deviceMissing("microphone")))
    #expect(
      GraphPlanner.plan(both, facts: ["microphone": Self.microphone]) == .invalid(.deviceMissing("phone")))
  }

  @Test
  func `an input's override makes frames longer, and never shorter`() throws {
    let format = try #require(Self.phone.formats.first)
    func duration(_ minimum: FrameDuration?, _ shortest: FrameDuration?, maximum: FrameDuration? = nil)
      -> FrameDuration
    {
      GraphPlanner.frameDuration(of: format, minimum: minimum, maximum: maximum, shortest: shortest)
    }
    #expect(duration(nil, FrameDuration(1, 10)) == FrameDuration(1, 10))
    #expect(duration(nil, FrameDuration(1, 60)) == FrameDuration(1, 30))
    #expect(duration(FrameDuration(1, 60), FrameDuration(1, 20)) == FrameDuration(1, 20))
    #expect(duration(FrameDuration(1, 15), FrameDuration(1, 20)) == FrameDuration(1, 15))
    #expect(duration(nil, nil, maximum: FrameDuration(1, 50)) == FrameDuration(1, 50))
  }

  @Test
  func `the photo preset streams preview-sized and keeps the large still`() throws {
    let plan = try #require(GraphPlanner.plan(graph(.photo), facts: facts).plan)
    let stream = try #require(plan.streams["phone"])
    #expect(stream.format.size == FrameSize(width: 4032, height: 3024))
    #expect(stream.size == FrameSize(width: 1920, height: 1440))
    #expect(stream.frameDuration == FrameDuration(1, 30))
    #expect(plan.connections[toVideo]?.size == stream.size)
    #expect(stream.usesP3, "a photo is taken in wide colour")
  }

  @Test
  func `an output that wants full buffers makes the stream full, and only its own frames`() throws {
    let role = OutputRequirements.Role.videoData(pixelFormat: nil, size: nil, previewSizing: .off)
    var full = graph(.photo, video: role)
    let second = NodeID(), toSecond = NodeID()
    full.outputs.append(
      .init(
        id: second,
        requirements: OutputRequirements(
          role: .videoData(pixelFormat: nil, size: nil, previewSizing: .automatic), media: [.video])))
    full.connections.append(
      .init(id: toSecond, input: input, output: second, media: .video, settings: ConnectionSettings()))
    let plan = try #require(GraphPlanner.plan(full, facts: facts).plan)
    #expect(plan.streams["phone"]?.size == FrameSize(width: 4032, height: 3024))
    #expect(plan.connections[toVideo]?.size == FrameSize(width: 4032, height: 3024))
    #expect(plan.connections[toSecond]?.size == FrameSize(width: 1920, height: 1440))
  }

  @Test
  func `a plain preset is valid, and its frames flow as the sensor sees them`() throws {
    let verdict = GraphPlanner.plan(graph(.hd1920x1080), facts: facts)
    guard case .valid(let plan) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    let connection = try #require(plan.connections[toVideo])
    #expect(connection.size == FrameSize(width: 1920, height: 1080))
    #expect(connection.rotation == 0 && !connection.isMirrored)
    #expect(plan.streams["phone"]?.usesP3 == false)
  }

  @Test
  func `turning is the connection's, not the stream's`() throws {
    var turned = graph(.hd1280x720)
    turned.connections[0].settings.rotation = 90
    turned.connections[0].settings.isMirrored = true
    let before = try #require(GraphPlanner.plan(graph(.hd1280x720), facts: facts).plan)
    let after = try #require(GraphPlanner.plan(turned, facts: facts).plan)
    #expect(before.streams == after.streams)
    #expect(after.connections[toVideo]?.turnedSize == FrameSize(width: 720, height: 1280))
  }

  @Test
  func `a pixel format that is wanted chooses the format that has it`() throws {
    let role = OutputRequirements.Role.videoData(
      pixelFormat: Self.full420, size: nil, previewSizing: .automatic)
    let plan = try #require(GraphPlanner.plan(graph(.hd1280x720, video: role), facts: facts).plan)
    #expect(plan.streams["phone"]?.format.encoding == .pixels(Self.full420))
  }

  @Test
  func `nothing streams when nothing is switched on`() throws {
    var idle = graph(.high)
    for index in idle.connections.indices { idle.connections[index].settings.isEnabled = false }
    let plan = try #require(GraphPlanner.plan(idle, facts: facts).plan)
    #expect(plan.streams.isEmpty && plan.connections.isEmpty)
    #expect(plan.formats["phone"] != nil, "the device's active format follows the preset all the same")
    var portOff = graph(.high)
    portOff.inputs[0].enabledMedia = []
    #expect(try #require(GraphPlanner.plan(portOff, facts: facts).plan).streams.isEmpty)
  }

  @Test
  func `input priority keeps what the client has set`() throws {
    var chosen = graph(.inputPriority)
    chosen.devices["phone"] = .init(format: 2, minimumFrameDuration: FrameDuration(1, 240), usesP3: false)
    let stream = try #require(GraphPlanner.plan(chosen, facts: facts).plan?.streams["phone"])
    #expect(stream.format == Self.phone.formats[2])
    #expect(stream.frameDuration == FrameDuration(1, 240))
  }

  @Test
  func `what cannot be is refused with the reason`() {
    #expect(GraphPlanner.plan(graph(.high), facts: [:]) == .invalid(.deviceMissing("phone")))
    #expect(
      GraphPlanner.plan(graph(.hd4K3840x2160), facts: facts)
        == .invalid(.presetUnsupported(device: "Phone Camera", preset: .hd4K3840x2160)))
    var lost = graph(.inputPriority)
    lost.devices["phone"] = .init(format: 99)
    #expect(GraphPlanner.plan(lost, facts: facts) == .invalid(.formatMissing(device: "Phone Camera")))
    var loose = graph(.high)
    loose.outputs = []
    #expect(GraphPlanner.plan(loose, facts: facts) == .invalid(.looseConnection))
  }

  @Test
  func `a promise that the device breaks is an adjustment with its reason`() {
    var slow = Self.phone
    slow.formats = [
      StreamFormat(
        size: FrameSize(width: 640, height: 480), encoding: .pixels(Self.full420),
        frameDurations: [FrameDuration(1, 15)...FrameDuration(1, 15)])
    ]
    guard case .adjusted(let plan, let reasons) = GraphPlanner.plan(graph(.high), facts: ["phone": slow])
    else {
      Issue.record("not adjusted")
      return
    }
    #expect(plan.streams["phone"]?.frameDuration == FrameDuration(1, 15))
    #expect(reasons.map(\.description).contains { $0.contains("15") && $0.contains("Phone Camera") })
  }

  @Test(
    arguments: [
      ([FrameDuration(1, 60)...FrameDuration(1, 1)], FrameDuration(1, 30)),
      ([FrameDuration(1, 25)...FrameDuration(1, 25)], FrameDuration(1, 25)),
      (
        [FrameDuration(1, 60)...FrameDuration(1, 60), FrameDuration(1, 15)...FrameDuration(1, 15)],
        FrameDuration(1, 60)
      ),
      ([FrameDuration(1001, 30000)...FrameDuration(1001, 30000)], FrameDuration(1001, 30000)),
    ])
  func `the usual rate is thirty or the nearest`(
    ranges: [ClosedRange<FrameDuration>], expected: FrameDuration
  ) {
    let format = StreamFormat(
      size: FrameSize(width: 64, height: 48), encoding: .pixels(Self.full420), frameDurations: ranges)
    #expect(GraphPlanner.frameDuration(of: format) == expected)
  }
}
