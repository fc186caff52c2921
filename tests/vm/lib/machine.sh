# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by tests/vm/run and tests/vm/pair, third part: the files of a virtual machine, its start
# and end, and the check of its log. Files of the machine NAME in the work directory:
#
#   NAME/		the machine's /run/icbench (listed in tests/vm/init)
#   NAME.pid		process number of QEMU
#   NAME.console	output of the serial console
#   NAME.qemu		output of QEMU
#   NAME.ctl.in, .out	second serial port, if the machine has a peer
#   NAME.log		the kernel's log, written when the machine has ended

declare -A qemu_job=()		# child process to wait for
declare -A started=()		# start time, seconds since the epoch
declare -A followers=()		# processes that copy out and err while these grow
declare -A slept=()		# how often the boot hung
declare -A outcome=()		# exit status
declare -A label=()		# prefix of messages
declare -A suffix=()		# suffix of ICBENCH_VM_LOG

make_work() {
	keep_work=$opt_work
	if [ -n "$opt_work" ]; then
		work=$opt_work
		: >"$work/.icbench-vm" || exit $EX_VM
	else
		work=$(mktemp -d "${TMPDIR:-/tmp}/icbench-vm.XXXXXX") || exit $EX_VM
	fi
}

# quote WORD...: print the words quoted for a shell command line
quote() {
	local LC_ALL=C s q="'\\''"

	for s; do
		printf "'%s' " "${s//\'/"$q"}"
	done
}

