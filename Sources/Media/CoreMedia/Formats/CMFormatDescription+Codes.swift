public import FoundationExtras

// Four-character codes of media, with Apple's names. Each comment begins with the characters.

// MARK: Kinds of media

/// `vide`: Pictures in time.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// `soun`: Audio.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
/// `muxx`: Audio and pictures in one stream.
public let kCMMediaType_Muxed: CMMediaType = 0x6D75_7878
/// `text`: Text in time.
public let kCMMediaType_Text: CMMediaType = 0x7465_7874
/// `clcp`: Closed captions.
public let kCMMediaType_ClosedCaption: CMMediaType = 0x636C_6370
/// `sbtl`: Subtitles.
public let kCMMediaType_Subtitle: CMMediaType = 0x7362_746C
/// `tmcd`: Time codes.
public let kCMMediaType_TimeCode: CMMediaType = 0x746D_6364
/// `meta`: Timed metadata.
public let kCMMediaType_Metadata: CMMediaType = 0x6D65_7461
/// `auxv`: Pictures that go with a video, such as depth.
public let kCMMediaType_AuxiliaryPicture: CMMediaType = 0x6175_7876
/// `tbgr`: Groups of buffers with tags.
public let kCMMediaType_TaggedBufferGroup: CMMediaType = 0x7462_6772

// MARK: Video codecs

/// `2vuy`: Uncompressed 4:2:2, Cb Y Cr Y.
public let kCMVideoCodecType_422YpCbCr8: CMVideoCodecType = 0x3276_7579
/// `rle `: Apple Animation.
public let kCMVideoCodecType_Animation: CMVideoCodecType = 0x726C_6520
/// `cvid`: Cinepak.
public let kCMVideoCodecType_Cinepak: CMVideoCodecType = 0x6376_6964
/// `jpeg`: JPEG, one picture a frame.
public let kCMVideoCodecType_JPEG: CMVideoCodecType = 0x6A70_6567
/// `dmb1`: JPEG with OpenDML's fields.
public let kCMVideoCodecType_JPEG_OpenDML: CMVideoCodecType = 0x646D_6231
/// `SVQ1`: Sorenson Video.
public let kCMVideoCodecType_SorensonVideo: CMVideoCodecType = 0x5356_5131
/// `SVQ3`: Sorenson Video 3.
public let kCMVideoCodecType_SorensonVideo3: CMVideoCodecType = 0x5356_5133
/// `h263`: H.263.
public let kCMVideoCodecType_H263: CMVideoCodecType = 0x6832_3633
/// `avc1`: H.264, with parameter sets in the format description.
public let kCMVideoCodecType_H264: CMVideoCodecType = 0x6176_6331
/// `hvc1`: HEVC, with parameter sets in the format description.
public let kCMVideoCodecType_HEVC: CMVideoCodecType = 0x6876_6331
/// `muxa`: HEVC with an alpha layer.
public let kCMVideoCodecType_HEVCWithAlpha: CMVideoCodecType = 0x6D75_7861
/// `dvh1`: HEVC with Dolby Vision.
public let kCMVideoCodecType_DolbyVisionHEVC: CMVideoCodecType = 0x6476_6831
/// `mp4v`: MPEG-4 part 2.
public let kCMVideoCodecType_MPEG4Video: CMVideoCodecType = 0x6D70_3476
/// `mp2v`: MPEG-2.
public let kCMVideoCodecType_MPEG2Video: CMVideoCodecType = 0x6D70_3276
/// `mp1v`: MPEG-1.
public let kCMVideoCodecType_MPEG1Video: CMVideoCodecType = 0x6D70_3176
/// `vp09`: VP9.
public let kCMVideoCodecType_VP9: CMVideoCodecType = 0x7670_3039
/// `av01`: AV1.
public let kCMVideoCodecType_AV1: CMVideoCodecType = 0x6176_3031
/// `dvc `: DV NTSC.
public let kCMVideoCodecType_DVCNTSC: CMVideoCodecType = 0x6476_6320
/// `dvcp`: DV PAL.
public let kCMVideoCodecType_DVCPAL: CMVideoCodecType = 0x6476_6370
/// `dvpp`: DVCPRO PAL.
public let kCMVideoCodecType_DVCProPAL: CMVideoCodecType = 0x6476_7070
/// `dv5n`: DVCPRO-50 NTSC.
public let kCMVideoCodecType_DVCPro50NTSC: CMVideoCodecType = 0x6476_356E
/// `dv5p`: DVCPRO-50 PAL.
public let kCMVideoCodecType_DVCPro50PAL: CMVideoCodecType = 0x6476_3570
/// `dvhp`: DVCPRO-HD 720p60.
public let kCMVideoCodecType_DVCPROHD720p60: CMVideoCodecType = 0x6476_6870
/// `dvhq`: DVCPRO-HD 720p50.
public let kCMVideoCodecType_DVCPROHD720p50: CMVideoCodecType = 0x6476_6871
/// `dvh6`: DVCPRO-HD 1080i60.
public let kCMVideoCodecType_DVCPROHD1080i60: CMVideoCodecType = 0x6476_6836
/// `dvh5`: DVCPRO-HD 1080i50.
public let kCMVideoCodecType_DVCPROHD1080i50: CMVideoCodecType = 0x6476_6835
/// `dvh3`: DVCPRO-HD 1080p30.
public let kCMVideoCodecType_DVCPROHD1080p30: CMVideoCodecType = 0x6476_6833
/// `dvh2`: DVCPRO-HD 1080p25.
public let kCMVideoCodecType_DVCPROHD1080p25: CMVideoCodecType = 0x6476_6832
/// `ap4x`: ProRes 4444 XQ.
public let kCMVideoCodecType_AppleProRes4444XQ: CMVideoCodecType = 0x6170_3478
/// `ap4h`: ProRes 4444.
public let kCMVideoCodecType_AppleProRes4444: CMVideoCodecType = 0x6170_3468
/// `apch`: ProRes 422 HQ.
public let kCMVideoCodecType_AppleProRes422HQ: CMVideoCodecType = 0x6170_6368
/// `apcn`: ProRes 422.
public let kCMVideoCodecType_AppleProRes422: CMVideoCodecType = 0x6170_636E
/// `apcs`: ProRes 422 LT.
public let kCMVideoCodecType_AppleProRes422LT: CMVideoCodecType = 0x6170_6373
/// `apco`: ProRes 422 Proxy.
public let kCMVideoCodecType_AppleProRes422Proxy: CMVideoCodecType = 0x6170_636F
/// `aprn`: ProRes RAW.
public let kCMVideoCodecType_AppleProResRAW: CMVideoCodecType = 0x6170_726E
/// `aprh`: ProRes RAW HQ.
public let kCMVideoCodecType_AppleProResRAWHQ: CMVideoCodecType = 0x6170_7268
/// `dish`: Disparity maps in HEVC.
public let kCMVideoCodecType_DisparityHEVC: CMVideoCodecType = 0x6469_7368
/// `deph`: Depth maps in HEVC.
public let kCMVideoCodecType_DepthHEVC: CMVideoCodecType = 0x6465_7068

