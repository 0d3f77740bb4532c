// The oracle decides what an open world holds. A directory of a FileTree may be open: only entries
// that were looked up exist in it, and the contents of a file may be undecided. The first question
// is put to the oracle; its answer becomes part of the tree and is not asked again. So a run over
// an open world is an ordinary run over one of the worlds that it stands for.
//
//   struct NothingThere final : Oracle { ... };
//   tree.set_oracle(&oracle);
//   tree.open_up(directory, "/etc");
//
// Paths are those of the first tree: an open directory that was moved is still the same one. The
// same question about contents gets the same answer, because copies of a file share it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "world/os.h"

namespace nacre::world {

// The entry of "/" that holds what is not a file but is kept as one (users, services, ...): not
// shown in listings.
constexpr std::string_view kRegisters = "%";

// What for a name is looked up.
enum class Use : uint8_t {
  kInner,    // another name follows
  kEnter,    // as a directory: cd, a listing, rmdir, a slash at the end
  kLook,     // to know what is there
  kRead,     // to open it
  kChange,   // to remove, move or change it
  kExecute,  // to run it
  kCreate,   // to make it, perhaps in place of what is there
  kMakeDirectory,
};

// What has the name. An open directory or file is undecided in its turn.
struct NewNode {
  FileKind kind = FileKind::kRegular;
  unsigned mode = 0644;
  unsigned owner = 0;
  unsigned group = 0;
  std::string bytes;  // contents, or the target of a link
  bool is_open = false;
};

class Oracle {
 public:
  virtual ~Oracle() = default;
  // What is at `path`; nothing: it is absent.
  virtual std::optional<NewNode> entry(const std::string& path, Use use) = 0;
  // Before a listing: names in `directory` that must be decided one by one, because they may
  // be looked up later.
  virtual std::vector<std::string> names(const std::string& directory) = 0;
  // What else is in `directory`: no name of `known`, which are there or known to be absent.
  virtual std::vector<std::pair<std::string, NewNode>> others(
      const std::string& directory, const std::vector<std::string>& known) = 0;
  virtual std::string contents(const std::string& path) = 0;
};

}  // namespace nacre::world
