#!/usr/bin/env bash
# Pictures and films of the bundled models for the gallery of the manual. Pictures are small and committed, so that the
# plain page shows them too; films are made for the site alone.
set -euo pipefail
# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

usage() {
  cat << 'END'
Usage: scripts/gallery.sh [--no-films] [--cpu-limit S] [MODEL...]

Make docs/gallery/MODEL.png for bundled models that have no picture yet, and for those named, and build/gallery/MODEL.webm
(ten seconds) for models whose films are missing or older than their files. How a model is drawn is said in docs/site/views.txt.

  --no-films      pictures only
  --cpu-limit S   leave out models whose run takes longer (default: 60 s of CPU time)
  --help          this text

SINEW names the program; default: build/release/sinew. Needs chromium.
END
}

films=yes limit=60 models=() named=yes
while (($#)); do
  case $1 in
    --no-films) films=no ;;
    --cpu-limit) limit=${2?--cpu-limit needs seconds} && shift ;;
    -h | --help) usage && exit ;;
    -*) usage >&2 && die "unknown argument: $1" ;;
    *) models+=("$1") ;;
  esac
  shift
done
cd "$root"
sinew=$(realpath "${SINEW:-build/release/sinew}")
[[ -x $sinew ]] || die "there is no program $sinew; build it, or name it by SINEW"
((${#models[@]})) || { named= && mapfile -t models < <(basename -s .yaml models/*.yaml); }
mkdir -p docs/gallery build/gallery
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Options of render in the array `options`, and `moment` (the time of the picture; empty: the last row).
choose_view() { # MODEL
  local words kind end
  options=() moment=
  read -ra words < <(awk -v model="$1" '$1 == model {$1 = ""; print; exit}' docs/site/views.txt) || true
  kind=$("$sinew" info "$work/$1.h5" | awk '$1 == "analysis" {$1 = ""; print; exit}')
  if ((${#words[@]})); then
    options=("${words[@]:1}")
    [[ ${words[0]} == - ]] || moment=${words[0]}
  elif [[ $kind == *[a-z]* && $kind != *dynamics* && $kind =~ modes|buckling|linearize ]]; then
    options=(--mode 1)
  else
    end=$("$sinew" info "$work/$1.h5" | awk '$1 == "simulated" {print $4; exit}')
    [[ ! $end ]] || options=(--trail all)
    [[ ! $end ]] || moment=$(awk -v end="$end" 'BEGIN {print 0.6*end}')
  fi
}

# The model is run once, when the first of its pictures is wanted.
run_model() { # MODEL
  [[ ! -e $work/$1.h5 ]] || return 0
  (ulimit -t "$limit" && "$sinew" run -q "models/$1.yaml" -o "$work/$1.h5") > "$work/log" 2>&1
}

# Draw a file beside what it is made from; a model that cannot be run or drawn is named and left out.
draw() { # MODEL FILE OPTION...
  local model=$1 file=$2
  shift 2
  if ! run_model "$model"; then
    say "$model: left out, its run failed or took more than $limit s ($(tail -n 1 "$work/log"))"
    return 1
  fi
  choose_view "$model"
  [[ $file != *.png || ! $moment ]] || options+=(--time "$moment")
  if timeout 600 "$sinew" render "$work/$model.h5" --no-caption "${options[@]}" "$@" "$work/${file##*/}" > "$work/log" 2>&1; then
    mv "$work/${file##*/}" "$file"
    say "$file"
  else
    say "$file: not drawn ($(tail -n 1 "$work/log"))"
    return 1
  fi
}

for model in "${models[@]}"; do
  [[ -e models/$model.yaml ]] || die "there is no model '$model'"
  if [[ $named || ! -e docs/gallery/$model.png ]]; then
    draw "$model" "docs/gallery/$model.png" --size 320x180 -o || true
  fi
  # MODEL.sum holds the checksum of the model that was filmed.
  sum=$(sha256sum < "models/$model.yaml")
  if [[ $films == yes && $(cat "build/gallery/$model.sum" 2> /dev/null) != "$sum" ]] &&
    draw "$model" "build/gallery/$model.webm" --size 480x270 --fps 15 --video; then
    echo "$sum" > "build/gallery/$model.sum"
  fi
  rm -f "$work/$model.h5"
done
