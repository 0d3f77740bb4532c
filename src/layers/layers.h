// The layers of the image that a Dockerfile builds, as far as they can be told without building it:
// COPY and ADD put files there, RUN bodies run in a simulated world (as root or the USER before
// them, in their WORKDIR, with ENV and ARG), and each layer is what changed. Only the last stage
// and those that it is built on are looked at.
//
// The base image is a small system with the usual directories and utilities; what else is in it is
// not known. A command without a model is taken to succeed and to change nothing, but package
// managers fill the caches that their cards name; `unknown` lists them. Sizes of copied files are
// not known, and nothing is read from the build context.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "commands/card_library.h"
#include "docker/facts.h"

namespace nacre::layers {

struct FileChange {
  enum Kind : uint8_t { kAdded, kChanged, kRemoved } kind = kAdded;
  std::string path;
  unsigned owner = 0;
  // The layer of this file that put it there before; npos: none did.
  size_t before = std::string::npos;
};

struct Layer {
  const docker::Step* step = nullptr;
  std::vector<FileChange> changes;   // files, sorted by path; no directories
  std::vector<std::string> unknown;  // commands without a model
  bool is_finished = true;           // false: it fails in this world, or a limit was reached
};

struct Options {
  size_t max_layers = 500;  // that are looked at
};

struct Image {
  std::vector<Layer> layers;
  bool is_complete = true;  // false: there are more
};

[[nodiscard]] Image find_layers(const docker::Facts& facts, const Options& options = {});

// "line 3 RUN: files: 2 added, 1 changed, 0 removed; 2 belong to root; not modelled: apt-get"
[[nodiscard]] std::string describe(const Layer& layer, const SourceFile& file);

}  // namespace nacre::layers
