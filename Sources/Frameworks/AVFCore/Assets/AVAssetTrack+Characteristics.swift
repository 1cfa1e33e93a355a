internal import CoreMedia
internal import Foundation

extension AVAssetTrack {
  /// Whether the track's media has a quality; `false` for those that nothing here can see.
  ///
  /// Apple: `AVAssetTrack.hasMediaCharacteristic(_:)`.
  public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
    switch mediaCharacteristic {
    case .visual: [.video, .subtitle, .closedCaption].contains(mediaType)
    case .audible: mediaType == .audio
    case .legible: [.text, .subtitle, .closedCaption].contains(mediaType)
    case .frameBased: mediaType == .video
    case .usesWideGamutColorSpace:
      says(
        kCMFormatDescriptionExtension_ColorPrimaries,
        [AVVideoColorPrimaries_P3_D65, AVVideoColorPrimaries_ITU_R_2020])
    case .containsHDRVideo:
      says(
        kCMFormatDescriptionExtension_TransferFunction,
        [AVVideoTransferFunction_ITU_R_2100_HLG, AVVideoTransferFunction_SMPTE_ST_2084_PQ])
    case .containsAlphaChannel:
      formats.contains { Self.codesWithAlpha.contains(CMFormatDescriptionGetMediaSubType($0)) }
    // No track is said to be an addition.
    case .isMainProgramContent: true
    default: false
    }
  }

  /// Whether what it holds may be played only by who has a key.
  var isProtected: Bool {
    formats.contains { Self.protectedCodes.contains(CMFormatDescriptionGetMediaSubType($0)) }
  }

  /// `ap4h`, `ap4x`, `muxa`.
  private static let codesWithAlpha: Set<FourCharCode> = [0x6170_3468, 0x6170_3478, 0x6D75_7861]
  /// `encv`, `enca`, `drmi`, `drms`.
  private static let protectedCodes: Set<FourCharCode> = [0x656E_6376, 0x656E_6361, 0x6472_6D69, 0x6472_6D73]

  private var formats: [CMFormatDescription] { formatDescriptions.compactMap { $0 as? CMFormatDescription } }

  private func says(_ key: String, _ values: [String]) -> Bool {
    formats.contains { format in
      (CMFormatDescriptionGetExtension(format, extensionKey: key) as? String).map(values.contains) ?? false
    }
  }
}

extension AVAsset {
  /// The tracks whose media has a quality.
  ///
  /// Apple: `AVAsset.tracks(withMediaCharacteristic:)`.
  public func tracks(withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
    tracks.filter { $0.hasMediaCharacteristic(mediaCharacteristic) }
  }

  /// Loads the tracks whose media has a quality.
  ///
  /// Apple: `AVAsset.loadTracks(withMediaCharacteristic:)`.
  public func loadTracks(
    withMediaCharacteristic mediaCharacteristic: AVMediaCharacteristic
  ) async throws -> [AVAssetTrack] {
    try await loaded { $0.tracks(withMediaCharacteristic: mediaCharacteristic) }
  }
}
