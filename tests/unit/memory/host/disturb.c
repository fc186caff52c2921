// SPDX-License-Identifier: GPL-2.0
#include "disturb.h"

u32 (*disturb_causes)(u64 sample);
u64 disturb_waited;
struct icb_spent disturb_spent;
struct disturb_beyond disturb_beyond;
struct disturb_stages disturb_stages;
