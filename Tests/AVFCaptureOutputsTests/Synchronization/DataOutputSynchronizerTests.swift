import AVFoundation
import CaptureDevice
import CaptureDeviceTesting
import CaptureStage
import Foundation
import FoundationExtras
import Linux
import Testing
import Waiting

extension DeviceSuites {
  @Suite("AVCaptureDataOutputSynchronizer") struct DataOutputSynchronizer {
    /// A camera whose frames and maps a test sends, and a synchronizer that the frames lead.
    private final class Stage {
      let depth: DepthStage
      let video = AVCaptureVideoDataOutput()
      let synchronizer: AVCaptureDataOutputSynchronizer
      let collections = SynchronizedCollections()
      let queue = DispatchQueue(label: "synchronized")

      init() throws {
        depth = try DepthStage()
        depth.session.addOutput(video)
        synchronizer = AVCaptureDataOutputSynchronizer(dataOutputs: [video, depth.output])
        synchronizer.setDelegate(collections, queue: queue)
        try depth.choose(kCVPixelFormatType_DepthFloat32)
        depth.session.startRunning()
      }

      /// Sends a frame, and waits until the synchronizer has it.
      func sendFrame(_ number: UInt32) throws {
        try depth.camera.sendFrame(number: number)
        depth.settle()
      }

      /// Sends a map, and waits until the synchronizer has it.
      func sendMap(_ number: UInt32) throws {
        try depth.camera.send([Float](repeating: 2, count: 12), number: number)
        depth.settle()
      }
    }

    @Test func `frames and maps of the same moment come together, and each output's can be asked for`() throws
    {
      let stage = try Stage()
      for number in 0..<3 as Range<UInt32> {
        try stage.sendFrame(number)
        #expect(stage.collections.count == Int(number))
        try stage.sendMap(number)
      }
      for collection in try stage.collections.wait(for: 3) {
        #expect(collection.count == 2)
        let frame = try #require(
          collection.synchronizedData(for: stage.video) as? AVCaptureSynchronizedSampleBufferData)
        let map = try #require(collection[stage.depth.output] as? AVCaptureSynchronizedDepthData)
        #expect(frame.timestamp == map.timestamp)
        #expect(frame.sampleBuffer.imageBuffer != nil && !frame.sampleBufferWasDropped)
        #expect(frame.droppedReason == .none)
        #expect(map.depthData.depthDataType == kCVPixelFormatType_DepthFloat32 && !map.depthDataWasDropped)
        #expect(collection.map { $0.timestamp } == [frame.timestamp, map.timestamp])
        #expect(collection[AVCaptureVideoDataOutput()] == nil)
      }
    }

    @Test func `a frame without a map waits until a later map shows that there is none`() throws {
      let stage = try Stage()
      try stage.sendFrame(0)
      try stage.sendFrame(1)
      #expect(stage.collections.count == 0)
      try stage.sendMap(1)
      let collections = try stage.collections.wait(for: 2)
      #expect(collections.map(\.count) == [1, 2])
      #expect(collections[0][stage.depth.output] == nil)
    }

    @Test func `a map that is lost comes as such, with its reason`() throws {
      let stage = try Stage()
      try stage.sendFrame(0)
      try stage.depth.camera.lose(.outOfBuffers, number: 0)
      let collection = try #require(stage.collections.wait(for: 1).first)
      let map = try #require(collection[stage.depth.output] as? AVCaptureSynchronizedDepthData)
      #expect(map.depthDataWasDropped && map.droppedReason == .outOfBuffers)
    }

    @Test func `an output that delivers nothing holds the leader's frames up for three at most`() throws {
      let stage = try Stage()
      for number in 0..<5 as Range<UInt32> { try stage.sendFrame(number) }
      #expect(try stage.collections.wait(for: 2).map(\.count) == [1, 1])
      // What comes too late for those that were delivered is left out.
      try stage.sendMap(0)
      #expect(stage.collections.count == 2)
      try stage.sendMap(2)
      #expect(try stage.collections.wait(for: 3).last?.count == 2)
    }

    @Test func `a sensor with a clock of its own goes with the nearest frame`() throws {
      let stage = try Stage()
      try stage.sendFrame(0)
      try stage.sendFrame(3)
      // Nearer to the second frame than to the first; the fourth shows that no nearer one comes.
      try stage.sendMap(2)
      try stage.sendMap(4)
      let collections = try stage.collections.wait(for: 2)
      #expect(collections.map(\.count) == [1, 2])
    }

    @Test func `a frame that is missing without a word lets no map go with one that is farther than before`()
      throws
    {
      let stage = try Stage()
      for number in 0..<3 as Range<UInt32> {
        try stage.sendFrame(number)
        try stage.sendMap(number)
      }
      // The fourth frame is missing; the map is three fifths of an interval before the fifth.
      let between = MonotonicInstant(nanoseconds: 1_000_000_000 + 3 * 33_333_333 + 13_333_333)
      try stage.depth.camera.send([Float](repeating: 2, count: 12), number: 3, at: between)
      stage.depth.settle()
      try stage.sendFrame(4)
      try stage.sendMap(5)
      #expect(try stage.collections.wait(for: 4).map(\.count) == [2, 2, 2, 1])
      // A leader that has become slower reaches farther from its second frame on.
      for number in [6, 8] as [UInt32] { try stage.sendFrame(number) }
      try stage.sendMap(9)
      let last = try #require(stage.collections.wait(for: 6).last)
      #expect(last.count == 2)
    }

    @Test func `it takes the place of the outputs' delegates until it has none itself`() throws {
      let stage = try Stage()
      #expect(stage.synchronizer.delegate === stage.collections)
      #expect(stage.synchronizer.delegateCallbackQueue === stage.queue)
      #expect(stage.synchronizer.dataOutputs.count == 2)
      #expect(stage.depth.output.delegate !== stage.depth.delegate)
      try stage.sendFrame(0)
      try stage.sendMap(0)
      #expect(stage.depth.delegate.maps.withLock { $0.isEmpty })
      #expect(stage.collections.count == 1)
      stage.synchronizer.setDelegate(nil, queue: nil)
      #expect(stage.synchronizer.delegate == nil)
      #expect(stage.video.sampleBufferDelegate == nil && stage.depth.output.delegate == nil)
      // What an output was given since is left to it.
      stage.synchronizer.setDelegate(stage.collections, queue: stage.queue)
      stage.depth.output.setDelegate(stage.depth.delegate, callbackQueue: stage.depth.queue)
      stage.synchronizer.setDelegate(nil, queue: nil)
      #expect(stage.depth.output.delegate === stage.depth.delegate)
    }

    @Test func `outputs for files and photos cannot be synchronized, nor any twice`() throws {
      let video = AVCaptureVideoDataOutput()
      let mistakes = ProgrammingMistake.collect {
        #expect(AVCaptureDataOutputSynchronizer(dataOutputs: []).dataOutputs.isEmpty)
        #expect(
          AVCaptureDataOutputSynchronizer(dataOutputs: [video, AVCapturePhotoOutput()]).dataOutputs == [video]
        )
        #expect(AVCaptureDataOutputSynchronizer(dataOutputs: [video, video]).dataOutputs == [video])
      }
      #expect(mistakes.count == 3)
    }
  }
}
