// Small Dockerfiles with a mistake, beside others that look like it and have none: which findings
// they must have (`+CODE`, `+CODE@LINE`) and must not have (`-CODE`).
#include <algorithm>
#include <doctest/doctest.h>
#include <sstream>

#include "docker/check.h"

namespace nacre::docker {

namespace {

struct Twin {
  const char* expected;
  const char* text;
};

const Twin kTwins[] = {
    {"+D501@5",
     "FROM debian:12.5\n"
     "RUN groupadd -g 900 app && useradd -u 900 -g app app\n"
     "USER 900\n"
     "RUN id\n"
     "USER 0:0\n"},
    {"-D501",
     "FROM debian:12.5\n"
     "USER root\n"
     "RUN id\n"
     "USER 1000:1000\n"
     "CMD [\"sleep\", \"1\"]\n"},
    {"+D410",
     "# syntax=docker/dockerfile:1\n"
     "FROM debian:12.5\n"
     "RUN <<EOF\n"
     "apt-get update\n"
     "apt-get install -y --no-install-recommends curl=7.88.1-10\n"
     "rm -rf /var/lib/apt/lists/*\n"
     "EOF\n"},
    {"-D410 -D203",
     "# syntax=docker/dockerfile:1\n"
     "FROM debian:12.5\n"
     "RUN <<EOF\n"
     "set -eu\n"
     "apt-get update\n"
     "apt-get install -y --no-install-recommends curl=7.88.1-10\n"
     "rm -rf /var/lib/apt/lists/*\n"
     "EOF\n"},
    {"-D410 -D203 -D001",
     "FROM python:3.12\n"
     "RUN <<EOF\n"
     "#!/usr/bin/env python3\n"
     "import os\n"
     "print(\"cd /tmp && sudo make\")\n"
     "EOF\n"},
    {"+DL3014@2 +DL3008@2 +DL3015@2 +DL3009@2",
     "FROM ubuntu:24.04\n"
     "RUN apt-get -o Acquire::Retries=3 update && apt-get -o Acquire::Retries=3 install "
     "ca-certificates\n"},
    {"-DL3014 -DL3008 -DL3015 -DL3009",
     "FROM ubuntu:24.04\n"
     "RUN apt-get -o Acquire::Retries=3 update && apt-get -o APT::Install-Recommends=0 -qq install "
     "ca-certificates=20240203 && rm -rf /var/lib/apt/lists/*\n"},
    {"+DL3009@2 +DL3014@3",
     "FROM ubuntu:24.04\n"
     "RUN apt-get update\n"
     "RUN apt-get install --no-install-recommends git=1:2.43.0-1\n"
     "RUN rm -rf /var/lib/apt/lists/*\n"},
    {"-DL3014 +DL3008@2",
     "FROM debian:12.5\n"
     "RUN DEBIAN_FRONTEND=noninteractive apt-get update && DEBIAN_FRONTEND=noninteractive apt-get "
     "install --yes --no-install-recommends jq && apt-get clean && rm -rf /var/lib/apt/lists\n"},
    {"-DL3008 -DL3009",
     "FROM debian:12.5\n"
     "RUN apt-get update && apt-get -y dist-upgrade && rm -rf /var/lib/apt/lists/*\n"},
    {"+DL3027@2",
     "FROM debian:12.5\n"
     "RUN apt update && apt install -y --no-install-recommends jq=1.6-2.1 && rm -rf "
     "/var/lib/apt/lists/*\n"},
    {"-DL3027 -DL3004 -DL3008",
     "FROM debian:12.5\n"
     "RUN echo \"use sudo apt install foo\" > /etc/motd\n"},
    {"-DL3009 -DL3019",
     "FROM debian:12.5\n"
     "RUN --mount=type=cache,target=/var/lib/apt/lists,sharing=locked "
     "--mount=type=cache,target=/var/cache/apt,sharing=locked \\\n"
     "    apt-get update && apt-get install -y --no-install-recommends jq=1.6-2.1\n"},
    {"+DL3018@2 +DL3019@2",
     "FROM alpine:3.19\n"
     "RUN apk add curl\n"},
    {"-DL3018 -DL3019",
     "FROM alpine:3.19\n"
     "RUN apk add --no-cache --virtual .build gcc=13.2.1_git20231014-r0 musl-dev~=1.2 && make && "
     "apk del .build\n"},
    {"+DL3018@2",
     "FROM alpine:3.19\n"
     "RUN apk --no-cache add -t .deps build-base && make && apk del .deps\n"},
    {"+DL3013@2 +DL3042@2",
     "FROM python:3.12\n"
     "RUN pip install requests 'flask>=2'\n"},
    {"-DL3013 -DL3042",
     "FROM python:3.12\n"
     "RUN pip install --no-cache-dir requests==2.31.0 \"flask==3.0.*\" ./local.whl "
     "git+https://github.com/a/b.git@v1.0 -r requirements.txt\n"},
    {"+DL3042@2 +DL3013@2",
     "FROM python:3.12\n"
     "RUN python3 -m pip install --upgrade pip\n"},
    {"-DL3042",
     "FROM python:3.12\n"
     "ENV PIP_NO_CACHE_DIR=1\n"
     "RUN pip install requests==2.31.0\n"},
    {"+DL3016@2",
     "FROM node:20\n"
     "RUN npm install -g typescript @angular/cli\n"},
    {"-DL3016",
     "FROM node:20\n"
     "RUN npm ci && npm install --omit=dev && npm install -g typescript@5.4.2 "
     "@angular/cli@17.1.0\n"},
    {"+DL3028@2",
     "FROM ruby:3.3\n"
     "RUN gem install rails --no-document\n"},
    {"-DL3028",
     "FROM ruby:3.3\n"
     "RUN gem install rails:7.1.3 && gem install rake -v 13.1.0\n"},
    {"+DL3062@2",
     "FROM golang:1.22\n"
     "RUN go install github.com/a/b/cmd/c@latest\n"},
    {"-DL3062",
     "FROM golang:1.22\n"
     "RUN go install github.com/a/b/cmd/c@v1.2.3 && go install ./cmd/...\n"},
    {"+DL3038@2 +DL3040@2 +DL3041@2",
     "FROM fedora:40\n"
     "RUN dnf install httpd\n"},
    {"-DL3038 -DL3040 -DL3041",
     "FROM fedora:40\n"
     "RUN dnf -y install httpd-2.4.58 && dnf clean all\n"},
    {"+DL3040@2 +DL3041@2 -DL3038",
     "FROM registry.access.redhat.com/ubi9/ubi-minimal:9.3\n"
     "RUN microdnf -y install httpd\n"},
    {"+DL3030@2 +DL3032@2 +DL3033@2",
     "FROM centos:7\n"
     "RUN yum install httpd\n"},
    {"+DL3034@2 +DL3036@2 +DL3037@2",
     "FROM opensuse/leap:15.5\n"
     "RUN zypper install httpd\n"},
    {"-DL3034 -DL3036 -DL3037 -DL3035",
     "FROM opensuse/leap:15.5\n"
     "RUN zypper --non-interactive install 'httpd=2.4' && zypper clean --all\n"},
    {"+DL3035@2",
     "FROM opensuse/leap:15.5\n"
     "RUN zypper -n dup && zypper clean\n"},
    {"+DL3060@2",
     "FROM node:20\n"
     "RUN yarn install --frozen-lockfile\n"},
    {"-DL3060",
     "FROM node:20\n"
     "RUN yarn install --frozen-lockfile && yarn cache clean\n"},
    {"-DL3060",
     "FROM node:20 AS build\n"
     "RUN yarn install --frozen-lockfile && yarn build\n"
     "FROM nginx:1.25\n"
     "COPY --from=build /dist /usr/share/nginx/html\n"},
    {"+DL4006@2",
     "FROM debian:12.5\n"
     "RUN curl -fsSL https://x.example/a.tgz | tee /a.tgz\n"},
    {"-DL4006",
     "FROM debian:12.5\n"
     "SHELL [\"/bin/bash\", \"-eo\", \"pipefail\", \"-c\"]\n"
     "RUN curl -fsSL https://x.example/a.tgz | tee /a.tgz\n"},
    {"+DL4006@5",
     "FROM debian:12.5 AS a\n"
     "SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\n"
     "RUN curl -fsSL https://x.example/a.tgz | tee /a.tgz\n"
     "FROM debian:12.5\n"
     "RUN curl -fsSL https://x.example/a.tgz | tee /a.tgz\n"},
    {"-DL4006",
     "FROM debian:12.5 AS a\n"
     "SHELL [\"/bin/bash\", \"-o\", \"pipefail\", \"-c\"]\n"
     "RUN true\n"
     "FROM a\n"
     "RUN curl -fsSL https://x.example/a.tgz | tee /a.tgz\n"},
    {"+DL3004@2",
     "FROM debian:12.5\n"
     "RUN set -e; sudo -E apt-get update; rm -rf /var/lib/apt/lists/*\n"},
    {"-DL3004",
     "FROM debian:12.5\n"
     "RUN apt-get update && apt-get install -y --no-install-recommends sudo=1.9.13 && rm -rf "
     "/var/lib/apt/lists/*\n"},
    {"+DL3003@2",
     "FROM debian:12.5\n"
     "RUN cd /src && make\n"},
    {"-DL3003",
     "FROM debian:12.5\n"
     "RUN make && (cd /src/docs && make install) && rm -rf /src\n"},
    {"+DL3000@2",
     "FROM debian:12.5\n"
     "WORKDIR app\n"},
    {"-DL3000 -WorkdirRelativePath",
     "FROM debian:12.5\n"
     "WORKDIR /srv\n"
     "WORKDIR app\n"
     "WORKDIR \"/quoted dir\"\n"},
    {"+DL3045@2",
     "FROM debian:12.5\n"
     "COPY a.txt a.txt\n"},
    {"-DL3045",
     "FROM debian:12.5 AS base\n"
     "WORKDIR /a\n"
     "FROM base\n"
     "COPY a.txt a.txt\n"},
    {"+DL3021@3",
     "FROM debian:12.5\n"
     "WORKDIR /a\n"
     "COPY a.txt b.txt dir\n"},
    {"+DL3021@2",
     "FROM debian:12.5\n"
     "COPY [\"a b.txt\", \"c.txt\", \"/dir\"]\n"},
    {"+DL3022@2",
     "FROM debian:12.5\n"
     "COPY --from=builder /a /b\n"},
    {"-DL3022 -DL3023",
     "FROM debian:12.5 AS builder\n"
     "FROM debian:12.5\n"
     "COPY --from=Builder /a /b\n"
     "COPY --from=0 /a /c\n"
     "COPY --from=busybox:1.36 /bin/x /x\n"},
    {"+DL3023@2",
     "FROM debian:12.5 AS me\n"
     "COPY --from=me /a /b\n"},
    {"+DL3020@2",
     "FROM debian:12.5\n"
     "ADD --chown=1:1 conf /etc/conf\n"},
    {"-DL3020",
     "FROM debian:12.5\n"
     "ADD a.tar.xz /a/\n"
     "ADD https://x.example/f /f\n"
     "ADD git@github.com:a/b.git /b\n"
     "ADD [\"c.tgz\", \"/c/\"]\n"},
    {"+DL3011@2 +ExposeInvalidFormat@3",
     "FROM debian:12.5\n"
     "EXPOSE 70000\n"
     "EXPOSE 8080:80\n"},
    {"-DL3011 -ExposeInvalidFormat -ExposeProtoCasing",
     "FROM debian:12.5\n"
     "ARG PORT=80\n"
     "EXPOSE 80/tcp 53/udp 8000-8005/tcp ${PORT} 132/sctp\n"},
    {"+ExposeProtoCasing@2",
     "FROM debian:12.5\n"
     "EXPOSE 80/TCP\n"},
    {"+DL4003@2",
     "FROM debian:12.5\n"
     "CMD [\"a\"]\n"
     "CMD [\"b\"]\n"},
    {"+DL3012@2",
     "FROM debian:12.5\n"
     "HEALTHCHECK CMD [\"a\"]\n"
     "HEALTHCHECK NONE\n"},
    {"+DL3025@2 +JSONArgsRecommended@2",
     "FROM debian:12.5\n"
     "CMD node server.js\n"},
    {"-DL3025",
     "FROM debian:12.5\n"
     "ENTRYPOINT []\n"
     "CMD [\"node\", \"server.js\"]\n"},
    {"+DL3025@2",
     "FROM debian:12.5\n"
     "CMD ['node', 'server.js']\n"},
    {"+DL3044@2",
     "FROM debian:12.5\n"
     "ENV A=/a B=$A/b\n"},
    {"-DL3044 -UndefinedVar",
     "FROM debian:12.5\n"
     "ENV A=/a\n"
     "ENV B=$A/b PATH=$PATH:/x\n"},
    {"+UndefinedArgInFrom@2",
     "ARG DEBIAN=12\n"
     "FROM debian:$DEBAIN\n"},
    {"+InvalidDefaultArgInFrom@2",
     "ARG VERSION\n"
     "FROM debian:${VERSION}-slim\n"},
    {"+UndefinedVar@3",
     "ARG VERSION=1\n"
     "FROM debian:12.5\n"
     "LABEL version=$VERSION\n"},
    {"-UndefinedVar",
     "ARG VERSION=1\n"
     "FROM debian:12.5\n"
     "ARG VERSION\n"
     "LABEL version=$VERSION\n"},
    {"+LegacyKeyValueFormat@2 +LegacyKeyValueFormat@3",
     "FROM debian:12.5\n"
     "ENV key some value\n"
     "LABEL maintainer me\n"},
    {"+ConsistentInstructionCasing@2 +FromAsCasing@3",
     "FROM debian:12.5\n"
     "run true\n"
     "FROM debian:12.5 as x\n"},
    {"-ConsistentInstructionCasing -FromAsCasing",
     "from debian:12.5 as x\n"
     "run true\n"},
    {"+StageNameCasing@1 +DuplicateStageName@2",
     "FROM debian:12.5 AS Build\n"
     "FROM debian:12.5 AS build\n"},
    {"+ReservedStageName@1", "FROM debian:12.5 AS scratch\n"},
    {"+NoEmptyContinuation",
     "FROM debian:12.5\n"
     "RUN true && \\\n"
     "\n"
     "    false\n"},
    {"-NoEmptyContinuation -D001",
     "FROM debian:12.5\n"
     "RUN true && \\\n"
     "    # a comment\n"
     "    echo done\n"},
    {"+InvalidDefinitionDescription@3",
     "# check=experimental=InvalidDefinitionDescription\n"
     "# the version\n"
     "ARG V=1\n"
     "FROM debian:12.5\n"},
    {"+SecretsUsedInArgOrEnv@2 +SecretsUsedInArgOrEnv@3 +DL3064@2",
     "FROM debian:12.5\n"
     "ENV DB_PASSWORD=hunter2\n"
     "ARG GITHUB_TOKEN\n"},
    {"-SecretsUsedInArgOrEnv -DL3064",
     "FROM debian:12.5\n"
     "ENV TOKENIZERS_PARALLELISM=false DB_PASSWORD_FILE=/run/secrets/db PASSWORDLESS=1\n"
     "RUN --mount=type=secret,id=npm,target=/root/.npmrc npm ci\n"},
    {"+DL3029@1 +FromPlatformFlagConstDisallowed@1", "FROM --platform=linux/amd64 debian:12.5\n"},
    {"+RedundantTargetPlatform@1 +DL3065@1", "FROM --platform=$TARGETPLATFORM debian:12.5\n"},
    {"+DL3006@1 +DL3007@2",
     "FROM debian\n"
     "FROM debian:latest\n"},
    {"-DL3006 -DL3007",
     "ARG BASE=debian:12.5\n"
     "FROM ${BASE} AS b\n"
     "FROM localhost:5000/debian:12.5 AS r\n"
     "FROM debian@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
     "FROM b\n"
     "FROM scratch\n"},
    {"+DL3006@1", "FROM localhost:5000/debian\n"},
    {"+DL3046@2",
     "FROM debian:12.5\n"
     "RUN useradd -u 1000123456 app\n"},
    {"-DL3046",
     "FROM debian:12.5\n"
     "RUN useradd -l -u 1000123456 app && useradd --uid 1000 b\n"},
    {"+DL3047@2",
     "FROM debian:12.5\n"
     "RUN wget https://x.example/f\n"},
    {"-DL3047",
     "FROM debian:12.5\n"
     "RUN wget -nv https://x.example/f && wget --progress=dot:giga https://x.example/g && wget "
     "-qO- https://x.example/h > h\n"},
    {"+DL4001",
     "FROM debian:12.5\n"
     "RUN wget -q https://x.example/f\n"
     "RUN curl -fsSLO https://x.example/g\n"},
    {"-DL4001",
     "FROM debian:12.5 AS a\n"
     "RUN wget -q https://x.example/f\n"
     "FROM debian:12.5\n"
     "RUN curl -fsSLO https://x.example/g\n"},
    {"+DL4005@2",
     "FROM debian:12.5\n"
     "RUN ln -sf /bin/bash /bin/sh\n"},
    {"+DL3043@2",
     "FROM debian:12.5\n"
     "ONBUILD FROM debian:12.5\n"},
    {"+DL3014@2",
     "FROM debian:12.5\n"
     "ONBUILD RUN apt-get update && apt-get install --no-install-recommends jq=1.6 && rm -rf "
     "/var/lib/apt/lists/*\n"},
    {"+DL4000@2 +MaintainerDeprecated@2",
     "FROM debian:12.5\n"
     "MAINTAINER Me <me@example.com>\n"},
    {"+DL3010@2",
     "FROM debian:12.5\n"
     "COPY app.tar.gz /tmp/\n"
     "RUN tar -xzf /tmp/app.tar.gz -C /opt\n"},
    {"+DL3067@3",
     "FROM debian:12.5 AS a\n"
     "FROM debian:12.5\n"
     "COPY --from=a / /\n"},
    {"+DL3066@2",
     "FROM debian:12.5\n"
     "USER www-data\n"},
    {"+DL3001@2",
     "FROM debian:12.5\n"
     "RUN ssh host true\n"},
    {"+DL3059@3",
     "FROM debian:12.5\n"
     "RUN make a\n"
     "RUN make b\n"},
    {"-DL3059",
     "FROM debian:12.5\n"
     "RUN make a\n"
     "COPY x /x\n"
     "RUN make b\n"},
    {"+D412@2",
     "FROM debian:12.5\n"
     "RUN export PATH=$PATH:/opt/bin\n"
     "RUN tool\n"},
    {"+D411",
     "FROM debian:12.5\n"
     "COPY big /opt/big\n"
     "RUN chown -R 1000:1000 /opt/big\n"},
    {"-D001 -DL3059",
     "# escape=`\n"
     "FROM mcr.microsoft.com/windows/nanoserver:ltsc2022\n"
     "RUN dir `\n"
     "    C:\\\n"},
};

bool is_reported(const std::vector<Diagnostic>& findings, std::string_view code, uint32_t line) {
  return std::any_of(findings.begin(), findings.end(), [&](const Diagnostic& each) {
    const bool has_name = each.code == code || std::find(each.aliases.begin(), each.aliases.end(),
                                                         code) != each.aliases.end();
    return has_name && (line == 0 || each.file.line_of(each.span.begin) == line);
  });
}

}  // namespace

TEST_CASE("mistakes are told from what looks like them") {
  const commands::CardLibrary cards;
  for (const Twin& twin : kTwins) {
    const SourceFile file("Dockerfile", twin.text);
    const auto findings = check(file, cards).findings;
    std::istringstream expected(twin.expected);
    for (std::string word; expected >> word;) {
      const size_t at = word.find('@');
      const uint32_t line =
          at == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(word.substr(at + 1)));
      INFO(word << "\n" << twin.text);
      CHECK(is_reported(findings, word.substr(1, at == std::string::npos ? at : at - 1), line) ==
            (word[0] == '+'));
    }
  }
}

}  // namespace nacre::docker
