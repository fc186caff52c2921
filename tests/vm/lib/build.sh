# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Shared by tests/vm/run and tests/vm/pair, second part: find the kernel, and build what is out of
# date for it. Sources are copied to build/, to a directory for each kernel, so that kernels do not
# disturb each other and the tree stays clean:
#
#   build/KERNEL/module/	sources and objects of the module, and icbench.ko
#   build/KERNEL/boot/	the kernel's image and initramfs
#   build/KERNEL/modules/	installed modules of a --kdir tree
#   build/cli/, cli-ROOT/	sources and objects of icbenchctl

build=$(realpath -m -- "${ICBENCH_BUILD:-$top/build}")
qemu="qemu-system-x86_64"

#
# The kernel
#

release=
image=
kernel_config=		# file of its configuration, if there is one
kdir=			# its build tree; a path inside the root if the root builds
kernel_id=		# name of its directory under build/
modules_base=		# directory that has its lib/modules/RELEASE
modules_share=		# its modules, if the root does not have them

# path_id PATH: print a name for a path outside of the host's root; distinct for distinct paths
path_id() {
	local sum

	sum=$(printf %s "$1" | cksum)
	echo "${1##*/}-${sum%% *}"
}

find_kernel_tree() {
	local f

	image=$opt_kdir/arch/x86/boot/bzImage
	for f in "$image" "$opt_kdir/include/generated/utsrelease.h" "$opt_kdir/Module.symvers"; do
		[ -e "$f" ] || vm_error \
			"$opt_kdir is not a built kernel tree (no $f): make bzImage modules there"
	done
	release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"$/\1/p' \
		"$opt_kdir/include/generated/utsrelease.h")
	kernel_config=$opt_kdir/.config
	kdir=$opt_kdir
	kernel_id=$release-$(path_id "$opt_kdir")
	modules_base=$build/$kernel_id/modules
	modules_share=$modules_base/lib/modules/$release
}

# the newest kernel that has rdma_rxe: cloud kernels have no RDMA
newest_with_rxe() {
	local r

	"$top/scripts/kernels" image "$opt_root" | while read -r r; do
		if grep -qs '/rdma_rxe\.ko' "$opt_root/lib/modules/$r/modules.dep"; then
			echo "$r"
			break
		fi
	done
}

find_kernel_installed() {
	release=${opt_kernel:-$(newest_with_rxe)}
	[ -n "$release" ] ||
		vm_error "no kernel with rdma_rxe is installed${opt_root:+ in $opt_root}: install linux-image-amd64"
	[ -d "$opt_root/lib/modules/$release" ] ||
		usage_error "no kernel '$release' in ${opt_root:-}/lib/modules"

	for image in "$opt_root/boot/vmlinuz-$release" \
		     "$opt_root/lib/modules/$release/vmlinuz" ''; do
		[ ! -e "$image" ] || break
	done
	[ -r "$image" ] || vm_error "cannot read $opt_root/boot/vmlinuz-$release"

	# lib/modules/RELEASE/build of a root is a link that is valid only inside the root
	for kdir in "/lib/modules/$release/build" "/usr/src/linux-headers-$release" ''; do
		[ ! -e "$opt_root$kdir/Makefile" ] || break
	done
	kernel_config=$opt_root/boot/config-$release
	modules_base=$opt_root
	kernel_id=$release${opt_root:+-$(path_id "$opt_root")}
}

# has_option NAME: whether the kernel has it built in
has_option() {
	grep -qs "^CONFIG_$1=y" "$kernel_config"
}

#
# Builds
#

# mirror DIR PATH...: copy the sources that changed, as new files
mirror() {
	local dir=$1 new

	shift
	mkdir -p "$dir"
	[ -e "$dir/.sources" ] || : >"$dir/.sources"
	new=$(cd "$top" && find "$@" \( -name '.*' -o -name build -type d \) -prune -o -type f \
		! -name '*.o' ! -name '*.ko' ! -name '*.mod' ! -name '*.mod.c' \
		! -name '*.a' ! -name '*.d' ! -name modules.order \
		! -name Module.symvers ! -name icbenchctl -print0 |
		LC_ALL=C sort -z | xargs -0 sha256sum) || return
	[ "$new" != "$(<"$dir/.sources")" ] || return 0

	# lines are a sum, two spaces, a name; remove old files first, then copy the new ones
	grep -vxF -f <(echo "$new") "$dir/.sources" | cut -c 67- |
		(cd "$dir" && xargs -r -d '\n' rm -f --)
	grep -vxF -f "$dir/.sources" <<<"$new" | cut -c 67- |
		(cd "$top" && xargs -r -d '\n' cp --parents --preserve=mode -t "$dir" --) ||
		return
	echo "$new" >"$dir/.sources"
}

