#ifndef CFAKEPORTAL_H
#define CFAKEPORTAL_H

/// A desktop's camera portal that answers what a test wants, on a bus that the test has started.
typedef struct fake_portal fake_portal;

/// Takes the portal's name on the bus at `address` and answers from then on; NULL when it cannot.
///
/// - asked: Called on the portal's thread with how many times it was asked for cameras, once for each.
fake_portal *fake_portal_start(const char *address, void (*asked)(void *context, int count), void *context);
/// Ends it.
void fake_portal_stop(fake_portal *portal);
/// The answer of a desktop whose cameras are off for all programs: the question itself is refused.
enum { FAKE_PORTAL_LOCKED = 3 };
/// What the next questions are answered at once: 0 yes, 1 no, 2 for a question that ended otherwise, 3, -1 to let them wait.
void fake_portal_set_answer(fake_portal *portal, int answer);
/// Answers the question that waits.
void fake_portal_answer(fake_portal *portal, int answer);
/// Where PipeWire's socket is that cameras are opened on.
void fake_portal_set_socket(fake_portal *portal, const char *path);

#endif
