# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Another device, $second, on a link of its own. To be sourced before lib.sh, which
# remembers what there is at first.

second=${ICBENCH_DEVICE:-rxe0}
second=${second%0}1

add_second() {
	rdma link add "$second" type "${second%1}" netdev icb1
}

ip link add icb1 type dummy
ip address add 10.78.0.1/24 dev icb1
ip link set icb1 up
add_second
