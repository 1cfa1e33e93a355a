import AVFoundation
import CaptureStage
import Foundation
import SimulatedDevices
import Testing

extension DeviceSuites {
  @Suite("AVAudioPlayer")
  struct AudioPlayerTests {
    @Test("A file is played at the clock's pace, and its end is said once, on the main queue")
    func plays() throws {
      let stage = try AudioClassStage()
      let player = try AVAudioPlayer(contentsOf: stage.tone(seconds: 1))
      let ends = AudioEnds()
      player.delegate = ends
      #expect(player.duration == 1 && player.numberOfChannels == 1 && !player.isPlaying)
      #expect(player.prepareToPlay() && player.play() && player.isPlaying)
      stage.pass(milliseconds: 500)
      #expect(abs(player.currentTime - 0.5) < 0.011)
      #expect(ends.all.isEmpty)
      stage.pass(milliseconds: 600)
      #expect(ends.all == ["played true on main true"])
      #expect(!player.isPlaying && player.currentTime == 0)
      #expect(player.play())
      stage.pass(milliseconds: 1100)
      #expect(ends.all.count == 2)
    }

    @Test("A pause keeps the place, a time that is set is gone to")
    func places() throws {
      let stage = try AudioClassStage()
      let player = try AVAudioPlayer(contentsOf: stage.tone(seconds: 2, rate: 44_100, channels: 2))
      player.play()
      stage.pass(milliseconds: 300)
      player.pause()
      let place = player.currentTime
      stage.pass(milliseconds: 300)
      #expect(player.currentTime == place && abs(place - 0.3) < 0.011)
      player.play()
      stage.pass(milliseconds: 200)
      #expect(abs(player.currentTime - 0.5) < 0.011)
      player.currentTime = 1.5
      stage.pass(milliseconds: 100)
      #expect(abs(player.currentTime - 1.6) < 0.021)
      player.stop()
      #expect(!player.isPlaying && abs(player.currentTime - 1.6) < 0.021)
    }

    @Test("It plays as often as it is asked for, and at another rate as long as that makes it")
    func loopsAndRates() throws {
      let stage = try AudioClassStage()
      let player = try AVAudioPlayer(contentsOf: stage.tone(seconds: 0.5))
      let ends = AudioEnds()
      player.delegate = ends
      player.numberOfLoops = 2
      player.play()
      stage.pass(milliseconds: 1450)
      #expect(ends.all.isEmpty && player.isPlaying)
      stage.pass(milliseconds: 100)
      #expect(ends.all.count == 1)
      player.numberOfLoops = 0
      player.enableRate = true
      player.rate = 2
      player.play()
      stage.pass(milliseconds: 200)
      #expect(ends.all.count == 1 && abs(player.currentTime - 0.4) < 0.03)
      stage.pass(milliseconds: 100)
      #expect(ends.all.count == 2)
      player.rate = 9
      #expect(player.rate == 2)
    }

    @Test("Levels are those of the audio, when they are asked for")
    func levels() throws {
      let stage = try AudioClassStage()
      let player = try AVAudioPlayer(contentsOf: stage.tone(seconds: 2))
      player.play()
      stage.pass(milliseconds: 1000)
      player.updateMeters()
      #expect(player.averagePower(forChannel: 0) == -160)
      player.isMeteringEnabled = true
      player.updateMeters()
      #expect(abs(player.averagePower(forChannel: 0) + 9.03) < 0.2)
      #expect(abs(player.peakPower(forChannel: 0) + 6.02) < 0.2)
      #expect(player.averagePower(forChannel: 1) == -160)
    }

    @Test("Audio in memory is played, what is no audio is an error with a sentence")
    func memory() throws {
      let stage = try AudioClassStage()
      let data = try Data(contentsOf: stage.tone(seconds: 0.2))
      let player = try AVAudioPlayer(data: data, fileTypeHint: AVFileType.wav.rawValue)
      #expect(player.duration == 0.2 && player.url == nil && player.data == data)
      #expect(throws: NSError.self) { try AVAudioPlayer(data: Data(repeating: 7, count: 5000)) }
      let error = #expect(throws: NSError.self) { try AVAudioPlayer(contentsOf: stage.file("none.mp3")) }
      #expect(error?.localizedDescription.contains("none.mp3") == true)
    }

    @Test("It begins at a time of the device's that is to come")
    func later() throws {
      let stage = try AudioClassStage()
      let player = try AVAudioPlayer(contentsOf: stage.tone(seconds: 1))
      player.play(atTime: player.deviceCurrentTime + 0.5)
      stage.pass(milliseconds: 400)
      #expect(player.isPlaying && player.currentTime == 0)
      stage.pass(milliseconds: 400)
      #expect(abs(player.currentTime - 0.3) < 0.021)
    }
  }
}
