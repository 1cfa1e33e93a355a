import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import SeededNumbers
import Testing
import Waiting

extension DeviceSuites {
  /// Thousands of frames and maps of two sensors with clocks, losses and rates of their own.
  @Suite("Synchronized pairs") struct SynchronizedPairs {
    /// Frames and maps as the sensors make them.
    private struct Sensors {
      var frameInterval: Double
      var mapInterval: Double
      /// Moments are early or late by so much of their interval at most.
      var jitter = 0.12
      /// Of a hundred frames or maps so many are lost.
      var losses = 4
    }

    /// A frame or a map.
    private struct Moment {
      var time: Int64
      var isFrame: Bool
      var loss: DropReason?
    }

    private static func moments(_ sensors: Sensors, frames: Int, seed: UInt64) -> [Moment] {
      var numbers = SeededGenerator(seed: seed)
      func moments(_ interval: Double, from start: Double, count: Int, isFrame: Bool) -> [Moment] {
        (0..<count).map { index in
          let late = Double.random(in: -sensors.jitter...sensors.jitter, using: &numbers) * interval
          let reasons: [DropReason] = [.outOfBuffers, .discontinuity]
          let isLost = Int.random(in: 0..<100, using: &numbers) < sensors.losses
          return Moment(
            time: Int64(((start + Double(index) * interval + late) * 1e9).rounded()), isFrame: isFrame,
            loss: isLost ? reasons.randomElement(using: &numbers) : nil)
        }
      }
      let seconds = Double(frames) * sensors.frameInterval
      let all =
        moments(sensors.frameInterval, from: 1, count: frames, isFrame: true)
        + moments(
          sensors.mapInterval, from: 1.003, count: Int(seconds / sensors.mapInterval), isFrame: false)
      return all.sorted { $0.time < $1.time }
    }

    @Test(arguments: [(30.0, 30.0), (30.0, 15.0), (15.0, 30.0), (30.0, 24.0)])
    func `in ten thousand pairs each is within half an interval, and each missing part has its reason`(
      frames: Double, maps: Double
    ) throws {
      let sensors = Sensors(frameInterval: 1 / frames, mapInterval: 1 / maps)
      let count = 2_500
      let depth = try DepthStage()
      let video = AVCaptureVideoDataOutput()
      depth.session.addOutput(video)
      let synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, depth.output])
      let collections = SynchronizedCollections()
      synchronizer.setDelegate(collections, queue: DispatchQueue(label: "synchronized"))
      try depth.choose(kCVPixelFormatType_DepthFloat32)
      // All maps are kept here; those of a filter would be of a pool that has an end.
      depth.output.isFilteringEnabled = false
      depth.session.startRunning()
      let moments = Self.moments(sensors, frames: count, seed: UInt64(frames * 100 + maps))
      let numbers = [Float](repeating: 2, count: 12)
      for (index, moment) in moments.enumerated() {
        let time = MonotonicInstant(nanoseconds: moment.time)
        switch (moment.isFrame, moment.loss) {
        case (true, nil): try depth.camera.sendFrame(number: UInt32(index), at: time)
        case (true, let reason?): try depth.camera.loseFrame(reason, number: UInt32(index), at: time)
        case (false, nil): try depth.camera.send(numbers, number: UInt32(index), at: time)
        case (false, let reason?): try depth.camera.lose(reason, number: UInt32(index), at: time)
        }
        // What both outputs were given has reached the synchronizer, in order.
        depth.settle()
      }
      // The last few wait for what would come after them.
      try #require(collections.count >= count - 4)
      let all = collections.list.withLock { $0 }
      let sent = Dictionary(grouping: moments, by: \.isFrame).mapValues { list in
        Dictionary(uniqueKeysWithValues: list.map { ($0.time, $0) })
      }
      let mapTimes = moments.filter { !$0.isFrame }.map(\.time)
      var (last, interval) = (Int64?.none, Int64(1e9 / 30))
      var (pairs, used) = (0, Set<Int64>())
      for collection in all {
        let frame = try #require(collection[video] as? AVCaptureSynchronizedSampleBufferData)
        let time = frame.timestamp.nanoseconds
        let original = try #require(sent[true]?[time])
        #expect(frame.droppedReason == original.loss.map(\.asReason) ?? .none)
        if let last {
          #expect(time > last)
          interval = time - last
        }
        // A frame that is early or late does not make the reach wider than a frame's own interval and its jitter.
        let reach = min(interval, Int64(1e9 / frames * (1 + 2 * sensors.jitter))) / 2
        last = time
        if let map = collection[depth.output] as? AVCaptureSynchronizedDepthData {
          let measured = map.timestamp.nanoseconds
          #expect(abs(measured - time) <= reach + 1, "\(measured - time) of \(reach)")
          #expect(used.insert(measured).inserted)
          let original = try #require(sent[false]?[measured])
          #expect(map.droppedReason == original.loss.map(\.asReason) ?? .none)
          #expect(map.depthDataWasDropped == (original.loss != nil))
          pairs += 1
        } else {
          // It is missing because none was measured near it that another frame did not have.
          let free = mapTimes.filter { abs($0 - time) < reach - 1 && !used.contains($0) }
          #expect(free.isEmpty, "\(time): \(free)")
        }
      }
      // Most of what the slower sensor makes; of rates that do not fit some lie beyond the reach.
      #expect(Double(pairs) > Double(min(count, mapTimes.count)) * 0.7, "\(pairs)")
    }
  }
}

extension CMTime {
  fileprivate var nanoseconds: Int64 {
    CMTimeConvertScale(self, timescale: 1_000_000_000, method: .roundHalfAwayFromZero).value
  }
}

extension DropReason {
  fileprivate var asReason: AVCaptureOutput.DataDroppedReason {
    switch self {
    case .outOfBuffers: .outOfBuffers
    case .discontinuity: .discontinuity
    }
  }
}
