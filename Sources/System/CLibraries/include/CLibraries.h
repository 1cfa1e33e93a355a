#ifndef CLIBRARIES_H
#define CLIBRARIES_H

// Opens libraries that a machine may lack, for C modules whose work a program can go without.

#include <stddef.h>

// A module lists the functions that it calls once, `#define FUNCTIONS(X) X(result, name, parameters) …`, and makes of the list the
// fields of a struct that hold them, and their names in the library behind the text PREFIX.
#define CAM_FUNCTION_FIELD(result, name, parameters) result(*name) parameters;
#define CAM_FUNCTION_NAME(result, name, parameters) PREFIX #name,

/// Opens the first library of `files` that the machine has and finds its functions; what is opened stays so for good.
///
/// `files` are names with the version of the interface (`libx.so.1`), or paths; `names` are the functions'. Both lists end with NULL.
/// `functions` is a struct of function pointers in the order of `names`, which is filled. Returns 1, or 0 with the reason.
int cam_library_open(
    const char *const *files, const char *const *names, void *functions, char *reason, size_t reason_size);

#endif