# The directories, besides the root, that the guest mounts at the same paths. With a foreign root
# these are all directories of the test; with the host's root, only those below /run and /dev, which
# the guest's own /run and /dev hide.
shares() {
	local dir

	for dir in "$top" "$build" "$caller_cwd"; do
		case $dir in
		/|/bin|/boot|/dev|/etc|/lib|/lib64|/proc|/proc/*|/run|/sbin|/sys|/sys/*|\
		/usr|/usr/bin|/usr/include|/usr/lib|/usr/libexec|/usr/sbin|/usr/share|\
		/var|/var/lib)
			;;
		/run/*|/dev/*)
			echo "overlay $dir"
			;;
		*)
			[ -z "$opt_root" ] || echo "overlay $dir"
			;;
		esac
	done | sort -u
	[ -z "${ICBENCH_VM_SHARE-}" ] || echo "rw $(realpath -- "$ICBENCH_VM_SHARE")"
}

# the guest's command: run WORDS in the caller's directory and environment
guest_command() {
	local kv env=() path=

	for kv in "${caller_env[@]}"; do
		case $kv in
		_=*)	;;
		PATH=*)	path=${kv#PATH=} ;;
		*)	env+=("$kv") ;;
		esac
	done
	# a user's PATH may lack sbin, but the guest's user is root
	for kv in /usr/local/sbin /usr/local/bin /usr/sbin /usr/bin /sbin /bin; do
		[[ :$path: == *:$kv:* ]] || path=$path:$kv
	done
	[ ${#opt_with[@]} -eq 0 ] || env+=(ICBENCH_WITH=/run/icbench/with)
	[ -z "$opt_icount" ] || env+=(ICBENCH_VM_ICOUNT=1)
	[ -n "$opt_no_rxe" ] || env+=("ICBENCH_DEVICE=${opt_device}0")
	[ -z "$kdir" ] || env+=(ICBENCH_KO=/run/icbench/icbench.ko)

	echo "cd $(quote "$caller_cwd")|| exit $EX_VM"
	echo "exec /usr/bin/env -i $(quote "${env[@]}" "${machine_env[@]}" \
		"PATH=$cli/user:$path" "$@")"
}

# Copy libraries that a foreign root may lack, except those of the C library: libraries of two C
# libraries must not be mixed.
lend_libraries() {
	local dir=$1 name path

	mkdir "$dir"
	ldd "$cli/user/icbenchctl" | awk '$2 == "=>" { print $1, $3 }' |
	while read -r name path; do
		case $name in
		libc.so.*|libm.so.*|libpthread.so.*|libdl.so.*|librt.so.*)	;;
		*)	cp -L "$path" "$dir/$name" ;;
		esac
	done
}

# share TAG PATH rw|ro: add a 9p share to the QEMU arguments
share() {
	local fs="local,id=$1,path=${2//,/,,},security_model=none,multidevs=remap"

	[ "$3" = rw ] || fs+=,readonly=on
	qemu_args+=(-fsdev "$fs" -device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}

# prepare NAME WORDS...: write a machine's files for the command WORDS. The caller has set
# machine_env (for the command) and machine_config (lines for tests/vm/init).
prepare() {
	local name=$1 dir=$work/$1 i=0 mode path with depends=

	shift
	rm -rf -- "$dir" "$dir".{pid,console,qemu,ctl.in,ctl.out,cut,asleep,over,log}
	mkdir "$dir"
	: >"$dir/out"
	: >"$dir/err"
	cp "$vm_dir/init" "$dir/init"
	if [ -n "$kdir" ]; then
		cp "$build/$kernel_id/module/icbench.ko" "$dir/"
		depends=$(modinfo -F depends "$dir/icbench.ko")
	fi
	if [ ${#opt_with[@]} -gt 0 ]; then
		mkdir "$dir/with"
		for with in "${opt_with[@]}"; do
			cp "$(with_dir "$with")/$with"/*.ko "$dir/with/"
		done
	fi
	if [ -n "$lend" ] && [ -e "$cli/user/icbenchctl" ]; then
		lend_libraries "$dir/libs"
	fi
	guest_command "$@" >"$dir/command"

	qemu_args=()
	share icbench "$dir" rw
	share root "${opt_root:-/}" ro
	[ -z "$modules_share" ] || share modules "$modules_share" ro
	{
		while read -r mode path; do
			echo "share_${i}_mode=$mode share_${i}_path=$(quote "$path")"
			share "share$i" "$path" "$mode"
			i=$((i + 1))
		done < <(shares)
		printf '%s\n' "n_shares=$i" "release=$release" \
			"modules_path=$(quote "$modules_share")" \
			"depends=$(quote "${depends//,/ }")" \
			"no_rxe=$opt_no_rxe" "device=$opt_device" "no_insmod=$opt_no_insmod" \
			"slow=$ICBENCH_VM_SLOW" "explain_after=$(explain_after)" \
			"${machine_config[@]}"
	} >"$dir/config"
}

# explain_after: print the seconds after which the guest records the stacks of its threads: three
# quarters of the time limit; nothing if the limit is short, or if the clock counts instructions
explain_after() {
	local limit=${opt_timeout%.*}

	[ -n "$opt_icount" ] || [ "$limit" -lt 20 ] || echo $((limit * 3 / 4))
}

# start NAME QEMU-ARGUMENT...: boot the machine that was prepared last
start() {
	local name=$1 accel=(-accel "tcg,thread=multi" -cpu "max,la57=off") append kernel

	shift
	# tsc=reliable: otherwise the clock source is the HPET, and each read exits to the host.
	# no_timer_check: on a busy host the timer is late.
	# la57=off: no fifth level of page tables. KASAN asks for this level in each interrupt,
	# possibly while the kernel is still detecting the features of its first CPU.
	# norandmaps: TCG caches translations by address; with random addresses the code of each
	# new process would be translated again.
	append="norandmaps console=ttyS0 tsc=reliable panic=-1 oops=panic no_timer_check loglevel=5 log_buf_len=1M"
	[ "$ICBENCH_ACCEL" = tcg ] || accel=(-accel kvm -cpu host)
	if [ -n "$opt_icount" ]; then
		accel=(-accel "tcg,thread=single" -cpu max -icount "shift=0,sleep=off")
		append+=" nokaslr"
	fi

	[ -z "$opt_plugin" ] || accel+=(-plugin "$opt_plugin")

	# KASAN reports only once without kasan_multi_shot, and the first report may be an excused
	# one. kmemleak may be built in and off.
	! has_option KASAN || append+=" kasan_multi_shot"
	! has_option DEBUG_KMEMLEAK_DEFAULT_OFF || append+=" kmemleak=on"

	kernel=$build/$kernel_id/boot/vmlinux
	[ -e "$kernel" ] || kernel=$image
	[ -z "${ICBENCH_VM_KERNELS-}" ] ||
		echo "$release${opt_kdir:+ ($opt_kdir)}" >>"$ICBENCH_VM_KERNELS"
	started[$name]=$EPOCHSECONDS
	followers[$name]=
	setpriv --pdeathsig KILL timeout --kill-after=5 "$opt_timeout" \
		setpriv --pdeathsig KILL "$qemu" -nodefaults -no-user-config \
		-display none -no-reboot -machine q35 "${accel[@]}" \
		-smp "$opt_cpus" -m "$opt_memory" -pidfile "$work/$name.pid" \
		-kernel "$kernel" -initrd "$build/$kernel_id/boot/initramfs" \
		-append "$append ${ICBENCH_VM_APPEND-}" \
		-chardev "file,id=console,path=${work//,/,,}/$name.console" \
		-serial chardev:console "${qemu_args[@]}" "$@" \
		</dev/null >"$work/$name.qemu" 2>&1 &
	qemu_job[$name]=$!
	children+=($!)
	[ $((slept[$name] += 0)) -ge 3 ] || watch_boot "$name"
	watch_host "$name"
}

# watch_boot NAME: end a machine that does not start its first program in time
watch_boot() {
	local name=$1 end=$((EPOCHSECONDS + ICBENCH_VM_BOOT * ICBENCH_VM_SLOW))

	{
		until [ -e "$work/$name/awake" ] || is_over "$name"; do
			if [ "$EPOCHSECONDS" -ge "$end" ]; then
				: >"$work/$name.asleep"
				kill "${qemu_job[$name]}"
			fi
			sleep 0.5
		done
	} </dev/null >/dev/null 2>&1 &
	followers[$name]+=" $!"
}

# is_over NAME: whether the machine has ended; its process number may have been reused by then
is_over() {
	[ -e "$work/$1.over" ] || ! kill -0 "${qemu_job[$1]}"
}

# watch_host NAME: record how long the host has kept the machine's busiest thread from a CPU so far,
# ms. The machine's clock continues meanwhile, and the tests' time limits exclude this time.
watch_host() {
	local name=$1 task most waited dir=$work/$1

	{
		until [ -s "$work/$name.pid" ] || is_over "$name"; do
			sleep 0.1
		done
		until is_over "$name"; do
			most=0
			for task in /proc/"$(<"$work/$name.pid")"/task/*/schedstat; do
				read -r _ waited _ <"$task" && [ "$waited" -gt "$most" ] &&
					most=$waited
			done
			echo $((most / 1000000)) >"$dir/withheld.new" &&
				mv "$dir/withheld.new" "$dir/withheld"
			sleep 0.5
		done
	} </dev/null >/dev/null 2>&1 &
	followers[$name]+=" $!"
}

