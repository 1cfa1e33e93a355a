extension CMFormatDescription.MediaType {
  /// `vide`: Pictures in time.
  public static let video = Self(rawValue: 0x7669_6465)
  /// `soun`: Audio.
  public static let audio = Self(rawValue: 0x736F_756E)
  /// `muxx`: Audio and pictures in one stream.
  public static let muxed = Self(rawValue: 0x6D75_7878)
  /// `text`: Text in time.
  public static let text = Self(rawValue: 0x7465_7874)
  /// `clcp`: Closed captions.
  public static let closedCaption = Self(rawValue: 0x636C_6370)
  /// `sbtl`: Subtitles.
  public static let subtitle = Self(rawValue: 0x7362_746C)
  /// `tmcd`: Time codes.
  public static let timeCode = Self(rawValue: 0x746D_6364)
  /// `meta`: Timed metadata.
  public static let metadata = Self(rawValue: 0x6D65_7461)
  /// `auxv`: Pictures that go with a video, such as depth.
  public static let auxiliaryPicture = Self(rawValue: 0x6175_7876)
  /// `tbgr`: Groups of buffers with tags.
  public static let taggedBufferGroup = Self(rawValue: 0x7462_6772)
}

extension CMFormatDescription.MediaSubType {
  // MARK: Audio

  /// `lpcm`: Uncompressed audio.
  public static let linearPCM = Self(rawValue: 0x6C70_636D)
  /// `ac-3`: AC-3.
  public static let ac3 = Self(rawValue: 0x6163_2D33)
  /// `cac3`: AC-3 in IEC 60958 frames.
  public static let iec60958AC3 = Self(rawValue: 0x6361_6333)
  /// `ima4`: Apple's IMA 4:1.
  public static let appleIMA4 = Self(rawValue: 0x696D_6134)
  /// `aac `: AAC.
  public static let mpeg4AAC = Self(rawValue: 0x6161_6320)
  /// `celp`: MPEG-4 CELP.
  public static let mpeg4CELP = Self(rawValue: 0x6365_6C70)
  /// `hvxc`: MPEG-4 HVXC.
  public static let mpeg4HVXC = Self(rawValue: 0x6876_7863)
  /// `twvq`: MPEG-4 TwinVQ.
  public static let mpeg4TwinVQ = Self(rawValue: 0x7477_7671)
  /// `MAC3`: MACE 3:1.
  public static let mace3 = Self(rawValue: 0x4D41_4333)
  /// `MAC6`: MACE 6:1.
  public static let mace6 = Self(rawValue: 0x4D41_4336)
  /// `ulaw`: mu-law.
  public static let uLaw = Self(rawValue: 0x756C_6177)
  /// `alaw`: A-law.
  public static let aLaw = Self(rawValue: 0x616C_6177)
  /// `QDMC`: QDesign.
  public static let qDesign = Self(rawValue: 0x5144_4D43)
  /// `QDM2`: QDesign 2.
  public static let qDesign2 = Self(rawValue: 0x5144_4D32)
  /// `Qclp`: Qualcomm PureVoice.
  public static let qualcomm = Self(rawValue: 0x5163_6C70)
  /// `.mp1`: MPEG layer 1.
  public static let mpegLayer1 = Self(rawValue: 0x2E6D_7031)
  /// `.mp2`: MPEG layer 2.
  public static let mpegLayer2 = Self(rawValue: 0x2E6D_7032)
  /// `.mp3`: MP3.
  public static let mpegLayer3 = Self(rawValue: 0x2E6D_7033)
  /// `midi`: MIDI.
  public static let midiStream = Self(rawValue: 0x6D69_6469)
  /// `alac`: Apple Lossless.
  public static let appleLossless = Self(rawValue: 0x616C_6163)
  /// `aach`: HE-AAC.
  public static let mpeg4AAC_HE = Self(rawValue: 0x6161_6368)
  /// `aacl`: AAC low delay.
  public static let mpeg4AAC_LD = Self(rawValue: 0x6161_636C)
  /// `aace`: AAC enhanced low delay.
  public static let mpeg4AAC_ELD = Self(rawValue: 0x6161_6365)
  /// `aacf`: AAC enhanced low delay with SBR.
  public static let mpeg4AAC_ELD_SBR = Self(rawValue: 0x6161_6366)
  /// `aacg`: AAC enhanced low delay 2.
  public static let mpeg4AAC_ELD_V2 = Self(rawValue: 0x6161_6367)
  /// `aacp`: HE-AAC 2.
  public static let mpeg4AAC_HE_V2 = Self(rawValue: 0x6161_6370)
  /// `aacs`: MPEG-4 spatial audio.
  public static let mpeg4AAC_Spatial = Self(rawValue: 0x6161_6373)
  /// `usac`: MPEG-D unified speech and audio.
  public static let mpegD_USAC = Self(rawValue: 0x7573_6163)
  /// `samr`: AMR narrow band.
  public static let amr = Self(rawValue: 0x7361_6D72)
  /// `sawb`: AMR wide band.
  public static let amr_WB = Self(rawValue: 0x7361_7762)
  /// `AUDB`: Audible.
  public static let audible = Self(rawValue: 0x4155_4442)
  /// `ilbc`: iLBC.
  public static let iLBC = Self(rawValue: 0x696C_6263)
  /// `0x6D730011`: DVI/Intel IMA.
  public static let dviIntelIMA = Self(rawValue: 0x6D73_0011)
  /// `0x6D730031`: Microsoft GSM 6.10.
  public static let microsoftGSM = Self(rawValue: 0x6D73_0031)
  /// `aes3`: AES3-2003.
  public static let aes3 = Self(rawValue: 0x6165_7333)
  /// `ec-3`: Enhanced AC-3.
  public static let enhancedAC3 = Self(rawValue: 0x6563_2D33)
  /// `flac`: FLAC.
  public static let flac = Self(rawValue: 0x666C_6163)
  /// `opus`: Opus.
  public static let opus = Self(rawValue: 0x6F70_7573)

