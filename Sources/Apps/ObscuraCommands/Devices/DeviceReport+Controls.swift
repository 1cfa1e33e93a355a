internal import AVFoundation
internal import CameraTasks
internal import CaptureDevice
internal import Foundation

extension DeviceReport {
  /// The bounds of a control.
  struct Range: Encodable, Sendable, Hashable {
    var minimum: Double
    var maximum: Double

    /// The bounds of all of `ranges`; `nil` for none.
    init?(_ ranges: [Range]) {
      guard let minimum = ranges.map(\.minimum).min(), let maximum = ranges.map(\.maximum).max() else {
        return nil
      }
      self.minimum = minimum
      self.maximum = maximum
    }

    init(_ minimum: Double, _ maximum: Double) {
      self.minimum = minimum
      self.maximum = maximum
    }

    init?(_ range: ClosedRange<Float>?) {
      guard let range else { return nil }
      self.init(Double(range.lowerBound), Double(range.upperBound))
    }

    var text: String { "\(Figures.text(minimum)) to \(Figures.text(maximum))" }
  }

  /// The controls of a camera that can be set, and their ranges; those that it lacks are left out.
  struct Controls: Encodable, Sendable {
    /// Over all formats; each format has its own maximum.
    var zoom: Range?
    var switchOverZooms: [Double]
    /// The multiplier of zoom factors that are shown to people.
    var displayZoomMultiplier: Double
    var exposureSeconds: Range?
    var iso: Range?
    var exposureBias: Range?
    var hasExposurePoint: Bool
    var focusModes: [String]
    var lensPosition: Range?
    var hasFocusPoint: Bool
    var hasFocusRange: Bool
    var hasSmoothFocus: Bool
    var minimumFocusMillimetres: Int?
    var whiteBalanceModes: [String]
    var whiteBalanceGains: Range?
    var flashModes: [String]
    var torchModes: [String]
    var torchLevel: Range?
    var hasHDR: Bool
    var hasLowLightBoost: Bool
    var hasGlobalToneMapping: Bool
    var hasDistortionCorrection: Bool
    var monitorsScene: Bool
    var stabilizationModes: [String]

    init(_ facts: DeviceFacts) {
      let capabilities = facts.capabilities
      let furthest = facts.formats.map(\.maxZoom).max() ?? 1
      if furthest > capabilities.minZoom { zoom = Range(capabilities.minZoom, furthest) }
      switchOverZooms = capabilities.switchOverZooms
      displayZoomMultiplier = capabilities.displayZoomMultiplier
      // Virtual cameras take no exposure, lens position or gains of the client's.
      let isPhysical = facts.constituents.isEmpty
      if capabilities.exposureModes.contains(.custom), isPhysical {
        exposureSeconds = Range(facts.formats.compactMap(Self.exposure))
        iso = Range(facts.formats.compactMap { Range($0.iso) })
      }
      exposureBias = Range(capabilities.exposureBias)
      hasExposurePoint = capabilities.hasExposurePoint
      focusModes = FocusMode.allCases.filter(capabilities.focusModes.contains).map(\.word)
      if capabilities.hasLensPosition, isPhysical { lensPosition = Range(0, 1) }
      hasFocusPoint = capabilities.hasFocusPoint
      hasFocusRange = capabilities.hasFocusRange
      hasSmoothFocus = capabilities.hasSmoothFocus
      minimumFocusMillimetres = facts.lens?.minimumFocusDistance
      whiteBalanceModes = WhiteBalanceMode.allCases.filter(capabilities.whiteBalanceModes.contains).map(
        \.word)
      if isPhysical { whiteBalanceGains = Range(capabilities.whiteBalanceGains) }
      flashModes = FlashMode.allCases.filter(capabilities.flashModes.contains).map { "\($0)" }
      torchModes = TorchMode.allCases.filter(capabilities.torchModes.contains).map { "\($0)" }
      torchLevel = capabilities.torchLevel.map { Range(0, Double($0)) }
      hasHDR = facts.formats.contains(where: \.supportsHDR)
      hasLowLightBoost = capabilities.hasLowLightBoost
      hasGlobalToneMapping = capabilities.hasGlobalToneMapping
      hasDistortionCorrection = capabilities.hasDistortionCorrection
      monitorsScene = capabilities.monitorsScene
      stabilizationModes = StabilizationMode.allCases.filter { mode in
        facts.formats.contains { $0.stabilizationModes.contains(mode) }
      }.map { "\($0)" }
    }

    static func exposure(_ format: StreamFormat) -> Range? {
      format.exposureNanoseconds.map { Range(Double($0.lowerBound) / 1e9, Double($0.upperBound) / 1e9) }
    }

    /// Lines for people: what can be set, and from where to where.
    func lines(exposureModes: [String]) -> [String] {
      var lines: [String] = []
      func add(_ name: String, _ parts: [String?]) {
        let known = parts.compactMap(\.self)
        if !known.isEmpty { lines.append("\(name) \(known.joined(separator: "; "))") }
      }
      let switches = switchOverZooms.map(Figures.text).joined(separator: ", ")
      add("zoom", [zoom?.text, switches.isEmpty ? nil : "other lens from \(switches) on"])
      add(
        "exposure",
        [
          list(exposureModes),
          exposureSeconds.map {
            "\(Figures.exposureText($0.minimum)) to \(Figures.exposureText($0.maximum))"
          }, iso.map { "ISO \($0.text)" }, exposureBias.map { "\($0.text) stops" },
          hasExposurePoint ? "point" : nil,
        ])
      add(
        "focus",
        [
          list(focusModes), lensPosition.map { "lens \($0.text)" }, hasFocusPoint ? "point" : nil,
          hasFocusRange ? "near or far" : nil, hasSmoothFocus ? "smooth" : nil,
          minimumFocusMillimetres.map { "from \($0) mm" },
        ])
      add("white balance", [list(whiteBalanceModes), whiteBalanceGains.map { "gains \($0.text)" }])
      add("flash", [list(flashModes)])
      add("torch", [list(torchModes), torchLevel.map { "level \($0.text)" }])
      add("stabilization", [list(stabilizationModes)])
      add(
        "also",
        [
          hasHDR ? "HDR" : nil, hasLowLightBoost ? "low-light boost" : nil,
          hasGlobalToneMapping ? "global tone mapping" : nil,
          hasDistortionCorrection ? "distortion correction" : nil, monitorsScene ? "scene monitoring" : nil,
        ])
      return lines
    }

    private func list(_ words: [String]) -> String? {
      words.isEmpty ? nil : words.joined(separator: ", ")
    }
  }
}

extension FocusMode {
  fileprivate var word: String {
    switch self {
    case .locked: "locked"
    case .auto: "auto"
    case .continuousAuto: "continuous"
    }
  }
}

extension WhiteBalanceMode {
  fileprivate var word: String {
    switch self {
    case .locked: "locked"
    case .auto: "auto"
    case .continuousAuto: "continuous"
    }
  }
}