# follow NAME FILE: copy the machine's file out or err to standard output while it grows. If the
# reader closes the output, the machine is ended.
follow() {
	local name=$1 file=$2

	{
		tail --quiet --bytes=+1 --follow --sleep-interval=0.05 \
			--pid="${qemu_job[$name]}" "$work/$name/$file" 2>/dev/null || {
			: >"$work/$name.cut"
			kill "${qemu_job[$name]}"
		}
	} &
	followers[$name]+=" $!"
}

# Print the records of the kernel's ring buffer as dmesg does. Missing records are printed as a
# report.
print_kmsg() {
	awk -F ';' '/^[0-9]+,/ {
		split($1, f, ",")
		if (f[2] < next_number)
			next
		if (f[2] > next_number)
			printf "icbench-vm: lost %d records of the log\n", f[2] - next_number
		next_number = f[2] + 1
		text = substr($0, length($1) + 2)
		printf "[%5d.%06d] %s\n", f[3] / 1000000, f[3] % 1000000, text
		ended = ended || text ~ /icbench-vm: end of log/
	}
	END {
		if (!ended)
			print "icbench-vm: lost the end of the log"
	}' "$1"
}

# Write the machine's log. If the machine could save its ring buffer, this is complete; otherwise
# take the console, which shows a crash but filters messages. Fails on a full disk.
write_log() {
	local name=$1 dir=$work/$1

	if [ -s "$dir/kmsg" ]; then
		print_kmsg "$dir/kmsg"
	else
		if [ -e "$work/$name.console" ]; then
			tr -d '\r' <"$work/$name.console" || return
		fi
		# the status is written after the log
		if [ -s "$dir/status" ]; then
			echo "icbench-vm: lost the log, but for the console's"
		fi
	fi >"$work/$name.log"
}

