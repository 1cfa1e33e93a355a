import Foundation
import MovieTools
import ObscuraCommands
import Testing
import Waiting

extension CommandTests {
  @Suite("obscura record")
  struct RecordTests {
    private func names(_ folder: URL) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// A scene with one small camera, which costs a slow machine little.
    private func withSmallCamera<Result>(
      faults: String = "", lux: Int = 250, _ body: (_ devices: String, _ folder: URL) throws -> Result
    ) throws -> Result {
      try withTemporaryFolder { place in
        let scene = place.appendingPathComponent("scene.json")
        let text = #"{"version": 1, "lux": \#(lux), "background": {"depth": 2.0}, "faults": [\#(faults)]}"#
        try Data(text.utf8).write(to: scene)
        let folder = place.appendingPathComponent("movies")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        return try body("simulated:\(scene.path)", folder)
      }
    }

    private func record(_ devices: String, _ words: String...) -> [String] {
      ["record", "--devices", devices, "--size", "640x480", "-v"] + words
    }

    @Test func `a movie of a given length with sound is recorded, and nothing is overwritten`() throws {
      try withSmallCamera { devices, folder in
        let path = folder.path + "/a.mov"
        let run = try Run(record(devices, "-t", "1s", "--json", "-o", path))
        #expect(run.exitCode == .done)
        let answer = try #require(try run.json().first)
        #expect(answer["schema"] as? String == "obscura.record")
        #expect(answer["path"] as? String == path)
        #expect(abs(try #require(answer["seconds"] as? Double) - 1) < 0.1)
        let probe = try Program.probe(path)
        #expect(probe.streams.compactMap { $0["codec_name"] as? String } == ["h264", "aac"])
        let length = (probe.format["duration"] as? String).flatMap { Double($0) }
        #expect(abs(try #require(length) - 1) < 0.1)
        let second = try Run(record(devices, "-t", "500ms", "--no-audio", "--codec", "hevc", "-o", path))
        #expect(second.exitCode == .done)
        #expect(second.text == folder.path + "/a-1.mov\n")
        let other = try Program.probe(folder.path + "/a-1.mov")
        #expect(other.streams.compactMap { $0["codec_name"] as? String } == ["hevc"])
        #expect(try names(folder) == ["a-1.mov", "a.mov"])
      }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a signal finishes the movie and is no failure`(signal: Int32) throws {
      try withSmallCamera { devices, folder in
        let path = folder.path + "/a.mp4"
        let run = try Started(record(devices, "-o", path))
        run.waitForCamera()
        let changes = try FileChanges(in: folder.path)
        try #require(changes.wait { FileManager.default.fileExists(atPath: path) }, "No movie appears.")
        run.send(signal)
        #expect(run.exitCode() == .done)
        let probe = try Program.probe(path)
        #expect(probe.streams.count == 2)
        // A busy machine loses frames, but not all.
        #expect(try !Program.frameTimes(path).isEmpty)
        // A plain movie: its second box is the media, and no fragments are seen.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let first = bytes.prefix(4).reduce(0) { 256 * $0 + Int($1) }
        #expect(String(decoding: bytes.dropFirst(first + 4).prefix(4), as: UTF8.self) == "mdat")
      }
    }

    /// The mean lightness of a movie's frames, from 0 to 255.
    private func lightness(_ path: String) throws -> [Double] {
      try Program.run(
        "ffprobe",
        [
          "-v", "error", "-f", "lavfi", "-i", "movie=\(path),signalstats", "-show_entries",
          "frame_tags=lavfi.signalstats.YAVG", "-of", "csv=p=0",
        ]
      ).split(separator: "\n").compactMap { Double($0.split(separator: ",").first ?? "") }
    }

    @Test(arguments: [10, 20_000])
    func
      `a movie begins when the picture is right, in the dark and in the sun, unless it is to begin at once`(
        lux: Int
      ) throws
    {
      try withSmallCamera(lux: lux) { devices, folder in
        let words = record(devices, "-t", "2s", "--no-audio")
        #expect(try Run(words + ["-o", folder.path + "/right.mov"]).exitCode == .done)
        #expect(try Run(words + ["--immediate", "-o", folder.path + "/early.mov"]).exitCode == .done)
        let right = try lightness(folder.path + "/right.mov")
        let early = try lightness(folder.path + "/early.mov")
        let usual = right.sorted()[right.count / 2]
        #expect(right.prefix(3).allSatisfy { abs($0 - usual) < 12 }, "\(right)")
        #expect(abs(try #require(early.first) - usual) > 30, "\(early)")
        #expect(abs(try #require(early.last) - usual) < 12, "\(early)")
      }
    }

    @Test func `segments are movies without a gap between them`() throws {
      try withSmallCamera { devices, folder in
        let run = try Run(
          record(devices, "-t", "2500ms", "--segment", "1s", "--no-audio", "-o", folder.path + "/s%02d.mov"))
        #expect(run.exitCode == .done)
        let files = try names(folder)
        // Three, and fewer where a busy machine comes late to a change.
        let expected = ["s01.mov", "s02.mov", "s03.mov"].prefix(files.count)
        #expect(files.count > 1 && files == Array(expected), "\(files)")
        let counts = try files.map { try Program.frameTimes("\(folder.path)/\($0)").count }
        #expect(counts.allSatisfy { $0 > 0 })
      }
    }

    @Test func `segments together are as long as was asked for, and only the last one is shorter`() throws {
      try withSmallCamera { devices, folder in
        let run = try Run(
          record(
            devices, "-t", "2500ms", "--segment", "1s", "--no-audio", "--json", "-o",
            folder.path + "/s%02d.mov"))
        #expect(run.exitCode == .done)
        let seconds = try run.json().map { try #require($0["seconds"] as? Double) }
        // A busy machine comes late to a change, so that a segment may be longer.
        #expect(seconds.count > 1 && seconds.dropLast().allSatisfy { $0 >= 1 }, "\(seconds)")
        #expect(seconds.reduce(0, +) > 2.4, "\(seconds)")
      }
    }

    @Test func `the oldest segments go once a command has followed each`() throws {
      try withSmallCamera { devices, folder in
        let run = try Run(
          record(
            devices, "-t", "3500ms", "--segment", "1s", "--keep", "1.5s",
            "--then", "basename \"$OBSCURA_FILE\" >>\"$(dirname \"$1\")/log\"", "--no-audio", "-o",
            folder.path + "/s%02d.mov"))
        #expect(run.exitCode == .done, "\(run.messages)")
        let log = try String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
        let followed = log.split(separator: "\n").map(String.init)
        #expect(followed.count >= 3 && followed == followed.sorted())
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
          .filter { $0.hasSuffix(".mov") }.sorted()
        #expect(left == Array(followed.suffix(left.count)) && left.count < followed.count, "\(left)")
        let failed = try Run(
          record(
            devices, "-t", "1s", "--then", "exit 3", "--no-audio", "-o", folder.path + "/other.mov"))
        #expect(failed.exitCode == .otherFailure)
        #expect(failed.messages.last?.contains("ended with 3 for ") == true, "\(failed.messages)")
      }
    }

    @Test func `recordings beside each other take names of their own, also segment by segment`() throws {
      try withSmallCamera { devices, folder in
        let words = record(
          devices, "-t", "2500ms", "--segment", "1s", "--no-audio", "-o", folder.path + "/a%02d.mov")
        let runs = try (0..<2).map { _ in
          defer { pause(seconds: 0.6, because: "their segments begin at different moments") }
          return try Started(words)
        }
        for run in runs { #expect(run.exitCode() == .done) }
        let files = try names(folder)
        // Three each, and fewer where a busy machine comes late to a change.
        #expect(files.count >= 4 && files == (1...files.count).map { "a0\($0).mov" }, "\(files)")
        for file in files { #expect(try !Program.frameTimes("\(folder.path)/\(file)").isEmpty) }
      }
    }

    @Test
    func `by force the target of a link gives way, once there is a movie, and no running recording does`()
      throws
    {
      try withSmallCamera { devices, folder in
        let (target, link) = (folder.path + "/target.mov", folder.path + "/link.mov")
        try Data("old".utf8).write(to: URL(fileURLWithPath: target))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "target.mov")
        let words = record(devices, "-t", "1s", "--no-audio", "--force", "-o", link)
        let runs = try (0..<2).map { _ in try Started(words) }
        for run in runs { #expect(run.exitCode() == .done) }
        #expect(try names(folder) == ["link-1.mov", "link.mov", "target.mov"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "target.mov")
        for path in [target, folder.path + "/link-1.mov"] {
          #expect(try !Program.frameTimes(path).isEmpty)
        }
      }
    }

    @Test func `by force a file stays as long as there is no movie in its place`() throws {
      try withSmallCamera { devices, folder in
        let path = folder.path + "/a.mov"
        try Data("old".utf8).write(to: URL(fileURLWithPath: path))
        let run = try Run(record(devices, "--size", "642x482", "--force", "-o", path))
        #expect(run.exitCode == .formatNotSupported)
        let none = try Run(
          record(devices, "-t", "500ms", "--force", "-o", path), shell: "", before: "ulimit -f 2")
        #expect(none.exitCode == .otherFailure)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("old".utf8))
      }
    }

    @Test(arguments: [
      #"{"kind": "unplug", "at": 1}, {"kind": "plug", "at": 1.5}"#,
      #"{"kind": "privacy", "at": 1, "for": 0.5}"#,
    ])
    func `with --wait a recording goes on in a new movie when the camera is back`(faults: String) throws {
      try withSmallCamera(faults: faults) { devices, folder in
        let run = try Run(
          record(devices, "-t", "1500ms", "--no-audio", "--wait", "-o", folder.path + "/a%02d.mov"))
        #expect(run.exitCode == .done, "\(run.messages)")
        let files = try names(folder)
        #expect(files.count == 2, "\(files)")
        #expect(run.text.split(separator: "\n").map { $0.suffix(7) } == files.map { $0[...] })
        #expect(run.messages.contains { $0.hasSuffix("It is waited for.") }, "\(run.messages)")
        #expect(run.messages.contains { $0.hasSuffix("is back.") }, "\(run.messages)")
      }
    }

    @Test func `of a piped recording with --wait what was sent counts, not the time without the camera`()
      throws
    {
      let faults = #"{"kind": "unplug", "at": 1}, {"kind": "plug", "at": 5}"#
      try withSmallCamera(faults: faults) { devices, folder in
        let path = folder.path + "/a.ts"
        let run = try Run(
          record(devices, "-t", "3s", "--no-audio", "--wait", "-o", "-"), shell: ">'\(path)'")
        #expect(run.exitCode == .done, "\(run.messages)")
        let times = try Program.frameTimes(path)
        // Before it was pulled out thirty came at most.
        #expect(times.count > 40, "\(times.count) frames")
      }
    }

    @Test func `a piped recording ends with its reader, also while the camera is away`() throws {
      try withSmallCamera(faults: #"{"kind": "unplug", "at": 1}"#) { devices, _ in
        let started = try Started(record(devices, "--no-audio", "--wait", "-o", "-"))
        started.waitForMessage("It is waited for.")
        try started.hangUp()
        #expect(started.exitCode() == .done)
      }
    }

    @Test func `a camera that is pulled out leaves a movie, and is exit code 8`() throws {
      try withSmallCamera(faults: #"{"kind": "unplug", "at": 1.5}"#) { devices, folder in
        let path = folder.path + "/a.mov"
        let run = try Run(record(devices, "-o", path))
        #expect(run.exitCode == .deviceLost)
        #expect(run.text == path + "\n")
        #expect(try !Program.frameTimes(path).isEmpty)
      }
    }

    @Test func `a microphone that is pulled out leaves the rest of the movie without sound`() throws {
      let fault = #"{"kind": "unplug", "at": 1, "device": "simulated.microphone"}"#
      try withSmallCamera(faults: fault) { devices, folder in
        let path = folder.path + "/a.mov"
        let run = try Run(record(devices, "-t", "2s", "-o", path))
        #expect(run.exitCode == .done, "\(run.messages)")
        #expect(run.messages.contains { $0.contains("no sound") })
        // Pictures go on, of which a busy machine loses some.
        #expect(try Program.frameTimes(path).contains { $0 > 1.2 })
      }
    }

    @Test(arguments: [(stall: 1.5, length: "4s"), (stall: 4, length: "3s")])
    func `pictures that the camera did not bring are counted and said, also at the end`(
      stall: Double, length: String
    ) throws {
      try withSmallCamera(faults: #"{"kind": "stall", "at": 1, "for": \#(stall)}"#) { devices, folder in
        let path = folder.path + "/a.mov"
        let run = try Run(
          record(devices, "-t", length, "--no-audio", "--json", "--fail-on-drop", "-o", path))
        #expect(run.exitCode == .framesWereDropped)
        let answer = try #require(try run.json().first)
        let missing = try #require(answer["missing"] as? Int)
        // Forty-five and sixty; a camera that a busy machine slows down promises fewer.
        #expect(missing > 8)
        #expect(try #require(answer["dropped"] as? Int) >= missing)
        #expect(
          run.messages.contains { $0.contains(path) && $0.contains("did not bring") }, "\(run.messages)")
      }
    }

    @Test(
      arguments: [
        (#"{"kind": "busy", "at": 3}"#, 5, "is in use by"),
        (#"{"kind": "busy", "at": 3, "device": "simulated.microphone"}"#, 5, "Microphone is in use by"),
        (#"{"kind": "pressure", "level": "shutdown", "at": 3, "for": 60}"#, 7, "too hot"),
        (#"{"kind": "privacy", "at": 2, "for": 60}"#, 7, "shutter"),
      ] as [(String, Int32, String)])
    func `an interruption ends the movie with its own reason`(fault: String, code: Int32, words: String)
      throws
    {
      try withSmallCamera(faults: fault) { devices, folder in
        let run = try Run(record(devices, "-o", folder.path + "/a.mov"))
        #expect(run.exitCode?.rawValue == code, "\(run.messages)")
        let last = run.messages.last ?? ""
        #expect(last.contains(words), "\(run.messages)")
        #expect(words == "shutter" || !last.contains("shutter"))
      }
    }

    @Test(arguments: [
      ["--size", "12"], ["--size", "1280x"], ["--codec", "theora"], ["--bitrate", "1"], ["--fps", "0"],
      ["-o", "-", "--library"],
      ["-o", "-", "--segment", "5s"], ["-o", "-", "--format", "avi"], ["--format", "ts"], ["--keep", "10m"],
      ["--segment", "5s", "--keep", "ten"], ["-o", "a.avi"],
      ["--segment", "1ms"], ["-t", "-1"], ["word"],
    ])
    func `what cannot be is refused before a camera is opened`(words: [String]) throws {
      let run = try Run(["record", "--devices", "simulated"] + words)
      #expect(run.exitCode == .usage)
      #expect(run.messages.count == 1)
    }

    @Test(arguments: [true, false])
    func `a movie never takes the place of a pipe, not even by force`(isForced: Bool) throws {
      try withSmallCamera { devices, folder in
        let path = folder.path + "/a.mov"
        #expect(mkfifo(path, 0o600) == 0)
        let run = try Run(record(devices, "-t", "500ms", "-o", path) + (isForced ? ["--force"] : []))
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1 && run.messages.first?.contains("is no file") == true)
        #expect(try names(folder) == ["a.mov"])
      }
    }

    @Test func `a file that may grow no further ends the movie with a sentence, and it can be played`() throws
    {
      try withTemporaryFolder { folder in
        let path = folder.path + "/a.mov"
        let run = try Run(
          record("simulated", "-t", "60s", "-o", path), shell: "", before: "ulimit -f 1500")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.contains { $0.contains("a file can be no larger here") }, "\(run.messages)")
        #expect(try !Program.frameTimes(path).isEmpty)
      }
    }

    @Test func `a limit that is reached hides no file that could not be written`() throws {
      try withTemporaryFolder { folder in
        let path = folder.path + "/a.mov"
        let run = try Run(
          record("simulated", "-t", "500ms", "-o", path), shell: "", before: "ulimit -f 4")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.contains { $0.contains("a file can be no larger here") }, "\(run.messages)")
        #expect(try names(folder).isEmpty)
      }
    }

    @Test func `a movie is named once, though the answer cannot be written`() throws {
      try withSmallCamera { devices, folder in
        let path = folder.path + "/a.mov"
        let run = try Run(record(devices, "-t", "500ms", "-o", path), shell: ">/dev/full")
        #expect(run.exitCode == .diskFull)
        #expect(run.messages.count { $0.contains(" frames in ") } == 1, "\(run.messages)")
        #expect(try !Program.frameTimes(path).isEmpty)
      }
    }

    @Test func `nothing is written where the working folder was deleted`() throws {
      try withTemporaryFolder { folder in
        let run = try Run(
          record("simulated", "-t", "500ms", "-o", "a.mov"), shell: "",
          before: "cd '\(folder.path)' && mkdir gone && cd gone && rmdir ../gone")
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.contains { $0.contains("was deleted") }, "\(run.messages)")
      }
    }

    @Test func `a size that the camera has not is exit code 6`() throws {
      try withSmallCamera { devices, folder in
        let run = try Run("record", "--devices", devices, "--size", "642x482", "-o", folder.path + "/a.mov")
        #expect(run.exitCode == .formatNotSupported)
        #expect(try names(folder).isEmpty)
      }
    }
  }
}