// MARK: Pixel formats

/// `0x20`: Alpha, red, green, blue.
public let kCMPixelFormat_32ARGB: CMPixelFormatType = 0x0000_0020
/// `BGRA`: Blue, green, red, alpha.
public let kCMPixelFormat_32BGRA: CMPixelFormatType = 0x4247_5241
/// `0x18`: Red, green, blue.
public let kCMPixelFormat_24RGB: CMPixelFormatType = 0x0000_0018
/// `0x10`: 5 bits each, big-endian.
public let kCMPixelFormat_16BE555: CMPixelFormatType = 0x0000_0010
/// `B565`: 5, 6 and 5 bits, big-endian.
public let kCMPixelFormat_16BE565: CMPixelFormatType = 0x4235_3635
/// `L555`: 5 bits each, little-endian.
public let kCMPixelFormat_16LE555: CMPixelFormatType = 0x4C35_3535
/// `L565`: 5, 6 and 5 bits, little-endian.
public let kCMPixelFormat_16LE565: CMPixelFormatType = 0x4C35_3635
/// `5551`: 5 bits each and alpha, little-endian.
public let kCMPixelFormat_16LE5551: CMPixelFormatType = 0x3535_3531
/// `2vuy`: 4:2:2, Cb Y Cr Y.
public let kCMPixelFormat_422YpCbCr8: CMPixelFormatType = 0x3276_7579
/// `yuvs`: 4:2:2, Y Cb Y Cr.
public let kCMPixelFormat_422YpCbCr8_yuvs: CMPixelFormatType = 0x7975_7673
/// `v308`: 4:4:4.
public let kCMPixelFormat_444YpCbCr8: CMPixelFormatType = 0x7633_3038
/// `v408`: 4:4:4 with alpha.
public let kCMPixelFormat_4444YpCbCrA8: CMPixelFormatType = 0x7634_3038
/// `v216`: 4:2:2, up to 16 bits.
public let kCMPixelFormat_422YpCbCr16: CMPixelFormatType = 0x7632_3136
/// `v210`: 4:2:2, 10 bits.
public let kCMPixelFormat_422YpCbCr10: CMPixelFormatType = 0x7632_3130
/// `v410`: 4:4:4, 10 bits.
public let kCMPixelFormat_444YpCbCr10: CMPixelFormatType = 0x7634_3130
/// `0x28`: 8-bit grey, 0 is white.
public let kCMPixelFormat_8IndexedGray_WhiteIsZero: CMPixelFormatType = 0x0000_0028

