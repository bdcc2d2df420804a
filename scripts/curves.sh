# curves.sh - pictures over time from the results of a study's sweeps; sourced by figures.sh of a study, which finds SINEW and WORK in its environment.
# shellcheck shell=bash
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The result file of a case, named as in published.csv.
result() { # SWEEP CASE
  local number
  number=$(awk -v part=find -v where="$2" -f "$scripts/csv.awk" -f "$scripts/verification.awk" "$WORK/$1/table.csv")
  printf '%s/%s/results/%04d.h5' "$WORK" "$1" "$number"
}

# One series of several results over time; the first drawn widest, so that what it covers shows.
curves() { # NAME TITLE SERIES UNIT (LABEL RESULT)...
  local name=$1 title=$2 series=$3 unit=$4 all=()
  shift 4
  while (($#)); do
    all+=("$1" "$2" "$series" $((${#all[@]} ? 1 : 3)))
    shift 2
  done
  lines "$name" "$title" "$unit" "${all[@]}"
}

# Several series of one result over time.
parts() { # NAME TITLE UNIT RESULT (LABEL SERIES)...
  local name=$1 title=$2 unit=$3 file=$4 all=()
  shift 4
  while (($#)); do
    all+=("$1" "$file" "$2" 2)
    shift 2
  done
  lines "$name" "$title" "$unit" "${all[@]}"
}

lines() { # NAME TITLE UNIT (LABEL RESULT SERIES WIDTH)...
  local name=$1 title=$2 unit=$3 plot=() i=0
  shift 3
  while (($#)); do
    "$SINEW" export "$2" --output "$3" -o "$WORK/curve-$name-$((++i))"
    plot+=("'$WORK/curve-$name-$i' using 1:2 with lines lw $4 title '$1'")
    shift 4
  done
  draw "$name" "$title" "$unit" "$(IFS=, && echo "${plot[*]}")"
}

draw() { # NAME TITLE UNIT PLOTS [LABEL OF X]
  gnuplot << END
set terminal pngcairo size 800,400 font "sans,10"
set output "$WORK/$1.png"
set datafile separator ","
set title "$2"
set xlabel "${5:-t [s]}"
set ylabel "[$3]"
set grid
set key outside right
plot $4
END
  rm "$WORK/curve-$1"-*
}
