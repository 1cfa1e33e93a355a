import CameraTasks
import Foundation
import ObscuraCommands
import Testing
import Waiting

extension CommandTests {
  @Suite("obscura: sentences")
  struct SentenceTests {
    /// No camera has the name, so what is said comes before one is opened.
    private static let photo = ["photo", "--devices", "simulated", "-d", "none"]

    @Test func `a camera that the machine gives no time is not to be replugged`() {
      let what = "runs, but no picture came within 60 s"
      let slow = SilentCamera(name: "Back Camera", isSlow: true).sentence(what, remedy: "replug it.")
      #expect(
        slow
          == "Back Camera runs, but no picture came within 60 s; the machine is too busy to make it; close other programs."
      )
      let silent = SilentCamera(name: "Webcam", isSlow: false).sentence(what, remedy: "replug it.")
      #expect(silent == "Webcam runs, but no picture came within 60 s; replug it.")
    }

    @Test(arguments: [
      (".", "it is a folder"), ("..", "it is a folder"), ("sub/", "it is a folder"),
      ("sub", "it is a folder"),
      ("none/such/a.jpg", "neither the folder"), ("file/a.jpg", "is a file, not a folder"),
      ("file/b/a.jpg", "a part of that path is a file"), ("loop", "links lead in a circle"),
      ("pipe", "nothing reads that pipe"), ("socket", "nor something that takes bytes"),
      (String(repeating: "n", count: 300), "longer than 255 bytes"), ("%D.jpg", "puts a slash into the name"),
      ("%9999999999Y.jpg", "longer than 255 bytes"),
    ])
    func `what makes the file impossible is said before the photo`(name: String, reason: String) throws {
      try withTemporaryFolder { folder in
        let files = FileManager.default
        try files.createDirectory(
          at: folder.appendingPathComponent("sub"), withIntermediateDirectories: false)
        try Data().write(to: folder.appendingPathComponent("file"))
        try files.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: "loop")
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        #expect(mknod(folder.path + "/socket", S_IFSOCK | 0o600, 0) == 0)
        let before = try files.contentsOfDirectory(atPath: folder.path).sorted()
        let run = try Run(Self.photo + ["-o", "\(folder.path)/\(name)"])
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.count == 1 && run.messages.first?.contains(reason) == true, "\(run.messages)")
        #expect(try files.contentsOfDirectory(atPath: folder.path).sorted() == before)
      }
    }

    @Test(arguments: ["/proc/a.jpg", "/sys/kernel/a.jpg", "/proc/none/a.jpg"])
    func `a place where nothing can be made is refused before the photo`(path: String) throws {
      let run = try Run(Self.photo + ["-o", path])
      // The superuser may write everywhere, and learns it when the file is made.
      #expect(run.exitCode == .otherFailure || (geteuid() == 0 && run.exitCode == .noSuchCamera))
      #expect(run.messages.count == 1)
    }

    @Test(.enabled(if: geteuid() == 0))
    func `a folder that may not be written is named before the photo`() throws {
      try withTemporaryFolder { folder in
        #expect(chmod(folder.path, 0o755) == 0)
        let run = try Run(
          ["-u", "nobody", "--", Run.program.path] + Self.photo + ["-o", folder.path + "/a.jpg"],
          program: URL(fileURLWithPath: "/usr/sbin/runuser"))
        // Nothing is checked where the user `nobody` may not run the program.
        guard run.exitCode != nil, run.messages.first?.hasPrefix("obscura: ") == true else { return }
        #expect(run.exitCode == .otherFailure)
        #expect(run.messages.first?.contains("you may not write to the folder \(folder.path)") == true)
      }
    }

    @Test(arguments: [
      ("photo", "a.tiff"), ("photo", "a.jpeg2000"), ("photo", "a.gif"), ("photo", "b.c/a.bmp"),
      ("photo", "IMG_%04d.raw"),
      ("depth", "a.jpg"), ("depth", "a.exr"),
    ])
    func `a file of a format that cannot be written is exit code 2, and the formats are named`(
      command: String, name: String
    ) throws {
      let run = try Run(command, "--devices", "simulated", "-o", name)
      #expect(run.exitCode == .usage)
      #expect(
        run.messages.first?.contains(command == "photo" ? ".jpg, .heic, .png or .dng" : ".png, .pfm or .ply")
          == true)
    }

    @Test func `a tilde in quotes is the user's home`() throws {
      try withGreyScene { devices, folder in
        let scene = String(devices.dropFirst("simulated:".count))
        let home = ["HOME": folder.path]
        try FileManager.default.moveItem(atPath: scene, toPath: folder.path + "/scene.json")
        let run = try Run(
          [
            "photo", "--devices", "simulated:~/scene.json", "--preset", "vga", "--immediate", "-o", "~/a.jpg",
          ],
          environment: home)
        #expect(run.exitCode == .done, "\(run.messages)")
        #expect(run.text == "\(folder.path)/a.jpg\n")
        try expectWholeJPEG(folder.path + "/a.jpg")
        #expect(
          try Run(["scan", "~/a.jpg"], environment: home).messages.first?.contains("\(folder.path)/a.jpg")
            == true)
      }
    }

    @Test func `one missing folder is made, and two are not, but for the library's own place`() throws {
      try withGreyScene { devices, folder in
        let photo = ["photo", "--devices", devices, "--preset", "vga", "--immediate"]
        #expect(try Run(photo + ["-o", folder.path + "/new/a.jpg"]).exitCode == .done)
        try expectWholeJPEG(folder.path + "/new/a.jpg")
        #expect(try Run(photo + ["-o", folder.path + "/mis/typed/a.jpg"]).exitCode == .otherFailure)
        #expect(
          try Run(photo, environment: ["OBSCURA_LIBRARY": folder.path + "/mis/typed"]).exitCode
            == .otherFailure)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/mis"))
        let home = ["HOME": folder.path, "OBSCURA_LIBRARY": "", "XDG_DATA_HOME": ""]
        #expect(
          try Run(photo, environment: home).text
            == "\(folder.path)/.local/share/obscura/simulated/IMG_0001.jpg\n")
        // The library and photos beside it are in one place.
        let named = home.merging(["OBSCURA_LIBRARY": "~"]) { $1 }
        #expect(try Run(photo, environment: named).text == "\(folder.path)/IMG_0001.jpg\n")
        #expect(try Run(photo + ["--library"], environment: named).text.hasPrefix("\(folder.path)/2"))
      }
    }

    @Test(arguments: ["stamp", "scan"])
    func `a picture that is no file is refused at once, by what it is`(command: String) throws {
      try withTemporaryFolder { folder in
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        let places = [
          folder.path + "/pipe": "it is a pipe", "/dev/zero": "it is a device",
          folder.path: "a folder",
          folder.path + "/none.jpg": "no such file",
        ]
        for (path, reason) in places {
          let run = try Run(command, path)
          #expect(run.exitCode == .otherFailure)
          #expect(run.messages.count == 1 && run.messages.first?.contains(reason) == true, "\(run.messages)")
        }
      }
    }

    @Test(arguments: [0, 0.5])
    func `a camera that stands still is not asked to be held nearer`(moment: Double) throws {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("scene.json")
        try Data(
          #"{"version": 1, "lux": 250, "faults": [{"kind": "stall", "at": \#(moment), "for": 60}]}"#.utf8
        )
        .write(to: scene)
        let run = try Run(
          "scan", "--devices", "simulated:\(scene.path)", "--preset", "vga", "--timeout", "3s")
        #expect(run.exitCode == .noFramesInTime)
        #expect(run.messages.count == 1 && run.messages.first?.contains("nearer") == false, "\(run.messages)")
      }
    }

    @Test
    func `a camera that stands still loses no frames while the program is stopped`() throws {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("scene.json")
        try Data(
          #"{"version": 1, "lux": 250, "faults": [{"kind": "stall", "at": 0, "for": 60}]}"#.utf8
        )
        .write(to: scene)
        let run = try Started(
          ["scan", "-v", "--devices", "simulated:\(scene.path)", "--preset", "vga", "--timeout", "2s"])
        run.waitForCamera()
        pause(seconds: 1.2, because: "a camera that stands still says nothing")
        run.send(SIGSTOP)
        pause(seconds: 0.4, because: "the program is stopped that long")
        run.send(SIGCONT)
        #expect(run.exitCode() == .noFramesInTime)
      }
    }

    @Test(arguments: ["busy", "privacy", "unplug", "reset"])
    func `a sentence names its camera once`(kind: String) throws {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("scene.json")
        try Data(#"{"version": 1, "lux": 250, "faults": [{"kind": "\#(kind)", "at": 0.2}]}"#.utf8).write(
          to: scene)
        let run = try Run(
          "photo", "--devices", "simulated:\(scene.path)", "--timer", "2s", "-o", folder.path + "/a.jpg")
        let message = try #require(run.messages.first)
        #expect(message.components(separatedBy: "Back Camera").count == 2, "\(message)")
      }
    }
  }

  @Suite("obscura doctor and photo")
  struct AgreementTests {
    /// Each fault is there from the beginning, and for long.
    @Test(arguments: [("busy", ExitCode.deviceBusy), ("privacy", .noFramesInTime)])
    func `doctor ends with the exit code of a photo, and calls no such camera usable`(
      kind: String, code: ExitCode
    ) throws {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("scene.json")
        try Data(#"{"version": 1, "lux": 250, "faults": [{"kind": "\#(kind)", "at": 0, "for": 60}]}"#.utf8)
          .write(to: scene)
        let devices = ["--devices", "simulated:\(scene.path)"]
        let photo = try Run(
          ["photo", "--preset", "vga", "--timer", "500ms", "-o", folder.path + "/a.jpg"] + devices)
        #expect(photo.exitCode == code)
        let doctor = try Run(["doctor"] + devices)
        #expect(doctor.exitCode == code)
        #expect(!doctor.text.contains("can be used"), "\(doctor.text)")
        if kind == "busy" { #expect(doctor.text.contains("in use by")) }
      }
    }

    @Test func `one busy camera of several is a problem that leaves the others usable`() throws {
      try withTemporaryFolder { folder in
        let scene = folder.appendingPathComponent("scene.json")
        let fault = #"{"kind": "busy", "device": "simulated.back.wide", "at": 0, "for": 60}"#
        try Data(#"{"version": 1, "lux": 250, "faults": [\#(fault)]}"#.utf8).write(to: scene)
        let devices = ["--devices", "simulated:\(scene.path)"]
        let all = try Run(["doctor", "--json"] + devices)
        #expect(all.exitCode == .done)
        let findings = try #require(try all.json().first?["findings"] as? [[String: Any]])
        let busy = findings.filter { $0["camera"] as? String == "simulated.back.wide" }
        #expect(busy.count == 1 && busy.first?["isProblem"] as? Bool == true)
        #expect(try Run(["doctor", "-d", "Back Camera"] + devices).exitCode == .deviceBusy)
      }
    }
  }
}

@Suite("Errors of other modules")
struct CommandErrorTests {
  @Test(arguments: [NSCocoaErrorDomain, NSPOSIXErrorDomain, "NSURLErrorDomain"])
  func `an error without words of ours gets a sentence that is not Foundation's`(domain: String) {
    let error = CommandError(NSError(domain: domain, code: 256))
    #expect(error.exitCode == .otherFailure)
    #expect(!error.message.contains("Domain") && !error.message.contains("couldn"))
    #expect(error.message.contains("obscura") && error.message.hasSuffix("."))
  }
}
