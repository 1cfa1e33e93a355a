// Kinds of files of audio, with Apple's names. Each comment begins with the characters.

/// The kind of a file of audio: four characters.
///
/// Apple: `AudioFileTypeID`.
public typealias AudioFileTypeID = UInt32

/// `AIFF`: Uncompressed audio, AIFF.
public let kAudioFileAIFFType: AudioFileTypeID = 0x4149_4646
/// `AIFC`: AIFF with compressed audio.
public let kAudioFileAIFCType: AudioFileTypeID = 0x4149_4643
/// `WAVE`: RIFF WAVE.
public let kAudioFileWAVEType: AudioFileTypeID = 0x5741_5645
/// `RF64`: WAVE beyond four gigabytes.
public let kAudioFileRF64Type: AudioFileTypeID = 0x5246_3634
/// `BW64`: Broadcast WAVE beyond four gigabytes.
public let kAudioFileBW64Type: AudioFileTypeID = 0x4257_3634
/// `W64f`: Sony's Wave64.
public let kAudioFileWave64Type: AudioFileTypeID = 0x5736_3466
/// `Sd2f`: Sound Designer 2.
public let kAudioFileSoundDesigner2Type: AudioFileTypeID = 0x5364_3266
/// `NeXT`: Sun's and NeXT's audio.
public let kAudioFileNextType: AudioFileTypeID = 0x4E65_5854
/// `MPG3`: MPEG layer 3.
public let kAudioFileMP3Type: AudioFileTypeID = 0x4D50_4733
/// `MPG2`: MPEG layer 2.
public let kAudioFileMP2Type: AudioFileTypeID = 0x4D50_4732
/// `MPG1`: MPEG layer 1.
public let kAudioFileMP1Type: AudioFileTypeID = 0x4D50_4731
/// `ac-3`: AC-3.
public let kAudioFileAC3Type: AudioFileTypeID = 0x6163_2D33
/// `adts`: A stream of AAC.
public let kAudioFileAAC_ADTSType: AudioFileTypeID = 0x6164_7473
/// `mp4f`: MPEG-4.
public let kAudioFileMPEG4Type: AudioFileTypeID = 0x6D70_3466
/// `m4af`: MPEG-4 audio.
public let kAudioFileM4AType: AudioFileTypeID = 0x6D34_6166
/// `m4bf`: An audio book in MPEG-4.
public let kAudioFileM4BType: AudioFileTypeID = 0x6D34_6266
/// `caff`: Apple's Core Audio Format.
public let kAudioFileCAFType: AudioFileTypeID = 0x6361_6666
/// `3gpp`: Audio for telephones.
public let kAudioFile3GPType: AudioFileTypeID = 0x3367_7070
/// `3gp2`: Audio for telephones of the CDMA family.
public let kAudioFile3GP2Type: AudioFileTypeID = 0x3367_7032
/// `amrf`: Speech for telephones.
public let kAudioFileAMRType: AudioFileTypeID = 0x616D_7266
/// `flac`: FLAC.
public let kAudioFileFLACType: AudioFileTypeID = 0x666C_6163
/// `loas`: AAC in a transport of its own.
public let kAudioFileLATMInLOASType: AudioFileTypeID = 0x6C6F_6173
