#!/usr/bin/env bash
# Pictures and films of the bundled models for the gallery of the manual, in build/gallery. Only models whose files
# have changed are run again.
set -euo pipefail
# shellcheck source=scripts/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

usage() {
  cat << 'END'
Usage: scripts/gallery.sh [--no-films] [--cpu-limit S] [MODEL...]

Make build/gallery/MODEL.png and MODEL.webm (ten seconds) for all bundled models, or those named. What is there for
the same model file is kept. Views and colors are those of docs/figures.sh where it has the model.

  --no-films      pictures only
  --cpu-limit S   leave out models whose run takes longer (default: 60 s of CPU time)
  --help          this text

SINEW names the program; default: build/release/sinew. Needs chromium.
END
}

films=yes limit=60 models=()
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
((${#models[@]})) || mapfile -t models < <(basename -s .yaml models/*.yaml)
out=$root/build/gallery
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# How docs/figures.sh draws a model: "TIME OPTION..."; TIME -: the last row.
figure_of() { # MODEL
  awk -v model="$1" '$1 == "picture" && $4 == model {$1 = $2 = $4 = ""; print; exit}' docs/figures.sh
}

# Options of render in the array `options`, and `moment` (the time of the picture; empty: the last row).
choose_view() { # MODEL
  local words kind end
  options=() moment=
  read -ra words < <(figure_of "$1") || true
  kind=$("$sinew" info "$work/$1.h5" | awk '$1 == "analysis" {$1 = ""; print; exit}')
  if ((${#words[@]})); then
    options=("${words[@]:1}")
    [[ ${words[0]} == - ]] || moment=${words[0]}
  elif [[ $kind == *[a-z]* && $kind != *dynamics* && $kind =~ modes|buckling|linearize ]]; then
    options=(--mode 1)
  else
    end=$("$sinew" info "$work/$1.h5" | awk '$1 == "simulated" {print $4; exit}')
    [[ ! $end ]] || moment=$(awk -v end="$end" 'BEGIN {print 0.6*end}')
  fi
}

# The model is run once, when the first of its pictures is wanted.
run_model() { # MODEL
  [[ ! -e $work/$1.h5 ]] || return 0
  (ulimit -t "$limit" && "$sinew" run -q "models/$1.yaml" -o "$work/$1.h5") > "$work/log" 2>&1
}

# Draw unless the file of this model is there already: NAME.sum holds the checksum of the model that was drawn.
draw() { # MODEL ENDING OPTION...
  local model=$1 ending=$2 sum
  shift 2
  sum=$(sha256sum < "models/$model.yaml")
  [[ ! -e $out/$model.$ending || $(cat "$out/$model.$ending.sum" 2> /dev/null) != "$sum" ]] || return 0
  if ! run_model "$model"; then
    say "$model: left out, its run failed or took more than $limit s ($(tail -n 1 "$work/log"))"
    return 0
  fi
  choose_view "$model"
  [[ $ending != png || ! $moment ]] || options+=(--time "$moment")
  if timeout 600 "$sinew" render "$work/$model.h5" --size 480x270 "${options[@]}" "$@" "$work/$model.$ending" > "$work/log" 2>&1; then
    mv "$work/$model.$ending" "$out/"
    echo "$sum" > "$out/$model.$ending.sum"
    say "$model.$ending"
  else
    say "$model.$ending: not drawn ($(tail -n 1 "$work/log"))"
  fi
}

for model in "${models[@]}"; do
  [[ -e models/$model.yaml ]] || die "there is no model '$model'"
  draw "$model" png -o
  [[ $films == no ]] || draw "$model" webm --fps 15 --no-caption --video
  rm -f "$work/$model.h5"
done
