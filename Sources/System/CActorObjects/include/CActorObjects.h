#ifndef C_ACTOR_OBJECTS_H
#define C_ACTOR_OBJECTS_H
// The superclass of actors that derive from NSObject. Nothing is called here: to be linked is all that it takes.
#endif
