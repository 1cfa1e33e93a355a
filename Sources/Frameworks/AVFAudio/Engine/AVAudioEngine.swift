public import Foundation
internal import CoreMedia
internal import FoundationExtras
internal import Linux

extension NSNotification.Name {
  /// The format of an engine's input or output has changed, and the engine has stopped: connect its nodes anew, and start it.
  ///
  /// Posted on a queue of the engine's. Apple: `AVAudioEngineConfigurationChange`.
  public static let AVAudioEngineConfigurationChange = NSNotification.Name(
    "AVAudioEngineConfigurationChangeNotification")
}

/// A graph of nodes through which audio goes, from a microphone, buffers and files to the loudspeaker or to a client.
///
/// Audio goes at the pace of the sound card; without one, in silence at the pace of the host's clock. On a simulated machine whose clock
/// is moved by hand it goes at that clock's pace, ten milliseconds at a time, so that tests repeat. Nodes may be connected while it runs.
/// Thread-safe.
///
/// Apple: `AVAudioEngine`.
open class AVAudioEngine: NSObject, @unchecked Sendable {  // Safe: locked state.
  struct State {
    var nodes: [AVAudioNode] = []
    var pass = RenderPass()
    var isRunning = false
    var isPaused = false
    var output: (any AudioOutput)?
    var outputNode: AVAudioOutputNode?
    var mixer: AVAudioMixerNode?
    var inputNode: AVAudioInputNode?
    var manual: ManualRendering?
    var observer: (any NSObjectProtocol)?
    /// The microphone's format since the engine was started.
    var listened: AVAudioFormat?
  }

  /// The code of an error of ``start()``: `what`.
  static let cannotStart: OSStatus = 0x7768_6174
  let state = Locked(State())
  /// Makes what pulls; a test's own instead of the machine's.
  private let makeOutput: @Sendable () -> any AudioOutput

  /// An engine without nodes.
  ///
  /// Apple: `AVAudioEngine.init()`.
  public override init() {
    makeOutput = { AudioOutputFormat.output() }
    super.init()
  }

  /// An engine whose audio goes elsewhere.
  package init(output: @escaping @Sendable () -> any AudioOutput) {
    makeOutput = output
    super.init()
  }

  deinit {
    let last = state.withLock { $0 }
    last.output?.stop()
    last.inputNode?.end()
    if let observer = last.observer { NotificationCenter.default.removeObserver(observer) }
  }

  // MARK: Nodes

  /// The nodes that are attached.
  ///
  /// Apple: `AVAudioEngine.attachedNodes`.
  public var attachedNodes: Set<AVAudioNode> { Set(state.withLock { $0.nodes }) }

  /// Takes a node in; one of another engine is a programming mistake.
  ///
  /// Apple: `AVAudioEngine.attach(_:)`.
  open func attach(_ node: AVAudioNode) {
    guard node.engine == nil || node.engine === self else {
      ProgrammingMistake.report(rule: "A node belongs to one engine; detach it from the other one first.")
      return
    }
    node.setEngine(self)
    state.withLock { state in
      if !state.nodes.contains(where: { $0 === node }) { state.nodes.append(node) }
    }
  }

  /// Lets a node go, with its connections.
  ///
  /// Apple: `AVAudioEngine.detach(_:)`.
  open func detach(_ node: AVAudioNode) {
    change { state in
      state.nodes.removeAll { $0 === node }
      state.pass.connections.removeAll { $0.source === node || $0.target === node }
    }
    node.setEngine(nil)
    node.reset()
  }

  /// Connects the first output of a node with an input of another one: of a mixer the first that is free.
  ///
  /// - Parameter format: The format of the audio; `nil` for that of the first node's output.
  ///
  /// Apple: `AVAudioEngine.connect(_:to:format:)`.
  open func connect(_ node1: AVAudioNode, to node2: AVAudioNode, format: AVAudioFormat?) {
    let bus = (node2 as? AVAudioMixerNode).map { _ in freeInput(of: node2) } ?? 0
    connect(node1, to: node2, fromBus: 0, toBus: bus, format: format)
  }