# scan NAME: print the reports of the log; 1 if one is not excused, 2 if the log cannot be read
scan() {
	local name=$1 kind what why bad= taint=0 unread=
	local -A excused=()

	while IFS=$'\t' read -r kind what why; do
		case $kind in
		report)
			say "${label[$name]}kernel report: $what"
			[ -z "$why" ] || say "${label[$name]}... its trace: $why"
			bad=1
			;;
		known)	excused[$what ($why)]=$((${excused[$what ($why)]:-0} + 1)) ;;
		esac
	done < <(awk -v reports="$vm_dir/lib/reports" -v known="$vm_dir/known-reports" \
		-v release="$release" -f "$vm_dir/lib/scan.awk" "$work/$name.log")
	wait $! || unread=1
	for what in "${!excused[@]}"; do
		say "${label[$name]}excused, ${excused[$what]} times: $what"
	done
	if ! grep -q 'icbench-vm: lockdep is off$' "$work/$name.log"; then
		:
	elif [ -n "$bad" ] || [ ${#excused[@]} -gt 0 ]; then
		say "${label[$name]}lockdep was off from a report on, and saw nothing that came later"
	else
		say "${label[$name]}lockdep is off, and the log does not tell why"
		bad=1
	fi

	# taint flags of an oops, a warning, a bad page and a soft lockup: the log may lack the
	# report
	[ ! -s "$work/$name/tainted" ] || taint=$(<"$work/$name/tainted")
	if ((taint & (1 << 7 | 1 << 9 | 1 << 5 | 1 << 14))) && [ -z "$bad" ] &&
		[ ${#excused[@]} -eq 0 ]; then
		say "${label[$name]}the kernel is tainted ($taint) by a report that the log lost"
		bad=1
	fi
	[ -z "$unread" ] || return 2
	[ -z "$bad" ]
}

# print the log of a failure: it outlives the work directory
show_log() {
	local name=$1 log=$work/$1.log

	if [ -s "$work/$name.qemu" ]; then
		tail -n 5 "$work/$name.qemu" >&2
	fi
	if [ -s "$log" ]; then
		say "${label[$name]}the kernel's last lines:"
		tail -n 40 "$log" >&2
	fi
	if [ -z "$keep_work" ] && [ -z "${ICBENCH_VM_LOG-}" ]; then
		if ! log=$(mktemp "${TMPDIR:-/tmp}/icbench-vm.XXXXXX.log") ||
			! cp "$work/$name.log" "$log"; then
			say "${label[$name]}the kernel's log cannot be kept"
			return
		fi
	else
		log=${ICBENCH_VM_LOG:+$ICBENCH_VM_LOG${suffix[$name]}}
		log=${log:-$work/$name.log}
	fi
	say "${label[$name]}the kernel's log: $log"
}

# Print the processes that the OOM killer ended; the command's status only shows a signal.
tell_killed() {
	local name=$1 line

	while read -r line; do
		say "${label[$name]}the machine $line"
	done < <(sed -n 's/.*Out of memory: Killed process \([0-9]*\) (\([^)]*\)).*/had no memory left, and killed \2 (\1)/p' \
		"$work/$name.log")
}

# QEMU before 8.1 has a race with a kernel that patches its code: once in some dozen boots a CPU
# runs an int3 that was translated after its removal. If this happens before the command has begun,
# boot again.
lost_race() {
	local name=$1

	[ "$ICBENCH_ACCEL" = tcg ] && [ "$opt_cpus" -gt 1 ] && [ ! -e "$work/$name/begun" ] &&
		grep -qE 'int3: 0000 \[#1\]' "$work/$name.log"
}

# reap NAME: wait for the machine and set outcome[NAME]: the command's status, 124, 125 with a
# message, or "again" if the machine has to be booted again
reap() {
	local name=$1 dir=$work/$1 rc status why= bad=

	finish "${qemu_job[$name]}"
	rc=$?
	: >"$work/$name.over"
	# shellcheck disable=SC2086
	wait ${followers[$name]}
	write_log "$name" || bad="the kernel's log cannot be written to $work"
	[ -z "${ICBENCH_VM_LOG-}" ] || cp "$work/$name.log" "$ICBENCH_VM_LOG${suffix[$name]}" ||
		bad=${bad:-the kernel\'s log cannot be copied to $ICBENCH_VM_LOG${suffix[$name]}}

	if lost_race "$name"; then
		say "${label[$name]}QEMU raced with the kernel's patching of its code: booting again"
		outcome[$name]=again
		return
	fi
	# QEMU or the kernel hangs in the first second, once in some thirty boots on a busy host
	if [ -e "$work/$name.asleep" ]; then
		say "${label[$name]}the kernel stood still, before its first program: booting again"
		slept[$name]=$((slept[$name] + 1))
		outcome[$name]=again
		return
	fi
	if [ -e "$work/$name.cut" ]; then
		outcome[$name]=141
		return
	fi
	if [ -s "$dir/status" ]; then
		status=$(<"$dir/status")
	elif [ -s "$dir/failed" ]; then
		status=$EX_VM
		why=$(<"$dir/failed")
	elif [ "$rc" -eq 124 ] || {
		[ "$rc" -eq 137 ] &&
		[ $((EPOCHSECONDS - started[$name])) -ge "${opt_timeout%.*}" ]
	}; then
		status=$EX_TIMEOUT
		why="timed out after $opt_timeout s"
	else
		status=$EX_VM
		why="the machine died before the command ended"
	fi

	scan "$name"
	case $? in
	0)	;;
	1)	bad=${bad:-the kernel\'s log has reports} ;;
	*)	bad=${bad:-the kernel\'s log cannot be read} ;;
	esac
	if [ -n "$bad" ]; then
		[ "$status" -eq $EX_TIMEOUT ] || status=$EX_VM
		why=${why:-$bad}
	fi
	if [ "$status" -ne 0 ]; then
		tell_killed "$name"
	fi
	if [ -n "$why" ]; then
		show_log "$name"
		say "${label[$name]}$why"
	fi
	if [ "$status" -eq $EX_TIMEOUT ] && [ -s "$dir/explained" ]; then
		say "${label[$name]}what its threads waited for after $(explain_after) s:"
		cat "$dir/explained" >&2
	fi
	outcome[$name]=$status
}
