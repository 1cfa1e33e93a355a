import AVFCore
import AVFAudio
import Foundation
import FoundationExtras
import MovieTools
import Testing

/// Names of Apple's that programs compare with, and that nothing here is.
@Suite("Constants of what phones have")
struct ForeignConstantTests {
  @Test func `codes of errors have Apple's numbers, and are caught by name`() {
    #expect(
      AVError.Code.contentIsProtected.rawValue == -11831 && AVError.Code.noLongerPlayable.rawValue == -11867)
    #expect(AVError.Code.failedToLoadMediaData.rawValue == -11849)
    let error = NSError(domain: AVFoundationErrorDomain, code: -11850)
    switch AVError(_nsError: error).code {
    case .serverIncorrectlyConfigured: break
    default: Issue.record("The code was not matched.")
    }
    do {
      throw AVError(.undecodableMediaData)
    } catch AVError.undecodableMediaData {
      #expect(AVError(.undecodableMediaData).localizedDescription.isEmpty == false)
    } catch {
      Issue.record(error)
    }
  }

  @Test func `every track belongs to the main program and no other tag is read`() async throws {
    try await PlayerStage.inFolder { stage in
      let asset = AVURLAsset(url: try await stage.movie(seconds: 1))
      let tracks = try await asset.load(.tracks)
      #expect(tracks.count == 2 && tracks.allSatisfy { $0.hasMediaCharacteristic(.isMainProgramContent) })
      let others: [AVMediaCharacteristic] = [
        .isAuxiliaryContent, .isOriginalContent, .containsOnlyForcedSubtitles, .easyToRead,
        .languageTranslation,
        .dubbedTranslation, .voiceOverTranslation, .describesVideoForAccessibility,
        .transcribesSpokenDialogForAccessibility, .describesMusicAndSoundForAccessibility,
        .enhancesSpeechIntelligibility,
      ]
      for other in others { #expect(tracks.allSatisfy { !$0.hasMediaCharacteristic(other) }) }
    }
  }

  @Test func `older names of notifications are the newer ones`() {
    #expect(Notification.Name.AVPlayerItemTimeJumped == AVPlayerItem.timeJumpedNotification)
    #expect(Notification.Name.AVPlayerItemPlaybackStalled == AVPlayerItem.playbackStalledNotification)
    #expect(Notification.Name.AVPlayerItemNewErrorLogEntry == AVPlayerItem.newErrorLogEntryNotification)
    #expect(Notification.Name.AVPlayerItemNewAccessLogEntry == AVPlayerItem.newAccessLogEntryNotification)
    #expect(
      AVAudioSession.mediaServicesWereResetNotification != AVAudioSession.mediaServicesWereLostNotification)
  }

  @Test func `ports that phones have are none of those that are found here`() {
    let ports: Set<AVAudioSession.Port> = [
      .lineIn, .headsetMic, .lineOut, .headphones, .bluetoothA2DP, .bluetoothLE, .bluetoothHFP,
      .builtInReceiver,
      .airPlay, .carAudio, .continuityMicrophone, .virtual, .PCI, .fireWire, .displayPort, .AVB, .thunderbolt,
    ]
    #expect(ports.count == 17)
    #expect(ports.isDisjoint(with: [.builtInMic, .builtInSpeaker, .usbAudio, .HDMI]))
  }
}
