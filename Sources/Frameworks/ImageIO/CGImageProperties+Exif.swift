public import FoundationExtras

// The keys of the dictionary under `kCGImagePropertyExifDictionary`, with EXIF 2.32's tags behind them.

/// Seconds the sensor was exposed; a number.
public let kCGImagePropertyExifExposureTime: CFString = "ExposureTime"
/// The aperture as focal length over diameter; a number.
public let kCGImagePropertyExifFNumber: CFString = "FNumber"
/// Which program set the exposure: 1 manual, 2 normal, and so on; an integer.
public let kCGImagePropertyExifExposureProgram: CFString = "ExposureProgram"
/// The sensitivity of each channel in the words of ASTM; text.
public let kCGImagePropertyExifSpectralSensitivity: CFString = "SpectralSensitivity"
/// The sensitivity; an array of integers.
public let kCGImagePropertyExifISOSpeedRatings: CFString = "ISOSpeedRatings"
/// The opto-electric conversion table; an array of bytes.
public let kCGImagePropertyExifOECF: CFString = "OECF"
/// Which of the sensitivity keys ISOSpeedRatings is; an integer.
public let kCGImagePropertyExifSensitivityType: CFString = "SensitivityType"
/// The standard output sensitivity of ISO 12232; an integer.
public let kCGImagePropertyExifStandardOutputSensitivity: CFString = "StandardOutputSensitivity"
/// The recommended exposure index of ISO 12232; an integer.
public let kCGImagePropertyExifRecommendedExposureIndex: CFString = "RecommendedExposureIndex"
/// The ISO speed of ISO 12232; an integer.
public let kCGImagePropertyExifISOSpeed: CFString = "ISOSpeed"
/// The ISO speed latitude yyy of ISO 12232; an integer.
public let kCGImagePropertyExifISOSpeedLatitudeyyy: CFString = "ISOSpeedLatitudeyyy"
/// The ISO speed latitude zzz of ISO 12232; an integer.
public let kCGImagePropertyExifISOSpeedLatitudezzz: CFString = "ISOSpeedLatitudezzz"
/// The version of EXIF; an array of integers such as 2, 3, 2.
public let kCGImagePropertyExifVersion: CFString = "ExifVersion"
/// When the picture was taken, as `yyyy:MM:dd HH:mm:ss` in local time; text.
public let kCGImagePropertyExifDateTimeOriginal: CFString = "DateTimeOriginal"
/// When the picture was digitised, as `yyyy:MM:dd HH:mm:ss` in local time; text.
public let kCGImagePropertyExifDateTimeDigitized: CFString = "DateTimeDigitized"
/// The offset of the file's time from UTC, as `+09:00`; text.
public let kCGImagePropertyExifOffsetTime: CFString = "OffsetTime"
/// The offset of DateTimeOriginal from UTC, as `+09:00`; text.
public let kCGImagePropertyExifOffsetTimeOriginal: CFString = "OffsetTimeOriginal"
/// The offset of DateTimeDigitized from UTC, as `+09:00`; text.
public let kCGImagePropertyExifOffsetTimeDigitized: CFString = "OffsetTimeDigitized"
/// Which components the data holds, in order; an array of four integers.
public let kCGImagePropertyExifComponentsConfiguration: CFString = "ComponentsConfiguration"
/// Bits for a pixel after compression; a number.
public let kCGImagePropertyExifCompressedBitsPerPixel: CFString = "CompressedBitsPerPixel"
/// The exposure time as APEX value; a number.
public let kCGImagePropertyExifShutterSpeedValue: CFString = "ShutterSpeedValue"
/// The aperture as APEX value; a number.
public let kCGImagePropertyExifApertureValue: CFString = "ApertureValue"
/// The brightness as APEX value; a number.
public let kCGImagePropertyExifBrightnessValue: CFString = "BrightnessValue"
/// The exposure compensation in stops; a number.
public let kCGImagePropertyExifExposureBiasValue: CFString = "ExposureBiasValue"
/// The smallest f-number of the lens as APEX value; a number.
public let kCGImagePropertyExifMaxApertureValue: CFString = "MaxApertureValue"
/// Metres to the subject; a number.
public let kCGImagePropertyExifSubjectDistance: CFString = "SubjectDistance"
/// How light was measured: 5 is pattern; an integer.
public let kCGImagePropertyExifMeteringMode: CFString = "MeteringMode"
/// The kind of light: 0 unknown; an integer.
public let kCGImagePropertyExifLightSource: CFString = "LightSource"
/// Whether the flash fired and how it was set, as EXIF's bits; an integer.
public let kCGImagePropertyExifFlash: CFString = "Flash"
/// The focal length in millimetres; a number.
public let kCGImagePropertyExifFocalLength: CFString = "FocalLength"
/// Where the subject is: a point, circle or rectangle; an array of integers.
public let kCGImagePropertyExifSubjectArea: CFString = "SubjectArea"
/// What the maker put in; an array of bytes.
public let kCGImagePropertyExifMakerNote: CFString = "MakerNote"
/// A comment; text.
public let kCGImagePropertyExifUserComment: CFString = "UserComment"
/// The fraction of the second of the file's time; text of digits.
public let kCGImagePropertyExifSubsecTime: CFString = "SubsecTime"
/// The fraction of the second of DateTimeOriginal; text of digits.
public let kCGImagePropertyExifSubsecTimeOriginal: CFString = "SubsecTimeOriginal"
/// The fraction of the second of DateTimeDigitized; text of digits.
public let kCGImagePropertyExifSubsecTimeDigitized: CFString = "SubsecTimeDigitized"
/// The FlashPix version; an array of integers.
public let kCGImagePropertyExifFlashPixVersion: CFString = "FlashPixVersion"
/// 1 for sRGB, 65535 for anything else; an integer.
public let kCGImagePropertyExifColorSpace: CFString = "ColorSpace"
/// Pixels along x; an integer.
public let kCGImagePropertyExifPixelXDimension: CFString = "PixelXDimension"
/// Pixels along y; an integer.
public let kCGImagePropertyExifPixelYDimension: CFString = "PixelYDimension"
/// The name of an audio file; text.
public let kCGImagePropertyExifRelatedSoundFile: CFString = "RelatedSoundFile"
/// The flash's energy in beam candle power seconds; a number.
public let kCGImagePropertyExifFlashEnergy: CFString = "FlashEnergy"
/// The table of spatial frequency responses; an array of bytes.
public let kCGImagePropertyExifSpatialFrequencyResponse: CFString = "SpatialFrequencyResponse"
/// Pixels along x for each unit on the sensor; a number.
public let kCGImagePropertyExifFocalPlaneXResolution: CFString = "FocalPlaneXResolution"
/// Pixels along y for each unit on the sensor; a number.
public let kCGImagePropertyExifFocalPlaneYResolution: CFString = "FocalPlaneYResolution"
/// The unit of the focal plane's resolution: 2 inch, 3 cm; an integer.
public let kCGImagePropertyExifFocalPlaneResolutionUnit: CFString = "FocalPlaneResolutionUnit"
/// The pixel of the subject; an array of two integers.
public let kCGImagePropertyExifSubjectLocation: CFString = "SubjectLocation"
/// The exposure index the camera chose; a number.
public let kCGImagePropertyExifExposureIndex: CFString = "ExposureIndex"
/// The kind of sensor: 2 is one-chip colour; an integer.
public let kCGImagePropertyExifSensingMethod: CFString = "SensingMethod"
/// What made the picture: 3 is a digital camera; an integer.
public let kCGImagePropertyExifFileSource: CFString = "FileSource"
/// 1 for a picture taken directly; an integer.
public let kCGImagePropertyExifSceneType: CFString = "SceneType"
/// The pattern of the colour filters; an array of bytes.
public let kCGImagePropertyExifCFAPattern: CFString = "CFAPattern"
/// 0 for normal processing; an integer.
public let kCGImagePropertyExifCustomRendered: CFString = "CustomRendered"
/// 0 automatic, 1 manual, 2 bracket; an integer.
public let kCGImagePropertyExifExposureMode: CFString = "ExposureMode"
/// 0 automatic, 1 manual; an integer.
public let kCGImagePropertyExifWhiteBalance: CFString = "WhiteBalance"
/// The digital zoom; a number.
public let kCGImagePropertyExifDigitalZoomRatio: CFString = "DigitalZoomRatio"
/// The focal length for 35 mm film in millimetres; an integer.
public let kCGImagePropertyExifFocalLenIn35mmFilm: CFString = "FocalLenIn35mmFilm"
/// 0 standard, 1 landscape, 2 portrait, 3 night; an integer.
public let kCGImagePropertyExifSceneCaptureType: CFString = "SceneCaptureType"
/// 0 none, 1 low gain up, and so on; an integer.
public let kCGImagePropertyExifGainControl: CFString = "GainControl"
/// 0 normal, 1 soft, 2 hard; an integer.
public let kCGImagePropertyExifContrast: CFString = "Contrast"
/// 0 normal, 1 low, 2 high; an integer.
public let kCGImagePropertyExifSaturation: CFString = "Saturation"
/// 0 normal, 1 soft, 2 hard; an integer.
public let kCGImagePropertyExifSharpness: CFString = "Sharpness"
/// The settings of the camera; an array of bytes.
public let kCGImagePropertyExifDeviceSettingDescription: CFString = "DeviceSettingDescription"
/// 0 unknown, 1 macro, 2 close, 3 distant; an integer.
public let kCGImagePropertyExifSubjectDistRange: CFString = "SubjectDistRange"
/// 32 hexadecimal digits; text.
public let kCGImagePropertyExifImageUniqueID: CFString = "ImageUniqueID"
/// Who owns the camera; text.
public let kCGImagePropertyExifCameraOwnerName: CFString = "CameraOwnerName"
/// The serial number of the camera; text.
public let kCGImagePropertyExifBodySerialNumber: CFString = "BodySerialNumber"
/// Shortest and longest focal length in millimetres with their f-numbers; an array of four numbers.
public let kCGImagePropertyExifLensSpecification: CFString = "LensSpecification"
/// Who made the lens; text.
public let kCGImagePropertyExifLensMake: CFString = "LensMake"
/// The name of the lens; text.
public let kCGImagePropertyExifLensModel: CFString = "LensModel"
/// The serial number of the lens; text.
public let kCGImagePropertyExifLensSerialNumber: CFString = "LensSerialNumber"
/// The gamma of the picture; a number.
public let kCGImagePropertyExifGamma: CFString = "Gamma"
/// 1 for not composed, 3 for composed while taken; an integer.
public let kCGImagePropertyExifCompositeImage: CFString = "CompositeImage"
/// How many pictures were taken and used; an array of two integers.
public let kCGImagePropertyExifSourceImageNumberOfCompositeImage: CFString =
  "SourceImageNumberOfCompositeImage"
/// The exposure times of the pictures used; an array of bytes.
public let kCGImagePropertyExifSourceExposureTimesOfCompositeImage: CFString =
  "SourceExposureTimesOfCompositeImage"