  /// Connects an output of a node with an input of another one; what they were connected with before is let go.
  ///
  /// Nodes that are not attached, an input that the node does not have, and a format that is no 32-bit floating-point one are programming
  /// mistakes without effect. Apple: `AVAudioEngine.connect(_:to:fromBus:toBus:format:)`.
  open func connect(
    _ node1: AVAudioNode, to node2: AVAudioNode, fromBus bus1: AVAudioNodeBus, toBus bus2: AVAudioNodeBus,
    format: AVAudioFormat?
  ) {
    let format = format ?? node1.outputFormat(forBus: bus1)
    guard node1.engine === self, node2.engine === self, node1 !== node2, node2.numberOfInputs > 0 else {
      ProgrammingMistake.report(
        rule: "Two nodes are connected that are attached to the engine, of which the second has an input.")
      return
    }
    guard format.commonFormat == .pcmFormatFloat32, format.channelCount > 0, format.sampleRate > 0 else {
      ProgrammingMistake.report(
        rule: """
          Nodes are connected in a format of 32-bit floating-point numbers with a rate and channels; an input without a microphone \
          has none.
          """)
      return
    }
    change { state in
      state.pass.connections.removeAll {
        ($0.source === node1 && $0.sourceBus == bus1) || ($0.target === node2 && $0.targetBus == bus2)
      }
      state.pass.connections.append(
        RenderPass.Connection(
          source: node1, sourceBus: bus1, target: node2, targetBus: bus2, format: format))
    }
    node1.setOutputFormat(format, bus1)
    node2.setInputFormat(format, bus2)
  }

  /// Lets go of what a node's inputs are connected with.
  ///
  /// Apple: `AVAudioEngine.disconnectNodeInput(_:)`.
  open func disconnectNodeInput(_ node: AVAudioNode) {
    change { $0.pass.connections.removeAll { $0.target === node } }
  }

