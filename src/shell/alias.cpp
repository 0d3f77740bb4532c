#include "shell/parser.h"

namespace nacre::shell {

bool Parser::expand_alias() { return false; }

}  // namespace nacre::shell