# enter_root DIR: set root_cmd to a command that runs its arguments in the chroot of --root, with
# DIR as /mnt. objtool needs /proc.
enter_root() {
	local ns=(unshare --mount)

	[ "$(id -u)" -eq 0 ] ||
		ns=(unshare --map-root-user --mount --pid --fork --kill-child)
	# shellcheck disable=SC2016
	root_cmd=("${ns[@]}" sh -c '
		root=$1 dir=$2
		shift 2
		mount --bind "$dir" "$root/mnt" &&
		mount -t proc proc "$root/proc" &&
		mount --rbind /dev "$root/dev" &&
		exec chroot "$root" /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
	' sh "$opt_root" "$1")
}

# logged LOG LINES COMMAND...: run a build, which ends with this process and does not inherit the
# options of a calling make. If it fails, print the last LINES lines of its output.
logged() {
	local log=$1 lines=$2

	shift 2
	if ! (
		unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES KDIR M
		exec setpriv --pdeathsig TERM "$@"
	) >"$log" 2>&1 </dev/null; then
		tail -n "$lines" "$log" >&2
		return 1
	fi
}

# if_stale DIR STAMP COMMAND...: run a command unless it succeeded with this stamp before
if_stale() {
	local dir=$1 stamp=$2

	shift 2
	if [ ! -e "$dir/.stamp" ] || [ "$stamp" != "$(<"$dir/.stamp")" ]; then
		rm -f "$dir/.stamp"
		"$@" || return
		echo "$stamp" >"$dir/.stamp"
	fi
}

# lock DIR: only one build of a directory at a time; released when the subshell ends
lock() {
	mkdir -p "$1"
	exec 9>"$1/.lock"
	flock 9
}

# make_module DIR SUBDIR PATH...: build the module in SUBDIR of the sources
make_module() {
	local dir=$1 sub=$2 m=$1 stamp root_cmd=()

	shift 2
	lock "$dir"
	mirror "$dir" "$@" || return
	if [ -n "$opt_root" ] && [ -z "$opt_kdir" ]; then
		enter_root "$dir"
		m=/mnt
	fi
	# a kernel of the same name may have been rebuilt
	stamp=$(cksum <"$dir/.sources" && cd "$opt_root$kdir" &&
		stat -L -c '%n %Y %s' .config Module.symvers)
	if_stale "$dir" "$stamp" logged "$dir/build.log" 40 \
		"${root_cmd[@]}" make -C "$kdir" M="$m${sub:+/$sub}" -j "$(nproc)" modules || {
		say "cannot build ${sub:-icbench.ko} for $release ($dir/build.log)"
		return 1
	}
}

build_module() {
	make_module "$build/$kernel_id/module" "" Kbuild VERSION kmod include
}

# with_dir DIR: print where the modules of the project's directory DIR are built
with_dir() {
	echo "$build/$kernel_id/with-${1//\//-}"
}

build_with() {
	local dir

	for dir in "${opt_with[@]}"; do
		make_module "$(with_dir "$dir")" "$dir" "$dir" || return
	done
}

# install a tree's modules where the guest can mount them
install_modules() {
	local dir=$build/$kernel_id/modules stamp

	lock "$dir"
	stamp=$(find "$opt_kdir" -name .git -prune -o \
		\( -name '*.ko' -o -name 'modules.*' \) -printf '%p %T@\n' | sort | cksum)
	if_stale "$dir" "$stamp" logged "$dir/build.log" 20 \
		make -C "$opt_kdir" INSTALL_MOD_PATH="$dir" INSTALL_MOD_STRIP=1 \
		-j "$(nproc)" modules_install || {
		say "cannot install the modules of $opt_kdir ($dir/build.log)"
		return 1
	}
}

# icbenchctl is built by the root's own compiler if the root has all that the build needs. Otherwise
# it is built here, and the guest gets the libraries that its root lacks.
cli=
lend=

find_cli() {
	local f

	cli=$build/cli
	[ -n "$opt_root" ] || return 0
	for f in bin/gcc bin/make bin/pkg-config include/json-c/json.h \
		 include/libnl3/netlink/genl/genl.h include/infiniband/verbs.h; do
		if [ ! -e "$opt_root/usr/$f" ]; then
			lend=1
			return 0
		fi
	done
	cli=$build/cli-$(path_id "$opt_root")
}

build_cli() {
	local dir=$cli/user root_cmd=()

	[ -e "$top/user/Makefile" ] || return 0
	lock "$cli"
	mirror "$cli" VERSION kmod include user || return
	if [ "$cli" != "$build/cli" ]; then
		enter_root "$cli"
		dir=/mnt/user
	fi
	if_stale "$cli" "$(cksum <"$cli/.sources")" logged "$cli/build.log" 40 \
		"${root_cmd[@]}" make -C "$dir" -j "$(nproc)" || {
		say "cannot build icbenchctl ($cli/build.log)"
		return 1
	}
}

# print the kernel's modules that are needed to mount the root, in the order of loading
initramfs_modules() {
	local m deps word file

	for m in virtio_pci 9p 9pnet_virtio overlay; do
		deps=$(modprobe --config /dev/null --dirname "${modules_base:-/}" \
			--set-version "$release" --show-depends "$m" 2>/dev/null) || {
			say "kernel $release has no $m, which the VM needs"
			return 1
		}
		while read -r word file _; do
			[ "$word" != insmod ] || echo "$file"
		done <<<"$deps"
	done | awk '!seen[$0]++'
}

make_boot() {
	make_kernel "$1" && make_initramfs "$@"
}

make_initramfs() {
	local dir=$1 busybox=$2 file name

	shift 2
	rm -rf "$dir/initramfs.d"
	mkdir -p "$dir/initramfs.d/bin" "$dir/initramfs.d/modules"
	cd "$dir/initramfs.d" || return
	cp -L "$busybox" bin/busybox
	cp "$vm_dir/lib/stage1" init
	chmod 755 init bin/busybox
	for file; do
		name=${file##*/}
		name=${name%%.ko*}.ko
		case $file in
		*.xz)	xz -dc "$file" ;;
		*.zst)	zstd -dcq "$file" ;;
		*.gz)	gzip -dc "$file" ;;
		*)	cat "$file" ;;
		esac >"modules/$name" || return
		echo "$name"
	done >modules/order
	find . | cpio -o -H newc -R 0:0 --quiet >"$dir/initramfs" || return
	rm -rf "$dir/initramfs.d"
}

