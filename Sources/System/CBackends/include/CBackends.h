#ifndef CBACKENDS_H
#define CBACKENDS_H

// The device backends that are linked into this program. Why Swift cannot do it: a section's bounds are symbols of the linker.

/// Calls each function that a backend has put into the section `obscura_backends`; none where no backend is linked.
void cam_backends_register(void);

/// The backends that a build can leave out, by the names of their modules and traits, with commas between them.
const char *cam_backends_optional(void);

#endif
