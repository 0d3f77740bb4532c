#include "docker/secrets.h"

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "docker/text.h"

namespace nacre::docker {

namespace {

// Words of a name, between underscores.
constexpr std::string_view kWords[] = {"apikey",   "auth",  "credential", "credentials", "key",
                                       "password", "pword", "passwd",     "secret",      "token"};
// A name with one of these is about a secret, but holds none.
constexpr std::string_view kHarmless[] = {
    "public", "pub",  "command", "program", "file",     "version", "path",    "url", "name",
    "type",   "mode", "method",  "enabled", "disabled", "enable",  "timeout", "ttl"};
// Parts of names, wherever they stand.
constexpr std::string_view kParts[] = {"token",       "secret",     "password",   "passwd",
                                       "private_key", "api_key",    "apikey",     "client_key",
                                       "access_key",  "secret_key", "passphrase", "credentials"};
// Variables of well-known services whose names tell nothing by themselves.
constexpr std::string_view kKnown[] = {"aws_access_key_id",
                                       "aws_secret_access_key",
                                       "aws_session_token",
                                       "azure_client_secret",
                                       "digitalocean_access_token",
                                       "docker_auth_config",
                                       "firebase_token",
                                       "github_pat",
                                       "google_api_key",
                                       "heroku_api_key",
                                       "npm_auth",
                                       "pgpassword",
                                       "rsa_private",
                                       "ssh_private",
                                       "sentry_auth",
                                       "slack_webhook",
                                       "stripe_key",
                                       "twilio_auth",
                                       "vault_unseal_key"};

}  // namespace

std::vector<std::string> secret_aliases(std::string_view name) {
  const std::string lower = lower_case(name);
  const auto words = split(lower, '_');
  const bool is_harmless = std::any_of(
      words.begin(), words.end(), [](std::string_view word) { return is_among(kHarmless, word); });
  if (is_harmless) return {};
  std::vector<std::string> aliases;
  const bool has_part =
      std::any_of(std::begin(kParts), std::end(kParts),
                  [&](std::string_view part) { return lower.find(part) != std::string::npos; });
  if (has_part || is_among(kKnown, lower)) aliases.emplace_back("DL3064");
  // A key is what the last word says: APT_KEY_DONT_WARN is about keys, and holds none.
  const bool has_word = std::any_of(words.begin(), words.end(), [&](const std::string_view& word) {
    const bool is_qualifier = word == "key" || word == "auth";
    return is_among(kWords, word) && (!is_qualifier || &word == &words.back());
  });
  if (has_word) aliases.emplace_back("SecretsUsedInArgOrEnv");
  return aliases;
}

bool may_be_secret_value(std::string_view value) {
  value = unquote(value);
  const std::string lower = lower_case(value);
  return !value.starts_with('/') && !is_digits(value) && lower != "true" && lower != "false" &&
         lower != "yes" && lower != "no" && lower != "none" && lower != "basic" &&
         lower != "digest" && lower != "bearer";
}

}  // namespace nacre::docker
