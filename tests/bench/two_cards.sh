#!/bin/bash
# Two cards of one machine against one (docs/ranks.md): two_cards.sh FOLDER-OF-RANKS_BENCH
# List-mode, views that fit, and the long-axial case: as if it fitted, with twice what the limit holds, and streamed whole.
# Some 300 s on two H200s. Open MPI and NCCL have to be found (LD_LIBRARY_PATH). 256 GB of host memory are not needed: the
# views of the long-axial case repeat 6 GB for each rank.
B=$1/ranks_bench
export NCCL_NVLS_ENABLE=${NCCL_NVLS_ENABLE:-0} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
start=$SECONDS
# mpirun binds two ranks to a core each unless told not to; copies to a card want more.
one() { echo "-- one: $* ($((SECONDS - start)) s)"; CUDA_VISIBLE_DEVICES=0 timeout 75 "$B" "$@" 2>&1 | tail -14; }
two() { echo "-- two: $* ($((SECONDS - start)) s)"; timeout 75 orterun --bind-to none -n 2 "$B" "$@" 2>&1 | tail -14; }
axial="views 440 440 644 1.65 80 3 57 8"
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
one views 144 144 48 4 40 3 10 6 3 cuda 0 # compiles kernels for this card
two list 430000000 12 6 cuda
one list 430000000 12 6 cuda
two views 288 288 96 2 40 3 10 12 10 cuda 0
one views 288 288 96 2 40 3 10 12 10 cuda 0
two $axial 3 cuda fits
two $axial 3 cuda 83.6 # a rank's 180 GB are twice that
two $axial 2 cuda 24
two $axial 2 cuda 0
one $axial 2 cuda fits
echo "== $((SECONDS - start)) s"
