#include "regular/named_types.h"

#include <algorithm>
#include <array>

namespace nacre::regular {
namespace {

#define OCTET "(25[0-5]|2[0-4][0-9]|1?[0-9][0-9]?)"
#define H16 "[0-9a-fA-F]{1,4}"

constexpr NamedType kTypes[] = {
    {"none", ".&!(.)", "no string at all", ""},
    {"any", "(.|\\n)*", "every string, newlines included", "a"},
    {"line", ".*", "every string without a newline", "a b"},
    {"word", "[^[:space:]]+", "something without white space", "a.b"},
    {"path", "[^\\x00]+", "a path that a file can have", "/a b/c"},
    {"filename", "[^/\\x00]+&!(\\.\\.?)", "a name in a directory", "a b"},
    {"integer", "[+-]?[0-9]+", "a whole number, with an optional sign", "-12"},
    {"float", "[+-]?([0-9]+\\.[0-9]*|[0-9]*\\.[0-9]+)", "a number with a decimal point", "3.14"},
    {"hex", "0x[0-9a-fA-F]+", "a hexadecimal number", "0xFf"},
    {"percentage", "(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?)%", "0% to 100%", "99.5%"},
    {"currency_usd", "\\$[[:blank:]]?[0-9]*\\.[0-9]*", "dollars and cents", "$12.50"},
    {"year", "[12][0-9]{3}", "1000 to 2999", "2024"},
    {"month_name",
     "[Jj]an(uary)?|[Ff]eb(ruary)?|[Mm]ar(ch)?|[Aa]pr(il)?|[Mm]ay|[Jj]une?|[Jj]uly?|"
     "[Aa]ug(ust)?|[Ss]ep(tember)?|[Oo]ct(ober)?|[Nn]ov(ember)?|[Dd]ec(ember)?",
     "a month in English, short or long", "Feb"},
    {"day_of_week",
     "[Mm]on(day)?|[Tt]ue(sday)?|[Ww]ed(nesday)?|[Tt]hu(rsday)?|[Ff]ri(day)?|[Ss]at(urday)?|"
     "[Ss]un(day)?",
     "a day in English, short or long", "Tue"},
    {"iso_date", "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", "year, month and day",
     "2024-02-29"},
    {"time_24h", "([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?", "0:00 to 23:59:59", "23:59"},
    {"time_12h", "([1-9]|1[0-2]):[0-5][0-9](:[0-5][0-9])?[[:blank:]]?[AP]M",
     "1:00 AM to 12:59:59 PM", "9:30 PM"},
    {"ipv4", "(" OCTET "\\.){3}" OCTET, "an IPv4 address", "192.168.0.1"},
    {"ipv6",
     "(" H16 ":){7}" H16 "|(" H16 ":){1,7}:|(" H16 ":){1,6}:" H16 "|(" H16 ":){1,5}(:" H16
     "){1,2}|(" H16 ":){1,4}(:" H16 "){1,3}|(" H16 ":){1,3}(:" H16 "){1,4}|(" H16 ":){1,2}(:" H16
     "){1,5}|" H16 ":(:" H16 "){1,6}|:((:" H16 "){1,7}|:)",
     "an IPv6 address", "fe80::1"},
    {"subnet_mask", "(255\\.){3}(0|128|192|224|240|248|252|254|255)",
     "an IPv4 netmask of at least 24 bits", "255.255.255.0"},
    {"mac_address", "([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}", "a hardware address",
     "00:1b:44:11:3a:b7"},
    {"domain_name", "([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\\.)+[a-zA-Z]{2,}",
     "a domain name with its top-level domain", "www.example.org"},
    {"subdomain", "([a-zA-Z0-9-]+\\.)+", "labels, each with its dot", "www.eu."},
    {"url", "https?://[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}[^ ]*", "a web address",
     "https://example.org/a?b"},
    {"url_slug", "[a-z0-9]+(-[a-z0-9]+)*", "words joined by hyphens", "my-first-post"},
    {"email_address", "[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\\.[a-zA-Z]{2,}", "an email address",
     "a.b@example.org"},
    {"us_phone", "(\\+?1[- ]?)?\\(?[0-9]{3}\\)?[-. ]?[0-9]{3}[-. ]?[0-9]{4}",
     "a telephone number of North America", "(555) 123-4567"},
    {"abs_path", "(/[^[:space:]/]*)+", "an absolute path without white space", "/usr/bin/"},
    {"file_extension", "\\.[a-zA-Z0-9]+", "the dot and what follows it", ".txt"},
    {"hidden_file", "\\.[a-zA-Z0-9_.-]+", "a file name with a leading dot", ".bashrc"},
    {"perms", "[-d]([r-][w-][x-]){3}", "a mode as ls prints it", "-rw-r--r--"},
    {"username_unix", "[a-z_][a-z0-9_-]*", "a login name", "www-data"},
    {"html_tag", "<[a-z][a-z0-9]*[^<]*(>.*</[a-z][a-z0-9]*>|[[:space:]]*/>)",
     "an element with its end tag, or an empty one", "<b>x</b>"},
    {"hex_color", "#([0-9a-fA-F]{3}){1,2}", "a colour of three or six digits", "#ff8800"},
    {"semantic_version", "(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)", "major.minor.patch",
     "1.20.3"},
    {"uuid", "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "a UUID",
     "123e4567-e89b-12d3-a456-426614174000"},
    {"base64", "([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?",
     "Base64, padded, on one line", "aGVsbG8="},
    {"md5", "[a-fA-F0-9]{32}", "an MD5 sum", "d41d8cd98f00b204e9800998ecf8427e"},
    {"sha1", "[a-fA-F0-9]{40}", "a SHA-1 sum", "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
    {"sha256", "[a-fA-F0-9]{64}", "a SHA-256 sum",
     "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
};

#undef OCTET
#undef H16

}  // namespace

std::span<const NamedType> named_types() { return kTypes; }

const NamedType* find_named_type(std::string_view name) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                  [&](const NamedType& type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

}  // namespace nacre::regular
