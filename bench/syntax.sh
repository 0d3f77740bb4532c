#!/bin/sh
# Syntax on every sh and bash script of this machine and of some 80 Debian packages: our verdicts beside those of
# `dash -n` and `bash -n`, speed beside dash, bash, shfmt and ShellCheck, memory, and scaling with the size of a text.
#
#   ./dev bench syntax --fetch          download the packages first (once, about 110 MB)
#   ./dev bench syntax [PART...]        verdicts, speed, memory, scaling; all of them by default
#
# Needs: dash, bash, shfmt, shellcheck; a peer that is not installed is left out. Everything is kept in build/corpus.
set -eu

corpus=build/corpus
bench=build/bench/bench_syntax
packages="
  abs-guide acpi-support aptitude-robot arno-iptables-firewall autoconf automake autopkgtest backupninja
  bash-completion bashdb bats bpfcc-tools busybox byobu cfengine3 chkrootkit cluster-glue console-setup
  cryptsetup-initramfs debconf debhelper debootstrap devscripts diskimage-builder dkms dovecot-core dpkg-dev
  dracut-core dracut-network drbd-utils exim4-config gettext git git-buildpackage git-extras gitolite3
  glusterfs-server gnulib gridengine-common grml-debootstrap grub-common ifupdown initramfs-tools-core initscripts
  keyboard-configuration laptop-mode-tools libtool libtool-bin live-boot live-build live-config lvm2 lxc
  lxc-templates mariadb-server mdadm munin-plugins-core munin-plugins-extra neofetch netscript-2.4
  openresolv openvpn openvswitch-switch os-prober ostree-tests pacemaker-cli-utils pbuilder pcp pcp-testsuite
  perf-tools-unstable pm-utils postfix ppp quilt resolvconf resource-agents rkhunter rsnapshot runit screenfetch
  shellia shorewall-core shunit2 slapd systemd-tests testssl.sh texlive-base texlive-binaries tlp ucf uif
  xdg-utils xen-tools xen-utils-common zsh-common"

fetch() {
  mkdir -p "$corpus/packages"
  for package in $packages; do
    target=$corpus/packages/$package
    [ ! -d "$target" ] || continue
    rm -rf "$corpus/download"
    mkdir -p "$corpus/download"
    if (cd "$corpus/download" && apt-get download -qq "$package" >/dev/null 2>&1); then
      mkdir "$target.new"
      dpkg-deb -x "$corpus/download/"*.deb "$target.new"
      dpkg-deb -e "$corpus/download/"*.deb "$target.new/DEBIAN"
      mv "$target.new" "$target"
    else
      echo "bench/syntax.sh: apt has no package $package" >&2
    fi
  done
  rm -rf "$corpus/download" "$corpus/scripts"
}

mkdir -p "$corpus"
if [ "${1:-}" = --fetch ]; then
  shift
  fetch
fi
[ -d "$corpus/packages" ] || echo "bench/syntax.sh: only this machine's own scripts; --fetch gets more" >&2
[ -f "$corpus/scripts" ] ||
  "$bench" find "$corpus/scripts" /usr /etc /lib /var/lib/dpkg/info "$corpus/packages"

[ $# -gt 0 ] || set -- verdicts speed memory scaling
status=0
for part in "$@"; do
  case $part in
    verdicts) "$bench" verdicts "$corpus/scripts" "$corpus/truth" "$corpus/diffs.txt" || status=1 ;;
    speed)
      mkdir -p "$corpus/joined/sh" "$corpus/joined/bash"
      "$bench" speed "$corpus/scripts" "$corpus/truth" "$corpus/joined"
      ;;
    memory | scaling) "$bench" "$part" "$corpus/scripts" || status=1 ;;
    *) echo "bench/syntax.sh: unknown part '$part'" >&2; exit 2 ;;
  esac
done
exit $status
