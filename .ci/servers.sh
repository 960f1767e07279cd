#!/usr/bin/env bash
# Runs a command with a PostgreSQL and a Redis of its own, and stops both when it ends:
#
#   .ci/servers.sh npx vitest run test/contract
#
# The command finds them in TEST_DATABASE_URL and TEST_REDIS_URL. Both listen on free ports of the loopback and keep
# their files in a temporary directory. Debian's packages are installed if the programs are missing (needs root or sudo).
set -euo pipefail

if [ $# -eq 0 ]; then
  echo "usage: $0 COMMAND [ARGUMENT...]" >&2
  exit 64
fi

postgres_bin() {
  ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1
}

install_missing() {
  local packages=()
  [ -n "$(postgres_bin)" ] || command -v initdb >/dev/null || packages+=(postgresql)
  command -v redis-server >/dev/null || packages+=(redis-server)
  [ ${#packages[@]} -gt 0 ] || return 0
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
}

free_port() {
  node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close(); })"
}

# PostgreSQL refuses to run as root: the package's own user runs it then.
as_postgres() {
  # From /, because that user may not be allowed to stand in the checkout.
  if [ "$(id -u)" -eq 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

stop_servers() {
  trap - EXIT INT TERM
  if [ -n "${redis_pid:-}" ]; then kill "$redis_pid" 2>/dev/null && wait "$redis_pid" 2>/dev/null || true; fi
  if [ -s "$dir/postgres/postmaster.pid" ]; then as_postgres "$bin/pg_ctl" -D "$dir/postgres" -m fast -s stop || true; fi
  rm -rf "$dir"
}

start_postgres() {
  local port
  port=$(free_port)
  mkdir "$dir/postgres"
  [ "$(id -u)" -ne 0 ] || chown postgres "$dir" "$dir/postgres"
  as_postgres "$bin/initdb" -D "$dir/postgres" -U steward -A trust -E UTF8 --no-sync >"$dir/initdb.log"
  as_postgres "$bin/pg_ctl" -D "$dir/postgres" -s -w -l "$dir/postgres/server.log" \
    -o "-p $port -k $dir/postgres -c listen_addresses=127.0.0.1 -c max_connections=200" start
  export TEST_DATABASE_URL="postgres://steward@127.0.0.1:$port/postgres"
}

start_redis() {
  local port
  port=$(free_port)
  mkdir "$dir/redis"
  redis-server --port "$port" --bind 127.0.0.1 --dir "$dir/redis" --appendonly yes --save '' \
    --maxmemory-policy noeviction --daemonize no >"$dir/redis.log" &
  redis_pid=$!
  until redis-cli -p "$port" ping >/dev/null 2>&1; do
    kill -0 "$redis_pid" 2>/dev/null || { cat "$dir/redis.log" >&2; exit 1; }
    sleep 0.1
  done
  export TEST_REDIS_URL="redis://127.0.0.1:$port"
}

install_missing
bin=$(postgres_bin)
[ -n "$bin" ] || bin=$(dirname "$(command -v initdb)")
dir=$(mktemp -d)
chmod 755 "$dir"
trap stop_servers EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
start_postgres
start_redis
echo "TEST_DATABASE_URL=$TEST_DATABASE_URL TEST_REDIS_URL=$TEST_REDIS_URL"
"$@"
