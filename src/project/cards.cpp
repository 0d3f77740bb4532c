#include "project/cards.h"

#include "base/codes.h"
#include "base/path.h"

namespace nacre::project {

namespace {

constexpr uint64_t kMaxCardBytes = 1u << 20;
constexpr const char* kProjectCards = ".nacre/commands";

std::string user_directory(const Files& files) {
  const auto config = files.variable("XDG_CONFIG_HOME");
  if (config && config->starts_with('/')) return *config + "/nacre/commands";
  const auto home = files.variable("HOME");
  return home && !home->empty() ? *home + "/.config/nacre/commands" : "";
}

std::vector<std::string> card_files(const Files& files, const std::string& directory) {
  std::vector<std::string> result;
  const auto entries = files.list(directory);
  if (!entries) return result;
  for (const DirectoryEntry& entry : *entries) {
    const bool is_card = entry.name.ends_with(".card") && entry.name != ".card";
    if (is_card) result.push_back(joined_path(directory, entry.name));
  }
  return result;
}

// As a user in the current directory would write it.
std::string shown(const Files& files, const std::string& path) {
  const std::string here = joined_path(files.working_directory(), "");
  return path.starts_with(here) ? path.substr(here.size()) : path;
}

void add_cards(const Files& files, const std::string& directory, Cards& cards) {
  if (directory.empty()) return;
  for (const std::string& path : card_files(files, directory)) {
    const std::string name = shown(files, path);
    const auto file = read_source(files, path, name, kMaxCardBytes);
    if (!file) {
      cards.mistakes.push_back(finding("S022", SourceFile(name, ""), {},
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

std::string find_project_cards(const Files& files, const std::string& directory) {
  for (std::string at = directory;; at = parent_path(at)) {
    std::string cards = joined_path(at, kProjectCards);
    if (files.kind(cards) == FileKind::kDirectory) return cards;
    if (at == "/" || at.empty()) return "";
  }
}

Cards read_cards(const Files& files, const std::string& project_cards) {
  Cards result{std::make_unique<commands::CardLibrary>(), {}};
  add_cards(files, user_directory(files), result);
  add_cards(files, project_cards, result);
  return result;
}

std::string card_directory(const Files& files, const std::string& directory) {
  const std::string found = find_project_cards(files, directory);
  return found.empty() ? joined_path(directory, kProjectCards) : found;
}

}  // namespace nacre::project
