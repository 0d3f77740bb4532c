// A file tree as a value: inodes with contents, owners, modes, times, links, fifos and devices, and
// the calls of the kernel that read and change them, with its permission checks and its errors.
//
// Copying a tree shares every inode; the first change of one copies that inode alone. So a snapshot
// costs one pointer per file. Not thread-safe as one object; two copies are independent.
//
//   FileTree tree;                               // "/" alone, owned by root
//   tree.make_directory(actor, "/tmp", 01777);   // 0 or -errno, as everywhere here
//   FileTree before = tree;
//
// A directory may be open (oracle.h): what is in it is decided at the first look.
//
// A tree may be rooted in a directory of the host (HostReader): its directories and contents are
// then read when they are first looked at, and never written.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "world/oracle.h"
#include "world/os.h"

namespace nacre::world {

enum class InodeId : uint32_t {};
constexpr InodeId kRootInode{0};
constexpr InodeId kNoInode{~uint32_t{0}};
constexpr int kMaxLinks = 40;  // symbolic links that one path may lead through, as on Linux

// What a character device does.
enum class Device : uint8_t { kNone, kNull, kZero, kFull, kTerminal };

// The user that asks, and the directory that relative paths start from.
struct Actor {
  unsigned user = 0;
  unsigned group = 0;
  std::vector<unsigned> groups;
  unsigned file_mask = 022;
  InodeId directory = kRootInode;

  [[nodiscard]] bool is_root() const { return user == 0; }
  [[nodiscard]] bool is_member(unsigned id) const;
};

struct Inode {
  FileKind kind = FileKind::kRegular;
  Device device = Device::kNone;
  unsigned mode = 0;
  unsigned owner = 0;
  unsigned group = 0;
  uint32_t links = 0;
  uint32_t opens = 0;  // open descriptions: the contents live on without a name
  int64_t accessed = 0;
  int64_t modified = 0;
  int64_t changed = 0;
  InodeId parent = kRootInode;                          // of a directory
  std::string bytes;                                    // contents, or the target of a link
  std::map<std::string, InodeId, std::less<>> entries;  // of a directory, without . and ..
  std::shared_ptr<const std::string> host;  // where bytes or entries are still to be read
  uint64_t host_size = 0;
  // Not null: which other entries a directory has, or what a file holds, is undecided. Its path
  // when the world began, which it keeps when it is moved.
  std::shared_ptr<const std::string> open;
  std::set<std::string, std::less<>> absent;  // of an open directory: names known to be missing
};

// A file of the host, as it becomes part of a tree.
struct HostEntry {
  std::string name;
  Inode inode;  // with `host` set where there is more to read
};

// Reads the files of the host for a tree that is rooted in one of its directories. Only reads; what
// cannot be read is left out or empty, as it would be for the user who runs the simulation.
class HostReader {
 public:
  virtual ~HostReader() = default;
  [[nodiscard]] virtual HostEntry entry(const std::string& path) const = 0;
  [[nodiscard]] virtual std::vector<HostEntry> list(const std::string& directory) const = 0;
  virtual void read(const std::string& path, std::string& bytes) const = 0;
};

// Where the last component of a path leads: into `parent`, as `name`.
struct Place {
  enum Last : uint8_t { kName, kDot, kDotDot, kRoot };
  InodeId parent = kRootInode;
  std::string name;
  Last last = kName;
  bool has_slash = false;    // after the name
  InodeId inode = kNoInode;  // what is there, if anything is; links are not followed
};

class FileTree {
 public:
  FileTree();

  // Looking at it.
  [[nodiscard]] const Inode& at(InodeId id) const { return *inodes_[static_cast<uint32_t>(id)]; }
  [[nodiscard]] size_t inode_count() const { return inodes_.size(); }
  [[nodiscard]] const std::string& bytes(InodeId id);
  // All of them: what is undecided of an open directory is decided, and it is open no more.
  [[nodiscard]] const std::map<std::string, InodeId, std::less<>>& entries(InodeId id);
  // Those that are decided.
  [[nodiscard]] const std::map<std::string, InodeId, std::less<>>& known_entries(InodeId id);
  [[nodiscard]] bool is_empty(InodeId directory);
  [[nodiscard]] FileStatus status(InodeId id) const;
  // Each directory from the root on; "" if the directory was removed.
  [[nodiscard]] std::string path_of(InodeId directory);
  int find(const Actor& actor, std::string_view path, bool follows, InodeId& found,
           Use use = Use::kLook);
  int find_place(const Actor& actor, std::string_view path, Place& place, Use use = Use::kCreate);
  [[nodiscard]] static bool permits(const Actor& actor, const Inode& inode, unsigned wanted);
  [[nodiscard]] uint64_t total_bytes() const { return total_bytes_; }
  // Another number after every change that a process could see.
  [[nodiscard]] uint64_t version() const { return version_; }

