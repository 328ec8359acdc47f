#!/usr/bin/env bash
# enter.sh ROOT USER:GROUP VOLUMES PROGRAM [ARGUMENT ...] starts a program in a root file system that nobody can write to, as another user
# without any capability: as a kubelet does by the manifests of deploy/k8s. VOLUMES are folders of this machine that the program may write to,
# each with where the program finds it: FOLDER=INSIDE,FOLDER=INSIDE. /tmp is an empty one. The program replaces this script, so that it gets
# the signals that are sent to the script. Linux, root.
set -euo pipefail
exec unshare --mount --propagation private bash -euc '
  root=$1 user=$2 volumes=$3
  shift 3
  mount --bind "$root" "$root" # what is a mount can be made read-only
  mkdir -p "$root/tmp" "$root/etc" "$root/proc"
  for file in /etc/hosts /etc/resolv.conf; do # which a kubelet writes
    touch "$root$file"
    mount --bind "$file" "$root$file"
    mount -o remount,bind,ro "$root$file"
  done
  IFS=,
  for volume in $volumes; do
    mkdir -p "$root${volume##*=}"
    mount --bind "${volume%%=*}" "$root${volume##*=}"
  done
  mount --bind /proc "$root/proc"
  mount -o remount,bind,ro "$root"
  mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"
  exec chroot --userspec="$user" --groups= "$root" "$@"
' enter "$@"
