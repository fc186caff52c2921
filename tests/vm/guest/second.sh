# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# A second device, $second, on its own link. Source this file before lib.sh, which records the
# resources that exist at the start.

second=${ICBENCH_DEVICE:-rxe0}
second=${second%0}1

add_second() {
	rdma link add "$second" type "${second%1}" netdev icb1
}

ip link add icb1 type dummy
ip address add 10.78.0.1/24 dev icb1
ip link set icb1 up
add_second
