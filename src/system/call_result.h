// What a call of the kernel answers, in the manner of world::Os: a negative number is an errno.
// Internal to system.
#pragma once

#include <cerrno>

namespace nacre::system {

inline int result_of(int value) { return value < 0 ? -errno : value; }

}  // namespace nacre::system
