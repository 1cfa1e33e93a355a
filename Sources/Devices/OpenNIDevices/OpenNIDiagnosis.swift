package import CaptureDevice
internal import Linux

/// The diagnosis of OpenNI on this machine.
package struct OpenNIDiagnosis {
  package let library: any DepthLibrary
  package let bus: DepthCameraBus
  /// The library's file and version; `nil` where it cannot be used.
  package let identity: (path: String, version: String)?

  /// A diagnosis of that library and those devices.
  package init(library: any DepthLibrary, bus: DepthCameraBus, identity: (path: String, version: String)?) {
    (self.library, self.bus, self.identity) = (library, bus, identity)
  }

  /// The library of this machine, and its USB.
  package static var current: OpenNIDiagnosis {
    let library = OpenNILibrary()
    return OpenNIDiagnosis(library: library, bus: DepthCameraBus(), identity: library.identity)
  }

  /// The state of the library, what it drives, and the depth cameras that it does not find.
  ///
  /// A machine without depth cameras misses nothing: then it is a note.
  package var findings: [BackendFinding] {
    let entries = bus.entries
    if let missing = library.missing {
      let isMissed = entries.contains { $0.maker == .primeSense }
      return [BackendFinding(isMissed ? .trouble : .note, missing.message)]
    }
    let listed = library.devices().filter { $0.usbVendor != 0 }
    let unseen = bus.unseen(by: listed).map { absence in
      BackendFinding(absence.isCertain ? .trouble : .note, absence.error.message)
    }
    return [summary(listed)] + unseen
  }

  private func summary(_ listed: [ListedSensor]) -> BackendFinding {
    let drivers = drivers
    let version = identity.map { " \($0.version)" } ?? ""
    guard !drivers.isEmpty else {
      return BackendFinding(
        .note,
        "OpenNI\(version) has no driver of a depth camera; install libopenni2-0 anew, which brings PrimeSense's."
      )
    }
    let cameras =
      listed.isEmpty
      ? "none is plugged in" : "'--devices openni' has \(listed.map(\.name).joined(separator: ", "))"
    return BackendFinding(
      .fine, "OpenNI\(version) drives depth cameras (\(drivers.joined(separator: ", "))); \(cameras).")
  }

  /// The drivers beside the library, but for those that make up frames or play files.
  private var drivers: [String] {
    guard let path = identity?.path, let slash = path.lastIndex(of: "/") else { return [] }
    let names = DeviceTree.names(in: path[..<slash] + "/OpenNI2/Drivers").filter { file in
      file.hasPrefix("lib") && file.split(separator: ".").contains("so")
    }.map { file in String(file.dropFirst(3).prefix { $0 != "." }) }
    return Set(names).subtracting(["DummyDevice", "OniFile"]).sorted()
  }
}
