# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by tests/vm/run and tests/vm/pair, first part: options, signals and exit. Sourced; $prog is
# the caller's name.

set -u -o pipefail

vm_dir=$(cd -P "${BASH_SOURCE[0]%/*}/.." && pwd)
top=$(cd -P "$vm_dir/../.." && pwd)
# shellcheck source=tests/lib/signals.sh
. "$top/tests/lib/signals.sh"

# the caller's directory and environment, for the guest, before this script changes them
caller_cwd=$PWD
mapfile -d '' -t caller_env < <(env -0)
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

EX_USAGE=2
EX_TIMEOUT=124
EX_VM=125

say() {
	echo "$prog: $*" >&2
}

usage_error() {
	say "$* (see --help)"
	exit $EX_USAGE
}

vm_error() {
	say "$*"
	exit $EX_VM
}

# time_now: microseconds since the epoch
time_now() {
	echo "${EPOCHREALTIME/[.,]/}"
}

# note_time WHAT BEGIN END: record a duration for tests/check, which prints it; times in
# microseconds
note_time() {
	[ -z "${ICBENCH_TIMES-}" ] || echo "$1 $((($3 - $2) / 1000))" >>"$ICBENCH_TIMES"
}

#
# Exit by a signal, an error or at the end, without leaving a QEMU behind
#

children=()		# processes of builds and QEMUs
work=
keep_work=

