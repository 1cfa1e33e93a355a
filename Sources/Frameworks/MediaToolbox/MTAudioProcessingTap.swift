package import CoreMedia
internal import Dispatch
internal import Glibc

/// Lets a client see and change the audio of a track on its way to a mix.
///
/// Made by ``MTAudioProcessingTapCreate(_:_:_:_:)`` and set as `audioTapProcessor` of a mix's parameters. Its callbacks are called one at
/// a time, on the thread that makes the audio: a player's, a reader's or an export's. A tap that two of them use at once is unprepared for
/// the one and prepared for the other each time that they take turns. Apple: `MTAudioProcessingTap`.
public final class MTAudioProcessingTap: @unchecked Sendable {
  // Safe because callbacks never change, and the rest is reached on `turns` alone.

  /// The audio of a track, as a tap gets it.
  package struct Audio {
    /// Interleaved; fewer moments than were asked for at the end of the stream.
    package let samples: [Float]
    /// When it is heard, in the asset's time.
    package let range: CMTimeRange
    package let isStart, isEnd: Bool

    package init(samples: [Float], range: CMTimeRange, isStart: Bool, isEnd: Bool) {
      self.samples = samples
      self.range = range
      self.isStart = isStart
      self.isEnd = isEnd
    }
  }

  /// A piece of audio that is being processed.
  final class Course {
    let channels: Int
    let source: (Int) throws -> Audio
    var memory: [UnsafeMutablePointer<Float>] = []
    var error: (any Error)?

    init(channels: Int, source: @escaping (Int) throws -> Audio) {
      (self.channels, self.source) = (channels, source)
    }

    /// Memory that is good until the piece is over.
    func allocate(_ count: Int) -> UnsafeMutablePointer<Float> {
      let made = UnsafeMutablePointer<Float>.allocate(capacity: max(count, 1))
      memory.append(made)
      return made
    }

    deinit {
      for memory in memory { memory.deallocate() }
    }
  }

  private let callbacks: MTAudioProcessingTapCallbacks
  package let flags: MTAudioProcessingTapCreationFlags
  private static let key = DispatchSpecificKey<ObjectIdentifier>()
  private let turns = DispatchQueue(label: "obscura.audio-tap")
  /// What the client stores; set before anything else can reach the tap.
  private(set) var storage: UnsafeMutableRawPointer?
  private var user: ObjectIdentifier?
  private var course: Course?

  init(_ callbacks: MTAudioProcessingTapCallbacks, _ flags: MTAudioProcessingTapCreationFlags) {
    (self.callbacks, self.flags) = (callbacks, flags)
    turns.setSpecific(key: Self.key, value: ObjectIdentifier(self))
    var stored: UnsafeMutableRawPointer?
    callbacks.`init`?(self, callbacks.clientInfo, &stored)
    storage = stored
  }

  deinit {
    callbacks.finalize?(self)
  }

  private var isInTurn: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

  private func inTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    isInTurn ? try body() : try turns.sync(execute: body)
  }

  /// The piece that is being processed; `nil` outside of the callback.
  var current: Course? { isInTurn ? course : nil }

  /// Has the client process a piece for a user.
  func process(
    _ frames: Int, for newUser: ObjectIdentifier, maxFrames: Int, format: AudioStreamBasicDescription,
    source: @escaping (Int) throws -> Audio
  ) throws -> [Float] {
    try inTurn {
      if user != newUser {
        if user != nil { callbacks.unprepare?(self) }
        user = newUser
        withUnsafePointer(to: format) { callbacks.prepare?(self, maxFrames, $0) }
      }
      let channels = Int(format.mChannelsPerFrame)
      let course = Course(channels: channels, source: source)
      self.course = course
      defer { self.course = nil }
      let list = AudioBufferList.allocate(maximumBuffers: channels)
      defer { free(list.unsafeMutablePointer) }
      for channel in 0..<channels {
        list[channel] = AudioBuffer(mNumberChannels: 1, mDataByteSize: UInt32(frames * 4), mData: nil)
      }
      var count: CMItemCount = 0
      var flagsOut: MTAudioProcessingTapFlags = 0
      callbacks.process(self, frames, flags, list.unsafeMutablePointer, &count, &flagsOut)
      if let error = course.error { throw error }
      return Self.interleaved(list, min(max(count, 0), frames), of: frames)
    }
  }

  /// The list's audio as a mixer takes it; silence where the client has put none.
  private static func interleaved(
    _ list: UnsafeMutableAudioBufferListPointer, _ count: Int, of frames: Int
  ) -> [Float] {
    let channels = list.count
    var samples = [Float](repeating: 0, count: frames * channels)
    for (channel, buffer) in list.enumerated() {
      guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for frame in 0..<min(count, Int(buffer.mDataByteSize) / 4) where data[frame].isFinite {
        samples[frame * channels + channel] = data[frame]
      }
    }
    return samples
  }

  /// A user goes.
  func leave(_ oldUser: ObjectIdentifier) {
    inTurn {
      guard user == oldUser else { return }
      user = nil
      callbacks.unprepare?(self)
    }
  }
}

/// The use of a tap by one mixer, from its first piece of audio until it goes.
///
/// Not thread-safe.
package final class AudioTapRun {
  private let tap: MTAudioProcessingTap
  private let maxFrames: Int
  private let format: AudioStreamBasicDescription

  /// - Parameter maxFrames: How many moments come at a time, at most.
  package init(_ tap: MTAudioProcessingTap, rate: Double, channels: Int, maxFrames: Int) {
    self.tap = tap
    self.maxFrames = maxFrames
    format = AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | kAudioFormatFlagIsNonInterleaved,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: UInt32(channels),
      mBitsPerChannel: 32, mReserved: 0)
  }

  deinit { tap.leave(ObjectIdentifier(self)) }

  /// Whether the track's volume comes after the tap.
  package var isBeforeVolume: Bool { tap.flags & kMTAudioProcessingTapCreationFlag_PreEffects != 0 }

  /// The next audio, as the client made it: so many moments, interleaved.
  ///
  /// - Parameter source: Hands the track's next audio over; called as often as the client asks for it.
  /// - Throws: What `source` has thrown.
  package func process(
    _ frames: Int, source: @escaping (Int) throws -> MTAudioProcessingTap.Audio
  ) throws -> [Float] {
    try tap.process(
      frames, for: ObjectIdentifier(self), maxFrames: maxFrames, format: format, source: source)
  }
}
