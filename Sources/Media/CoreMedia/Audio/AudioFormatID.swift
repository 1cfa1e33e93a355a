// How audio is coded, with Apple's names of `CoreAudioTypes`. Each comment begins with the characters.

/// `lpcm`: Uncompressed audio.
public let kAudioFormatLinearPCM: AudioFormatID = 0x6C70_636D
/// `ac-3`: AC-3.
public let kAudioFormatAC3: AudioFormatID = 0x6163_2D33
/// `cac3`: AC-3 in IEC 60958 frames.
public let kAudioFormat60958AC3: AudioFormatID = 0x6361_6333
/// `ima4`: Apple's IMA 4:1.
public let kAudioFormatAppleIMA4: AudioFormatID = 0x696D_6134
/// `aac `: AAC.
public let kAudioFormatMPEG4AAC: AudioFormatID = 0x6161_6320
/// `celp`: MPEG-4 CELP.
public let kAudioFormatMPEG4CELP: AudioFormatID = 0x6365_6C70
/// `hvxc`: MPEG-4 HVXC.
public let kAudioFormatMPEG4HVXC: AudioFormatID = 0x6876_7863
/// `twvq`: MPEG-4 TwinVQ.
public let kAudioFormatMPEG4TwinVQ: AudioFormatID = 0x7477_7671
/// `MAC3`: MACE 3:1.
public let kAudioFormatMACE3: AudioFormatID = 0x4D41_4333
/// `MAC6`: MACE 6:1.
public let kAudioFormatMACE6: AudioFormatID = 0x4D41_4336
/// `ulaw`: mu-law.
public let kAudioFormatULaw: AudioFormatID = 0x756C_6177
/// `alaw`: A-law.
public let kAudioFormatALaw: AudioFormatID = 0x616C_6177
/// `QDMC`: QDesign.
public let kAudioFormatQDesign: AudioFormatID = 0x5144_4D43
/// `QDM2`: QDesign 2.
public let kAudioFormatQDesign2: AudioFormatID = 0x5144_4D32
/// `Qclp`: Qualcomm PureVoice.
public let kAudioFormatQUALCOMM: AudioFormatID = 0x5163_6C70
/// `.mp1`: MPEG layer 1.
public let kAudioFormatMPEGLayer1: AudioFormatID = 0x2E6D_7031
/// `.mp2`: MPEG layer 2.
public let kAudioFormatMPEGLayer2: AudioFormatID = 0x2E6D_7032
/// `.mp3`: MP3.
public let kAudioFormatMPEGLayer3: AudioFormatID = 0x2E6D_7033
/// `midi`: MIDI.
public let kAudioFormatMIDIStream: AudioFormatID = 0x6D69_6469
/// `alac`: Apple Lossless.
public let kAudioFormatAppleLossless: AudioFormatID = 0x616C_6163
/// `aach`: HE-AAC.
public let kAudioFormatMPEG4AAC_HE: AudioFormatID = 0x6161_6368
/// `aacl`: AAC low delay.
public let kAudioFormatMPEG4AAC_LD: AudioFormatID = 0x6161_636C
/// `aace`: AAC enhanced low delay.
public let kAudioFormatMPEG4AAC_ELD: AudioFormatID = 0x6161_6365
/// `aacf`: AAC enhanced low delay with SBR.
public let kAudioFormatMPEG4AAC_ELD_SBR: AudioFormatID = 0x6161_6366
/// `aacg`: AAC enhanced low delay 2.
public let kAudioFormatMPEG4AAC_ELD_V2: AudioFormatID = 0x6161_6367
/// `aacp`: HE-AAC 2.
public let kAudioFormatMPEG4AAC_HE_V2: AudioFormatID = 0x6161_6370
/// `aacs`: MPEG-4 spatial audio.
public let kAudioFormatMPEG4AAC_Spatial: AudioFormatID = 0x6161_6373
/// `usac`: MPEG-D unified speech and audio.
public let kAudioFormatMPEGD_USAC: AudioFormatID = 0x7573_6163
/// `samr`: AMR narrow band.
public let kAudioFormatAMR: AudioFormatID = 0x7361_6D72
/// `sawb`: AMR wide band.
public let kAudioFormatAMR_WB: AudioFormatID = 0x7361_7762
/// `AUDB`: Audible.
public let kAudioFormatAudible: AudioFormatID = 0x4155_4442
/// `ilbc`: iLBC.
public let kAudioFormatiLBC: AudioFormatID = 0x696C_6263
/// `0x6D730011`: DVI/Intel IMA.
public let kAudioFormatDVIIntelIMA: AudioFormatID = 0x6D73_0011
/// `0x6D730031`: Microsoft GSM 6.10.
public let kAudioFormatMicrosoftGSM: AudioFormatID = 0x6D73_0031
/// `aes3`: AES3-2003.
public let kAudioFormatAES3: AudioFormatID = 0x6165_7333
/// `ec-3`: Enhanced AC-3.
public let kAudioFormatEnhancedAC3: AudioFormatID = 0x6563_2D33
/// `flac`: FLAC.
public let kAudioFormatFLAC: AudioFormatID = 0x666C_6163
/// `opus`: Opus.
public let kAudioFormatOpus: AudioFormatID = 0x6F70_7573