/// A four-character code for how audio is coded.
public typealias CMAudioCodecType = FourCharCode

// MARK: Audio

/// `paac`: Protected AAC.
public let kCMAudioCodecType_AAC_LCProtected: CMAudioCodecType = 0x7061_6163
/// `aaac`: Audible's protected AAC.
public let kCMAudioCodecType_AAC_AudibleProtected: CMAudioCodecType = 0x6161_6163

/// A four-character code for a stream of audio and pictures.
public typealias CMMuxedStreamType = FourCharCode

// MARK: Muxed

/// `mp1s`: MPEG-1 system stream.
public let kCMMuxedStreamType_MPEG1System: CMMuxedStreamType = 0x6D70_3173
/// `mp2t`: MPEG-2 transport stream.
public let kCMMuxedStreamType_MPEG2Transport: CMMuxedStreamType = 0x6D70_3274
/// `mp2p`: MPEG-2 program stream.
public let kCMMuxedStreamType_MPEG2Program: CMMuxedStreamType = 0x6D70_3270
/// `dv  `: DV.
public let kCMMuxedStreamType_DV: CMMuxedStreamType = 0x6476_2020

/// A four-character code for captions.
public typealias CMClosedCaptionFormatType = FourCharCode

// MARK: Captions

/// `c608`: CEA-608.
public let kCMClosedCaptionFormatType_CEA608: CMClosedCaptionFormatType = 0x6336_3038
/// `c708`: CEA-708.
public let kCMClosedCaptionFormatType_CEA708: CMClosedCaptionFormatType = 0x6337_3038
/// `atcc`: ATSC A/53 part 4.
public let kCMClosedCaptionFormatType_ATSC: CMClosedCaptionFormatType = 0x6174_6363

/// A four-character code for text.
public typealias CMTextFormatType = FourCharCode

// MARK: Text

/// `text`: QuickTime text.
public let kCMTextFormatType_QTText: CMTextFormatType = 0x7465_7874
/// `tx3g`: 3GPP timed text.
public let kCMTextFormatType_3GText: CMTextFormatType = 0x7478_3367

/// A four-character code for subtitles.
public typealias CMSubtitleFormatType = FourCharCode

// MARK: Subtitles

/// `tx3g`: 3GPP timed text.
public let kCMSubtitleFormatType_3GText: CMSubtitleFormatType = 0x7478_3367
/// `wvtt`: WebVTT.
public let kCMSubtitleFormatType_WebVTT: CMSubtitleFormatType = 0x7776_7474

/// A four-character code for time codes.
public typealias CMTimeCodeFormatType = FourCharCode

// MARK: Time codes

/// `tmcd`: 32 bits.
public let kCMTimeCodeFormatType_TimeCode32: CMTimeCodeFormatType = 0x746D_6364
/// `tc64`: 64 bits.
public let kCMTimeCodeFormatType_TimeCode64: CMTimeCodeFormatType = 0x7463_3634
/// `cn32`: A 32-bit counter.
public let kCMTimeCodeFormatType_Counter32: CMTimeCodeFormatType = 0x636E_3332
/// `cn64`: A 64-bit counter.
public let kCMTimeCodeFormatType_Counter64: CMTimeCodeFormatType = 0x636E_3634

/// A four-character code for timed metadata.
public typealias CMMetadataFormatType = FourCharCode

// MARK: Metadata

/// `icy `: Shoutcast tags.
public let kCMMetadataFormatType_ICY: CMMetadataFormatType = 0x6963_7920
/// `id3 `: ID3 tags.
public let kCMMetadataFormatType_ID3: CMMetadataFormatType = 0x6964_3320
/// `mebx`: Boxes, each with the local number of its key.
public let kCMMetadataFormatType_Boxed: CMMetadataFormatType = 0x6D65_6278
/// `emsg`: Event messages of ISO 23009-1.
public let kCMMetadataFormatType_EMSG: CMMetadataFormatType = 0x656D_7367
