#!/bin/bash
# Several cards of one machine against one (docs/measurements/ranks.md): cards.sh PROGRAMS OUT CARDS [DATA...]
# PROGRAMS: folder of ranks_bench. OUT/cards.txt gets all that is said, the table last. DATA: files for `same`.
# At most 500 s on two or four H100s or H200s, the most important rows first. Open MPI and NCCL have to be found
# (LD_LIBRARY_PATH). The views of the long-axial case repeat 6 GB for each rank.
bench=$1/ranks_bench
cards=$3
mkdir -p "$2"
log=$2/cards.txt
data=("${@:4}")
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
most=500
start=$SECONDS
declare -A said

# run NAME LIMIT COMMAND...: what it says goes to the log and to said[NAME].
run() {
    local name=$1 limit=$2 left=$((most - 5 - SECONDS + start))
    shift 2
    if [ $left -lt 15 ]; then
        echo "-- $name: left out, no time" >>"$log"
        return
    fi
    echo "-- $name ($((SECONDS - start)) s): $*" >>"$log"
    said[$name]=$(timeout -k 5 $((limit < left ? limit : left)) "$@" 2>&1)
    echo "${said[$name]}" >>"$log"
}
one() { run "$1" "$2" env CUDA_VISIBLE_DEVICES=0 "${@:3}"; }
# mpirun binds two ranks to a core each unless told not to; copies to a card want more.
all() { run "$1" "$2" orterun --bind-to none -n "$cards" "${@:3}"; }
# Seconds an iteration that a run has told: by its clock, or with images.
clock() { sed -n 's/.* ranks: \([0-9.]*\) s an iteration.*/\1/p' <<<"${said[$1]}"; }
wall() { sed -n 's/.* \([0-9.]*\) of wall time.*/\1/p' <<<"${said[$1]}"; }
# row WHAT BAR ONE ALL: times of one over those of all.
row() {
    awk -v what="$1" -v bar="$2" -v a="$(clock "$3")" -v b="$(clock "$4")" -v c="$(wall "$3")" -v d="$(wall "$4")" 'BEGIN {
        if (a > 0 && b > 0) printf "%-44s %8.4f %8.4f  %5.3f  with images %8.4f %8.4f  %5.3f, %5.3f of the clock  (%s)\n", what, a, b, a / b, c, d, c / d, d / b, bar
        else printf "%-44s not measured (%s)\n", what, bar }'
}

{
    date
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    nvidia-smi topo -m
} >"$log" 2>&1
# Data of a rank of two are twice the limit, or more where the card has less.
limit=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits -i 0 |
    awk -v cards="$cards" '{l = $1 / 1024 - 4.5; m = 83.6 * 2 / cards; print l < m ? l : m}')
views="views 288 288 96 2 40 3 10 12 16 cuda 0"
slabs="views 200 200 500 4 8 3 10 0 24 cuda 0"
axial="views 440 440 644 1.65 80 3 57 8"
list="list 430000000 12 10 cuda"

all "views" 40 "$bench" $views
one "views of one" 40 "$bench" $views
all "slabs" 40 "$bench" $slabs
one "slabs of one" 40 "$bench" $slabs
all "list" 70 "$bench" $list
one "list of one" 70 "$bench" $list
all "axial, fits" 80 "$bench" $axial 3 cuda fits
all "axial, limit" 90 "$bench" $axial 3 cuda "$limit"
if [ ${#data[@]} -gt 0 ]; then
    all "same" 80 "$bench" same cuda 3 "${data[@]}"
fi
one "axial of one, fits" 80 "$bench" $axial 2 cuda fits

{
    echo "== $((SECONDS - start)) s; seconds an iteration: one card, $cards cards, times"
    row "list-mode OSEM, 430 million events" "two 1.9, four 3.8" "list of one" "list"
    row "OSEM, 288 x 288 x 96, 120 views" "two 1.85, four 3.6" "views of one" "views"
    row "RAMLA in slabs, 200 x 200 x 500, 24 views" "two 1.7, four 3.2" "slabs of one" "slabs"
    row "long axial on all: $limit GiB, as if it fitted" "<= 1.2" "axial, limit" "axial, fits"
    row "long axial, as if it fitted" "-" "axial of one, fits" "axial, fits"
    echo "$cards ranks against one:"
    grep apart <<<"${said[same]}" | sed 's|[^ ]*/||'
} >"$2/table.txt" 2>&1
tee -a "$log" <"$2/table.txt"
