package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is what Linux says about one in /proc/<pid>/stat; see proc_pid_stat(5).
type process struct {
	pid, parent int
	name        string
	// used is its own processor time and that of its children that have ended.
	used time.Duration
}

// tick is the unit of processor time in /proc, USER_HZ, which is 100 on every Linux.
const tick = 10 * time.Millisecond

// parseStat reads a stat line. The name stands in brackets and may hold anything.
func parseStat(line string) (process, error) {
	open, end := strings.IndexByte(line, '('), strings.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return process{}, fmt.Errorf("not a stat line: %q", line)
	}
	fields := strings.Fields(line[end+1:])
	if len(fields) < 15 {
		return process{}, fmt.Errorf("short stat line: %q", line)
	}
	p := process{name: line[open+1 : end]}
	var faults [6]error
	var ticks [4]int
	p.pid, faults[0] = strconv.Atoi(strings.TrimSpace(line[:open]))
	p.parent, faults[1] = strconv.Atoi(fields[1])
	for i := range ticks { // utime, stime, cutime, cstime
		ticks[i], faults[2+i] = strconv.Atoi(fields[11+i])
		p.used += time.Duration(ticks[i]) * tick
	}
	return p, errors.Join(faults[:]...)
}

// tree lists a process and all that descend from it.
func tree(root int) ([]process, error) {
	paths, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	children := map[int][]process{}
	var found []process
	for _, path := range paths {
		line, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		p, err := parseStat(string(line))
		if err != nil {
			return nil, err
		}
		if p.pid == root {
			found = append(found, p)
		}
		children[p.parent] = append(children[p.parent], p)
	}
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i].pid]...)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no process %d", root)
	}
	return found, nil
}

// processorTime of a process and all that descend from it. Unlike a rate it hardly depends on
// who else uses the machine.
func processorTime(root int) (time.Duration, error) {
	all, err := tree(root)
	var used time.Duration
	for _, p := range all {
		used += p.used
	}
	return used, err
}

// resident is the memory of a process, and of all that descend from it, in MiB: what is
// resident, with pages that several share counted in equal parts (PSS).
func resident(root int) (own, others float64, err error) {
	all, err := tree(root)
	if err != nil {
		return 0, 0, err
	}
	for _, p := range all {
		rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.pid))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		kb, err := parsePSS(rollup)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", p.name, err)
		}
		if p.pid == root {
			own = kb / 1024
		} else {
			others += kb / 1024
		}
	}
	return own, others, nil
}

func parsePSS(rollup []byte) (float64, error) {
	for line := range bytes.Lines(rollup) {
		if rest, ok := bytes.CutPrefix(line, []byte("Pss:")); ok {
			return strconv.ParseFloat(string(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte(" kB"))), 64)
		}
	}
	return 0, errors.New("no Pss in smaps_rollup")
}
