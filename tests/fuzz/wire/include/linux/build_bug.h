/* SPDX-License-Identifier: GPL-2.0 */
/* For kmod/model/wire.h, which takes the rest from engine/engine.h. */
