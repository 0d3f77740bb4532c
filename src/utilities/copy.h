// Copying files and trees, as cp does it and mv where a rename is not possible.
#pragma once

#include <set>

#include "utilities/options.h"
#include "utilities/paths.h"

namespace nacre::utilities {

struct CopyPlan {
  bool is_recursive = false;
  bool follows = false;  // links in the tree
  bool follows_operands = true;
  bool keeps_attributes = false;  // mode, owner, times
  bool is_forced = false;
  bool asks = false;
  bool never_overwrites = false;
  bool only_newer = false;
  bool is_verbose = false;
  bool links_hard = false;      // -l
  bool links_symbolic = false;  // -s
};

class Copier {
 public:
  Copier(Context& context, const CopyPlan& plan) : context_(context), plan_(plan) {}
  // One operand to its final path. False after a message.
  bool copy(const std::string& source, const std::string& target);

 private:
  struct FileId {
    uint64_t device, inode;
    friend auto operator<=>(const FileId&, const FileId&) = default;
  };
  enum class Check : uint8_t { kGo, kSkip, kFail };

  bool copy_node(const std::string& source, const std::string& target, bool is_operand);
  Check check_target(const std::string& source, const world::FileStatus& from,
                     const std::string& target, bool& exists);
  bool copy_file(const std::string& source, const world::FileStatus& from,
                 const std::string& target, bool exists);
  bool copy_bytes(const std::string& source, int input, const std::string& target, int output);
  bool copy_directory(const std::string& source, const world::FileStatus& from,
                      const std::string& target, bool exists);
  bool copy_link(const std::string& source, const std::string& target);
  void keep_attributes(const world::FileStatus& from, const std::string& target);
  bool fail(const std::string& what, int error);
  bool fail(const std::string& message);

  Context& context_;
  CopyPlan plan_;
  std::set<FileId> operands_;
  std::set<FileId> created_;  // by this command: neither overwritten nor copied again
  std::set<FileId> created_directories_;
  std::string top_source_;
  std::string top_target_;
};

// SOURCE TARGET, SOURCE... DIRECTORY, -t DIRECTORY, -T: where the operands go; false after a
// message.
bool find_targets(Context& context, const Options& options, std::vector<std::string>& sources,
                  std::string& target, bool& is_into);

}  // namespace nacre::utilities
