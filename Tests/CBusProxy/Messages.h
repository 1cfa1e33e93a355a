// The wire format of D-Bus, as far as one message is told from the next and an answer is made an error.
// Source: the D-Bus specification, sections "Message Protocol" and "Authentication Protocol"; numbers in the order of this machine's bytes.

#include <stddef.h>
#include <stdint.h>

/// The length of the line or message at the beginning of `bytes`; 0 while it is not whole. `is_message` says which it is.
size_t bus_unit_length(const uint8_t *bytes, size_t count, int *is_message);
/// Writes an error in place of the answer that is `message`; the error's length, 0 where it is no answer or there is no room.
size_t bus_error_for(const uint8_t *message, size_t length, uint8_t *error, size_t room);
