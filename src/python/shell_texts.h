// Shell commands that a Python program gives to a shell: the argument of os.system(), of
// subprocess.run(..., shell=True) and the like, as far as it is written in the call or in a name
// that is assigned once. Values that are only known at run time are *holes*: in the text they are
// parameters that nothing assigns. Linear in the size of the file; only looks.
//
//   for (const ShellText& each : find_shell_texts(tree, source)) check(each.text, each.map);
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text_map.h"
#include "python/ast.h"

namespace nacre::python {

struct ShellText {
  std::string text;
  TextMap map{nullptr};
  std::vector<Span> holes;  // the expressions in the file
  Span span;                // of the argument
};

std::vector<ShellText> find_shell_texts(const Tree& tree, std::string_view source);

}  // namespace nacre::python
