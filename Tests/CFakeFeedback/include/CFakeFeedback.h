#ifndef CFAKEFEEDBACK_H
#define CFAKEFEEDBACK_H

/// A feedbackd that notes what is asked of it, on a bus that a test has started.
typedef struct fake_feedback fake_feedback;

/// Which interfaces it has, and whether anything vibrates.
enum fake_feedback_kind { kFeedbackOfPatterns, kFeedbackOfEvents, kFeedbackSilent };

/// Takes feedbackd's name on the bus at `address` and answers from then on; NULL when it cannot.
fake_feedback *fake_feedback_start(const char *address, enum fake_feedback_kind kind);
/// Ends it.
void fake_feedback_stop(fake_feedback *feedback);
/// The last request in words, as `program 1.0 400` of a pattern or `program event profile timeout` of an event; empty before the
/// first. Copies it into `words`.
void fake_feedback_last(fake_feedback *feedback, char *words, int size);
/// Whether the program that made the last request is still on the bus at `address`: feedbackd ends the events of those that have left;
/// negative when the bus does not say.
int fake_feedback_asker_is_there(fake_feedback *feedback, const char *address);

#endif
