import Foundation
import Glibc
import MovieTools
import ObscuraCommands
import SeededNumbers
import Testing
import Waiting

extension CommandTests {
  /// Two kills of each kind in every run of the suite, more as ``KillCount`` says.
  @Suite("Recordings: what kills, power cuts and full disks leave")
  struct RecordStressTests {
    static let kills = KillCount(usual: 2, all: 60)
    typealias Kind = RecordingRun.Kind
    /// A second by the wall clock; more in each run of the suite, for the clock also counts what other tests take of the machine.
    private static let second = kills.isLong ? 1.0 : 4

    private func left(_ what: String) { print("left out: this machine allows no \(what)") }

    /// When a process is killed: mostly soon, and now and then after half a minute.
    private func moment(_ round: Int, using numbers: inout SeededGenerator) -> Double {
      Self.kills.isLong
        ? Double.random(in: 0.3...(round % 4 == 3 ? 30 : 6), using: &numbers) : 0.3 + 1.2 * Double(round)
    }

    @Test(
      "Killed at any moment after its start, a movie opens and lacks less than a second",
      arguments: Kind.allCases, ["h264", "hevc"])
    func kills(kind: Kind, codec: String) throws {
      try withGreyScene { devices, folder in
        var numbers = SeededGenerator(usual: 200)
        var worst = 0.0
        // What `record` has taken is not known but by the wall clock.
        let most = kind == .record ? Self.second : 1
        for round in 0..<Self.kills.value {
          let run = try RecordingRun(
            kind, codec: codec, to: "\(round).mov", in: folder.path, devices: devices)
          let start = try run.waitForStart()
          pause(seconds: moment(round, using: &numbers), because: "the kill comes at a random moment")
          let recorded = Date().timeIntervalSince(start)
          run.signal(SIGKILL)
          _ = try run.waitForEnd()
          let taken = run.seconds ?? recorded
          let times = try Program.frameTimes(run.path)
          let lost = taken - (times.last ?? 0)
          worst = max(worst, lost)
          #expect(lost < most, "\(kind) \(codec) had taken \(taken) s")
          #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
          run.close()
          try FileManager.default.removeItem(atPath: run.path)
        }
        print("\(kind) \(codec): \(Self.kills.value) kills, at most \(worst) s lost")
      }
    }

