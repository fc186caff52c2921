# SPDX-License-Identifier: GPL-2.0
# gnuplot Documentation/figures/rxe-history.gnuplot >Documentation/figures/rxe-history.svg
set terminal svg size 720,300 font "sans-serif,13" background "#ffffff"
set datafile separator "\t"
set style data histograms
set style histogram clustered gap 1.4
set style fill solid noborder
set boxwidth 0.9
set yrange [0:48000]
set ytics 10000
set format y "%'.0f"
set grid ytics lc rgb "#d8dee6"
set border 1 lc rgb "#57606a"
set tics nomirror scale 0
set key outside right center reverse Left
set ylabel "instructions, one way (p50)"
set xlabel "Linux"
data = "Documentation/figures/rxe-history.dat"
plot data using 2:xtic(1) title "icbench, send, poll" lc rgb "#0969da", \
     data using 4 title "icbench, write" lc rgb "#54aeff", \
     data using 3 title "icbench, send, block" lc rgb "#bf3989", \
     data using 5 title "ib\\_send\\_lat -e" lc rgb "#8c959f"
