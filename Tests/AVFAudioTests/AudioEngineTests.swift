import AVFAudio
import CoreMedia
import Foundation
import FoundationExtras
import Linux
import Testing

@Suite("AVAudioEngine")
struct AudioEngineTests {
  /// An engine that renders by hand, and its format.
  private func offline(_ rate: Double = 48_000, _ channels: AVAudioChannelCount = 2) throws -> AVAudioEngine {
    let engine = AVAudioEngine()
    try engine.enableManualRenderingMode(
      .offline, format: try standard(rate, channels), maximumFrameCount: 4096)
    return engine
  }

  private func render(_ engine: AVAudioEngine, _ frames: Int) throws -> AVAudioPCMBuffer {
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: engine.manualRenderingFormat, frameCapacity: AVAudioFrameCount(frames)))
    #expect(try engine.renderOffline(AVAudioFrameCount(frames), to: buffer) == .success)
    #expect(buffer.frameLength == AVAudioFrameCount(frames))
    return buffer
  }

  /// A player that is connected with the main mixer.
  private func player(_ engine: AVAudioEngine, _ format: AVAudioFormat) -> AVAudioPlayerNode {
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    return player
  }

  @Test("Buffers are played one behind the other, and silence follows")
  func order() throws {
    let engine = try offline()
    let format = try standard(48_000, 2)
    let node = player(engine, format)
    try engine.start()
    let done = Locked<[Int]>([])
    for part in 0..<3 {
      node.scheduleBuffer(try tone(format, 500, from: part * 500)) { done.withLock { $0.append(part) } }
    }
    #expect(samples(try render(engine, 100)).allSatisfy { $0 == 0 })
    node.play()
    let heard = samples(try render(engine, 2000))
    #expect(Array(heard.prefix(1500)) == samples(try tone(format, 1500)))
    #expect(heard.suffix(500).allSatisfy { $0 == 0 })
    #expect(engine.manualRenderingSampleTime == 2100)
    AVAudioPlayerNode.flush()
    #expect(done.withLock { $0 } == [0, 1, 2])
  }

  @Test("A buffer begins at the player's time that it is given, whatever was rendered before")
  func startTimes() throws {
    let engine = try offline()
    let format = try standard(48_000, 2)
    let node = player(engine, format)
    try engine.start()
    _ = try render(engine, 777)
    node.scheduleBuffer(try tone(format, 100), at: AVAudioTime(sampleTime: 1000, atRate: 48_000))
    node.play()
    let heard = samples(try render(engine, 1500))
    #expect(heard.prefix(1000).allSatisfy { $0 == 0 })
    #expect(Array(heard[1000..<1100]) == samples(try tone(format, 100)))
    let now = try #require(node.lastRenderTime)
    #expect(node.playerTime(forNodeTime: now)?.sampleTime == 0)
  }

  @Test("A buffer loops until another one takes its place, at once or at its end")
  func loops() throws {
    let engine = try offline()
    let format = try standard(48_000, 2)
    let node = player(engine, format)
    try engine.start()
    let loop = try tone(format, 100, hertz: 480)
    node.scheduleBuffer(loop, at: nil, options: .loops)
    node.play()
    let turns = samples(try render(engine, 350))
    #expect(Array(turns.prefix(300)) == samples(loop) + samples(loop) + samples(loop))
    let other = try tone(format, 60, hertz: 3000)
    node.scheduleBuffer(other, at: nil, options: .interruptsAtLoop)
    let heard = samples(try render(engine, 200))
    #expect(Array(heard.prefix(50)) == Array(samples(loop).suffix(50)))
    #expect(Array(heard[50..<110]) == samples(other))
    node.scheduleBuffer(loop, at: nil, options: .loops)
    _ = try render(engine, 30)
    node.scheduleBuffer(other, at: nil, options: .interrupts)
    #expect(Array(samples(try render(engine, 60))) == samples(other))
  }

  @Test("A pause stands still, a stop takes back what is scheduled and says so")
  func pauses() throws {
    let engine = try offline()
    let format = try standard(48_000, 2)
    let node = player(engine, format)
    try engine.start()
    let done = Locked(0)
    node.scheduleBuffer(try tone(format, 1000)) { done.withLock { $0 += 1 } }
    node.play()
    _ = try render(engine, 300)
    node.pause()
    #expect(samples(try render(engine, 300)).allSatisfy { $0 == 0 })
    node.play()
    #expect(samples(try render(engine, 100)) == samples(try tone(format, 100, from: 300)))
    node.stop()
    AVAudioPlayerNode.flush()
    #expect(done.withLock { $0 } == 1 && !node.isPlaying)
    node.play()
    #expect(samples(try render(engine, 100)).allSatisfy { $0 == 0 })
  }

  @Test("A mixer adds its inputs, each as loud and where it is to be heard")
  func mixing() throws {
    let engine = try offline()
    let format = try standard(48_000, 2)
    let (left, right) = (player(engine, format), player(engine, format))
    left.pan = -1
    right.volume = 0.5
    right.pan = 1
    engine.mainMixerNode.outputVolume = 0.8
    try engine.start()
    left.scheduleBuffer(try tone(format, 100))
    right.scheduleBuffer(try tone(format, 100, hertz: 1000))
    left.play()
    right.play()
    let heard = try render(engine, 100)
    let (one, other) = (
      samples(try tone(format, 100)), samples(try tone(format, 100, hertz: 1000), channel: 1)
    )
    for frame in 0..<100 {
      #expect(abs(samples(heard)[frame] - 0.8 * one[frame]) < 1e-5)
      #expect(abs(samples(heard, channel: 1)[frame] - 0.4 * other[frame]) < 1e-5)
    }
  }

  @Test("Rates and channels of inputs are converted to the mixer's")
  func conversion() throws {
    let engine = try offline()
    let format = try standard(16_000, 1)
    let node = player(engine, format)
    try engine.start()
    node.scheduleBuffer(try tone(format, 16_000))
    node.play()
    var heard: [Float] = []
    for _ in 0..<20 { heard += samples(try render(engine, 2400)) }
    let truth = samples(try tone(try standard(48_000, 1), 48_000))
    let error = zip(heard, truth).dropFirst(200).prefix(47_000).map { $0 - $1 }
    #expect(level(error) < 0.01)
  }

  @Test("Files are played at the engine's rate, whole or in part, and may be read meanwhile")
  func files() throws {
    let folder = try AudioFolder()
    let url = folder.file("a.wav")
    let format = try standard(24_000, 1)
    do {
      let file = try AVAudioFile(
        forWriting: url,
        settings: [
          AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 24_000, AVNumberOfChannelsKey: 1,
          AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ])
      try file.write(from: tone(format, 24_000))
    }
    let engine = try offline(24_000, 1)
    let node = player(engine, format)
    try engine.start()
    let file = try AVAudioFile(forReading: url)
    let done = Locked(0)
    node.scheduleSegment(file, startingFrame: 6000, frameCount: 2000, at: nil)
    node.scheduleFile(file, at: nil) { done.withLock { $0 += 1 } }
    node.play()
    #expect(samples(try render(engine, 2000)) == samples(try tone(format, 2000, from: 6000)))
    file.framePosition = 12_345
    var heard: [Float] = []
    for _ in 0..<8 { heard += samples(try render(engine, 3000)) }
    #expect(heard == samples(try tone(format, 24_000)))
    _ = try render(engine, 10)
    AVAudioPlayerNode.flush()
    #expect(done.withLock { $0 } == 1)
    #expect(file.framePosition == 12_345)
  }

  @Test("A tap hears what passes a node, in buffers of its size and its format")
  func taps() throws {
    let engine = try offline()
    let format = try standard(48_000, 2)
    let node = player(engine, format)
    try engine.start()
    let heard = Locked<[(samples: [Float], time: AVAudioFramePosition)]>([])
    node.installTap(onBus: 0, bufferSize: 300, format: nil) { buffer, time in
      let part = samples(buffer)
      heard.withLock { $0.append((part, time.sampleTime)) }
    }
    node.scheduleBuffer(try tone(format, 1000))
    node.play()
    for _ in 0..<5 { _ = try render(engine, 200) }
    AVAudioNode.flushTaps()
    #expect(heard.withLock { $0.map(\.time) } == [0, 300, 600])
    #expect(heard.withLock { $0.flatMap(\.samples) } == Array(samples(try tone(format, 1000)).prefix(900)))
    node.removeTap(onBus: 0)
    _ = try render(engine, 600)
    AVAudioNode.flushTaps()
    #expect(heard.withLock { $0.count } == 3)
    let low = try standard(8000, 1)
    let count = Locked(0)
    engine.mainMixerNode.installTap(onBus: 0, bufferSize: 400, format: low) { buffer, _ in
      count.withLock { $0 += buffer.format == low ? Int(buffer.frameLength) : 0 }
    }
    for _ in 0..<12 { _ = try render(engine, 4000) }
    AVAudioNode.flushTaps()
    #expect((7600...8000).contains(count.withLock { $0 }))
  }

  @Test("A block makes a source node's audio, in its own format")
  func sourceNode() throws {
    let engine = try offline()
    let format = try standard(48_000, 1)
    let times = Locked<[Double]>([])
    let block: AVAudioSourceNodeRenderBlock = { isSilence, time, frames, list in
      times.withLock { $0.append(time.pointee.mSampleTime) }
      if time.pointee.mSampleTime >= 200 {
        isSilence.pointee = true
        return noErr
      }
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        for frame in 0..<Int(frames) {
          buffer.mData?.storeBytes(of: 0.25, toByteOffset: frame * 4, as: Float.self)
        }
      }
      return noErr
    }
    let node = AVAudioSourceNode(format: format, renderBlock: block)
    engine.attach(node)
    engine.connect(node, to: engine.mainMixerNode, format: format)
    try engine.start()
    #expect(samples(try render(engine, 100), channel: 1).allSatisfy { $0 == 0.25 })
    #expect(samples(try render(engine, 100)).allSatisfy { $0 == 0.25 })
    #expect(samples(try render(engine, 100)).allSatisfy { $0 == 0 })
    #expect(times.withLock { $0 } == [0, 100, 200])
  }

  @Test("Nodes are connected and let go while the engine runs; a circle is silent")
  func changes() throws {
    let engine = try offline()
    let format = try standard(48_000, 2)
    let node = player(engine, format)
    let (first, second) = (AVAudioMixerNode(), AVAudioMixerNode())
    engine.attach(first)
    engine.attach(second)
    try engine.start()
    node.scheduleBuffer(try tone(format, 4000))
    node.play()
    _ = try render(engine, 1000)
    engine.disconnectNodeOutput(node)
    #expect(samples(try render(engine, 100)).allSatisfy { $0 == 0 })
    engine.connect(node, to: first, format: format)
    engine.connect(first, to: second, format: format)
    engine.connect(second, to: first, fromBus: 0, toBus: 1, format: format)
    engine.connect(first, to: engine.mainMixerNode, format: format)
    #expect(samples(try render(engine, 100)) == samples(try tone(format, 100, from: 1000)))
    #expect(engine.attachedNodes.contains(first) && first.engine === engine)
    engine.detach(first)
    #expect(first.engine == nil)
    #expect(samples(try render(engine, 100)).allSatisfy { $0 == 0 })
  }

  @Test("Mistakes are reported and change nothing")
  func mistakes() throws {
    let mistakes = ProgrammingMistake.collect {
      let engine = AVAudioEngine()
      #expect(throws: NSError.self) { try engine.start() }
      let node = AVAudioPlayerNode()
      node.play()
      #expect(!node.isPlaying)
      engine.connect(node, to: engine.mainMixerNode, format: nil)
      engine.attach(node)
      AVAudioEngine().attach(node)
      #expect(node.engine === engine)
      if let format = try? standard(44_100, 1), let buffer = try? tone(format, 10) {
        node.scheduleBuffer(buffer)
      }
      node.installTap(onBus: 0, bufferSize: 0, format: nil) { _, _ in }
      node.installTap(onBus: 0, bufferSize: 10, format: nil) { _, _ in }
      node.installTap(onBus: 0, bufferSize: 10, format: nil) { _, _ in }
    }
    #expect(mistakes.count == 7)
  }

  @Test("What cannot be rendered by hand is an error with a sentence")
  func renderingErrors() throws {
    let engine = try offline()
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: try standard(48_000, 2), frameCapacity: 5000))
    #expect(throws: NSError.self) { try engine.renderOffline(10, to: buffer) }
    _ = engine.mainMixerNode
    try engine.start()
    #expect(throws: NSError.self) { try engine.renderOffline(5000, to: buffer) }
    #expect(throws: NSError.self) {
      try engine.enableManualRenderingMode(.realtime, format: try standard(48_000, 2), maximumFrameCount: 1)
    }
    var status = noErr
    let block: AVAudioEngineManualRenderingBlock = engine.manualRenderingBlock
    #expect(block(100, buffer.mutableAudioBufferList, &status) == .success)
    #expect(
      block(5000, buffer.mutableAudioBufferList, &status) == .error && status == -50)
    engine.stop()
    engine.disableManualRenderingMode()
    #expect(!engine.isInManualRenderingMode && engine.manualRenderingMaximumFrameCount == 0)
  }
}
