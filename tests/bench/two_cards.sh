#!/bin/bash
# Two cards of one machine against one (docs/measurements/ranks.md): two_cards.sh PROGRAMS OUT [DATA...]
# PROGRAMS: folder of ranks_bench. OUT/two_cards.txt gets all that is said, the table last. DATA: files for `same`.
# At most 500 s on two H100s or H200s, the most important rows first. Open MPI and NCCL have to be found
# (LD_LIBRARY_PATH). 256 GB of host memory are not needed: the views of the long-axial case repeat 6 GB for each rank.
# With PROGRAMS/ranks_bench_before, the same of an earlier commit, the last rows compare one process of both.
bench=$1/ranks_bench
before=$1/ranks_bench_before
mkdir -p "$2"
log=$2/two_cards.txt
data=("${@:3}")
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
two() { run "$1" "$2" orterun --bind-to none -n 2 "${@:3}"; }
# Seconds an iteration that a run has told: by its clock, or with images.
clock() { sed -n 's/.* ranks: \([0-9.]*\) s an iteration.*/\1/p' <<<"${said[$1]}"; }
stages() { sed -n 's/.* \([0-9.]*\) in its stages.*/\1/p' <<<"${said[$1]}"; }
wall() { sed -n 's/.* \([0-9.]*\) of wall time.*/\1/p' <<<"${said[$1]}"; }
# row WHAT BAR ONE TWO: times of one over those of two.
row() {
    awk -v what="$1" -v bar="$2" -v a="$(clock "$3")" -v b="$(clock "$4")" -v c="$(wall "$3")" -v d="$(wall "$4")" 'BEGIN {
        if (a > 0 && b > 0) printf "%-44s %8.4f %8.4f  %5.3f  with images %8.4f %8.4f  %5.3f  (%s)\n", what, a, b, a / b, c, d, c / d, bar
        else printf "%-44s not measured (%s)\n", what, bar }'
}

{
    date
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    nvidia-smi topo -m
} >"$log" 2>&1
# Data of a rank are twice the limit, or more where the card has less.
limit=$(nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits -i 0 |
    awk '{l = $1 / 1024 - 4.5; print l < 83.6 ? l : 83.6}')
views="views 288 288 96 2 40 3 10 12 10 cuda 0"
slabs="views 200 200 500 4 8 3 10 0 12 cuda 0"
axial="views 440 440 644 1.65 80 3 57 8"
list="list 430000000 12 10 cuda"
sizes=("views 288 288 96 2 40 3 10 12 10" "views 144 144 48 4 40 3 10 12 40" "views 144 144 48 4 40 3 10 0 40")

two list2 70 "$bench" $list
one list1 70 "$bench" $list
two fits2 80 "$bench" $axial 2 cuda fits
two limit2 90 "$bench" $axial 2 cuda "$limit"
if [ ${#data[@]} -gt 0 ]; then
    two same2 80 "$bench" same cuda 3 "${data[@]}"
    run same1 80 env CUDA_VISIBLE_DEVICES=0 orterun --bind-to none -n 2 "$bench" same cuda 3 "${data[@]}"
fi
two views2 30 "$bench" $views
one views1 30 "$bench" $views
two slabs2 30 "$bench" $slabs
one slabs1 30 "$bench" $slabs
for turn in 1 2; do
    for size in "${sizes[@]}"; do
        [ -x "$before" ] || break
        one "before $turn $size" 20 "$before" $size cuda 0
        one "now $turn $size" 20 "$bench" $size cuda 0
    done
done
# Where a rank's time goes: what the first of two does, and half of the events in one process.
one share 45 "$bench" share 2 $list
one half 45 "$bench" list 215000000 12 8 cuda
one fits1 80 "$bench" $axial 2 cuda fits

{
    echo "== $((SECONDS - start)) s; seconds an iteration: one card, two cards, times"
    row "list-mode OSEM, 430 million events" ">= 1.9" list1 list2
    row "OSEM, 288 x 288 x 96, 120 views" ">= 1.85" views1 views2
    row "RAMLA in slabs, 200 x 200 x 500, 24 views" ">= 1.7" slabs1 slabs2
    row "long axial on two: $limit GiB, as if it fitted" "<= 1.3" limit2 fits2
    row "long axial, as if it fitted" "-" fits1 fits2
    echo "half of the events: $(stages half) s in its stages in one process, $(stages share) as the first of two ranks"
    for turn in 1 2; do
        for size in "${sizes[@]}"; do
            [ -x "$before" ] && row "before and now: ${size#views }" "within 1 %" "before $turn $size" "now $turn $size"
        done
    done
    for where in same2 same1; do
        echo "two ranks against one, $([ $where = same2 ] && echo two cards || echo sharing one card):"
        grep apart <<<"${said[$where]}" | sed 's|[^ ]*/||'
    done
} >"$2/table.txt" 2>&1
tee -a "$log" <"$2/table.txt"
