// Every outcome can be played again from its saved scene, and ends alike.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "explore/open_scene.h"
#include "explore/prepare.h"
#include "explore/scene_file.h"

namespace nacre::explore {
namespace {

constexpr const char* kScripts[] = {
    "set -e\nmkdir /var/lib/foo\ncp /usr/share/foo/a /etc/foo.conf\nln -s /etc/foo.conf /etc/x/l\n",
    "case $1 in start) touch /run/foo;; stop) rm /run/foo;; *) exit 3;; esac\n",
    "set -e\nfor f in /etc/foo.d/*.conf; do [ -s \"$f\" ] && cat \"$f\" >> /var/foo; done\n",
    "if grep -q yes /etc/default/foo; then frob --all; fi\n[ \"$MODE\" = fast ] && rm -r /srv/x\n",
    "t=$(mktemp -d)\ntrap 'rm -rf \"$t\"' EXIT\necho hi > $t/x\nmv $t/x /opt/x\n",
    "command -v ucf > /dev/null && ucf /usr/share/a /etc/a\nupdate-rc.d foo defaults\n",
    "adduser --system --group --home /var/lib/bar bar\nchown bar:bar /var/lib/bar/data\n",
    "cd work || exit 1\nsed -i s/a/b/ file\nfind . -name '*.o' -delete\n",
    "while [ ! -e /run/ready ]; do sleep 1; done\necho ok\n",
    "dpkg-maintscript-helper supports rm_conffile && [ -d /etc/old ] && rmdir /etc/old\n",
};

TEST_CASE("a saved scene ends as its outcome did") {
  size_t played = 0;
  for (const char* text : kScripts) {
    for (bool is_deep : {false, true}) {
      CAPTURE(text);
      World start = open_world();
      Given given;
      given.is_deep = is_deep;
      auto script = prepare(SourceFile("script", text), given, start);
      REQUIRE(script);
      Budget budget;
      budget.runs = 200;
      Report report = report_on(*script, start, budget);
      for (const Outcome& outcome : report.outcomes) {
        const std::string saved =
            scene_json(*script, start, outcome.decisions, outcome.after.memory);
        auto scene = load_scene(saved);
        REQUIRE(scene);
        scene->script_name = "script";
        scene->script = text;
        scene->arguments.insert(scene->arguments.begin(), "script");
        scene->limits.fuel = budget.steps_of_run;
        world::FileTree before = scene->tree;
        simulate::Outcome again = simulate::play(*scene);
        if (outcome.end != Run::kExited) continue;
        CAPTURE(saved);
        CHECK(again.status == outcome.status);
        CHECK(describe_changes(before, again.tree) == outcome.changes);
        ++played;
      }
    }
  }
  MESSAGE(fmt::format("{} outcomes were played again", played));
  CHECK(played > 100);
}

TEST_CASE("what is no scene is refused") {
  CHECK(!load_scene(""));
  CHECK(!load_scene("{}"));
  CHECK(!load_scene("{\"nacre\": \"scene\"}"));
  CHECK(!load_scene("{\"nacre\": \"scene\", \"files\": [{\"path\": 3}]}"));
  CHECK(!load_scene("{\"nacre\": \"scene\", \"files\": [], \"directory\": \"/nowhere\"}"));
}

TEST_CASE("facts about the first tree are read, and refused with their place") {
  World world = open_world();
  REQUIRE(add_facts(world, "# comment\n/srv/a/\n/srv/b\n!/srv/c\n/srv/l -> b\n"));
  const world::Actor root;
  world::InodeId id = world::kNoInode;
  CHECK(world.tree.find(root, "/srv/a/", true, id) == 0);
  CHECK(world.tree.find(root, "/srv/l", true, id) == 0);
  auto mistake = add_facts(world, "/srv/x\nsrv/y\n");
  REQUIRE(!mistake);
  CHECK(mistake.error().span == Span{7, 12});
}

}  // namespace
}  // namespace nacre::explore
