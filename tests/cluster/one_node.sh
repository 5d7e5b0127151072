#!/usr/bin/env bash
# A SLURM cluster of this one machine, without systemd, for tests: one_node.sh start|stop|restart_node FOLDER, as root.
#
# Needs Debian's slurm-wlm and munge. The configuration must be at SLURM's own place, because jobs do not inherit
# SLURM_CONF; one that is there already is never touched.
set -euo pipefail

CONF=/etc/slurm/slurm.conf
MARK="# One machine as a cluster, for the tests of Truerank."
D=$(realpath -m "$2")
H=$(hostname)

configuration() {
    cat <<END
$MARK
ClusterName=truerank
SlurmctldHost=$H(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=$D/munge/munge.socket.2
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MinJobAge=300
KillWait=2
NodeName=$H NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

start() {
    if [ -e "$CONF" ] && ! grep -qxF "$MARK" "$CONF"; then
        echo "$CONF belongs to another cluster; nothing was started" >&2
        exit 1
    fi
    mkdir -p "$D"/{munge,state,spool,log} "$(dirname "$CONF")"
    chmod 755 "$D/munge"
    configuration >"$CONF"
    (umask 077 && head -c 128 /dev/urandom >"$D/munge/munge.key")
    munged --key-file="$D/munge/munge.key" --socket="$D/munge/munge.socket.2" --pid-file="$D/munge/munged.pid" \
        --log-file="$D/munge/munged.log" --seed-file="$D/munge/munged.seed"
    slurmctld -f "$CONF"
    slurmd -f "$CONF" -N "$H"
    await_node
}

await_node() {
    for _ in $(seq 100); do
        if sinfo --noheader --format=%T 2>/dev/null | grep -qE "^(idle|mixed|allocated)$"; then return; fi
        sleep 0.2
    done
    echo "the node did not come up; see $D/log" >&2
    exit 1
}

end() { # the process that a pid file names, and wait for it
    local pid
    pid=$(cat "$1" 2>/dev/null) || return 0
    kill "-${2:-TERM}" "$pid" 2>/dev/null || return 0
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || return 0
        sleep 0.1
    done
}

restart_node() { # as if its power had failed: the daemon, its job steps and their processes die at once
    local steps
    steps=$(pgrep -f "^slurmstepd: \[[0-9]" || true)
    end "$D/slurmd.pid" KILL
    for step in $steps; do
        kill -KILL "$step" $(descendants "$step") 2>/dev/null || true
    done
    # SLURM would notice by itself after SlurmdTimeout, five minutes.
    scontrol update NodeName="$H" State=DOWN Reason="its power failed"
    slurmd -f "$CONF" -N "$H"
    await_node
}

descendants() {
    local child
    for child in $(pgrep -P "$1" || true); do
        echo "$child"
        descendants "$child"
    done
}

stop() {
    scancel --quiet --user="$(id -un)" 2>/dev/null || true
    end "$D/slurmd.pid"
    end "$D/slurmctld.pid"
    end "$D/munge/munged.pid"
    if grep -qxsF "$MARK" "$CONF"; then rm "$CONF"; fi
}

"$1"
