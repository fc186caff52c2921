head -20 /sys/devices/system/cpu/vulnerabilities/* 2>/dev/null | grep -v "^$" | paste - - | head -20
t() { local a=$(date +%s%N); "$@" >/dev/null 2>&1; echo "$(( ($(date +%s%N)-a)/1000000 )) ms $*" | cut -c1-60; }
for k in 1 2 3; do
t bash -c 'for i in $(seq 30); do /bin/true; done'
t python3 -c 'import json,struct,socket,subprocess'
t bash -c 'for i in $(seq 20); do icbenchctl list; done'
t icbenchctl run latency -n 20000
done