    /// Of sixty kills twenty pairs, and five groups of five.
    @Test("Of recordings that are begun at once none is lost", arguments: [(2, 3), (5, 12)])
    func atOnce(size: Int, share: Int) throws {
      try withGreyScene { devices, folder in
        let rounds = max(1, Self.kills.value / share)
        for _ in 0..<rounds {
          let runs = try (0..<size).map { _ in
            try Started([
              "record", "--devices", devices, "--size", "640x480", "-t", "1s", "--no-audio", "-o",
              folder.path + "/a%03d.mov",
            ])
          }
          for run in runs { #expect(run.exitCode() == .done) }
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.count == rounds * size, "\(files)")
        for file in files { #expect(try !Program.frameTimes("\(folder.path)/\(file)").isEmpty, "\(file)") }
      }
    }

    @Test(
      "A disk that is full is told within a second, and all but the last second is kept",
      arguments: Kind.allCases)
    func fullDisk(kind: Kind) throws {
      try withGreyScene { devices, folder in
        let disk = RecordingRun.Disk.small(megabytes: 32)
        guard RecordingRun.canMount(disk, in: folder.path) else { return left("mounts in name spaces") }
        var numbers = SeededGenerator(usual: 200)
        for _ in 0..<max(1, Self.kills.value / 3) {
          let run = try RecordingRun(kind, to: "a.mov", in: folder.path, devices: devices, disk: disk)
          defer { run.close() }
          _ = try run.waitForStart()
          pause(
            seconds: Self.kills.isLong ? Double.random(in: 0.3...8, using: &numbers) : 0.8,
            because: "the disk is full at a random moment")
          run.fillDisk()
          let filled = Date()
          let taken = run.seconds ?? 0
          let end = try run.waitForEnd()
          #expect(end.date.timeIntervalSince(filled) < Self.second, "\(kind)")
          #expect(end.isFull, "\(kind): \(end.text.suffix(200))")
          #expect(kind != .record || end.text.contains("disk is full"), "\(end.text.suffix(200))")
          #expect(try #require(try Program.frameTimes(run.path).last) > taken - 1, "\(kind)")
        }
      }
    }

    @Test("A power cut at any moment leaves all but two seconds", arguments: Kind.allCases)
    func powerCuts(kind: Kind) throws {
      try withGreyScene { devices, folder in
        let image = "\(folder.path)/disk.img"
        try Program.run("truncate", ["-s", "64M", image])
        let disk = RecordingRun.Disk.image(image)
        guard (try? Program.run("mkfs.ext4", ["-q", "-F", image])) != nil,
          RecordingRun.canMount(disk, in: folder.path)
        else { return left("mounts of images") }
        let place = "\(folder.path)/disk"
        let copy = "\(folder.path)/copy.img"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let run = try RecordingRun(kind, to: "a.mov", in: place, devices: devices, disk: disk)
        defer { run.close() }
        let start = try run.waitForStart()
        var worst = 0.0
        for _ in 0..<max(2, Self.kills.value / 3) {
          pause(seconds: 1, because: "the recording is in real time")
          let taken = run.seconds ?? Date().timeIntervalSince(start)
          try Program.run("cp", ["--sparse=always", image, copy])
          let times = try self.times(on: copy, at: "\(folder.path)/trial")
          // A movie that is a second old may not be there yet.
          let end = times.last ?? 0
          worst = max(worst, taken - end)
          #expect(taken - end < (kind == .record ? Self.second + 1 : 2), "\(kind) had taken \(taken) s")
        }
        print("\(kind): at most \(worst) s lost by power cuts")
      }
    }

    /// When the frames of the movie on a disk's image are shown.
    private func times(on image: String, at place: String) throws -> [Double] {
      let probe = "ffprobe -v error -select_streams v:0 -show_entries frame=pts_time -of csv=p=0"
      let movie = "'\(place)/a.mov'"
      let script = "mount -o loop '\(image)' '\(place)' && { [ ! -s \(movie) ] || \(probe) \(movie); }"
      return try Program.run("unshare", ["-m", "bash", "-c", script]).split(separator: "\n")
        .compactMap { Double($0.split(separator: ",").first ?? "") }
    }

    /// A failure of a disk while it is written to.
    enum Breaking: String, CaseIterable, Sendable {
      case readOnly, unmounted

      func command(_ place: String) -> String {
        switch self {
        case .readOnly: "mount -o remount,abort '\(place)'"
        case .unmounted: "umount -l '\(place)'"
        }
      }
    }

    @Test(
      "A disk that takes no more is told within a second, and the movie can be played",
      arguments: Kind.allCases, Breaking.allCases)
    func broken(kind: Kind, breaking: Breaking) throws {
      try withGreyScene { devices, folder in
        let image = "\(folder.path)/disk.img"
        try Program.run("truncate", ["-s", "64M", image])
        let disk = RecordingRun.Disk.image(image)
        guard (try? Program.run("mkfs.ext4", ["-q", "-F", image])) != nil,
          RecordingRun.canMount(disk, in: folder.path)
        else { return left("mounts of images") }
        let place = "\(folder.path)/disk"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let run = try RecordingRun(kind, to: "a.mov", in: place, devices: devices, disk: disk)
        defer { run.close() }
        _ = try run.waitForStart()
        pause(seconds: 2, because: "the recording is in real time")
        let taken = run.seconds ?? 2
        try run.inside(breaking.command(place))
        let broken = Date()
        let end = try run.waitForEnd()
        print("\(kind) \(breaking): told after \(end.date.timeIntervalSince(broken)) s")
        #expect(end.date.timeIntervalSince(broken) < Self.second, "\(kind)")
        #expect(end.code ?? 1 != 0 && !end.text.contains("error 0"), "\(kind): \(end.text.suffix(200))")
        #expect(breaking != .unmounted || end.text.contains("unmounted"), "\(kind): \(end.text.suffix(200))")
        let times =
          breaking == .unmounted
          ? try self.times(on: image, at: "\(folder.path)/trial") : try Program.frameTimes(run.path)
        #expect(try #require(times.last) > taken - (kind == .record ? Self.second : 1), "\(kind)")
      }
    }
  }
}