# A bzImage's decompressor takes seconds under emulation. Extract the ELF image, which QEMU can boot
# directly (PVH) if the kernel has the note for it. A KASAN kernel does not boot by that entry.
make_kernel() {
	local dir=$1 setup offset length head

	rm -f "$dir/vmlinux"
	! has_option KASAN || return 0
	field() { od -An "-tu$3" "-j$2" "-N$3" "$1" | tr -d ' '; }
	setup=$(field "$image" 0x1f1 1)
	offset=$(((setup + 1) * 512 + $(field "$image" 0x248 4)))
	length=$(field "$image" 0x24c 4)
	head=$(od -An -tx1 "-j$offset" -N4 "$image" | tr -d ' ')
	# the compressed data ends with four bytes that hold its decompressed length
	tail -c "+$((offset + 1))" "$image" | head -c "$((length - 4))" |
	case $head in
	fd377a58)	xz -dc ;;
	1f8b*)		gzip -dc ;;
	28b52ffd)	zstd -dcq ;;
	esac >"$dir/vmlinux" 2>/dev/null
	if ! readelf --notes "$dir/vmlinux" 2>/dev/null | grep -q 'Xen.*0x00000012'; then
		rm -f "$dir/vmlinux"
	fi
	return 0
}

build_boot() {
	local dir=$build/$kernel_id/boot busybox modules

	busybox=$(command -v busybox) || {
		say "busybox is missing: install busybox-static"
		return 1
	}
	modules=$(initramfs_modules) || return
	# the list is empty if everything is built in
	mapfile -t modules < <(printf %s "${modules:+$modules$'\n'}")
	lock "$dir"
	if_stale "$dir" "$(cat "$busybox" "$vm_dir/lib/stage1" "${modules[@]}" "$image" | cksum)" \
		make_boot "$dir" "$busybox" "${modules[@]}"
}

# run functions in the background, so that a signal does not have to wait for them
in_parallel() {
	local f pids=()

	for f; do
		("$f") &
		pids+=($!)
	done
	children+=("${pids[@]}")
	for f in "${pids[@]}"; do
		finish "$f" || exit $EX_VM
	done
}

build_all() {
	local builds=(build_cli build_boot) begin

	begin=$(time_now)
	command -v $qemu >/dev/null || vm_error "$qemu is missing: install qemu-system-x86"
	find_cli
	if [ -n "$opt_kdir" ]; then
		find_kernel_tree
		in_parallel install_modules
	else
		find_kernel_installed
	fi
	if [ -n "$kdir" ]; then
		builds+=(build_module)
		[ ${#opt_with[@]} -eq 0 ] || builds+=(build_with)
	elif [ -n "$opt_no_insmod" ]; then
		say "no headers of kernel $release: icbench.ko is not built"
	else
		vm_error "no headers of kernel $release${opt_root:+ in $opt_root}: install linux-headers-$release"
	fi
	in_parallel "${builds[@]}"
	note_time build "$begin" "$(time_now)"
}
