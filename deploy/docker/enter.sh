#!/usr/bin/env bash
# enter.sh ROOT USER:GROUP WRITABLE PROGRAM [ARGUMENT ...] starts a program in a root file system that nobody can write to, as another user:
# as a kubelet does by the manifests of deploy/k8s. WRITABLE is a folder of this machine that has the same name within and can be
# written; /tmp within is empty. The program replaces this script, so that it gets the signals that are sent to the script. Linux, root.
set -euo pipefail
exec unshare --mount --propagation private bash -euc '
  root=$1 user=$2 writable=$3
  shift 3
  mount --bind "$root" "$root" # what is a mount can be made read-only
  mkdir -p "$root$writable" "$root/tmp" "$root/etc"
  for file in /etc/hosts /etc/resolv.conf; do # which a kubelet writes
    touch "$root$file"
    mount --bind "$file" "$root$file"
  done
  mount --bind "$writable" "$root$writable"
  mount -o remount,bind,ro "$root"
  mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
  exec chroot --userspec="$user" --groups= "$root" "$@"
' enter "$@"