  // MARK: Pixel formats

  /// `0x20`: Alpha, red, green, blue.
  public static let pixelFormat_32ARGB = Self(rawValue: 0x0000_0020)
  /// `BGRA`: Blue, green, red, alpha.
  public static let pixelFormat_32BGRA = Self(rawValue: 0x4247_5241)
  /// `0x18`: Red, green, blue.
  public static let pixelFormat_24RGB = Self(rawValue: 0x0000_0018)
  /// `0x10`: 5 bits each, big-endian.
  public static let pixelFormat_16BE555 = Self(rawValue: 0x0000_0010)
  /// `B565`: 5, 6 and 5 bits, big-endian.
  public static let pixelFormat_16BE565 = Self(rawValue: 0x4235_3635)
  /// `L555`: 5 bits each, little-endian.
  public static let pixelFormat_16LE555 = Self(rawValue: 0x4C35_3535)
  /// `L565`: 5, 6 and 5 bits, little-endian.
  public static let pixelFormat_16LE565 = Self(rawValue: 0x4C35_3635)
  /// `5551`: 5 bits each and alpha, little-endian.
  public static let pixelFormat_16LE5551 = Self(rawValue: 0x3535_3531)
  /// `2vuy`: 4:2:2, Cb Y Cr Y.
  public static let pixelFormat_422YpCbCr8 = Self(rawValue: 0x3276_7579)
  /// `yuvs`: 4:2:2, Y Cb Y Cr.
  public static let pixelFormat_422YpCbCr8_yuvs = Self(rawValue: 0x7975_7673)
  /// `v308`: 4:4:4.
  public static let pixelFormat_444YpCbCr8 = Self(rawValue: 0x7633_3038)
  /// `v408`: 4:4:4 with alpha.
  public static let pixelFormat_4444YpCbCrA8 = Self(rawValue: 0x7634_3038)
  /// `v216`: 4:2:2, up to 16 bits.
  public static let pixelFormat_422YpCbCr16 = Self(rawValue: 0x7632_3136)
  /// `v210`: 4:2:2, 10 bits.
  public static let pixelFormat_422YpCbCr10 = Self(rawValue: 0x7632_3130)
  /// `v410`: 4:4:4, 10 bits.
  public static let pixelFormat_444YpCbCr10 = Self(rawValue: 0x7634_3130)
  /// `0x28`: 8-bit grey, 0 is white.
  public static let pixelFormat_8IndexedGray_WhiteIsZero = Self(rawValue: 0x0000_0028)

  // MARK: Video codecs

