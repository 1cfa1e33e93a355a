public import FoundationExtras

// The keys of the dictionary under `kCGImagePropertyTIFFDictionary`.

/// How the data is compressed, as TIFF numbers it; an integer.
public let kCGImagePropertyTIFFCompression: CFString = "Compression"
/// What the numbers of a pixel mean, as TIFF numbers it; an integer.
public let kCGImagePropertyTIFFPhotometricInterpretation: CFString = "PhotometricInterpretation"
/// The name of the document; text.
public let kCGImagePropertyTIFFDocumentName: CFString = "DocumentName"
/// What the picture shows; text.
public let kCGImagePropertyTIFFImageDescription: CFString = "ImageDescription"
/// Who made the camera; text.
public let kCGImagePropertyTIFFMake: CFString = "Make"
/// The name of the camera; text.
public let kCGImagePropertyTIFFModel: CFString = "Model"
/// How the stored pixels have to be laid, 1…8; an integer.
public let kCGImagePropertyTIFFOrientation: CFString = "Orientation"
/// Pixels along x for each unit; a number.
public let kCGImagePropertyTIFFXResolution: CFString = "XResolution"
/// Pixels along y for each unit; a number.
public let kCGImagePropertyTIFFYResolution: CFString = "YResolution"
/// The unit of the resolution: 2 inch, 3 cm; an integer.
public let kCGImagePropertyTIFFResolutionUnit: CFString = "ResolutionUnit"
/// What wrote the file; text.
public let kCGImagePropertyTIFFSoftware: CFString = "Software"
/// When the file was changed, as `yyyy:MM:dd HH:mm:ss` in local time; text.
public let kCGImagePropertyTIFFDateTime: CFString = "DateTime"
/// Who took the picture; text.
public let kCGImagePropertyTIFFArtist: CFString = "Artist"
/// The computer that wrote the file; text.
public let kCGImagePropertyTIFFHostComputer: CFString = "HostComputer"
/// Whose picture it is; text.
public let kCGImagePropertyTIFFCopyright: CFString = "Copyright"
/// The chromaticity of white; an array of two numbers.
public let kCGImagePropertyTIFFWhitePoint: CFString = "WhitePoint"
/// The chromaticities of red, green and blue; an array of six numbers.
public let kCGImagePropertyTIFFPrimaryChromaticities: CFString = "PrimaryChromaticities"

// The keys of the dictionary under `kCGImagePropertyGPSDictionary`.

/// The version of the GPS tags; an array of four integers.
public let kCGImagePropertyGPSVersion: CFString = "GPSVersion"
/// `N` or `S`; text.
public let kCGImagePropertyGPSLatitudeRef: CFString = "LatitudeRef"
/// Degrees from the equator, never negative; a number.
public let kCGImagePropertyGPSLatitude: CFString = "Latitude"
/// `E` or `W`; text.
public let kCGImagePropertyGPSLongitudeRef: CFString = "LongitudeRef"
/// Degrees from Greenwich, never negative; a number.
public let kCGImagePropertyGPSLongitude: CFString = "Longitude"
/// 0 above sea level, 1 below; an integer.
public let kCGImagePropertyGPSAltitudeRef: CFString = "AltitudeRef"
/// Metres, never negative; a number.
public let kCGImagePropertyGPSAltitude: CFString = "Altitude"
/// The time in UTC, as `HH:mm:ss.SS`; text.
public let kCGImagePropertyGPSTimeStamp: CFString = "TimeStamp"
/// The satellites used; text.
public let kCGImagePropertyGPSSatellites: CFString = "Satellites"
/// `A` while measuring, `V` not; text.
public let kCGImagePropertyGPSStatus: CFString = "Status"
/// `2` or `3` dimensions; text.
public let kCGImagePropertyGPSMeasureMode: CFString = "MeasureMode"
/// The dilution of precision; a number.
public let kCGImagePropertyGPSDOP: CFString = "DOP"
/// `K` km/h, `M` miles/h, `N` knots; text.
public let kCGImagePropertyGPSSpeedRef: CFString = "SpeedRef"
/// The speed of the camera; a number.
public let kCGImagePropertyGPSSpeed: CFString = "Speed"
/// `T` true or `M` magnetic north; text.
public let kCGImagePropertyGPSTrackRef: CFString = "TrackRef"
/// The direction of movement in degrees; a number.
public let kCGImagePropertyGPSTrack: CFString = "Track"
/// `T` true or `M` magnetic north; text.
public let kCGImagePropertyGPSImgDirectionRef: CFString = "ImgDirectionRef"
/// The direction of the camera in degrees; a number.
public let kCGImagePropertyGPSImgDirection: CFString = "ImgDirection"
/// The geodetic survey; text.
public let kCGImagePropertyGPSMapDatum: CFString = "MapDatum"
/// `N` or `S` of the destination; text.
public let kCGImagePropertyGPSDestLatitudeRef: CFString = "DestLatitudeRef"
/// Degrees of the destination from the equator; a number.
public let kCGImagePropertyGPSDestLatitude: CFString = "DestLatitude"
/// `E` or `W` of the destination; text.
public let kCGImagePropertyGPSDestLongitudeRef: CFString = "DestLongitudeRef"
/// Degrees of the destination from Greenwich; a number.
public let kCGImagePropertyGPSDestLongitude: CFString = "DestLongitude"
/// `T` true or `M` magnetic north; text.
public let kCGImagePropertyGPSDestBearingRef: CFString = "DestBearingRef"
/// The bearing of the destination in degrees; a number.
public let kCGImagePropertyGPSDestBearing: CFString = "DestBearing"
/// `K` km, `M` miles, `N` knots; text.
public let kCGImagePropertyGPSDestDistanceRef: CFString = "DestDistanceRef"
/// The distance to the destination; a number.
public let kCGImagePropertyGPSDestDistance: CFString = "DestDistance"
/// The day in UTC, as `yyyy:MM:dd`; text.
public let kCGImagePropertyGPSDateStamp: CFString = "DateStamp"
/// 0 without, 1 with differential correction; an integer.
public let kCGImagePropertyGPSDifferental: CFString = "Differential"
/// The horizontal error in metres; a number.
public let kCGImagePropertyGPSHPositioningError: CFString = "HPositioningError"
