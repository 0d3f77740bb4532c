// What the system says about an errno, as the rest of a sentence: "no such file or directory".
#pragma once

#include <string>

namespace nacre {

std::string system_message(int error_number);

}  // namespace nacre
