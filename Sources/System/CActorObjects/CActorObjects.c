#include "CActorObjects.h"

#include <stdint.h>

// The compiler gives an actor that derives from NSObject the superclass SwiftNativeNSObject, which Apple's runtime has and Linux's has
// not, so that such programs do not link. What it looks for is the metadata of a class; here is one between the actor and NSObject,
// of which no object is ever made. The layout is that of the runtime without Objective-C (swift/ABI/Metadata.h, ClassMetadata).

extern char nsobject_class[] __asm__("$s10Foundation8NSObjectCN");
extern char nsobject_description[] __asm__("$s10Foundation8NSObjectCMn");
extern char native_object_values[] __asm__("$sBoWV");

struct class_metadata {
  const void *layout, *destroy, *values;
  uintptr_t kind;
  const void *superclass;
  uint32_t flags, address_point, size;
  uint16_t alignment_mask, reserved;
  uint32_t class_size, class_address_point;
  const void *description, *ivar_destroyer;
};

__attribute__((used, visibility("hidden"))) struct class_metadata obscura_actor_superclass = {
  .values = native_object_values,
  .superclass = nsobject_class,
  .flags = 2,
  .size = 2 * sizeof(void *),
  .alignment_mask = 15,
  .class_size = sizeof(struct class_metadata),
  .class_address_point = 3 * sizeof(void *),
  .description = nsobject_description,
};

// Weak, so that a runtime that has the class is not contradicted. Metadata begins at its kind.
__asm__(
  ".weak \"OBJC_CLASS_$_SwiftNativeNSObject\"\n"
  ".type \"OBJC_CLASS_$_SwiftNativeNSObject\", %object\n"
#if __SIZEOF_POINTER__ == 8
  ".set \"OBJC_CLASS_$_SwiftNativeNSObject\", obscura_actor_superclass + 24\n"
#else
  ".set \"OBJC_CLASS_$_SwiftNativeNSObject\", obscura_actor_superclass + 12\n"
#endif
);
