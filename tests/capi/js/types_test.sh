#!/usr/bin/env bash
# types_test.sh PACKAGE WEB: the types of the package are those of TypeScript, and an app compiles against them.
set -euo pipefail
package=$(readlink -f "$1") web=$(readlink -f "$2")
here=$(dirname "$(readlink -f "$0")")
[[ -f $web/node_modules/typescript/bin/tsc ]] || { echo "skipped: typescript is not installed, run ./dev setup"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/node_modules"
ln -s "$package" "$work/node_modules/gauze-encoder"
cp "$here/types.ts" "$work"
printf '{"type": "module"}\n' >"$work/package.json"
cd "$work"
node "$web/node_modules/typescript/bin/tsc" --noEmit --strict --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom types.ts