cleanup() {
	local file pid

	# kill QEMU itself; its parent, timeout, waits for it
	for file in ${work:+"$work"/*.pid}; do
		! read -r pid <"$file" || kill -KILL "$pid"
	done 2>/dev/null
	if [ ${#children[@]} -gt 0 ]; then
		kill -TERM "${children[@]}"
		wait "${children[@]}"
	fi 2>/dev/null
	[ -z "$work" ] || [ -n "$keep_work" ] || rm -rf -- "$work"
}

trap_signals() {
	heed_signals "$@"
	trap cleanup EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
}

# finish PID: wait for a child and return its status
finish() {
	local pid rc left=()

	wait "$1" 2>/dev/null
	rc=$?
	for pid in "${children[@]}"; do
		[ "$pid" = "$1" ] || left+=("$pid")
	done
	children=("${left[@]}")
	return $rc
}

#
# Options
#

opt_cpus=
opt_memory=1024
opt_icount=
opt_kernel=
opt_kdir=
opt_root=
opt_no_insmod=
opt_no_rxe=
opt_device=rxe
opt_with=()
opt_timeout=600
opt_work=
opt_plugin=
declare -A opt_out=()
command_words=()

help_options() {
	cat <<'HELP'
options:
  --cpus N          CPUs of the machine (2)
  --memory M        memory of the machine, in MiB, or with a suffix M or G (1024)
  --icount          deterministic: one CPU, whose clock counts instructions
  --kernel RELEASE  an installed kernel (the distribution's newest)
  --kdir TREE       a built kernel tree instead; it needs virtio_pci, 9p,
                    9pnet_virtio and overlay, built in or as modules
  --root DIR        a root file system, as debootstrap makes it, instead of the
                    host's; the kernel is the newest one in DIR, or that of --kdir
  --with DIR        also build the modules of the project's directory DIR, which has
                    a Kbuild; the modules are in $ICBENCH_WITH; can be repeated
  --no-insmod       do not load icbench.ko; its path is in $ICBENCH_KO
  --device TYPE     software RDMA device to make: rxe (RoCE) or siw (iWARP, which
                    distribution kernels lack); $ICBENCH_DEVICE is its name, rxe0
                    or siw0
  --no-rxe          make no device, but the link icb0
  --plugin FILE[,ARG=VALUE...]
                    load a plugin into QEMU, with arguments; a comma in FILE or in a
                    VALUE is doubled; for tests/vm/run only
  --timeout S       time limit for boot and command together, seconds (600)
  --work DIR        keep files, kernel logs and NAME.pid of a machine in DIR
  --help            print this text

environment:
  ICBENCH_VM_OPTIONS  options, separated by blanks, that precede those given
  ICBENCH_VM_SLOW     factor for time limits, for slow kernels (1)
  ICBENCH_VM_LIMIT    most seconds of --timeout, after the factor (no limit)
  ICBENCH_VM_BOOT     time limit for a kernel to start its first program, seconds (45);
                      a kernel that exceeds it is booted again, up to three times
  ICBENCH_QUICK       if set: fewer repetitions and states, for a slow kernel in CI
  ICBENCH_BUILD       build directory (build/ of the project)
  ICBENCH_ACCEL       tcg (the default) or kvm
  ICBENCH_VM_LOG      keep the kernel's log in this file
  ICBENCH_VM_KERNELS  append the release of each booted kernel to this file, and its
                      tree
  ICBENCH_VM_APPEND   additional parameters for the kernel's command line. It has
                      norandmaps; to load programs at random addresses again, set
                      kernel.randomize_va_space by sysctl
  ICBENCH_VM_SHARE    a directory that the command can write to, at its own path
HELP
}

# parse options up to --; the words after it are left in command_words
parse_options() {
	local before

	read -r -d '' -a before <<<"${ICBENCH_VM_OPTIONS-}"
	set -- "${before[@]}" "$@"
	while [ $# -gt 0 ]; do
		case $1 in
		--cpus|--memory|--device|--with|--kernel|--kdir|--root|--timeout|--work|--plugin|\
		--out-a|--out-b)
			[ $# -ge 2 ] || usage_error "$1 needs a value"
			set_option "$1" "$2"
			shift
			;;
		--*=*)		set_option "${1%%=*}" "${1#*=}" ;;
		--icount)	opt_icount=1 ;;
		--no-insmod)	opt_no_insmod=1 ;;
		--no-rxe)	opt_no_rxe=1 ;;
		-h|--help)	usage; exit 0 ;;
		--)		shift; command_words=("$@"); break ;;
		-*)		usage_error "unknown option '$1'" ;;
		*)		usage_error "unexpected '$1': the command goes after --" ;;
		esac
		shift
	done

	[ ${#command_words[@]} -gt 0 ] || usage_error "no command: it goes after --"
	[ -z "$opt_kernel" ] || [ -z "$opt_kdir" ] ||
		usage_error "--kernel and --kdir exclude each other"
	case ${ICBENCH_ACCEL:=tcg} in
	tcg|kvm)	;;
	*)		usage_error "ICBENCH_ACCEL is tcg or kvm, not '$ICBENCH_ACCEL'" ;;
	esac
	[ -d "${ICBENCH_VM_SHARE:-/}" ] ||
		usage_error "ICBENCH_VM_SHARE: no directory '$ICBENCH_VM_SHARE'"
	[ -z "$opt_plugin" ] || [ "$ICBENCH_ACCEL" = tcg ] ||
		usage_error "--plugin needs ICBENCH_ACCEL=tcg"
	if [ -n "$opt_icount" ]; then
		[ "${opt_cpus:=1}" -eq 1 ] ||
			usage_error "--icount has one CPU, not --cpus $opt_cpus"
		[ "$ICBENCH_ACCEL" = tcg ] || usage_error "--icount needs ICBENCH_ACCEL=tcg"
	fi
	: "${opt_cpus:=2}"
	[[ ${ICBENCH_VM_SLOW:=1} =~ ^[1-9][0-9]?$ ]] ||
		usage_error "ICBENCH_VM_SLOW is a number from 1 to 99, not '$ICBENCH_VM_SLOW'"
	[[ ${ICBENCH_VM_BOOT:=45} =~ ^[1-9][0-9]{0,3}$ ]] ||
		usage_error "ICBENCH_VM_BOOT is a number from 1 to 9999, not '$ICBENCH_VM_BOOT'"
	[[ ${ICBENCH_VM_LIMIT:=999999} =~ ^[1-9][0-9]{0,5}$ ]] ||
		usage_error "ICBENCH_VM_LIMIT is a number from 1 to 999999, not '$ICBENCH_VM_LIMIT'"
	[ "$ICBENCH_VM_SLOW" -eq 1 ] || opt_timeout=$((${opt_timeout%.*} * ICBENCH_VM_SLOW))
	[ "${opt_timeout%.*}" -le "$ICBENCH_VM_LIMIT" ] || opt_timeout=$ICBENCH_VM_LIMIT
}

# set_plugin FILE[,ARG=VALUE...]: QEMU's value, with the path of FILE
set_plugin() {
	local both=$'\n' file args=

	# a newline stands for a doubled comma
	file=${1//,,/"$both"}
	[[ $file != *,* ]] || args=,${file#*,}
	file=${file%%,*}
	file=${file//"$both"/,}
	[ -f "$file" ] || usage_error "--plugin: no file '$file'"
	file=$(realpath -- "$file")
	opt_plugin=${file//,/,,}${args//"$both"/,,}
}

set_option() {
	local name=$1 value=$2

	case $name in
	--cpus)
		[[ $value =~ ^[1-9][0-9]{0,2}$ ]] && [ "$value" -le 255 ] ||
			usage_error "--cpus takes a number from 1 to 255, not '$value'"
		opt_cpus=$value
		;;
	--memory)
		[[ $value =~ ^([1-9][0-9]{0,7})([MmGg]?)$ ]] ||
			usage_error "--memory takes a number of MiB, or one with M or G, not '$value'"
		opt_memory=${BASH_REMATCH[1]}
		[[ ${BASH_REMATCH[2]} != [Gg] ]] || opt_memory=$((opt_memory * 1024))
		;;
	--device)
		[[ $value =~ ^(rxe|siw)$ ]] || usage_error "--device takes rxe or siw, not '$value'"
		opt_device=$value
		;;
	--with)
		[ -e "$top/$value/Kbuild" ] || usage_error "--with: no '$value/Kbuild' in the project"
		opt_with+=("$value")
		;;
	--timeout)
		[[ $value =~ ^[0-9]{1,7}(\.[0-9]{1,9})?$ && $value == *[1-9]* ]] ||
			usage_error "--timeout takes a number of seconds above 0, not '$value'"
		opt_timeout=$value
		;;
	--kernel)
		[[ $value =~ ^[A-Za-z0-9][A-Za-z0-9.+~_-]*$ ]] ||
			usage_error "--kernel takes a kernel release, not '$value'"
		opt_kernel=$value
		;;
	--kdir)
		[ -d "$value" ] || usage_error "--kdir: no directory '$value'"
		opt_kdir=$(realpath -- "$value")
		;;
	--root)
		[ -d "$value" ] || usage_error "--root: no directory '$value'"
		opt_root=$(realpath -- "$value")
		[ "$opt_root" != / ] || opt_root=
		;;
	--work)
		mkdir -p -- "$value" 2>/dev/null || usage_error "--work: cannot make '$value'"
		opt_work=$(realpath -- "$value")
		# existing files are overwritten, so the directory has to be one of icbench-vm's
		[ -e "$opt_work/.icbench-vm" ] || [ -z "$(ls -A -- "$opt_work")" ] ||
			usage_error "--work: '$value' is neither empty nor of an earlier run"
		;;
	--plugin)
		[ "$prog" = run ] || usage_error "unknown option '$name'"
		set_plugin "$value"
		;;
	--out-a|--out-b)
		[ "$prog" = pair ] || usage_error "unknown option '$name'"
		[ -n "$value" ] || usage_error "$name needs a file"
		# shellcheck disable=SC2034 # pair alone reads it
		opt_out[${name#--out-}]=$value
		;;
	*)
		usage_error "unknown option '$name'"
		;;
	esac
}
