// The rules about Dockerfiles: a list of small functions over facts. A rule adds what it finds and
// changes nothing. To add one: write it in the file of its subject (rules_*.cpp) with an example
// that is reported and one that is not above it, name it here, and write the page of its code.
#pragma once

#include <span>

#include "docker/facts.h"

namespace nacre::docker {

using Rule = void (*)(const Facts& facts, Findings& findings);

std::span<const Rule> rules();

#define NACRE_DOCKER_RULES(RULE)    \
  /* rules_lines.cpp */             \
  RULE(report_problems)             \
  RULE(report_empty_continuations)  \
  RULE(report_casing)               \
  RULE(report_order)                \
  RULE(report_legacy_pairs)         \
  RULE(report_triggers)             \
  RULE(report_descriptions)         \
  /* rules_images.cpp */            \
  RULE(report_moving_images)        \
  RULE(report_platforms)            \
  RULE(report_stage_names)          \
  RULE(report_arguments_of_from)    \
  RULE(report_registries)           \
  RULE(report_sources)              \
  /* rules_packages.cpp */          \
  RULE(report_questions)            \
  RULE(report_unpinned)             \
  RULE(report_caches)               \
  RULE(report_recommends)           \
  RULE(report_unstable)             \
  /* rules_instructions.cpp */      \
  RULE(report_relative_workdir)     \
  RULE(report_relative_copy)        \
  RULE(report_copy_of_many)         \
  RULE(report_add)                  \
  RULE(report_archives)             \
  RULE(report_ports)                \
  RULE(report_repeated)             \
  RULE(report_shell_form)           \
  RULE(report_maintainer)           \
  RULE(report_ignored_files)        \
  RULE(report_health)               \
  /* rules_variables.cpp */         \
  RULE(report_self_reference)       \
  RULE(report_undefined)            \
  RULE(report_undefined_in_scripts) \
  RULE(report_secrets)              \
  /* rules_run.cpp */               \
  RULE(report_pointless)            \
  RULE(report_cd)                   \
  RULE(report_sudo)                 \
  RULE(report_consecutive)          \
  RULE(report_pipes)                \
  RULE(report_changed_shell)        \
  RULE(report_two_downloaders)      \
  RULE(report_progress)             \
  RULE(report_large_user)           \
  RULE(report_unchecked_documents)  \
  /* rules_layers.cpp */            \
  RULE(report_copied_again)         \
  RULE(report_forgotten_state)      \
  RULE(report_copied_secrets)       \
  /* rules_users.cpp */             \
  RULE(report_root)                 \
  RULE(report_named_user)           \
  /* rules_labels.cpp */            \
  RULE(report_label_keys)           \
  RULE(report_label_schema)         \
  RULE(report_missing_labels)

#define NACRE_DECLARE(name) void name(const Facts& facts, Findings& findings);
NACRE_DOCKER_RULES(NACRE_DECLARE)
#undef NACRE_DECLARE

}  // namespace nacre::docker
