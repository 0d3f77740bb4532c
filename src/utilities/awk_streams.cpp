#include "utilities/awk_streams.h"

#include <cerrno>
#include <fcntl.h>

#include "utilities/spawn.h"

namespace nacre::utilities {
namespace {

constexpr size_t kAwkPiece = 65536;

}  // namespace

bool AwkReader::fill() {
  if (is_at_end_) return false;
  buffer_.erase(0, begin_);
  begin_ = 0;
  size_t old = buffer_.size();
  buffer_.resize(old + kAwkPiece);
  ssize_t got = 0;
  do {
    got = context_.os.read(fd_, buffer_.data() + old, kAwkPiece);
  } while (got == -EINTR);
  if (got < 0) error_ = static_cast<int>(got);
  is_at_end_ = got <= 0;
  buffer_.resize(old + (got > 0 ? static_cast<size_t>(got) : 0));
  if (old > 0) context_.holds(buffer_.size());
  return !is_at_end_;
}

void AwkReader::take(size_t length, size_t skipped, std::string& record) {
  record.assign(buffer_, begin_, length);
  begin_ += length + skipped;
}

bool AwkReader::last(std::string& record) {
  if (begin_ == buffer_.size()) return false;
  take(buffer_.size() - begin_, 0, record);
  return true;
}

bool AwkReader::until_character(char separator, std::string& record) {
  size_t searched = 0;
  while (true) {
    size_t end = buffer_.find(separator, begin_ + searched);
    if (end != std::string::npos) {
      take(end - begin_, 1, record);
      return true;
    }
    searched = buffer_.size() - begin_;
    if (!fill()) return last(record);
  }
}

// A match that reaches the end of what is there might go on: it needs more first.
bool AwkReader::until_match(const Regex& separator, std::string& record) {
  while (true) {
    std::string_view rest = std::string_view(buffer_).substr(begin_);
    std::optional<Match> match = separator.search(rest);
    while (match && match->begin() == match->end()) {  // separates nothing
      match = match->end() < rest.size() ? separator.search(rest, match->end() + 1) : std::nullopt;
    }
    if (match && (match->end() < rest.size() || is_at_end_)) {
      take(match->begin(), match->end() - match->begin(), record);
      return true;
    }
    if (!fill()) {
      if (match) continue;
      if (rest.ends_with('\n') && !rest.empty()) {
        take(rest.size() - 1, 1, record);
        return true;
      }
      return last(record);
    }
  }
}

bool AwkReader::paragraph(std::string& record) {
  auto skip_newlines = [&] {
    do {
      while (begin_ < buffer_.size() && buffer_[begin_] == '\n') ++begin_;
    } while (begin_ == buffer_.size() && fill());
  };
  skip_newlines();
  while (true) {
    size_t end = buffer_.find("\n\n", begin_);
    if (end != std::string::npos) {
      take(end - begin_, 2, record);
      skip_newlines();
      return true;
    }
    if (!fill()) break;
  }
  if (!last(record)) return false;
  if (record.ends_with('\n')) record.pop_back();
  return true;
}

bool AwkReader::next(const RecordSeparator& separator, std::string& record) {
  if (separator.regex) return until_match(*separator.regex, record);
  return separator.text.empty() ? paragraph(record) : until_character(separator.text[0], record);
}

int AwkReader::close() {
  if (fd_ > 2) context_.os.close(fd_);
  return pid_ < 0 ? 0 : wait_for(context_, pid_);
}

// Starts `command` with one end of a pipe; the other one is returned, or -errno.
int AwkStreams::start(const std::string& command, bool reads, world::Pid& pid) {
  flush();
  int ends[2];
  if (int error = context_.os.pipe(ends); error < 0) return error;
  int ours = reads ? ends[0] : ends[1];
  int its = reads ? ends[1] : ends[0];
  const world::FdMove moves[] = {{reads ? 1 : 0, its}};
  pid = start_command(context_, {"sh", "-c", command}, moves);
  context_.os.close(its);
  if (pid >= 0) return ours;
  context_.os.close(ours);
  return pid;
}

int AwkStreams::open(Target target, const std::string& name, Output& output) {
  if (target == Target::kCommand) return output.fd = start(name, false, output.pid);
  if (name == "/dev/stdout" || name == "-") return output.fd = 1;
  if (name == "/dev/stderr") return output.fd = 2;
  int how = target == Target::kAppended ? O_APPEND : O_TRUNC;
  return output.fd = context_.os.open(name.c_str(), O_WRONLY | O_CREAT | how, 0666);
}

int AwkStreams::write(Target target, const std::string& name, std::string_view text) {
  auto found = outputs_.find(name);
  if (found == outputs_.end()) {
    Output output;
    if (int error = open(target, name, output); error < 0) return error;
    found = outputs_.emplace(name, std::move(output)).first;
  }
  Output& output = found->second;
  if (output.fd == 1) {
    context_.out(text);
    return 0;
  }
  output.buffer += text;
  if (output.fd == 2 || output.buffer.size() >= kAwkPiece) flush(output);
  return 0;
}

void AwkStreams::flush(Output& output) {
  std::string_view rest = output.buffer;
  while (!rest.empty()) {
    ssize_t written = context_.os.write(output.fd, rest.data(), rest.size());
    if (written == -EINTR) continue;
    if (written < 0) break;
    rest.remove_prefix(static_cast<size_t>(written));
  }
  output.buffer.clear();
}

void AwkStreams::flush() {
  context_.flush();
  for (auto& [name, output] : outputs_) flush(output);
}

AwkReader* AwkStreams::reader(bool is_command, const std::string& name) {
  auto found = readers_.find(name);
  if (found == readers_.end()) {
    world::Pid pid = -1;
    bool is_input = !is_command && (name == "-" || name == "/dev/stdin");
    int fd = is_input     ? 0
             : is_command ? start(name, true, pid)
                          : context_.os.open(name.c_str(), O_RDONLY, 0);
    if (fd < 0) return nullptr;
    found = readers_.emplace(name, AwkReader(context_, fd, pid)).first;
  }
  return &found->second;
}

int AwkStreams::close(Output& output) {
  flush(output);
  if (output.fd > 2) context_.os.close(output.fd);
  return output.pid < 0 ? 0 : wait_for(context_, output.pid);
}

int AwkStreams::close(const std::string& name) {
  int status = -1;
  if (auto found = outputs_.find(name); found != outputs_.end()) {
    status = close(found->second);
    outputs_.erase(found);
  }
  if (auto found = readers_.find(name); found != readers_.end()) {
    status = found->second.close();
    readers_.erase(found);
  }
  return status;
}

// What commands say at their end comes before what the program has not written yet, as in gawk and
// mawk.
void AwkStreams::close_all() {
  for (auto& [name, output] : outputs_) close(output);
  for (auto& [name, reader] : readers_) reader.close();
  outputs_.clear();
  readers_.clear();
}

int AwkStreams::run(const std::string& command) {
  flush();
  return run_command(context_, {"sh", "-c", command});
}

}  // namespace nacre::utilities