  /// `rle `: Apple Animation.
  public static let animation = Self(rawValue: 0x726C_6520)
  /// `cvid`: Cinepak.
  public static let cinepak = Self(rawValue: 0x6376_6964)
  /// `jpeg`: JPEG, one picture a frame.
  public static let jpeg = Self(rawValue: 0x6A70_6567)
  /// `dmb1`: JPEG with OpenDML's fields.
  public static let jpeg_OpenDML = Self(rawValue: 0x646D_6231)
  /// `SVQ1`: Sorenson Video.
  public static let sorensonVideo = Self(rawValue: 0x5356_5131)
  /// `SVQ3`: Sorenson Video 3.
  public static let sorensonVideo3 = Self(rawValue: 0x5356_5133)
  /// `h263`: H.263.
  public static let h263 = Self(rawValue: 0x6832_3633)
  /// `avc1`: H.264, with parameter sets in the format description.
  public static let h264 = Self(rawValue: 0x6176_6331)
  /// `hvc1`: HEVC, with parameter sets in the format description.
  public static let hevc = Self(rawValue: 0x6876_6331)
  /// `muxa`: HEVC with an alpha layer.
  public static let hevcWithAlpha = Self(rawValue: 0x6D75_7861)
  /// `dvh1`: HEVC with Dolby Vision.
  public static let dolbyVisionHEVC = Self(rawValue: 0x6476_6831)
  /// `mp4v`: MPEG-4 part 2.
  public static let mpeg4Video = Self(rawValue: 0x6D70_3476)
  /// `mp2v`: MPEG-2.
  public static let mpeg2Video = Self(rawValue: 0x6D70_3276)
  /// `mp1v`: MPEG-1.
  public static let mpeg1Video = Self(rawValue: 0x6D70_3176)
  /// `vp09`: VP9.
  public static let vp9 = Self(rawValue: 0x7670_3039)
  /// `av01`: AV1.
  public static let av1 = Self(rawValue: 0x6176_3031)
  /// `dvc `: DV NTSC.
  public static let dvcNTSC = Self(rawValue: 0x6476_6320)
  /// `dvcp`: DV PAL.
  public static let dvcPAL = Self(rawValue: 0x6476_6370)
  /// `dvpp`: DVCPRO PAL.
  public static let dvcProPAL = Self(rawValue: 0x6476_7070)
  /// `dv5n`: DVCPRO-50 NTSC.
  public static let dvcPro50NTSC = Self(rawValue: 0x6476_356E)
  /// `dv5p`: DVCPRO-50 PAL.
  public static let dvcPro50PAL = Self(rawValue: 0x6476_3570)
  /// `dvhp`: DVCPRO-HD 720p60.
  public static let dvcPROHD720p60 = Self(rawValue: 0x6476_6870)
  /// `dvhq`: DVCPRO-HD 720p50.
  public static let dvcPROHD720p50 = Self(rawValue: 0x6476_6871)
  /// `dvh6`: DVCPRO-HD 1080i60.
  public static let dvcPROHD1080i60 = Self(rawValue: 0x6476_6836)
  /// `dvh5`: DVCPRO-HD 1080i50.
  public static let dvcPROHD1080i50 = Self(rawValue: 0x6476_6835)
  /// `dvh3`: DVCPRO-HD 1080p30.
  public static let dvcPROHD1080p30 = Self(rawValue: 0x6476_6833)
  /// `dvh2`: DVCPRO-HD 1080p25.
  public static let dvcPROHD1080p25 = Self(rawValue: 0x6476_6832)
  /// `ap4x`: ProRes 4444 XQ.
  public static let proRes4444XQ = Self(rawValue: 0x6170_3478)
  /// `ap4h`: ProRes 4444.
  public static let proRes4444 = Self(rawValue: 0x6170_3468)
  /// `apch`: ProRes 422 HQ.
  public static let proRes422HQ = Self(rawValue: 0x6170_6368)
  /// `apcn`: ProRes 422.
  public static let proRes422 = Self(rawValue: 0x6170_636E)
  /// `apcs`: ProRes 422 LT.
  public static let proRes422LT = Self(rawValue: 0x6170_6373)
  /// `apco`: ProRes 422 Proxy.
  public static let proRes422Proxy = Self(rawValue: 0x6170_636F)
  /// `aprn`: ProRes RAW.
  public static let proResRAW = Self(rawValue: 0x6170_726E)
  /// `aprh`: ProRes RAW HQ.
  public static let proResRAWHQ = Self(rawValue: 0x6170_7268)

  // MARK: Muxed streams

  /// `mp1s`: MPEG-1 system stream.
  public static let mpeg1System = Self(rawValue: 0x6D70_3173)
  /// `mp2t`: MPEG-2 transport stream.
  public static let mpeg2Transport = Self(rawValue: 0x6D70_3274)
  /// `mp2p`: MPEG-2 program stream.
  public static let mpeg2Program = Self(rawValue: 0x6D70_3270)
  /// `dv  `: DV.
  public static let dv = Self(rawValue: 0x6476_2020)

  // MARK: Captions, text and subtitles

  /// `c608`: CEA-608.
  public static let cea608 = Self(rawValue: 0x6336_3038)
  /// `c708`: CEA-708.
  public static let cea708 = Self(rawValue: 0x6337_3038)
  /// `atcc`: ATSC A/53 part 4.
  public static let atsc = Self(rawValue: 0x6174_6363)

  /// `text`: QuickTime text.
  public static let qt = Self(rawValue: 0x7465_7874)
  /// `tx3g`: 3GPP timed text.
  public static let mobile3GPP = Self(rawValue: 0x7478_3367)
  /// `wvtt`: WebVTT.
  public static let webVTT = Self(rawValue: 0x7776_7474)

  // MARK: Time codes

  /// `tmcd`: 32 bits.
  public static let timeCode32 = Self(rawValue: 0x746D_6364)
  /// `tc64`: 64 bits.
  public static let timeCode64 = Self(rawValue: 0x7463_3634)
  /// `cn32`: A 32-bit counter.
  public static let counter32 = Self(rawValue: 0x636E_3332)
  /// `cn64`: A 64-bit counter.
  public static let counter64 = Self(rawValue: 0x636E_3634)

  // MARK: Metadata

  /// `icy `: Shoutcast tags.
  public static let icy = Self(rawValue: 0x6963_7920)
  /// `id3 `: ID3 tags.
  public static let id3 = Self(rawValue: 0x6964_3320)
  /// `mebx`: Boxes, each with the local number of its key.
  public static let boxed = Self(rawValue: 0x6D65_6278)
  /// `emsg`: Event messages of ISO 23009-1.
  public static let emsg = Self(rawValue: 0x656D_7367)
}
