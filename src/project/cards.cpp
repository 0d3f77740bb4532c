#include "project/cards.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/codes.h"
#include "base/read_source.h"

namespace nacre::project {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMostCardBytes = 1u << 20;
constexpr const char* kProjectCards = ".nacre/commands";

std::string user_directory() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return std::string(config) + "/nacre/commands";
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? "" : std::string(home) + "/.config/nacre/commands";
}

// The nearest directory of cards above `directory`; empty if there is none.
std::string find_project_cards(fs::path directory) {
  std::error_code error;
  while (true) {
    if (fs::is_directory(directory / kProjectCards, error))
      return (directory / kProjectCards).string();
    if (!directory.has_relative_path()) return "";
    directory = directory.parent_path();
  }
}

std::vector<std::string> card_files(const std::string& directory) {
  std::vector<std::string> result;
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".card") result.push_back(at->path().string());
  }
  std::sort(result.begin(), result.end());
  return result;
}

// As a user in the current directory would write it.
std::string shown(const std::string& path) {
  std::error_code error;
  const std::string here = fs::current_path(error).string() + "/";
  return path.starts_with(here) ? path.substr(here.size()) : path;
}

void read_cards(const std::string& directory, Cards& cards) {
  if (directory.empty()) return;
  for (const std::string& path : card_files(directory)) {
    const auto file = read_source(path, shown(path), kMostCardBytes);
    if (!file) {
      cards.mistakes.push_back(finding("S022", SourceFile(shown(path), ""), {},
                                       "cannot be read: " + file.error().message,
                                       Confidence::kCertain));
      continue;
    }
    if (const auto added = cards.library->add(*file); !added) {
      cards.mistakes.push_back(
          finding("S022", *file, added.error().span, added.error().message, Confidence::kCertain));
    }
  }
}

}  // namespace

Cards cards_for(const std::string& path) {
  Cards result{std::make_unique<commands::CardLibrary>(), {}};
  read_cards(user_directory(), result);
  read_cards(find_project_cards(fs::path(path).parent_path()), result);
  return result;
}

std::string card_directory(const std::string& directory) {
  const std::string found = find_project_cards(directory);
  return found.empty() ? directory + "/" + kProjectCards : found;
}

}  // namespace nacre::project
