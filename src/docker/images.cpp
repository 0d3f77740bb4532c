#include "docker/images.h"

#include <algorithm>
#include <vector>

#include "base/embedded.h"
#include "docker/text.h"

namespace nacre {

std::span<const EmbeddedFile> embedded_base_images();

}  // namespace nacre

namespace nacre::docker {

namespace {

struct Row {
  std::string_view repository;
  KnownImage facts;
  std::vector<std::pair<std::string_view, ImageShell>> variants;
};

ImageShell shell_named(std::string_view name) {
  if (name == "busybox") return ImageShell::kBusybox;
  if (name == "bash") return ImageShell::kBash;
  if (name == "cmd") return ImageShell::kCmd;
  return name == "none" ? ImageShell::kNone : ImageShell::kDash;
}

// `alpine:busybox` or `pin=12`.
void read_fact(std::string_view word, Row& row) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) {
    const size_t colon = word.find(':');
    row.variants.emplace_back(word.substr(0, colon), shell_named(word.substr(colon + 1)));
    return;
  }
  const std::string_view key = word.substr(0, equals);
  if (key == "pin") row.facts.pin = word.substr(equals + 1);
  if (key == "user") row.facts.user = word.substr(equals + 1);
  if (key == "dir") row.facts.directory = word.substr(equals + 1);
}

std::vector<Row> read_table() {
  std::vector<Row> rows;
  for (const std::string_view line : split(embedded_base_images().front().bytes, '\n')) {
    const auto words = split_blanks(line);
    if (words.size() < 2 || words[0] == "#") continue;
    Row row{words[0], {shell_named(words[1]), {}, {}, {}, {}}, {}};
    for (size_t i = 2; i < words.size(); i++) read_fact(words[i], row);
    rows.push_back(std::move(row));
  }
  return rows;
}

// Debian and its like call the group of nobody nogroup.
std::string_view group_of(const KnownImage& image) {
  const bool is_debian = image.shell == ImageShell::kDash;
  return image.user == "nobody" && is_debian ? "nogroup" : image.user;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = read_table();
  return kRows;
}

// Docker Hub has several names, and its official images are those of `library`.
std::string canonical_name(const ImageName& image) {
  const bool is_hub = image.registry.empty() || image.registry == "docker.io" ||
                      image.registry == "index.docker.io" || image.registry == "hub.docker.io";
  if (!is_hub) return image.registry + "/" + image.repository;
  constexpr std::string_view kOfficial = "library/";
  return image.repository.starts_with(kOfficial) ? image.repository.substr(kOfficial.size())
                                                 : image.repository;
}

}  // namespace

ImageName split_image(std::string_view reference) {
  ImageName result;
  if (const size_t at = reference.find('@'); at != std::string_view::npos) {
    result.digest = reference.substr(at + 1);
    reference = reference.substr(0, at);
  }
  const size_t slash = reference.find('/');
  const std::string_view first = reference.substr(0, slash);
  const bool has_registry =
      slash != std::string_view::npos &&
      (first.find_first_of(".:") != std::string_view::npos || first == "localhost");
  if (has_registry) {
    result.registry = first;
    reference.remove_prefix(slash + 1);
  }
  const size_t colon = reference.rfind(':');
  if (colon != std::string_view::npos) result.tag = reference.substr(colon + 1);
  result.repository = reference.substr(0, colon);
  return result;
}

std::optional<KnownImage> find_image(const ImageName& image) {
  const std::string name = canonical_name(image);
  for (const Row& row : rows()) {
    if (!matches(name, row.repository)) continue;
    KnownImage found = row.facts;
    const auto variant = std::find_if(
        row.variants.begin(), row.variants.end(),
        [&](const auto& each) { return image.tag.find(each.first) != std::string::npos; });
    if (variant != row.variants.end()) found.shell = variant->second;
    if (found.shell == ImageShell::kCmd) found.user = found.directory = {};
    found.group = group_of(found);
    return found;
  }
  return std::nullopt;
}

}  // namespace nacre::docker