  /// Lets go of what an input of a node is connected with.
  ///
  /// Apple: `AVAudioEngine.disconnectNodeInput(_:bus:)`.
  open func disconnectNodeInput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    change { $0.pass.connections.removeAll { $0.target === node && $0.targetBus == bus } }
  }

  /// Lets go of what a node's outputs are connected with.
  ///
  /// Apple: `AVAudioEngine.disconnectNodeOutput(_:)`.
  open func disconnectNodeOutput(_ node: AVAudioNode) {
    change { $0.pass.connections.removeAll { $0.source === node } }
  }

  /// Lets go of what an output of a node is connected with.
  ///
  /// Apple: `AVAudioEngine.disconnectNodeOutput(_:bus:)`.
  open func disconnectNodeOutput(_ node: AVAudioNode, bus: AVAudioNodeBus) {
    change { $0.pass.connections.removeAll { $0.source === node && $0.sourceBus == bus } }
  }

  func freeInput(of node: AVAudioNode) -> AVAudioNodeBus {
    let taken = state.withLock { state in
      Set(state.pass.connections.filter { $0.target === node }.map(\.targetBus))
    }
    return (0...taken.count).first { !taken.contains($0) } ?? 0
  }

  // What is let go of goes after the lock is left.
  private func change(_ body: (inout State) -> Void) {
    let old = state.withLock { state in
      let old = (state.nodes, state.pass)
      body(&state)
      return old
    }
    withExtendedLifetime(old) {}
  }

  // MARK: Ends

  /// The end of the graph, at which it is heard.
  ///
  /// Apple: `AVAudioEngine.outputNode`.
  open var outputNode: AVAudioOutputNode {
    if let made = state.withLock({ $0.outputNode }) { return made }
    let made = AVAudioOutputNode()
    let kept = state.withLock { state in
      let kept = state.outputNode ?? made
      state.outputNode = kept
      return kept
    }
    attach(kept)
    return kept
  }

  /// A mixer before the output, made and connected with it when it is first asked for.
  ///
  /// Apple: `AVAudioEngine.mainMixerNode`.
  open var mainMixerNode: AVAudioMixerNode {
    if let made = state.withLock({ $0.mixer }) { return made }
    let output = outputNode
    let made = AVAudioMixerNode()
    let kept = state.withLock { state in
      let kept = state.mixer ?? made
      state.mixer = kept
      return kept
    }
    attach(kept)
    if state.withLock({ $0.pass.inputs(of: output).isEmpty }) {
      connect(kept, to: output, format: output.outputFormat(forBus: 0))
    }
    return kept
  }

  /// The input node, made of a microphone when it is first asked for.
  package func inputNode(_ makeSource: () -> any AudioInputSource) -> AVAudioInputNode {
    if let made = state.withLock({ $0.inputNode }) { return made }
    let made = AVAudioInputNode(makeSource())
    let kept = state.withLock { state in
      let kept = state.inputNode ?? made
      state.inputNode = kept
      return kept
    }
    attach(kept)
    observeRoute()
    return kept
  }

  /// The format in which the graph ends.
  var renderedFormat: AVAudioFormat {
    state.withLock { $0.manual?.format } ?? Self.hardware
  }

  private static let hardware =
    AVAudioFormat(standardFormatWithSampleRate: Double(AudioOutputFormat.rate), channels: 2)
    ?? AVAudioFormat(noneWith: nil)

  // MARK: Running

  /// Whether it runs.
  ///
  /// Apple: `AVAudioEngine.isRunning`.
  open var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Does what can be done before ``start()``; nothing is slow here.
  ///
  /// Apple: `AVAudioEngine.prepare()`.
  open func prepare() {}

  /// Lets audio go.
  ///
  /// - Throws: An error with a sentence when there is no microphone for the input, or the program may not use it; and when neither input nor
  ///   output was asked for, which is a programming mistake.
  ///
  /// Apple: `AVAudioEngine.start()`.
  open func start() throws {
    let (isRunning, input, hasEnds, isManual) = state.withLock { state in
      (
        state.isRunning, state.inputNode, state.inputNode != nil || state.outputNode != nil,
        state.manual != nil
      )
    }
    guard !isRunning else { return }
    guard hasEnds || isManual else {
      ProgrammingMistake.report(
        rule: "An engine starts once its inputNode, outputNode or mainMixerNode was asked for.")
      throw AVAudioFile.error(Self.cannotStart, "The engine has no input and no output.")
    }
    if !isManual, let input {
      try input.begin { [weak self] in self?.configurationChanged() }
      let format = input.outputFormat(forBus: 0)
      let old = state.withLock { state in
        defer { state.listened = format }
        return state.listened
      }
      withExtendedLifetime(old) {}
    }
    let output = isManual ? nil : makeOutput()
    state.withLock { state in
      (state.isRunning, state.isPaused) = (true, false)
      state.output = output
    }
    output?.start { [weak self] frames, heardAt in
      self?.renderStereo(frames, heardAt: heardAt) ?? [Float](repeating: 0, count: frames * 2)
    }
  }

  /// Lets audio stand; players go on where they were.
  ///
  /// Apple: `AVAudioEngine.pause()`.
  open func pause() { halt(isPaused: true) }

  /// Ends; players forget what they were to play.
  ///
  /// Apple: `AVAudioEngine.stop()`.
  open func stop() {
    halt(isPaused: false)
    reset()
  }

  /// Forgets audio that waits in the nodes.
  ///
  /// Apple: `AVAudioEngine.reset()`.
  open func reset() {
    for node in state.withLock({ $0.nodes }) { node.reset() }
  }

  private func halt(isPaused: Bool) {
    let (output, input) = state.withLock { state in
      defer { (state.isRunning, state.isPaused, state.output) = (false, isPaused, nil) }
      return (state.output, state.isRunning ? state.inputNode : nil)
    }
    output?.stop()
    input?.end()
  }

  /// Stops, and says so, when the microphone is another one.
  private func observeRoute() {
    let observer = NotificationCenter.default.addObserver(
      forName: AVAudioSession.routeChangeNotification, object: nil, queue: nil
    ) { [weak self] _ in
      guard let self,
        let (input, format) = state.withLock({ state in state.inputNode.map { ($0, state.listened) } }),
        !input.outputFormat(forBus: 0).isEqual(format)
      else { return }
      configurationChanged()
    }
    let old = state.withLock { state in
      defer { state.observer = observer }
      return state.observer
    }
    if let old { NotificationCenter.default.removeObserver(old) }
  }

  private func configurationChanged() {
    guard isRunning else { return }
    halt(isPaused: false)
    NotificationCenter.default.post(name: .AVAudioEngineConfigurationChange, object: self)
  }

  // MARK: Rendering

  /// So many moments of what the output node gets; `nil` for silence.
  func render(_ frames: AVAudioFrameCount, heardAt: Int64) -> AVAudioPCMBuffer? {
    let (pass, output) = state.withLock { ($0.pass, $0.outputNode) }
    return output?.render(frames, heardAt: heardAt, bus: 0, pass)
  }

  private func renderStereo(_ frames: Int, heardAt: Int64) -> [Float] {
    render(AVAudioFrameCount(frames), heardAt: heardAt)?.interleaved()
      ?? [Float](repeating: 0, count: frames * 2)
  }
}
