// Places in a picture. Inside this module only.
#ifndef Point_h
#define Point_h

/// A place in a picture; pixel (0, 0) reaches from 0 to 1 each way, its middle is at 0.5.
struct Point {
  float x, y;
};

inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(float scale, Point a) { return {scale * a.x, scale * a.y}; }

#endif
