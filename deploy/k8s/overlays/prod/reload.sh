# reload.sh COMMAND FILE...: runs the command when one of the files has changed, and again until it succeeds. It looks once a minute, so
# that a certificate is in use a minute after the kubelet has brought it. The kubelet replaces the files of a secret all at once: when one
# is new, the others are. What changed while the program started is not missed: the first round runs the command in any case.
command=$1
shift
trap 'exit 0' TERM
known=
while :; do
  sleep 60 & # in the background: a signal ends the wait at once
  wait $!
  now=$(cat "$@" | sha256sum)
  if [ "$now" != "$known" ] && eval "$command"; then
    known=$now
    echo "reloaded"
  fi
done
