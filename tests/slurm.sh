# shellcheck shell=bash
# shellcheck disable=SC2034  # slurm_trouble: for those who source it
# slurm.sh - a Slurm of one machine in a folder of its own (sourced): munged, slurmctld, slurmd. Needs root, as slurmd does.
#
#   slurm_start FOLDER     SLURM_CONF is set for its commands; 1: it does not run, and slurm_trouble says why
#   slurm_stop             ends what was started

slurm_trouble='' slurm_pids=()

slurm_start() {
  local folder=$1 host port i program
  for program in munged slurmctld slurmd sbatch squeue; do
    command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || {
      slurm_trouble="there is no $program (packages slurm-wlm and munge)"
      return 1
    }
  done
  PATH=$PATH:/usr/sbin
  ((EUID == 0)) || { slurm_trouble="slurmd needs root" && return 1; }
  host=$(hostname -s)
  port=$((20000 + RANDOM % 20000))
  mkdir -p "$folder"/{state,spool,munge}
  chmod 755 "$folder"
  chmod 700 "$folder/munge"
  head -c 1024 /dev/urandom >"$folder/munge/key"
  chmod 400 "$folder/munge/key"
  cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MinJobAge=5
KillWait=2
MessageTimeout=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:2
END
  export SLURM_CONF=$folder/slurm.conf
  munged --force --foreground --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
    >"$folder/munged.out" 2>&1 &
  slurm_pids+=($!)
  for ((i = 0; i < 100; ++i)); do [[ -S $folder/munge.socket ]] && break || sleep 0.05; done
  slurmctld -D -c >"$folder/slurmctld.out" 2>&1 &
  slurm_pids+=($!)
  slurmd -D -N "$host" >"$folder/slurmd.out" 2>&1 &
  slurm_pids+=($!)
  for ((i = 0; i < 200; ++i)); do
    [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]] && return 0
    sleep 0.1
  done
  slurm_trouble="the node is not idle: $(sinfo --noheader 2>&1 | head -2); $(tail -n 2 "$folder"/*.out "$folder"/*.log "$folder"/munge/log 2>/dev/null | head -c 1500)"
  return 1
}

slurm_stop() {
  local pid
  for pid in "${slurm_pids[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${slurm_pids[@]}"; do wait "$pid" 2>/dev/null; done
  slurm_pids=()
}
