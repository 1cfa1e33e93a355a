public import FoundationExtras
internal import Foundation

/// A session of any kind: one that codes, decodes, turns or transfers pictures.
///
/// Apple: `VTSession`.
public typealias VTSession = AnyObject

/// Says which properties a session has, and what they can be.
///
/// - Parameter supportedPropertyDictionaryOut: Gets a dictionary by property; each value has ``kVTPropertyTypeKey``,
///   ``kVTPropertyReadWriteStatusKey`` and what the property's values are bound to.
/// - Returns: ``kVTInvalidSessionErr`` after invalidation.
@discardableResult
public func VTSessionCopySupportedPropertyDictionary(
  _ session: VTSession, supportedPropertyDictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> OSStatus {
  guard let owner = session as? any PropertyOwner else { return kVTParameterErr }
  guard owner.isValid else { return kVTInvalidSessionErr }
  supportedPropertyDictionaryOut.pointee = owner.properties.mapValues(\.description)
  return noErr
}

/// Sets a property.
///
/// - Parameter value: `nil` sets what it was in the beginning.
/// - Returns: ``kVTPropertyNotSupportedErr``, ``kVTPropertyReadOnlyErr``, ``kVTParameterErr`` for values that the property
///   cannot be, ``kVTInvalidSessionErr``.
@discardableResult
public func VTSessionSetProperty(
  _ session: VTSession, key propertyKey: CFString, value propertyValue: CFTypeRef?
)
  -> OSStatus
{
  guard let owner = session as? any PropertyOwner else { return kVTParameterErr }
  guard owner.isValid else { return kVTInvalidSessionErr }
  guard let property = owner.properties[propertyKey] else { return kVTPropertyNotSupportedErr }
  guard !property.isReadOnly else { return kVTPropertyReadOnlyErr }
  guard let propertyValue else { return owner.setValue(nil, of: propertyKey) }
  guard let value = property.checked(propertyValue) else { return kVTParameterErr }
  return owner.setValue(value, of: propertyKey)
}

/// Gives a property's value.
///
/// - Parameter valueOut: Gets it: as it is (`CFTypeRef?`), or as the type that the variable has; `nil` when it has none.
/// - Returns: ``kVTPropertyNotSupportedErr``, ``kVTParameterErr`` for a variable of another type, ``kVTInvalidSessionErr``.
///
/// - Note: Unlike VideoToolbox, the pointer is typed: a value of Swift cannot be written through a raw one.
@discardableResult
public func VTSessionCopyProperty<Value>(
  _ session: VTSession, key propertyKey: CFString, allocator: CFAllocator?,
  valueOut propertyValueOut: UnsafeMutablePointer<Value?>?
) -> OSStatus {
  guard let owner = session as? any PropertyOwner else { return kVTParameterErr }
  guard owner.isValid else { return kVTInvalidSessionErr }
  guard owner.properties[propertyKey] != nil else { return kVTPropertyNotSupportedErr }
  guard let value = owner.value(of: propertyKey) else {
    propertyValueOut?.pointee = nil
    return noErr
  }
  guard let typed = SessionProperty.value(value, as: Value.self) else { return kVTParameterErr }
  propertyValueOut?.pointee = typed
  return noErr
}

/// Sets several properties; those that are not supported are left out, as those that cannot be set.
///
/// - Returns: The first error.
@discardableResult
public func VTSessionSetProperties(_ session: VTSession, propertyDictionary: CFDictionary) -> OSStatus {
  var first = noErr
  for (key, value) in propertyDictionary.sorted(by: { $0.key < $1.key }) {
    let status = VTSessionSetProperty(session, key: key, value: value)
    if first == noErr { first = status }
  }
  return first
}

/// Gives the properties that were set or have a value, so that another session can be made equal.
@discardableResult
public func VTSessionCopySerializableProperties(
  _ session: VTSession, allocator: CFAllocator?, dictionaryOut: UnsafeMutablePointer<CFDictionary?>
) -> OSStatus {
  guard let owner = session as? any PropertyOwner else { return kVTParameterErr }
  guard owner.isValid else { return kVTInvalidSessionErr }
  var values: [String: Any] = [:]
  for (key, property) in owner.properties where !property.isReadOnly { values[key] = owner.value(of: key) }
  dictionaryOut.pointee = values
  return noErr
}

/// Of what type a property's values are: one of `kVTPropertyType_…`.
public let kVTPropertyTypeKey: CFString = "PropertyType"
/// Values of a set: ``kVTPropertySupportedValueListKey`` has them.
public let kVTPropertyType_Enumeration: CFString = "Enumeration"
/// `true` or `false`.
public let kVTPropertyType_Boolean: CFString = "Boolean"
/// Numbers.
public let kVTPropertyType_Number: CFString = "Number"
/// Whether a property can be set: one of `kVTPropertyReadWriteStatus_…`.
public let kVTPropertyReadWriteStatusKey: CFString = "ReadWriteStatus"
/// It can only be read.
public let kVTPropertyReadWriteStatus_ReadOnly: CFString = "ReadOnly"
/// It can be read and set.
public let kVTPropertyReadWriteStatus_ReadWrite: CFString = "ReadWrite"
/// The least number.
public let kVTPropertySupportedValueMinimumKey: CFString = "SupportedValueMinimumKey"
/// The greatest number.
public let kVTPropertySupportedValueMaximumKey: CFString = "SupportedValueMaximumKey"
/// All values.
public let kVTPropertySupportedValueListKey: CFString = "SupportedValueList"