  // The calls. Flags of open() are those of the system.
  int open(const Actor& actor, std::string_view path, int flags, unsigned mode, InodeId& opened);
  int make_directory(const Actor& actor, std::string_view path, unsigned mode);
  int make_node(const Actor& actor, std::string_view path, FileKind kind, unsigned mode,
                Device device = Device::kNone);
  int make_symbolic_link(const Actor& actor, std::string_view target, std::string_view path);
  int remove_directory(const Actor& actor, std::string_view path);
  int unlink(const Actor& actor, std::string_view path);
  int link(const Actor& actor, std::string_view from, std::string_view to);
  int rename(const Actor& actor, std::string_view from, std::string_view to);
  int set_mode(const Actor& actor, InodeId id, unsigned mode);
  int set_owner(const Actor& actor, InodeId id, unsigned owner, unsigned group);
  int set_times(const Actor& actor, InodeId id, int64_t accessed, int64_t modified);
  // -ENOSPC beyond max_bytes.
  int write(const Actor& actor, InodeId id, uint64_t offset, std::string_view data);
  int truncate(InodeId id, uint64_t size);
  void touch_accessed(InodeId id);

  // Files without a name (here-documents), and counting who holds one open.
  InodeId add_anonymous(const Actor& actor, std::string text);
  void hold(InodeId id);
  void release(InodeId id);

  // Open worlds. `path` is that of the directory or file when the world begins.
  void open_up(InodeId id, std::string path);
  void close(InodeId id) { edit(id).open = nullptr; }
  // Nothing has the name at the end of `path`: it was made up by this program.
  void declare_absent(const Actor& actor, std::string_view path);
  // `to` gets the contents of `from`, also while they are undecided. False: copy the bytes.
  bool share_contents(InodeId from, InodeId to);
  // Decides what open directories hold; must outlive the tree or be removed. Without one, what is
  // undecided is absent or empty.
  void set_oracle(Oracle* oracle) { oracle_ = oracle; }

  // Everything below `host_directory` is read when it is needed. A tree has one host.
  void mount_host(InodeId directory, std::string host_directory,
                  std::shared_ptr<const HostReader> host);

  int64_t now = 0;  // what the calls write into times
  uint64_t max_bytes = uint64_t{256} << 20;

 private:
  Inode& edit(InodeId id);
  InodeId add(const Actor& actor, FileKind kind, unsigned mode);
  void attach(const Place& place, InodeId id);
  void detach(const Place& place);
  void drop_link(InodeId id);
  void load(InodeId id);
  int may_create(const Actor& actor, const Place& place) const;
  int may_delete(const Actor& actor, const Place& place, bool wants_directory) const;
  int check_rename(const Actor& actor, const Place& from, const Place& to);
  bool is_inside(InodeId directory, InodeId other) const;
  int step_into(const Actor& actor, InodeId directory, std::string_view name, Use use,
                InodeId& found);
  InodeId add_decided(InodeId directory, const std::string& name, const NewNode& node);
  InodeId decide_entry(InodeId directory, std::string_view name, Use use);
  void decide_others(InodeId directory);
  void decide_contents(InodeId file);

  struct Walk;
  int walk(const Actor& actor, Walk& state, std::string_view path, bool follows_last);

  std::vector<std::shared_ptr<Inode>> inodes_;
  std::vector<InodeId> free_;
  std::shared_ptr<const HostReader> host_;
  Oracle* oracle_ = nullptr;
  uint64_t total_bytes_ = 0;
  uint64_t version_ = 0;
};

}  // namespace nacre::world
