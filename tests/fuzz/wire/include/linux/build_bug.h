/* SPDX-License-Identifier: GPL-2.0 */
/* Included by kmod/model/wire.h; engine/engine.h provides the macros. */
