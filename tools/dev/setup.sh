# shellcheck shell=bash
# Installs what is missing: Debian packages from packaging/debian-packages.txt, DuckDB and the tools of the report from npm. Whatever is already
# there costs a few milliseconds. A failure is one line that names the remedy and the log.

readonly package_list=packaging/debian-packages.txt
readonly oldest_node=18

say() { printf '%s\n' "$*" >&2; }

fail() {
  printf './dev: %s\n' "$1" >&2
  exit "${2:-1}"
}

# say_time: how long all this took, and the processor time of what it ran.
say_time() {
  local log user system
  log=$(log_file times)
  times >"$log" # not in a subshell, which has run nothing
  read -r user system < <(tail -n 1 "$log")
  say "Took $((SECONDS / 60)) min $((SECONDS % 60)) s; processor time: $user user, $system system"
}

log_file() {
  mkdir -p build/log
  printf 'build/log/%s.log' "$1"
}

# packages_of SECTION...: the names in these sections of the list.
packages_of() {
  local wanted=" $* " section='' line
  while IFS= read -r line; do
    case $line in
      '['*']') section=${line:1:-1} ;;
      '' | '#'*) ;;
      *) [[ $wanted != *" $section "* ]] || printf '%s\n' "${line%%[[:space:]]*}" ;;
    esac
  done <"$package_list"
}

# missing_of PACKAGE...: those that are not installed.
missing_of() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p') || true
  printf '%s\n' "$@" | grep -vxF -f <(printf '%s\n' "${installed:-nothing installed}") || true
}

require_debian() {
  local name=''
  # shellcheck source=/dev/null
  name=$(. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-}" "${VERSION_ID:-}") || true
  [[ $name == 'debian 12' ]] ||
    fail "set-up needs Debian 12, this is '${name:-another system}': install the packages of $package_list by hand"
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo "$@"
  fi
}

require_root() {
  ((EUID == 0)) && return
  command -v sudo >/dev/null || fail "installing $1 needs root: run as root or install sudo"
  sudo -v || fail "installing $1 needs root, and sudo refused"
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=2 \
    -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 "$@"
}

# install_packages SECTION...: makes sure that the packages of these sections are installed.
install_packages() {
  local packages missing log
  mapfile -t packages < <(packages_of "$@")
  mapfile -t missing < <(missing_of "${packages[@]}")
  ((${#missing[@]})) || return 0
  require_debian
  require_root "${#missing[@]} Debian packages"
  log=$(log_file apt)
  say "Installing ${#missing[@]} Debian packages for: $* (once; log: $log)"
  apt_get update >"$log" 2>&1 || true # a broken third-party source is no reason to stop: the next line tells
  apt_get install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null ||
    fail "cannot install Debian packages (is the network up?): ${missing[*]:0:3} ...; see $log"
}

has_node() {
  local version
  version=$(node --version 2>/dev/null) || return 1
  version=${version#v}
  ((${version%%.*} >= oldest_node))
}

setup_node() { has_node || install_packages node; }

# DuckDB's library and header, exactly as package-lock.json pins them.
setup_duckdb() {
  local stamp=node_modules/.gauze-stamp log pinned
  pinned=$(cat package.json package-lock.json | sha256sum)
  [[ ! -f $stamp || $(<"$stamp") != "$pinned" ]] || return 0
  setup_node
  command -v npm >/dev/null || install_packages npm
  log=$(log_file npm)
  say "Fetching DuckDB from npm (once; log: $log)"
  npm ci --ignore-scripts --no-audit --no-fund >"$log" 2>&1 </dev/null || {
    ! grep -q EINTEGRITY "$log" || fail "a package from npm does not match its pinned hash: nothing was installed; see $log"
    fail "cannot fetch DuckDB from npm (is the network up?); see $log"
  }
  # npm passes over an optional package that it cannot get or whose hash is wrong, without a word.
  compgen -G 'node_modules/@duckdb/node-bindings-linux-*/libduckdb.so' >/dev/null ||
    fail "npm has no intact DuckDB library for this processor ($(uname -m)); see $log"
  printf '%s\n' "$pinned" >"$stamp"
}

# The page of the report, web/dist/report.html: its tools exactly as web/package-lock.json pins them, then the build.
setup_report() {
  local stamp=web/node_modules/.gauze-stamp page=web/dist/report.html log pinned
  pinned=$(cat web/package.json web/package-lock.json | sha256sum)
  if [[ ! -f $stamp || $(<"$stamp") != "$pinned" ]]; then
    setup_node
    command -v npm >/dev/null || install_packages npm
    log=$(log_file npm-report)
    say "Fetching the tools of the report from npm (once; log: $log)"
    (cd web && npm ci --ignore-scripts --no-audit --no-fund) >"$log" 2>&1 </dev/null || {
      ! grep -q EINTEGRITY "$log" || fail "a package from npm does not match its pinned hash; see $log"
      fail "cannot fetch the tools of the report from npm (is the network up?); see $log"
    }
    printf '%s\n' "$pinned" >"$stamp"
  fi
  [[ ! -f $page || -n $(find web/src web/*.ts web/*.json web/report.html -newer "$page" -print -quit) ]] || return 0
  log=$(log_file report)
  say "Building the page of the report (log: $log)"
  (cd web && npm run build) >"$log" 2>&1 </dev/null || fail "cannot build the page of the report; see $log"
}

# What the optimised command is built from. DuckDB joins it with the first engine.
setup_product() {
  install_packages build
  [[ ! -d src/gauze/engines ]] || setup_duckdb
  setup_report
}

setup_tests() {
  install_packages build test style capi
  setup_duckdb
  setup_report
}
