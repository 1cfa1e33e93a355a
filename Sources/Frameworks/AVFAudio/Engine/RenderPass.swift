internal import Linux

/// The connections of an engine while it renders.
struct RenderPass: Sendable {
  /// A line from a node's output to another one's input.
  struct Connection: Sendable {
    let source: AVAudioNode
    let sourceBus: AVAudioNodeBus
    let target: AVAudioNode
    let targetBus: AVAudioNodeBus
    let format: AVAudioFormat
  }

  var connections: [Connection] = []
  /// The nodes that this pull came through: a circle is silent.
  private var visited: Set<ObjectIdentifier> = []

  init(_ connections: [Connection] = []) {
    self.connections = connections
  }

  /// The lines that end at a node, in the order of its inputs.
  func inputs(of node: AVAudioNode) -> [Connection] {
    connections.filter { $0.target === node }.sorted { $0.targetBus < $1.targetBus }
  }

  /// Asks the node at a line's beginning for audio, in the line's format; its taps hear it.
  ///
  /// - Returns: As many moments as are asked for; `nil` for silence.
  func pull(_ connection: Connection, _ frames: AVAudioFrameCount, heardAt: Int64) -> AVAudioPCMBuffer? {
    let source = connection.source
    let id = ObjectIdentifier(source)
    guard !visited.contains(id) else { return nil }
    var pass = self
    pass.visited.insert(id)
    let buffer = source.render(frames, heardAt: heardAt, bus: connection.sourceBus, pass)
    guard let tap = source.tap(connection.sourceBus), !(source is AVAudioInputNode) else { return buffer }
    if let heard = buffer ?? Self.silence(frames, connection.format) { tap.hear(heard, heardAt: heardAt) }
    return buffer
  }

  /// So many moments of nothing.
  static func silence(_ frames: AVAudioFrameCount, _ format: AVAudioFormat) -> AVAudioPCMBuffer? {
    let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames)
    buffer?.frameLength = frames
    return buffer
  }
}

/// Pulls audio over a line in another format: another rate, other channels.
final class PullConverter: @unchecked Sendable {  // Safe because one thread renders at a time.
  private let converter: ChunkConverter?
  private let source: AVAudioFormat
  private let target: AVAudioFormat
  /// Interleaved samples of the target that wait.
  private var waiting: [Float] = []

  init(_ source: AVAudioFormat, _ target: AVAudioFormat) {
    (self.source, self.target) = (source, target)
    converter = source.isEqual(target) ? nil : ChunkConverter(source, target)
  }

  /// Whether it goes from one format to the other.
  func serves(_ source: AVAudioFormat, _ target: AVAudioFormat) -> Bool {
    self.source.isEqual(source) && self.target.isEqual(target)
  }

  /// So many moments in the target's format.
  func pull(
    _ frames: AVAudioFrameCount, heardAt: Int64,
    _ ask: (AVAudioFrameCount, _ heardAt: Int64) -> AVAudioPCMBuffer?
  ) -> AVAudioPCMBuffer? {
    guard let converter else { return ask(frames, heardAt) }
    let channels = Int(target.channelCount)
    let ratio = source.sampleRate / target.sampleRate
    // The filter keeps some moments back at first; a source that gives nothing more ends the loop.
    for _ in 0..<8 where waiting.count < Int(frames) * channels {
      let missing = Double(Int(frames) - waiting.count / channels)
      // One more than the ratio asks for, as the filter's places lie between the samples.
      let wanted = AVAudioFrameCount((missing * ratio).rounded(.up)) + (ratio == 1 ? 0 : 1)
      guard let piece = ask(wanted, heardAt) ?? RenderPass.silence(wanted, source) else { break }
      if let converted = converter.convert(piece) { waiting += converted.interleaved() }
    }
    guard let output = RenderPass.silence(frames, target) else { return nil }
    let count = min(waiting.count / channels, Int(frames))
    var samples = Array(waiting.prefix(count * channels))
    waiting.removeFirst(count * channels)
    samples += [Float](repeating: 0, count: Int(frames) * channels - samples.count)
    output.write(samples, frames: Int(frames))
    return output
  }
}
