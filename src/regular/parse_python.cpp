#include "regular/parse_python.h"

#include "regular/perl_parser.h"

namespace nacre::regular {

Result<Regex> parse_python(std::string_view pattern, const PythonFlags& flags) {
  const PerlFlags perl{.folds_case = flags.ignore_case,
                       .is_multiline = flags.multiline,
                       .dot_is_all = flags.dot_all,
                       .is_verbose = flags.verbose,
                       .is_ascii = flags.ascii || flags.is_bytes};
  const Alphabet alphabet = flags.is_bytes ? Alphabet::kBytes : Alphabet::kCodePoints;
  PerlParser parser(pattern, PerlReading::kPython, perl, alphabet);
  const auto root = parser.parse();
  if (!root) return tl::unexpected(root.error());
  return parser.builder().finish(*root);
}

}  // namespace nacre::regular
