# models/huang-double-pendulum.yaml
# Eight processes of bench_flexible and five of bench_frame, the second program, JOBS at a time.
set -euo pipefail
seconds=100
[[ ! $QUICK ]] || seconds=12
# shellcheck disable=SC2016 # what is in single quotes is for sh
{
  for part in 0 1 2 3 4 5 6 7; do printf '%s\0' bench_flexible "$WORK/part-$part" $seconds $part - -; done
  while read -r number theory E I; do printf '%s\0' bench_frame "$WORK/apart-$number" "$theory" "$E" "$I" $seconds; done << 'END'
1 bar 1e10 1.3e-5
2 bar 1e6 1.3e-5
3 euler-bernoulli 1e10 1.3e-5
4 euler-bernoulli 1e6 1.3e-5
5 euler-bernoulli 1e10 1.3e-10
END
} | xargs -0 -n 6 -P "$JOBS" sh -c 'program=$BENCH/$1; shift; exec "$program" "$@"' run

# Column `apart`: the word of the second program, where it has the run. A last row, theory `both`: of how many, and how many are ours.
awk 'FNR > 1 || NR == 1' "$WORK"/part-? > "$WORK/ours"
awk -F, '
  # The name of a scheme holds two commas.
  function key(skip) {
    return $1 " " $(2 + skip) + 0 " " $(3 + skip) + 0 " " $(4 + skip) " " $(5 + skip) " " $(8 + skip) " " $(9 + skip) " " $(10 + skip)
  }
  FILENAME !~ /ours$/ {word[key(0)] = $11; next}
  FNR == 1 {
    columns = NF
    print $0 ",apart,same"
    next
  }
  {
    known = $2 == "frf" && key(1) in word
    same = known && word[key(1)] == $12
    count += known
    agree += same
    print $0 "," (known ? word[key(1)] : "") "," (known ? (same ? "yes" : "no") : "")
  }
  END {
    printf "both"
    for (i = 2; i <= columns; i++) printf ","
    print "," count "," agree
  }' "$WORK"/apart-? "$WORK/ours" > "$WORK/table.csv"
rm "$WORK"/part-? "$WORK"/apart-? "$WORK/ours"
