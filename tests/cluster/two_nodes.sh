#!/usr/bin/env bash
# A SLURM cluster of two nodes that are both this machine, without systemd, for tests, as root:
# two_nodes.sh start|stop|restart_nodes FOLDER
#
# Needs Debian's slurm-wlm and munge. A node is a daemon with a port of its own, which takes the whole machine for itself.
# The configuration must be at SLURM's own place, because jobs do not inherit SLURM_CONF; one that is there already is
# never touched, nor are the jobs of its cluster.
set -euo pipefail

CONF=/etc/slurm/slurm.conf
MARK="# One machine as a cluster of two nodes, for the tests of Truerank."
D=$(realpath -m "$2")
H=$(hostname)
NODES="one two"
MEMORY=$(awk '/MemTotal/ {print int($2 / 1024 * 0.9)}' /proc/meminfo)

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
StateSaveLocation=$D/state
SlurmdSpoolDir=$D/spool/%n
SlurmctldPidFile=$D/slurmctld.pid
SlurmdPidFile=$D/slurmd.%n.pid
SlurmctldLogFile=$D/log/slurmctld.log
SlurmdLogFile=$D/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory,CR_LLN
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
MinJobAge=3600
KillWait=2
NodeName=one NodeHostname=$H NodeAddr=127.0.0.1 Port=16818 CPUs=$(nproc) RealMemory=$MEMORY State=UNKNOWN
NodeName=two NodeHostname=$H NodeAddr=127.0.0.1 Port=16819 CPUs=$(nproc) RealMemory=$MEMORY State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

is_ours() { # whether the cluster of this machine is one that this script made
    grep -qsxF "$MARK" "$CONF"
}

start() {
    if [ -e "$CONF" ] && ! is_ours; then
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
    start_nodes
}

start_nodes() {
    local node up
    for node in $NODES; do
        mkdir -p "$D/spool/$node"
        slurmd -f "$CONF" -N "$node"
    done
    for _ in $(seq 150); do
        up=$(sinfo --noheader --Node --format="%N %T" 2>/dev/null | grep -cE " (idle|mixed|allocated)$" || true)
        if [ "$up" = 2 ]; then return; fi
        sleep 0.2
    done
    echo "the nodes did not come up; see $D/log" >&2
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

restart_nodes() { # as if their power had failed: the daemons, their job steps and their processes die at once
    local node steps
    steps=$(pgrep -f "^slurmstepd: \[[0-9]" || true)
    for node in $NODES; do end "$D/slurmd.$node.pid" KILL; done
    for step in $steps; do
        kill -KILL "$step" $(descendants "$step") 2>/dev/null || true
    done
    # SLURM would notice by itself after SlurmdTimeout, five minutes.
    scontrol update NodeName=one,two State=DOWN Reason="its power failed"
    start_nodes
}

descendants() {
    local child
    for child in $(pgrep -P "$1" || true); do
        echo "$child"
        descendants "$child"
    done
}

stop() {
    is_ours || return 0
    scancel --quiet --user="$(id -un)" 2>/dev/null || true
    for node in $NODES; do end "$D/slurmd.$node.pid"; done
    end "$D/slurmctld.pid"
    end "$D/munge/munged.pid"
    rm "$CONF"
}

"$1"
